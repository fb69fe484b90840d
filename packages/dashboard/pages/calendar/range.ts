import { addDays, dayOf, startOf } from '../../parts/time.ts'
import { locale } from '../../parts/words.ts'

export type View = 'month' | 'week' | 'list'

const WEEK = 7
/** Days of the list. */
const LISTED = 4 * WEEK
const month = new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric' })
const shortDay = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' })

/** Weeks begin on Monday (ISO 8601). */
function mondayOf(day: string): string {
  return addDays(day, -((startOf(day).getDay() + 6) % WEEK))
}

/** The days shown for a given day: its week, all weeks of its month, or four weeks from it. */
export function rangeOf(view: View, day: string): readonly string[] {
  if (view === 'list') return Array.from({ length: LISTED }, (_, index) => addDays(day, index))
  const first = mondayOf(view === 'week' ? day : firstOfMonth(day))
  const days = Array.from({ length: view === 'week' ? WEEK : 6 * WEEK }, (_, index) => addDays(first, index))
  return view === 'month' ? days.slice(0, weeksOf(days, day) * WEEK) : days
}

function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`
}

/** How many of six weeks contain a day of the month. */
function weeksOf(days: readonly string[], day: string): number {
  const last = days.findLastIndex((date) => date.slice(0, 7) === day.slice(0, 7))
  return Math.ceil((last + 1) / WEEK)
}

export function stepped(view: View, day: string, by: 1 | -1): string {
  if (view === 'week') return addDays(day, by * WEEK)
  if (view === 'list') return addDays(day, by * LISTED)
  const date = startOf(firstOfMonth(day))
  date.setMonth(date.getMonth() + by)
  return dayOf(date)
}

export function nameOfRange(view: View, day: string): string {
  if (view === 'month') return month.format(startOf(day))
  const days = rangeOf(view, day)
  return shortDay.formatRange(startOf(days[0] ?? day), startOf(days.at(-1) ?? day))
}
