/** Minutes ahead of UTC: the names of RFC 822 §5.1, and the few others seen in feeds that are unambiguous. */
const NAMES = new Map([
  ['EST', -300],
  ['EDT', -240],
  ['CST', -360],
  ['CDT', -300],
  ['MST', -420],
  ['MDT', -360],
  ['PST', -480],
  ['PDT', -420],
  ['WEST', 60],
  ['CET', 60],
  ['MEZ', 60],
  ['CEST', 120],
  ['MESZ', 120],
  ['EET', 120],
  ['EEST', 180],
  ['MSK', 180],
  ['JST', 540],
  ['KST', 540],
  ['AEST', 600],
  ['AEDT', 660],
])

/** A zone's offset from UTC, in minutes. A missing or unknown zone counts as UTC (RFC 2822 §4.3). */
export function zoneMinutes(zone: string): number {
  const numeric = /^(?:GMT|UTC|Z)?\s*([+\-\u2212])(\d{1,2})(?::?(\d{2}))?\b/i.exec(zone)
  if (!numeric) return NAMES.get(/^[A-Z]+/i.exec(zone)?.[0].toUpperCase() ?? '') ?? 0
  const [, sign, hours, minutes = '0'] = numeric
  const offset = Number(hours) * 60 + Number(minutes)
  return sign === '+' ? offset : -offset
}
