import { isoTime } from '../../infra/runtime/clock.ts'

/** Rules are looked at every six hours, at 0, 6, 12 and 18 o'clock UTC (api-spec §4, Recycling rules). */
const CHECK_EVERY_MS = 6 * 3_600_000
const DAY_MS = 24 * 3_600_000

/** The first check at or after a moment. Both in ms since the epoch, as below. */
export function checkFrom(moment: number): number {
  return Math.ceil(moment / CHECK_EVERY_MS) * CHECK_EVERY_MS
}

/** The first check after a moment. */
export function checkAfter(moment: number): number {
  return checkFrom(moment + 1)
}

/** The last check at or before a moment. */
function checkBefore(moment: number): number {
  return Math.floor(moment / CHECK_EVERY_MS) * CHECK_EVERY_MS
}

/** When the turn after this one may be made. @param countedFrom ISO 8601 UTC, as the answer */
export function nextTurn(countedFrom: string, intervalDays: number): string {
  return isoTime(Date.parse(countedFrom) + intervalDays * DAY_MS)
}

/**
 * What the turn after one that is made now is counted from, ISO 8601 UTC: the check that made it, as counting from some
 * moments later would put off each turn by one check more. One that no check made is counted from itself.
 *
 * @param nextRecycleAt of the turn that is made now, ISO 8601 UTC
 * @param now ms since the epoch
 */
export function countFrom(nextRecycleAt: string, now: number): string {
  const check = checkBefore(now)
  return isoTime(check >= Date.parse(nextRecycleAt) ? check : now)
}
