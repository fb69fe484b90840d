import { parseStreamName } from '../../domain/core/event.ts'
import { keyOfEvent } from '../../domain/core/personal-data.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import { authorHash, createRoots } from './event-keys.ts'

/** Whose personal data: all that is given must match. */
export interface KeyFilter {
  readonly workspaceId: string
  readonly accountId?: string | undefined
  /** From `authorHash`. */
  readonly author?: string | undefined
  /** Streams with the name of a user. */
  readonly named?: readonly string[] | undefined
  /** Created before, ISO 8601 UTC. */
  readonly before: string
}

/** The names of accounts, users and workspaces are erased only when they are asked for: they may be in use. Figures have other limits. */
const MATCHED = `select stream, comment_id, erasure_id from service.event_keys
  where workspace_id = $1 and created_at < $2 and ($3::text is null or account_id = $3)
    and ($4::bytea is null or author = $4 or author_id = $4)
    and case when $5::text[] is null then stream ~ '^(comment|reply|delivery)-' else stream = any($5) end`
/**
 * A reply or delivery is erased together with its comment, whenever it was written. An array, because a join of so many keys that
 * the statistics do not know yet may be quadratic.
 */
const FOUND = `select stream from matched where erasure_id is null
  union
  select stream from service.event_keys
  where comment_id = any(array(select comment_id from matched where comment_id is not null))
    and workspace_id = $1 and erasure_id is null`
const PAGE = `with matched as materialized (${MATCHED} and stream > $6 order by stream limit $7), found as (${FOUND})
  select array(select stream from found) as streams,
    (select max(stream) from matched having count(*) = $7) as next`
const COUNTS = `count(*) filter (where stream like 'comment-%')::int as comments,
  count(*) filter (where stream like 'reply-%')::int as replies,
  count(*) filter (where stream like 'delivery-%')::int as deliveries`
/** An empty secret is one that an earlier version reads as another key. */
const ERASE = `update service.event_keys set secret = '', erasure_id = $2, erased_at = $3
  where stream = any($1) and erasure_id is null`
const ERASED = `select ${COUNTS} from service.event_keys where workspace_id = $1 and erasure_id = $2`
/** Of comments and replies: from these, others may have been written meanwhile. */
const LAST = `select max(erased_at) as at from service.event_keys
  where workspace_id = $1 and erasure_id = $2 and stream ~ '^(comment|reply)-'`
const FORGET = `update service.event_keys as k set author = null, author_id = null
  where workspace_id = $1 and erasure_id is not null and (author is not null or author_id is not null)
    and not exists (select from service.event_keys as o where o.comment_id = k.comment_id and o.erasure_id is null)`

/** Keys of single events (`keyOfEvent`). */
const OLDER = 'account_id = $1 and created_at < $2 and erasure_id is null and starts_with(stream, $3)'
const HAS_OLDER = `select exists (select from service.event_keys where ${OLDER}) as found`
const ERASE_OLDER = `update service.event_keys set secret = '', erasure_id = $4, erased_at = $5 where ${OLDER}`

/** How many of each kind. */
interface Counts {
  readonly comments: number
  readonly replies: number
  readonly deliveries: number
}

interface KeyPage {
  readonly streams: readonly string[]
  readonly next: string | undefined
}

/** The keys of personal data, for erasing them (`event-keys.ts`). */
export function createErasableKeys({ db, vault }: { readonly db: Database; readonly vault: Vault }) {
  const roots = createRoots(vault)
  return {
    /** The hash of an author's name or id, base64url. */
    authorHash: async (workspaceId: string, author: string): Promise<string> =>
      authorHash(await roots.create(workspaceId), author).toString('base64url'),

    /**
     * The streams of a page of keys whose data is not erased, and of what belongs to their comments.
     *
     * @param after the end of the previous page
     * @returns `next`: the end of this one, if there may be more
     */
    matching: async (filter: KeyFilter, after: string, limit: number): Promise<KeyPage> => {
      const { rows } = await db.query<{ streams: string[]; next: string | null }>(PAGE, [
        ...valuesOf(filter),
        after,
        limit,
      ])
      return { streams: rows[0]?.streams ?? [], next: rows[0]?.next ?? undefined }
    },

    /** How many match and are not erased. */
    count: async (filter: KeyFilter): Promise<Counts> => {
      const sql = `with matched as materialized (${MATCHED}), found as (${FOUND}) select ${COUNTS} from found`
      const { rows } = await db.query<Counts>(sql, [...valuesOf(filter)])
      return rows[0] ?? NOTHING
    },

    /** Erases keys for good. The streams must already say so (`PersonalDataErased`). */
    erase: async (streams: readonly string[], erasureId: string, at: string): Promise<void> =>
      void (await db.query(ERASE, [streams, erasureId, at])),

    /** Whether events of a competitor's stream from before a time, ISO 8601 UTC, have keys of their own. */
    hasOlder: async (stream: string, before: string): Promise<boolean> => {
      const { rows } = await db.query<{ found: boolean }>(HAS_OLDER, [...olderThan(stream, before)])
      return rows[0]?.found ?? false
    },

    /** Erases these for good. The stream must already say so. */
    eraseOlder: async (stream: string, before: string, erasureId: string, at: string): Promise<void> =>
      void (await db.query(ERASE_OLDER, [...olderThan(stream, before), erasureId, at])),

    /** When an erasure last erased a comment or a reply, ISO 8601 UTC. */
    lastErased: async (workspaceId: string, erasureId: string): Promise<string | undefined> => {
      const { rows } = await db.query<{ at: string | null }>(LAST, [workspaceId, erasureId])
      return rows[0]?.at ?? undefined
    },

    /** How many an erasure has erased. */
    erased: async (workspaceId: string, erasureId: string): Promise<Counts> => {
      const { rows } = await db.query<Counts>(ERASED, [workspaceId, erasureId])
      return rows[0] ?? NOTHING
    },

    /** Deletes the hashes of the authors of whose comments nothing is left. */
    forgetAuthors: async (workspaceId: string): Promise<void> => void (await db.query(FORGET, [workspaceId])),
  }
}

function olderThan(stream: string, before: string): readonly string[] {
  return [parseStreamName(stream).id, before, keyOfEvent(stream, '')]
}

const NOTHING: Counts = { comments: 0, replies: 0, deliveries: 0 }

function valuesOf({ workspaceId, before, accountId, author, named }: KeyFilter): readonly unknown[] {
  return [
    workspaceId,
    before,
    accountId ?? null,
    author === undefined ? null : Buffer.from(author, 'base64url'),
    named ?? null,
  ]
}
