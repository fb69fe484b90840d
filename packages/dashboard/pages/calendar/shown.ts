import type { HourNumbers, ScheduledPost } from '../../client/types.ts'
import { locale } from '../../parts/words.ts'
import type { CalendarEntry } from './entries.ts'
import type { FreeSlot } from './free-slots.tsx'

/** What a calendar view shows, and its actions. */
export interface Shown {
  readonly days: readonly string[]
  readonly entriesOn: (day: string) => readonly CalendarEntry[]
  /** Slots without a post; none where they are hidden, or for those who may not write posts. */
  readonly freeOn: (day: string) => readonly FreeSlot[]
  /** What is known about one of the best hours of the week; undefined for the others, or where they are hidden. */
  readonly bestAt: (day: string, hour: number) => HourNumbers | undefined
  readonly mayWrite: boolean
  /** Where a post for a time is written. */
  readonly composeAt: (day: string, time?: string) => string
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
