import { eventOf, parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import { figuresOf, type Figures } from '../../domain/analytics/figures.ts'
import { lookAfter, lookAfterMissing } from '../../domain/analytics/metrics-cadence.ts'
import { hasAnalytics, type AnalyticsPlatform, type PostMetrics } from '../../domain/analytics/metrics.ts'
import type { MediaType } from '../../domain/core/platform.ts'
import { metrics, postMetricsId } from '../../domain/analytics/post-metrics.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import { post } from '../../domain/post/post.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Projection } from '../engine/projection.ts'

/** Figures as stored in a row: whole numbers of any size, as decimal strings. */
export type FigureColumns = { readonly [Name in keyof Required<Figures>]: string | null }

/** One post on one account, with its newest numbers. */
export interface PostMetricsRow extends FigureColumns {
  /** The stream's id. */
  readonly id: string
  readonly post_id: string
  readonly account_id: string
  readonly platform: AnalyticsPlatform
  readonly platform_post_id: string
  readonly published_at: string
  /** Null until numbers are captured, like the three below. */
  readonly media_type: MediaType | null
  readonly hashtags: readonly string[] | null
  readonly metrics: PostMetrics | null
  readonly captured_at: string | null
  /** When the platform first reported the post missing; null while it knows the post. */
  readonly missing_since: string | null
  /** When its numbers are read next; null for never. */
  readonly due_at: string | null
}

export const postMetrics: Projection<PostMetricsRow> = {
  name: 'post_metrics',
  version: 1,
  columns: {
    id: 'text',
    post_id: 'text',
    account_id: 'text',
    platform: 'text',
    platform_post_id: 'text',
    published_at: 'timestamptz',
    media_type: 'text',
    hashtags: 'json',
    metrics: 'json',
    captured_at: 'timestamptz',
    missing_since: 'timestamptz',
    due_at: 'timestamptz',
    views: 'bigint',
    interactions: 'bigint',
    likes: 'bigint',
    comments: 'bigint',
  },
  // When to check a missing post again: no event records that it is still missing.
  operational: { look_at: 'timestamptz' },
  makesAnew: (recorded) => wentOut(recorded) !== undefined,
  indexes: [
    // Includes every figure that is summed or ranked by, for index-only scans.
    '(account_id, published_at) include (id, views, interactions, likes, comments)',
    // The most requested ranking.
    '(account_id, views desc, id desc) include (published_at) where views is not null',
    '(account_id, (greatest(due_at, look_at))) where due_at is not null',
  ],
  rowIds: (recorded) => {
    if (eventOf(metrics, recorded)) return [parseStreamName(recorded.stream).id]
    const out = wentOut(recorded)
    return out ? [postMetricsId(parseStreamName(recorded.stream).id, out.accountId)] : []
  },
  apply: (row, recorded, id) => {
    const { at } = recorded.metadata
    const out = wentOut(recorded)
    if (out) return newRow(id, parseStreamName(recorded.stream).id, out, at)
    const event = eventOf(metrics, recorded)
    if (!row || !event) return row
    const { slot, publishedAt } = event.data
    if (event.type === 'MetricsMissing') {
      return { ...row, missing_since: at, due_at: timeOrNull(lookAfterMissing(Date.parse(publishedAt), slot)) }
    }
    const { mediaType: media_type, hashtags, metrics: numbers } = event.data
    return {
      ...row,
      media_type,
      hashtags,
      metrics: numbers,
      ...figureColumns(numbers),
      captured_at: at,
      missing_since: null,
      due_at: timeOrNull(lookAfter(Date.parse(publishedAt), slot)),
    }
  },
}

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

/** The publication of a post on a platform that reports numbers. */
function wentOut(recorded: RecordedEvent): (Published & { readonly platform: AnalyticsPlatform }) | undefined {
  const event = eventOf(post, recorded)
  if (event?.type !== 'AccountPublished') return undefined
  const { platform } = event.data
  return hasAnalytics(platform) ? { ...event.data, platform } : undefined
}

function newRow(
  id: string,
  postId: string,
  { platform, accountId, postId: platformPostId }: Published & { readonly platform: AnalyticsPlatform },
  at: string,
): PostMetricsRow {
  return {
    id,
    post_id: postId,
    account_id: accountId,
    platform,
    platform_post_id: platformPostId,
    published_at: at,
    media_type: null,
    hashtags: null,
    metrics: null,
    captured_at: null,
    missing_since: null,
    due_at: timeOrNull(lookAfter(Date.parse(at), -1)),
    views: null,
    interactions: null,
    likes: null,
    comments: null,
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
  readonly media_type: MediaType
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
  const { rows } = await db.query<PostMetricsRow>('select * from read.post_metrics where id = any($1)', [ids])
  return new Map(rows.map((row) => [row.id, row]))
}
