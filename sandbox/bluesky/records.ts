import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isoTime } from '../../system/clock.ts'
import type { LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { blobUrl, mustBeUploaded } from './blobs.ts'
import { cid } from './identity.ts'
import { blobsIn, COLLECTION, decodePost, type PostRecord } from './record-schema.ts'
import { XrpcRefusal } from './refusal.ts'

export interface StoredRecord {
  readonly uri: string
  readonly cid: string
  readonly value: Readonly<Record<string, unknown>>
}

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
  /** @returns what was removed */
  remove(account: string, rkey: string): StoredRecord | undefined
}

const detailsSchema = z.object({ cid: z.string(), record: z.record(z.string(), z.unknown()) })

/** The posts of all accounts, kept in the ledger: one record is one ledger post, its record key the post's token. */
export function records(deps: StandInDeps): Records {
  const { ledger, clock } = deps
  const get = (account: string, rkey: string): StoredRecord | undefined => {
    const found = ledger.post('bluesky', uriOf(account, rkey))
    return found && stored(found)
  }
  return {
    get,
    list: (account) =>
      ledger
        .posts('bluesky', { accountId: account })
        .map(stored)
        .sort((a, b) => (a.uri < b.uri ? 1 : -1)),
    put: (account, rkey, record, swap) => {
      const post = decodePost(rkey, record)
      const value = { ...record, $type: COLLECTION }
      const next = { uri: uriOf(account, rkey), cid: recordCid(value), value }
      const current = get(account, rkey)
      const isReply = post.reply !== undefined
      if (current?.cid === next.cid) return { stored: next, isReply, commit: () => false }
      if (swap !== undefined && swap !== (current?.cid ?? null)) {
        throw new XrpcRefusal(400, 'InvalidSwap', `Record was at ${current?.cid ?? 'null'}`)
      }
      const media = mediaOf(account, post, deps)
      const commit = (): boolean => {
        if (current) ledger.removePost('bluesky', next.uri)
        ledger.addPost({
          id: next.uri,
          platform: 'bluesky',
          accountId: account,
          token: rkey,
          caption: post.text,
          ...media,
          createdAt: isoTime(clock.now()),
          details: { cid: next.cid, record: value },
        })
        return true
      }
      return { stored: next, isReply, commit }
    },
    remove: (account, rkey) => {
      const found = get(account, rkey)
      if (found) ledger.removePost('bluesky', found.uri)
      return found
    },
  }
}

/** A post of words alone is legal here; the ledger shows it as an image that is nowhere. */
function mediaOf(account: string, post: PostRecord, deps: StandInDeps): Pick<LedgerPost, 'mediaUrl' | 'mediaType'> {
  const blobs = blobsIn(post)
  const media = blobs.map((blob) => mustBeUploaded(account, blob, deps))
  const [first] = blobs
  return { mediaUrl: first ? blobUrl(account, first, deps) : '', mediaType: media[0]?.mediaType ?? 'image' }
}

function uriOf(account: string, rkey: string): string {
  return `at://${account}/${COLLECTION}/${rkey}`
}

function stored({ id, details }: LedgerPost): StoredRecord {
  const { cid, record } = detailsSchema.parse(details)
  return { uri: id, cid, value: record }
}

/** The same for records of the same content, in whatever order their keys are. */
function recordCid(value: object): string {
  return cid(
    'record',
    createHash('sha256')
      .update(JSON.stringify(sorted(value)))
      .digest(),
  )
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]))
}
