import type { PlatformAccount } from '../../platforms/kit/platform.ts'
import type { CommentCheck } from './comment-checks.ts'

/** The bounds (ms) between which an account is looked at. */
export interface Pace {
  readonly leastMs: number
  readonly mostMs: number
}

/** The bounds for one account. @param quotaMs the least time between two looks by its platform's quota */
export type PaceOf = (account: Pick<PlatformAccount, 'baseUrl'>, quotaMs: number) => Pace

/** The sandbox has no quota: whoever tries the service there soon sees the comment that he has just written. */
const SANDBOX_PACE: Pace = { leastMs: 5_000, mostMs: 15_000 }

/** A platform's quota goes before the usual bounds. @param sandboxUrl undefined when there is no sandbox */
export function paceOf(usual: Pace, sandboxUrl: string | undefined): PaceOf {
  return ({ baseUrl }, quotaMs) => {
    const isSandbox = sandboxUrl !== undefined && `${baseUrl}/`.startsWith(`${sandboxUrl}/`)
    return isSandbox ? SANDBOX_PACE : { ...usual, leastMs: Math.max(usual.leastMs, quotaMs) }
  }
}

/**
 * Busy accounts are looked at twice as often, until they are quiet again; that nothing is there when somebody asks before its time
 * makes none quiet. The least goes before the most.
 *
 * @param now ms since the epoch, of the look that was made now
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
 * When an account is looked at: by its pace or, where that is sooner, when somebody wants it.
 *
 * @param wantedAt all times are ms since the epoch
 */
export function lookAt(wantedAt: number, last: CommentCheck | undefined): number {
  if (last === undefined) return wantedAt
  const byPace = last.checkedAt + last.intervalMs
  return wantedAt < last.checkedAt ? byPace : Math.min(byPace, wantedAt)
}
