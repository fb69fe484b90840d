import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { ThreadsRefusal } from './refusal.ts'

const DAY_S = 86_400
const POSTS = 250
const REPLIES = 1_000

export function quotaOf({ externalId }: LedgerAccount, { ledger, clock }: StandInDeps) {
  const since = clock.now() - DAY_S * 1_000
  const posts = ledger.posts('threads', { accountId: externalId })
  return {
    quota_usage: posts.filter(({ createdAt }) => Date.parse(createdAt) > since).length,
    config: { quota_total: POSTS, quota_duration: DAY_S },
    reply_quota_usage: 0,
    reply_config: { quota_total: REPLIES, quota_duration: DAY_S },
  }
}

/** @throws ThreadsRefusal; with what code Threads itself does it is not known */
export function mustHaveQuota(account: LedgerAccount, deps: StandInDeps): void {
  if (quotaOf(account, deps).quota_usage < POSTS) return
  throw new ThreadsRefusal(400, 4, 'The user has reached the number of posts that may be published in 24 hours')
}
