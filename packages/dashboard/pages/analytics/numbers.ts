import type { RankedPost } from '../../client/types.ts'
import { addDays, dayOf, today } from '../../parts/time.ts'
import type { DayValue } from './bar-chart.tsx'

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

/** A number that no platform reports is not zero. */
export function shown(value: number | undefined): string {
  return value === undefined ? '–' : value < 10_000 ? whole.format(value) : compact.format(value)
}

export function shownRate(value: number | undefined): string {
  return value === undefined ? '–' : percent.format(value)
}

/** Views of the posts published on each of the last days. */
export function viewsByDay(posts: readonly RankedPost[], days: number): readonly DayValue[] {
  const sums = new Map<string, number>()
  for (const { publishedAt, views = 0 } of posts) {
    const day = dayOf(publishedAt)
    sums.set(day, (sums.get(day) ?? 0) + views)
  }
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(today(), index + 1 - days)
    return { day, value: sums.get(day) ?? 0 }
  })
}
