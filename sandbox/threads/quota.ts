import type { LedgerAccount } from '../ledger.ts'
import { DAY_S, postedToday } from '../meta/quota.ts'
import { GraphRefusal } from '../meta/refusal.ts'
import type { StandInDeps } from '../stand-in.ts'

const POSTS = 250
const REPLIES = 1_000

export function quotaOf({ externalId }: LedgerAccount, deps: StandInDeps) {
  return {
    quota_usage: postedToday('threads', externalId, deps),
    config: { quota_total: POSTS, quota_duration: DAY_S },
    reply_quota_usage: 0,
    reply_config: { quota_total: REPLIES, quota_duration: DAY_S },
  }
}

/** @throws GraphRefusal; with what code Threads itself does it is not known */
export function mustHaveQuota(account: LedgerAccount, deps: StandInDeps): void {
  if (quotaOf(account, deps).quota_usage < POSTS) return
  const message = 'The user has reached the number of posts that may be published in 24 hours'
  throw new GraphRefusal({ code: 4, message })
}
