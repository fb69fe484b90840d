const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** How long (days) a post's numbers are read: the longest range that can be requested (api-spec §8, Analytics summary `days`). */
const LAST_DAY = 90

/** A post's age (ms) at each reading: numbers move most on the first day. */
const AGES: readonly number[] = [
  ...[HOUR_MS, 6 * HOUR_MS],
  ...Array.from({ length: LAST_DAY }, (_, day) => (day + 1) * DAY_MS),
]

/** The reading, counted from 0, that one made now stands for; -1 before the first. Times are ms since the epoch. */
export function slotAt(publishedAt: number, now: number): number {
  return AGES.findLastIndex((age) => publishedAt + age <= now)
}

/** When the next reading is due, however late the last one was; undefined after the last. @param slot -1: none yet */
export function lookAfter(publishedAt: number, slot: number): number | undefined {
  const age = AGES[slot + 1]
  return age === undefined ? undefined : publishedAt + age
}

/** As `lookAfter`, for a missing post: due once the post is twice as old, so that deleted posts cost little. */
export function lookAfterMissing(publishedAt: number, slot: number): number | undefined {
  const before = AGES[slot] ?? 0
  const age = AGES.find((later) => later >= 2 * before)
  return age === undefined ? undefined : publishedAt + age
}
