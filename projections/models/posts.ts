import { eventOf, parseStreamName, type Metadata } from '../../domain/core/event.ts'
import type { PostType } from '../../domain/core/platform.ts'
import { finalText } from '../../domain/post/caption.ts'
import type { PostMedia } from '../../domain/post/post-media.ts'
import { actorKindOf, type ActorKind } from '../../domain/log/activity.ts'
import { post } from '../../domain/post/post.ts'
import type { ChainPart, PostEvent } from '../../domain/post/post-events.ts'
import type { PublishResults } from '../../domain/post/publish-result.ts'
import { evolveResults, publishedKey, publishedParts } from '../../domain/post/publish-results.ts'
import { evolveWaiting, type Waiting } from '../../domain/post/waiting.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

/** `text`: what an edit has not reached. */
type Sent = Readonly<Record<string, { readonly text?: string; readonly firstComment?: string }>>

const columns = {
  id: text(),
  workspaceId: text(),
  status: text<'processing' | 'published' | 'publish_failed'>(),
  origin: text(),
  mediaUrl: text(),
  mediaType: text<PostType>(),
  media: json<readonly PostMedia[] | null>(),
  chain: json<readonly ChainPart[] | null>(),
  caption: text(),
  captionOverrides: json<Readonly<Record<string, string>>>(),
  hashtags: json<readonly string[]>(),
  selections: json<Readonly<Record<string, readonly string[]>>>(),
  results: json<PublishResults>(),
  waiting: json<Waiting>(),
  /** The keys of what it is on its accounts, separated by spaces. */
  publishedAs: text(),
  /** By account: what was sent to it, where that is not what the post says now. */
  sent: json<Sent>(),
  createdAt: time(),
  /** Who made it; null if it was scheduled: who scheduled it is in `scheduled_posts`. */
  authorId: text<string | null>(),
  authorKind: text<ActorKind | 'system' | null>(),
}
export type PostRow = RowOf<typeof columns>

export const posts: Projection<PostRow> = {
  name: 'posts',
  version: 8,
  columns,
  createsRow: (recorded) => atStreamStart(recorded) || eventOf(post, recorded)?.type === 'PostQueued',
  indexes: [
    '(workspace_id, created_at desc, id desc)',
    '(workspace_id, author_id, created_at desc, id desc)',
    `using gin (string_to_array(published_as, ' '))`,
  ],
  rowIds: (event) => (eventOf(post, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(post, recorded)
    if (event?.type === 'PostQueued') return queuedRow(id, event.data, recorded.metadata)
    if (!row || !event) return row
    const results = evolveResults(row.results, row.selections, event, recorded.metadata)
    const waiting = evolveWaiting(row.waiting, event, recorded.metadata.at)
    const status = statusAfter(event) ?? row.status
    const sent = sentAfter(row, event)
    const words = event.type === 'PostTextEdited' ? wordsOf(event.data) : undefined
    const publishedAs = results === row.results ? row.publishedAs : keysOf(results)
    const same = { status, results, publishedAs, waiting, sent }
    const isSame = !words && status === row.status && results === row.results && waiting === row.waiting
    return isSame && sent === row.sent ? row : { ...row, ...words, ...same }
  },
}

function queuedRow(id: string, data: Extract<PostEvent, { type: 'PostQueued' }>['data'], metadata: Metadata): PostRow {
  const author = data.origin === 'schedule' ? undefined : metadata.actor
  return {
    id,
    workspaceId: data.workspaceId,
    status: 'processing',
    origin: data.origin,
    mediaUrl: data.mediaUrl,
    mediaType: data.mediaType,
    media: data.media ?? null,
    chain: data.chain ?? null,
    ...wordsOf(data),
    selections: data.selections,
    results: {},
    waiting: {},
    publishedAs: '',
    sent: {},
    createdAt: metadata.at,
    authorId: author?.id ?? null,
    authorKind: author ? actorKindOf(author) : null,
  }
}

function keysOf(results: PublishResults): string {
  return publishedParts(results)
    .map(({ accountId, postId }) => publishedKey(accountId, postId))
    .join(' ')
}

function wordsOf({ caption, captionOverrides, hashtags }: Pick<PostRow, 'caption' | 'captionOverrides' | 'hashtags'>) {
  return { caption, captionOverrides, hashtags }
}

function sentAfter(row: PostRow, event: PostEvent): Sent {
  switch (event.type) {
    case 'PostTextEdited': {
      const kept = Object.entries(row.results).flatMap(([platform, items]) =>
        items.flatMap(({ ok, accountId }) =>
          ok ? [[accountId, { text: finalText(row, platform), ...row.sent[accountId] }] as const] : [],
        ),
      )
      return { ...row.sent, ...Object.fromEntries(kept) }
    }
    case 'AccountPublished':
    case 'AccountEdited': {
      const { [event.data.accountId]: before, ...others } = row.sent
      if (!before) return row.sent
      const { text: _, ...further } = before
      return { ...others, [event.data.accountId]: further }
    }
    case 'FirstCommentPosted': {
      const { accountId, text: firstComment } = event.data
      return firstComment === undefined
        ? row.sent
        : { ...row.sent, [accountId]: { ...row.sent[accountId], firstComment } }
    }
    default:
      return row.sent
  }
}

function statusAfter(event: PostEvent): PostRow['status'] | undefined {
  if (event.type === 'PostFinished') return event.data.status
  return event.type === 'RetryRequested' ? 'processing' : undefined
}

/** How many of a workspace's posts, from `since` on and before `until` (ISO 8601 UTC), were published on at least one account. */
export async function countPublished(
  db: Database,
  of: { readonly workspaceId: string; readonly since: string; readonly until: string },
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from read.posts
     where workspace_id = $1 and created_at >= $2 and created_at < $3 and status = 'published'`,
    [of.workspaceId, of.since, of.until],
  )
  return rows[0]?.count ?? 0
}

/** Whether a workspace has posts of the demo since then, ISO 8601 UTC. */
export async function hasDemoSince(db: Database, workspaceId: string, since: string): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>(
    `select exists (
       select from read.posts where workspace_id = $1 and created_at >= $2 and origin = 'demo'
     ) as has`,
    [workspaceId, since],
  )
  return rows[0]?.has ?? false
}

/** The latest posts of a workspace, queued after `since` (ISO 8601 UTC). */
export async function latestResults(
  db: Database,
  of: { readonly workspaceId: string; readonly since: string; readonly limit: number },
): Promise<readonly Pick<PostRow, 'id' | 'results'>[]> {
  const { rows } = await db.query<Pick<PostRow, 'id' | 'results'>>(
    `select id, results from read.posts where workspace_id = $1 and created_at > $2
     order by created_at desc, id desc limit $3`,
    [of.workspaceId, of.since, of.limit],
  )
  return rows
}

export async function findPost(db: Database, id: string): Promise<PostRow | undefined> {
  const { rows } = await db.query<PostRow>(`select ${rowFrom(columns)} from read.posts where id = $1`, [id])
  return rows[0]
}

/** As much of a post as says which one it is. */
export type PublishedRow = Pick<PostRow, 'id' | 'caption' | 'mediaUrl' | 'mediaType'>

/** The posts of a workspace that are these on their accounts, by `publishedKey`. */
export async function postsPublishedAs(
  db: Database,
  workspaceId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, PublishedRow>> {
  if (keys.length === 0) return new Map()
  const { id, caption, mediaUrl, mediaType, publishedAs } = columns
  const { rows } = await db.query<PublishedRow & Pick<PostRow, 'publishedAs'>>(
    `select ${rowFrom({ id, caption, mediaUrl, mediaType, publishedAs })} from read.posts
     where workspace_id = $1 and string_to_array(published_as, ' ') && $2::text[]`,
    [workspaceId, keys],
  )
  return new Map(rows.flatMap(({ publishedAs: of, ...row }) => of.split(' ').map((key) => [key, row] as const)))
}
