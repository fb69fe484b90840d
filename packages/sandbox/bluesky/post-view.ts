import type { StandInDeps } from '../stand-in.ts'
import { postCounts } from './counts.ts'
import { accountView, fanView, type Person } from './people.ts'
import { storedIn } from './stored-record.ts'

/** A post, a reply or a comment, as the app currently shows it. */
export interface PostView {
  readonly uri: string
  readonly cid: string
  readonly author: Person
  readonly record: Readonly<Record<string, unknown>>
  readonly likeCount: number
  /** ISO 8601 UTC. */
  readonly indexedAt: string
  readonly viewer: object
}

export function postView(uri: string, { ledger, clock }: StandInDeps): PostView | undefined {
  const [comment, post] = [ledger.comment('bluesky', uri), ledger.post('bluesky', uri)]
  const row = comment ?? post
  const stored = row && storedIn(row)
  const account = row && ledger.account('bluesky', row.accountId)
  if (!stored || !account) return undefined
  const author = comment?.writtenBy === 'fan' ? fanView(uri, comment.author) : accountView(account)
  const answers = ledger.commentsUnder('bluesky', uri).length
  return {
    uri,
    cid: stored.cid,
    author,
    record: stored.value,
    ...postCounts(uri, clock.now() - Date.parse(row.createdAt), answers, post?.reach),
    indexedAt: row.createdAt,
    viewer: { replyDisabled: false },
  }
}
