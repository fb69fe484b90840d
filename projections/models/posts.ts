import { eventOf, parseStreamName, type Metadata } from '../../domain/core/event.ts'
import type { PostType } from '../../domain/core/platform.ts'
import type { PostMedia } from '../../domain/post/post-media.ts'
import { post } from '../../domain/post/post.ts'
import type { ChainPart, PostEvent } from '../../domain/post/post-events.ts'
import type { PublishResults } from '../../domain/post/publish-result.ts'
import { evolveResults } from '../../domain/post/publish-results.ts'
import { evolveWaiting, type Waiting } from '../../domain/post/waiting.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

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
  createdAt: time(),
}
export type PostRow = RowOf<typeof columns>

export const posts: Projection<PostRow> = {
  name: 'posts',
  version: 5,
  columns,
  createsRow: (recorded) => atStreamStart(recorded) || eventOf(post, recorded)?.type === 'PostQueued',
  indexes: ['(workspace_id, created_at desc, id desc)'],
  rowIds: (event) => (eventOf(post, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(post, recorded)
    if (event?.type === 'PostQueued') return queuedRow(id, event.data, recorded.metadata)
    if (!row || !event) return row
    const results = evolveResults(row.results, row.selections, event, recorded.metadata)
    const waiting = evolveWaiting(row.waiting, event, recorded.metadata.at)
    const status = statusAfter(event) ?? row.status
    const words = event.type === 'PostTextEdited' ? wordsOf(event.data) : undefined
    const isSame = !words && status === row.status && results === row.results && waiting === row.waiting
    return isSame ? row : { ...row, ...words, status, results, waiting }
  },
}

function queuedRow(id: string, data: Extract<PostEvent, { type: 'PostQueued' }>['data'], metadata: Metadata): PostRow {
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
    createdAt: metadata.at,
  }
}

function wordsOf({ caption, captionOverrides, hashtags }: Pick<PostRow, 'caption' | 'captionOverrides' | 'hashtags'>) {
  return { caption, captionOverrides, hashtags }
}

function statusAfter(event: PostEvent): PostRow['status'] | undefined {
  if (event.type === 'PostFinished') return event.data.status
  return event.type === 'RetryRequested' ? 'processing' : undefined
}

export async function findPost(db: Database, id: string): Promise<PostRow | undefined> {
  const { rows } = await db.query<PostRow>(`select ${rowFrom(columns)} from read.posts where id = $1`, [id])
  return rows[0]
}
