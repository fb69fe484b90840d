import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { blobUrl, mustBeUploaded } from './blobs.ts'
import { COLLECTION, decodePost, shownIn, type PostRecord } from './record-schema.ts'
import { xrpcRefusal } from './refusal.ts'
import { detailsOf, recordAt, storedIn, uriOf, type StoredRecord } from './stored-record.ts'

export interface Write {
  /** The record's own id: the same for a repeated write. */
  readonly stored: StoredRecord
  /** Whether it is a reply. */
  readonly isReply: boolean
  /**
   * Writes the record.
   *
   * @returns false when an identical record exists and nothing was written
   */
  commit(): boolean
}

export interface Records {
  get(account: string, rkey: string): StoredRecord | undefined
  /** Newest key first. */
  list(account: string): readonly StoredRecord[]
  /**
   * Validates a write: the record's form, the record it replaces (`null`: none; absent: any), its blobs.
   *
   * @throws StandInRefusal
   */
  put(account: string, rkey: string, record: Readonly<Record<string, unknown>>, swap: string | null | undefined): Write
  /** @returns the removed record */
  remove(account: string, rkey: string): StoredRecord | undefined
}

/**
 * The posts of all accounts, stored in the ledger: each record is a ledger post whose token is the record key. A reply is a
 * ledger comment instead.
 */
export function records(deps: StandInDeps): Records {
  const { ledger } = deps
  const replyAt = (uri: string): StoredRecord | undefined => {
    const found = ledger.comment('bluesky', uri)
    return found?.writtenBy === 'account' ? storedIn(found) : undefined
  }
  const postAt = (uri: string): StoredRecord | undefined => {
    const found = ledger.post('bluesky', uri)
    return found && storedIn(found)
  }
  const get = (account: string, rkey: string): StoredRecord | undefined => {
    const uri = uriOf(account, rkey)
    return postAt(uri) ?? replyAt(uri)
  }
  const remove = (uri: string): StoredRecord | undefined => {
    const [post, reply] = [postAt(uri), replyAt(uri)]
    if (post) ledger.removePost('bluesky', uri)
    if (reply) ledger.removeComment('bluesky', uri)
    return post ?? reply
  }
  return {
    get,
    list: (account) => {
      const replies = ledger.commentsOf('bluesky', account).filter(({ writtenBy }) => writtenBy === 'account')
      return [...ledger.posts('bluesky', { accountId: account }), ...replies]
        .flatMap((row) => storedIn(row) ?? [])
        .sort((a, b) => (a.uri < b.uri ? 1 : -1))
    },
    put: (account, rkey, record, swap) => {
      const post = decodePost(rkey, record)
      const next = recordAt(account, rkey, { ...record, $type: COLLECTION })
      const current = get(account, rkey)
      const isReply = post.reply !== undefined
      if (current?.cid === next.cid) return { stored: next, isReply, commit: () => false }
      if (swap !== undefined && swap !== (current?.cid ?? null)) {
        throw xrpcRefusal(400, 'InvalidSwap', `Record was at ${current?.cid ?? 'null'}`)
      }
      const media = mediaOf(account, post, deps)
      const commit = (): boolean => {
        remove(next.uri)
        add(account, rkey, next, post, media, deps)
        return true
      }
      return { stored: next, isReply, commit }
    },
    remove: (account, rkey) => remove(uriOf(account, rkey)),
  }
}

type Media = Pick<LedgerPost, 'mediaUrl' | 'mediaType' | 'items'>

function mediaOf(account: string, post: PostRecord, deps: StandInDeps): Media {
  const items = shownIn(post).map(({ blob, altText }) => {
    const { mediaType } = mustBeUploaded(account, blob, deps)
    return { mediaUrl: blobUrl(account, blob, deps), mediaType, ...(altText !== '' && { altText }) }
  })
  const { mediaUrl = '', mediaType = 'text' } = items[0] ?? {}
  return { mediaUrl, mediaType, items }
}

function add(
  accountId: string,
  token: string,
  stored: StoredRecord,
  { text, reply }: PostRecord,
  media: Media,
  { ledger, clock }: StandInDeps,
): void {
  const row = { id: stored.uri, platform: 'bluesky', accountId, token, createdAt: isoTime(clock.now()) } as const
  const details = detailsOf(stored)
  if (!reply) return ledger.addPost({ ...row, caption: text, ...media, details })
  const isUnderOwn = ledger.post('bluesky', reply.root.uri)?.accountId === accountId
  ledger.addComment({
    ...row,
    ...(isUnderOwn && { postId: reply.root.uri }),
    inReplyTo: reply.parent.uri,
    writtenBy: 'account',
    author: ledger.account('bluesky', accountId)?.label ?? accountId,
    text,
    details,
  })
}
