import type { ScheduledPost } from '../../client/types.ts'
import { locale } from '../../parts/words.ts'
import type { CalendarEntry } from './entries.ts'

/** What a calendar view shows, and its actions. */
export interface Shown {
  readonly days: readonly string[]
  readonly entriesOn: (day: string) => readonly CalendarEntry[]
  readonly mayWrite: boolean
  /** Moves a post to another day and, if given, to another hour. */
  readonly onMove: (id: string, day: string, hour?: number) => void
  readonly onOpen: (post: ScheduledPost) => void
  /** Shows all entries of a day. */
  readonly onDay: (day: string) => void
}

export const WEEKDAY = new Intl.DateTimeFormat(locale(), { weekday: 'short' })
const wholeDay = new Intl.DateTimeFormat(locale(), { dateStyle: 'full' })

export function longDay(date: string): string {
  return wholeDay.format(new Date(`${date}T12:00`))
}
