import { isAtSandbox } from '../../platforms/kit/costs.ts'
import type { PlatformAccount } from '../../platforms/kit/platform.ts'
import type { CommentCheck } from './comment-checks.ts'

/** Bounds (ms) of the interval between checks of an account. */
export interface Pace {
  readonly leastMs: number
  readonly mostMs: number
}

/** The bounds for one account. @param quotaMs shortest interval that the platform's quota allows */
export type PaceOf = (account: Pick<PlatformAccount, 'baseUrl'>, quotaMs: number) => Pace

/** The sandbox has no quota, and users trying the service should soon see the comment they just wrote. */
const SANDBOX_PACE: Pace = { leastMs: 5_000, mostMs: 15_000 }

/** A platform's quota takes precedence over the usual bounds. @param sandboxUrl undefined when there is no sandbox */
export function paceOf(usual: Pace, sandboxUrl: string | undefined): PaceOf {
  return ({ baseUrl }, quotaMs) => {
    return isAtSandbox(sandboxUrl, baseUrl) ? SANDBOX_PACE : { ...usual, leastMs: Math.max(usual.leastMs, quotaMs) }
  }
}

/**
 * Halves the interval of a busy account, and lengthens it again once the account is quiet. A check ahead of schedule that finds
 * nothing does not count as quiet. `leastMs` takes precedence over `mostMs`.
 *
 * @param now time of the check just made, ms since the epoch
 */
export function nextInterval(
  last: CommentCheck | undefined,
  { isBusy, now }: { readonly isBusy: boolean; readonly now: number },
  { leastMs, mostMs }: Pace,
): number {
  const before = last?.intervalMs ?? leastMs
  const isEarly = last !== undefined && now < last.checkedAt + before
  const quiet = isEarly ? before : before * 1.5
  return Math.max(leastMs, Math.min(mostMs, isBusy ? before / 2 : quiet))
}

/**
 * When to check an account: at its interval or, if that is sooner, when a check is requested.
 *
 * @param wantedAt all times are ms since the epoch
 */
export function lookAt(wantedAt: number, last: CommentCheck | undefined): number {
  if (last === undefined) return wantedAt
  const byPace = last.checkedAt + last.intervalMs
  return wantedAt < last.checkedAt ? byPace : Math.min(byPace, wantedAt)
}
