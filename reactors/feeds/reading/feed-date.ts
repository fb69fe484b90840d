import { monthNumber } from './month-names.ts'
import { zoneMinutes } from './zone-offset.ts'

/** Longer text is not a date. */
const MAX_LENGTH = 100

const TIME = String.raw`(?:[T\s,]+(?:at\s+)?(?<hour>\d{1,2})[:.](?<minute>\d{2})(?:[:.](?<second>\d{2}))?(?:[.,]\d+)?\s*(?<half>[ap]m)?)?\s*(?<zone>\D.*)?$`
const NAME = String.raw`(?<name>\p{L}[\p{L}\p{M}]*)\.?`
const FORMS = [
  // RFC 3339, W3C-DTF, and the like
  String.raw`^(?<year>\d{4})(?:[-/.](?<month>\d{1,2})(?:[-/.](?<day>\d{1,2}))?)?`,
  // RFC 822 §5, in any language
  String.raw`^(?:\p{L}[\p{L}\p{M}]*[.,\s]+)?(?<day>\d{1,2})(?:\.|\s|-|de\b)+${NAME}(?:\s|-|,|de\b)+(?<year>\d{4}|\d{2})`,
  // January 12, 2026
  String.raw`^(?:\p{L}[\p{L}\p{M}]*[.,\s]+)?${NAME}\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})`,
  // 12.01.2026: with dots, the day comes first everywhere
  String.raw`^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})`,
].map((date) => new RegExp(date + TIME, 'iu'))

/** A feed's date as ISO 8601 UTC; undefined if it is not a date. */
export function feedDate(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > MAX_LENGTH) return undefined
  for (const form of FORMS) {
    const found = form.exec(trimmed)?.groups
    if (found) return isoOf(found)
  }
  return undefined
}

function isoOf(found: Readonly<Record<string, string | undefined>>): string | undefined {
  const { name, month = '1', day = '1', hour = '0', minute = '0', second = '0', half, zone = '' } = found
  const index = (name === undefined ? Number(month) : (monthNumber(name) ?? 0)) - 1
  const time = { hour: hourOf(Number(hour), half?.toLowerCase()), minute: Number(minute), second: Number(second) }
  // `Date` has no leap seconds.
  const ms = Date.UTC(
    yearOf(found['year'] ?? ''),
    index,
    Number(day),
    time.hour,
    time.minute,
    Math.min(time.second, 59),
  )
  const date = new Date(ms)
  const isReal = date.getUTCMonth() === index && date.getUTCDate() === Number(day) && date.getUTCHours() === time.hour
  return isReal && time.minute < 60 ? new Date(ms - zoneMinutes(zone) * 60_000).toISOString() : undefined
}

/** RFC 2822 §4.3: two-digit years up to 49 are in this century. */
function yearOf(digits: string): number {
  const year = Number(digits)
  return digits.length > 2 ? year : year + (year < 50 ? 2000 : 1900)
}

function hourOf(hour: number, half: string | undefined): number {
  return half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0)
}
