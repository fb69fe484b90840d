import { locale } from './words.ts'

/** Monday 3 January 2000. */
const MONDAY = Date.UTC(2000, 0, 3)
const DAY_MS = 86_400_000
const longDay = new Intl.DateTimeFormat(locale(), { weekday: 'long', timeZone: 'UTC' })
const shortDay = new Intl.DateTimeFormat(locale(), { weekday: 'short', timeZone: 'UTC' })

/** The days of the week, as the API and as the user call them. */
export const WEEKDAYS = (['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const).map(
  (key, index) => {
    const at = MONDAY + index * DAY_MS
    return { key, long: longDay.format(at), short: shortDay.format(at) }
  },
)

/** Its name within a sentence. */
export function dayName(day: string): string {
  return WEEKDAYS.find(({ key }) => key === day)?.long ?? day
}

export function dayLabel(day: string): string {
  const name = dayName(day)
  return name.slice(0, 1).toLocaleUpperCase(locale()) + name.slice(1)
}
