const DAY_MS = 86_400_000

/**
 * Milliseconds until the next midnight in California, when Google's quotas reset. Handles days of 23 and 25 hours.
 *
 * @param now milliseconds since the epoch
 */
export function untilPacificMidnight(now: number): number {
  const aDay = DAY_MS - sinceMidnight(now)
  const beside = sinceMidnight(now + aDay)
  return beside < DAY_MS / 2 ? aDay - beside : aDay + DAY_MS - beside
}

/** The last midnight in California, as precise as needed to count a day's uploads. */
export function pacificMidnight(now: number): number {
  return now - sinceMidnight(now)
}

function sinceMidnight(now: number): number {
  const wallClock = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Los_Angeles',
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const parts = new Map(wallClock.formatToParts(now).map(({ type, value }) => [type, Number(value)]))
  const [hours = 0, minutes = 0, seconds = 0] = [parts.get('hour'), parts.get('minute'), parts.get('second')]
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + (now % 1000)
}
