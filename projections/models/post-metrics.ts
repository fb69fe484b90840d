import { eventOf, parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import { figuresOf, type Figures } from '../../domain/analytics/figures.ts'
import { lookAfter, lookAfterMissing } from '../../domain/analytics/metrics-cadence.ts'
import { hasAnalytics, type AnalyticsPlatform, type PostMetrics } from '../../domain/analytics/metrics.ts'
import type { PostType } from '../../domain/core/platform.ts'
import { metrics, postMetricsId } from '../../domain/analytics/post-metrics.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import { post } from '../../domain/post/post.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { bigint, json, text, time, rowFrom, type Columns, type RowOf } from '../engine/columns.ts'
import type { Projection } from '../engine/projection.ts'

/** Figures as stored in a row. */
export const figures = {
  views: bigint<string | null>(),
  interactions: bigint<string | null>(),
  likes: bigint<string | null>(),
  comments: bigint<string | null>(),
} satisfies Columns<{ readonly [Name in keyof Required<Figures>]: string | null }>
export type FigureColumns = RowOf<typeof figures>

const columns = {
  /** The stream's id. */
  id: text(),
  postId: text(),
  accountId: text(),
  platform: text<AnalyticsPlatform>(),
  platformPostId: text(),
  publishedAt: time(),
  /** Null for posts of earlier versions, until numbers are captured. */
  workspaceId: text<string | null>(),
  /** Null until numbers are captured, like the three below. */
  mediaType: text<PostType | null>(),
  hashtags: json<readonly string[] | null>(),
  metrics: json<PostMetrics | null>(),
  capturedAt: time<string | null>(),
  /** When the platform first reported the post missing; null while it knows the post. */
  missingSince: time<string | null>(),
  /** When its numbers are read next; null for never. */
  dueAt: time<string | null>(),
  ...figures,
}
/** One post on one account, with its newest numbers. */
export type PostMetricsRow = RowOf<typeof columns>

export const postMetrics: Projection<PostMetricsRow> = {
  name: 'post_metrics',
  version: 2,
  columns,
  // When to check a missing post again: no event records that it is still missing.
  operational: { look_at: 'timestamptz' },
  createsRow: (recorded) => wentOut(recorded)?.isLaterPart === false,
  indexes: [
    // Includes every figure that is summed or ranked by, for index-only scans.
    '(account_id, published_at) include (id, views, interactions, likes, comments)',
    // The most requested ranking.
    '(account_id, views desc, id desc) include (published_at) where views is not null',
    '(account_id, (greatest(due_at, look_at))) where due_at is not null',
  ],
  rowIds: (recorded) => {
    if (eventOf(metrics, recorded)) return [parseStreamName(recorded.stream).id]
    const out = wentOut(recorded) ?? deletedFrom(recorded)
    return out ? [postMetricsId(parseStreamName(recorded.stream).id, out.accountId)] : []
  },
  apply: (row, recorded, id) => {
    const { at } = recorded.metadata
    const out = wentOut(recorded)
    if (out) return row && out.isLaterPart ? row : newRow(id, parseStreamName(recorded.stream).id, out, at)
    if (row && deletedFrom(recorded)) return { ...row, dueAt: null }
    const event = eventOf(metrics, recorded)
    if (!row || !event) return row
    // Null for good: after the last reading, and once the post is deleted.
    const due = (ms: number | undefined) => (row.dueAt === null ? null : timeOrNull(ms))
    if (event.type === 'MetricsErased') return { ...row, ...NOTHING_CAPTURED }
    const { workspaceId, slot, publishedAt } = event.data
    if (event.type === 'MetricsMissing') {
      return {
        ...row,
        workspaceId,
        missingSince: at,
        dueAt: due(lookAfterMissing(Date.parse(publishedAt), slot)),
      }
    }
    const { mediaType, hashtags, metrics: numbers } = event.data
    return {
      ...row,
      workspaceId,
      mediaType,
      hashtags,
      metrics: numbers,
      ...figureColumns(numbers),
      capturedAt: at,
      missingSince: null,
      dueAt: due(lookAfter(Date.parse(publishedAt), slot)),
    }
  },
}

const NOTHING_CAPTURED = {
  mediaType: null,
  hashtags: null,
  metrics: null,
  capturedAt: null,
  views: null,
  interactions: null,
  likes: null,
  comments: null,
} satisfies Partial<PostMetricsRow>

export function figureColumns(numbers: PostMetrics): FigureColumns {
  const { views, interactions, likes, comments } = figuresOf(numbers)
  const column = (value: number | undefined) => (value === undefined ? null : String(value))
  return {
    views: column(views),
    interactions: column(interactions),
    likes: column(likes),
    comments: column(comments),
  }
}

type Published = Extract<PostEvent, { type: 'AccountPublished' }>['data']
type Publication = Published & { readonly platform: AnalyticsPlatform; readonly isLaterPart: boolean }

/** The publication of a post on a platform that reports numbers. Those of a chain are the numbers of its first part. */
function wentOut(recorded: RecordedEvent): Publication | undefined {
  const event = eventOf(post, recorded)
  if (event?.type !== 'AccountPublished') return undefined
  const { platform, chain } = event.data
  const [{ postId } = event.data, ...later] = chain?.published ?? []
  return hasAnalytics(platform) ? { ...event.data, platform, postId, isLaterPart: later.length > 0 } : undefined
}

function deletedFrom(recorded: RecordedEvent): { readonly accountId: string } | undefined {
  const event = eventOf(post, recorded)
  return event?.type === 'AccountUnpublished' && hasAnalytics(event.data.platform) ? event.data : undefined
}

function newRow(
  id: string,
  postId: string,
  { workspaceId, platform, accountId, postId: platformPostId }: Publication,
  at: string,
): PostMetricsRow {
  return {
    id,
    postId,
    accountId,
    platform,
    platformPostId,
    publishedAt: at,
    workspaceId: workspaceId ?? null,
    missingSince: null,
    dueAt: timeOrNull(lookAfter(Date.parse(at), -1)),
    ...NOTHING_CAPTURED,
  }
}

function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}

/** A post whose numbers are due to be read, with what is recorded beside them. */
export interface DuePost {
  readonly id: string
  readonly post_id: string
  readonly platform_post_id: string
  readonly published_at: string
  readonly missing_since: string | null
  readonly media_type: PostType
  readonly hashtags: readonly string[]
}

/** An account's posts due by `now` (ISO 8601 UTC), after the one with the id `after`. */
export async function duePosts(
  db: Database,
  asked: { readonly accountId: string; readonly now: string; readonly after: string; readonly limit: number },
): Promise<readonly DuePost[]> {
  const { rows } = await db.query<DuePost>(
    `select m.id, m.post_id, m.platform_post_id, m.published_at, m.missing_since, p.media_type, p.hashtags
     from read.post_metrics m join read.posts p on p.id = m.post_id
     where m.account_id = $1 and greatest(m.due_at, m.look_at) <= $2 and m.due_at is not null and m.id > $3
     order by m.id limit $4`,
    [asked.accountId, asked.now, asked.after, asked.limit],
  )
  return rows
}

/** The ids of an account's posts whose newest numbers are from before a time, ISO 8601 UTC. */
export async function capturedBefore(
  db: Database,
  { accountId, before, limit }: { readonly accountId: string; readonly before: string; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from read.post_metrics where account_id = $1 and captured_at < $2 order by id limit $3',
    [accountId, before, limit],
  )
  return rows.map(({ id }) => id)
}

/** When the next of an account's posts becomes due after `now`; undefined when none does. */
export async function nextDue(db: Database, accountId: string, now: string): Promise<string | undefined> {
  const { rows } = await db.query<{ next: string | null }>(
    `select min(greatest(due_at, look_at)) as next from read.post_metrics
     where account_id = $1 and greatest(due_at, look_at) > $2 and due_at is not null`,
    [accountId, now],
  )
  return rows[0]?.next ?? undefined
}

/** Postpones the check of posts that are still missing. The next event of a post clears it. @param at ISO 8601 UTC */
export async function putOff(
  db: Database,
  looks: readonly { readonly id: string; readonly at: string }[],
): Promise<void> {
  await db.query(
    `update read.post_metrics as m set look_at = given.at
     from unnest($1::text[], $2::timestamptz[]) as given(id, at) where m.id = given.id`,
    [looks.map(({ id }) => id), looks.map(({ at }) => at)],
  )
}

/** The rows of one post. */
export async function findPostMetrics(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PostMetricsRow>> {
  const { rows } = await db.query<PostMetricsRow>(
    `select ${rowFrom(columns)} from read.post_metrics where id = any($1)`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}
