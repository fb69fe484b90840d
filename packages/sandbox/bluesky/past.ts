import type { LedgerPost } from '../ledger.ts'
import type { PastPost, StandInDeps } from '../stand-in.ts'
import { postCounts } from './counts.ts'
import { COLLECTION } from './record-schema.ts'
import { detailsOf, recordAt } from './stored-record.ts'
import { recordKeyAt } from './tid.ts'

/** A record of text alone. */
export function pastRecord(
  { accountId, caption: text, createdAt }: PastPost,
  { ids }: StandInDeps,
): Pick<LedgerPost, 'id' | 'token' | 'details'> {
  const token = recordKeyAt(Date.parse(createdAt), ids.token())
  const stored = recordAt(accountId, token, { $type: COLLECTION, text, createdAt })
  return { id: stored.uri, token, details: detailsOf(stored) }
}

export function pastCounts({ id, createdAt, reach }: LedgerPost, time: number): Readonly<Record<string, number>> {
  const counts = postCounts(id, time - Date.parse(createdAt), 0, reach)
  return {
    likes: counts.likeCount,
    reposts: counts.repostCount,
    replies: counts.replyCount,
    quotes: counts.quoteCount,
    bookmarks: counts.bookmarkCount,
  }
}
