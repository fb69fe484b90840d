const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** For so long (days) a post's numbers are looked at: as long as can be asked for (api-spec §8, Analytics summary `days`). */
const LAST_DAY = 90

/** How old (ms) a post is at each look: numbers move most on the first day. */
const AGES: readonly number[] = [
  ...[HOUR_MS, 6 * HOUR_MS],
  ...Array.from({ length: LAST_DAY }, (_, day) => (day + 1) * DAY_MS),
]

/** The look, counted from 0, that a look made at this time stands for; -1 before the first. Times are ms since the epoch. */
export function slotAt(publishedAt: number, now: number): number {
  return AGES.findLastIndex((age) => publishedAt + age <= now)
}

/** When the next look is due, however late the last one was; undefined after the last. @param slot -1: none was made yet */
export function lookAfter(publishedAt: number, slot: number): number | undefined {
  const age = AGES[slot + 1]
  return age === undefined ? undefined : publishedAt + age
}

/** The same for a post that was not there: once it is twice as old, so that one that is gone soon costs nothing. */
export function lookAfterMissing(publishedAt: number, slot: number): number | undefined {
  const before = AGES[slot] ?? 0
  const age = AGES.find((later) => later >= 2 * before)
  return age === undefined ? undefined : publishedAt + age
}
