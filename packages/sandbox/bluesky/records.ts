import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { blobUrl, mustBeUploaded } from './blobs.ts'
import { blobsIn, COLLECTION, decodePost, type PostRecord } from './record-schema.ts'
import { invalid, XrpcRefusal } from './refusal.ts'
import { detailsOf, recordAt, storedIn, uriOf, type StoredRecord } from './stored-record.ts'

export interface Write {
  /** The record's own id: the same for a write that is repeated. */
  readonly stored: StoredRecord
  /** Whether it answers somebody. */
  readonly isReply: boolean
  /** Writes it. @returns false when the very same record was there: nothing is written */
  commit(): boolean
}

export interface Records {
  get(account: string, rkey: string): StoredRecord | undefined
  /** Newest key first. */
  list(account: string): readonly StoredRecord[]
  /**
   * Checks a write: the record's form, the record it is to replace (`null`: none; absent: whichever), its blobs.
   *
   * @throws XrpcRefusal
   */
  put(account: string, rkey: string, record: Readonly<Record<string, unknown>>, swap: string | null | undefined): Write
  /**
   * @returns what was removed
   * @throws XrpcRefusal for a reply
   */
  remove(account: string, rkey: string): StoredRecord | undefined
}

/**
 * The posts of all accounts, kept in the ledger: one record is one ledger post, its record key the post's token. One that
 * answers somebody is a ledger comment instead, and stays as it was written, since the ledger's comments do.
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
  const mustNotBeReply = (uri: string): void => {
    if (replyAt(uri)) throw invalid('The sandbox neither replaces nor deletes replies')
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
        throw new XrpcRefusal(400, 'InvalidSwap', `Record was at ${current?.cid ?? 'null'}`)
      }
      mustNotBeReply(next.uri)
      const media = mediaOf(account, post, deps)
      const commit = (): boolean => {
        if (current) ledger.removePost('bluesky', next.uri)
        add(account, rkey, next, post, media, deps)
        return true
      }
      return { stored: next, isReply, commit }
    },
    remove: (account, rkey) => {
      const uri = uriOf(account, rkey)
      mustNotBeReply(uri)
      const found = postAt(uri)
      if (found) ledger.removePost('bluesky', uri)
      return found
    },
  }
}

type Media = Pick<LedgerPost, 'mediaUrl' | 'mediaType'>

/** A post of words alone is legal here; the ledger shows it as an image that is nowhere. */
function mediaOf(account: string, post: PostRecord, deps: StandInDeps): Media {
  const blobs = blobsIn(post)
  const media = blobs.map((blob) => mustBeUploaded(account, blob, deps))
  const [first] = blobs
  return { mediaUrl: first ? blobUrl(account, first, deps) : '', mediaType: media[0]?.mediaType ?? 'image' }
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
