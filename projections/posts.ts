import { eventOf, parseStreamName, type Metadata } from '../domain/event.ts'
import type { MediaType } from '../domain/platform.ts'
import { post, type PostEvent } from '../domain/post.ts'
import type { Database } from '../database/pool.ts'
import type { Projection } from './projection.ts'

/** One item of `publishResults` (api-spec §2, Post; decisions "Posts"). */
export type PublishResult =
  | {
      readonly accountId: string
      readonly ok: true
      readonly postId: string
      readonly url?: string
      readonly firstComment?: { readonly ok: boolean; readonly error?: string }
    }
  | { readonly accountId?: string; readonly ok: false; readonly error: string; readonly outcome?: 'unknown' }

export type PublishResults = Readonly<Record<string, readonly PublishResult[]>>

export interface PostRow {
  readonly id: string
  readonly workspace_id: string
  readonly status: 'processing' | 'published' | 'publish_failed'
  readonly origin: string
  readonly media_url: string
  readonly media_type: MediaType
  readonly caption: string
  readonly hashtags: readonly string[]
  readonly selections: Readonly<Record<string, readonly string[]>>
  readonly results: PublishResults
  readonly created_at: string
}

const COLUMNS =
  'id, workspace_id, status, origin, media_url, media_type, caption, hashtags, selections, results, created_at'

export const posts: Projection<PostRow> = {
  name: 'posts',
  version: 1,
  columns: {
    id: 'text',
    workspace_id: 'text',
    status: 'text',
    origin: 'text',
    media_url: 'text',
    media_type: 'text',
    caption: 'text',
    hashtags: 'json',
    selections: 'json',
    results: 'json',
    created_at: 'timestamptz',
  },
  ofOneStream: true,
  indexes: ['(workspace_id, created_at desc, id desc)'],
  rowIds: (event) => (eventOf(post, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(post, recorded)
    if (event?.type === 'PostQueued') return queuedRow(id, event.data, recorded.metadata)
    return row && event ? { ...row, ...change(row, event) } : row
  },
}

function queuedRow(id: string, data: Extract<PostEvent, { type: 'PostQueued' }>['data'], metadata: Metadata): PostRow {
  return {
    id,
    workspace_id: data.workspaceId,
    status: 'processing',
    origin: data.origin,
    media_url: data.mediaUrl,
    media_type: data.mediaType,
    caption: data.caption,
    hashtags: data.hashtags,
    selections: data.selections,
    results: {},
    created_at: metadata.at,
  }
}

function change(row: PostRow, event: PostEvent): Partial<PostRow> {
  switch (event.type) {
    case 'PlatformRefused':
      return { results: withResult(row, event.data.platform, { ok: false, error: event.data.error }) }
    case 'AccountPublished': {
      const { platform, accountId, postId, url } = event.data
      const item = { accountId, ok: true, postId, ...(url === undefined ? {} : { url }) } as const
      return { results: withResult(row, platform, item) }
    }
    case 'AccountPublishFailed': {
      const { platform, accountId, error, code } = event.data
      const unknown = code === 'unknown' ? { outcome: 'unknown' as const } : {}
      return { results: withResult(row, platform, { accountId, ok: false, error, ...unknown }) }
    }
    case 'FirstCommentPosted':
      return { results: withFirstComment(row.results, event.data, { ok: true }) }
    case 'FirstCommentFailed':
      return { results: withFirstComment(row.results, event.data, { ok: false, error: event.data.error }) }
    case 'RetryRequested':
      return { status: 'processing', results: withoutResults(row.results, event.data) }
    case 'PostFinished':
      return { status: event.data.status }
    default:
      return {}
  }
}

/** A platform is named by the caller: `constructor` must not find what every object has. */
function itemsOf(results: PublishResults, platform: string): readonly PublishResult[] {
  return Object.hasOwn(results, platform) ? (results[platform] ?? []) : []
}

/** Items stand in the order of the selection, whichever account settled first. */
function withResult(row: PostRow, platform: string, item: PublishResult): PublishResults {
  const selected = Object.hasOwn(row.selections, platform) ? (row.selections[platform] ?? []) : []
  const place = ({ accountId }: PublishResult) => (accountId === undefined ? -1 : selected.indexOf(accountId))
  const items = [...itemsOf(row.results, platform), item].sort((a, b) => place(a) - place(b))
  return { ...row.results, [platform]: items }
}

function withFirstComment(
  results: PublishResults,
  { platform, accountId }: { readonly platform: string; readonly accountId: string },
  firstComment: { readonly ok: boolean; readonly error?: string },
): PublishResults {
  const items = itemsOf(results, platform).map((item) =>
    item.ok && item.accountId === accountId ? { ...item, firstComment } : item,
  )
  return { ...results, [platform]: items }
}

function withoutResults(
  results: PublishResults,
  { platform, accountIds }: { readonly platform: string; readonly accountIds: readonly string[] },
): PublishResults {
  const kept = itemsOf(results, platform).filter((item) => !item.accountId || !accountIds.includes(item.accountId))
  return { ...results, [platform]: kept }
}

export async function findPost(db: Database, id: string): Promise<PostRow | undefined> {
  const { rows } = await db.query<PostRow>(`select ${COLUMNS} from read.posts where id = $1`, [id])
  return rows[0]
}

/** Newest first, after the post that `after` names (keyset: stable under inserts). */
export async function listPosts(
  db: Database,
  page: {
    readonly workspaceId: string
    readonly limit: number
    readonly after?: { readonly created_at: string; readonly id: string } | undefined
  },
): Promise<readonly PostRow[]> {
  const { rows } = await db.query<PostRow>(
    `select ${COLUMNS} from read.posts
     where workspace_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3))
     order by created_at desc, id desc limit $4`,
    [page.workspaceId, page.after?.created_at ?? null, page.after?.id ?? null, page.limit],
  )
  return rows
}
