import { isoTime } from '../../infra/runtime/clock.ts'

/** Rules are checked every six hours, at 00:00, 06:00, 12:00 and 18:00 UTC (api-spec §4, Recycling rules). */
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

/** The earliest time of the next turn. @param countedFrom ISO 8601 UTC, as is the result */
export function nextTurn(countedFrom: string, intervalDays: number): string {
  return isoTime(Date.parse(countedFrom) + intervalDays * DAY_MS)
}

/**
 * The time from which the interval to the next turn is counted, ISO 8601 UTC. It is the time of the check that makes this turn:
 * counting from a few moments later would delay every turn by one more check. A turn made outside a check counts from now.
 *
 * @param nextRecycleAt of the turn that is made now, ISO 8601 UTC
 * @param now ms since the epoch
 */
export function countFrom(nextRecycleAt: string, now: number): string {
  const check = checkBefore(now)
  return isoTime(check >= Date.parse(nextRecycleAt) ? check : now)
}
