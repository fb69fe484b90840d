import { t, plural } from '@lingui/core/macro'
import type { HourNumbers } from '../../client/types.ts'
import { dayName } from '../../parts/weekdays.ts'
import { shown } from './numbers.ts'

const NAMED = 3
/** A single post says little. */
export const LEAST_POSTS = 2

/** @param hours as the API sorts them: best first */
export function bestHours(hours: readonly HourNumbers[]): readonly HourNumbers[] {
  const founded = hours.filter(({ posts, medianInteractions = 0 }) => posts >= LEAST_POSTS && medianInteractions > 0)
  return founded.slice(0, NAMED)
}

/** `Monday 09:00 (median 34, 5 posts)` */
export function hourSentence({ weekday, hour, posts, medianInteractions }: HourNumbers): string {
  const at = `${dayName(weekday)} ${String(hour).padStart(2, '0')}:00`
  const median = shown(medianInteractions)
  return t`${at} (median ${median}, ${plural(posts, { one: '# post', other: '# posts' })})`
}
