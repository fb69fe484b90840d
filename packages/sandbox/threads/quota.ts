import type { LedgerAccount } from '../ledger.ts'
import { DAY_S } from '../meta/quota.ts'
import { graphRefusal } from '../meta/refusal.ts'
import type { StandInDeps } from '../stand-in.ts'

const POSTS = 250
const REPLIES = 1_000

export function quotaOf({ externalId }: LedgerAccount, deps: StandInDeps) {
  const { ledger, clock } = deps
  const since = clock.now() - DAY_S * 1_000
  const replies = ledger
    .commentsOf('threads', externalId)
    .filter(({ writtenBy, createdAt }) => writtenBy === 'account' && Date.parse(createdAt) > since)
  const posts = ledger
    .posts('threads', { accountId: externalId })
    .filter(({ createdAt }) => Date.parse(createdAt) > since)
  const inChains = posts.filter(({ inReplyTo }) => inReplyTo !== undefined)
  return {
    quota_usage: posts.length - inChains.length,
    config: { quota_total: POSTS, quota_duration: DAY_S },
    reply_quota_usage: replies.length + inChains.length,
    reply_config: { quota_total: REPLIES, quota_duration: DAY_S },
  }
}

/** @throws StandInRefusal; the code that Threads uses is unknown */
export function mustHaveQuota(account: LedgerAccount, kind: 'posts' | 'replies', deps: StandInDeps): void {
  const { quota_usage, reply_quota_usage } = quotaOf(account, deps)
  if (kind === 'posts' ? quota_usage < POSTS : reply_quota_usage < REPLIES) return
  throw graphRefusal({ code: 4, message: `The user has reached the number of ${kind} for 24 hours` })
}
