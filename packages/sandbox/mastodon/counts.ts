import { grown } from '../growth.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'

/** What people did with a post so far. */
export function postCounts(id: string, ageMs: number): object {
  return {
    favourites_count: grown(`favourites:${id}`, ageMs, 400),
    reblogs_count: grown(`reblogs:${id}`, ageMs, 90),
    replies_count: grown(`replies:${id}`, ageMs, 40),
    quotes_count: grown(`quotes:${id}`, ageMs, 12),
  }
}

export function accountCounts(
  { externalId: accountId, createdAt }: LedgerAccount,
  { ledger, clock }: StandInDeps,
): object {
  return {
    followers_count: grown(`followers:${accountId}`, clock.now() - Date.parse(createdAt), 5_000),
    following_count: 12,
    statuses_count: ledger.posts('mastodon', { accountId }).length,
  }
}
