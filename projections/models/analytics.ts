import type { Figures } from '../../domain/analytics/figures.ts'
import { rateOf } from '../../domain/analytics/figures.ts'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { PostType } from '../../domain/core/platform.ts'
import type { MeasuredPost } from '../../domain/analytics/performance.ts'
import type { ORIGINS } from '../../domain/post/post-events.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { FigureColumns, PostMetricsRow } from './post-metrics.ts'

/** Selects the posts of accounts published from `since` on and before `until`, ISO 8601 UTC. */
export interface PostsWithin {
  readonly accountIds: readonly string[]
  readonly since: string
  readonly until: string
  /** Whether to use the numbers known at `until` instead of the newest. */
  readonly asKnownThen: boolean
}

/** The figures of a post on an account. `publishedAt`: ISO 8601 UTC. */
export interface DatedFigures extends Figures {
  readonly accountId: string
  readonly publishedAt: string
}

export interface Totals {
  readonly posts: number
  readonly views?: number
  readonly interactions?: number
  readonly engagementRate?: number
}

/** The figures that posts can be ranked by. */
export const RANKINGS = ['views', 'interactions', 'likes', 'comments'] as const
export type Ranking = (typeof RANKINGS)[number]

export interface RankedRow
  extends
    Pick<PostMetricsRow, 'id' | 'postId' | 'accountId' | 'platform' | 'platformPostId' | 'publishedAt'>,
    FigureColumns {
  readonly mediaType: PostType
  readonly hashtags: readonly string[]
  readonly caption: string | null
  readonly origin: (typeof ORIGINS)[number] | null
  readonly metrics: PostMetrics
  readonly capturedAt: string
}

const FIGURES = 'views, interactions, likes, comments'
const WITHIN = 'm.published_at >= $2 and m.published_at < $3'
const OF_ALL = 'm.account_id = any($1)'
const OF_ONE = 'm.account_id = account'

/** Posts on accounts with their figures, now or at the end of the period. A post without a reading by then has none. */
function figuresOf({ asKnownThen }: PostsWithin, accounts: typeof OF_ALL | typeof OF_ONE): string {
  if (!asKnownThen)
    return `(select m.id, m.account_id, m.published_at, ${FIGURES} from read.post_metrics m where ${accounts} and ${WITHIN})`
  return `(select m.id, m.account_id, m.published_at, known.* from read.post_metrics m left join lateral (
      select ${FIGURES} from read.metric_snapshots s
      where s.post_metrics_id = m.id and s.captured_at < $3 order by s.captured_at desc limit 1
    ) known on true where ${accounts} and ${WITHIN})`
}

/** What else was captured with the figures; queried only for a page of posts. */
const DETAILS_NOW = 'select m.metrics, m.captured_at'
const DETAILS_THEN = `select s.metrics, s.captured_at from read.metric_snapshots s
  where s.post_metrics_id = m.id and s.captured_at < $3 order by s.captured_at desc limit 1`

const parametersOf = ({ accountIds, since, until }: PostsWithin) => [accountIds, since, until]

/** The sums of one account's posts; null when no post has the number. */
export interface AccountSums {
  readonly accountId: string
  readonly posts: number
  readonly views: number | null
  readonly interactions: number | null
  /** Interactions of posts that report views, and the other way round. */
  readonly engaged: number | null
  readonly seen: number | null
}

export async function sumsByAccount(db: Database, posts: PostsWithin): Promise<readonly AccountSums[]> {
  const { rows } = await db.query<AccountSums>(
    `select account_id as "accountId", count(*)::float8 as posts, sum(views)::float8 as views,
       sum(interactions)::float8 as interactions,
       sum(interactions) filter (where views is not null)::float8 as engaged,
       sum(views) filter (where interactions is not null)::float8 as seen
     from ${figuresOf(posts, OF_ALL)} m group by account_id order by account_id`,
    parametersOf(posts),
  )
  return rows
}

/** A sum is absent when no post has the number. */
export function totalsFrom(sums: readonly AccountSums[]): Totals {
  const sum = (name: Exclude<keyof AccountSums, 'accountId'>) => {
    const known = sums.flatMap((of) => of[name] ?? [])
    return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0)
  }
  const [views, interactions] = [sum('views'), sum('interactions')]
  const engagementRate = rateOf(sum('engaged'), sum('seen'))
  return {
    posts: sum('posts') ?? 0,
    ...(views !== undefined && { views }),
    ...(interactions !== undefined && { interactions }),
    ...(engagementRate !== undefined && { engagementRate }),
  }
}

export async function totalsOf(db: Database, posts: PostsWithin): Promise<Totals> {
  return totalsFrom(await sumsByAccount(db, posts))
}

/** Each post on each account, oldest first. */
export async function datedFigures(db: Database, posts: PostsWithin): Promise<readonly DatedFigures[]> {
  const { rows } = await db.query<FigureColumns & { readonly accountId: string; readonly publishedAt: string }>(
    `select m.account_id as "accountId", m.published_at as "publishedAt", ${FIGURES}
     from ${figuresOf(posts, OF_ALL)} m order by m.published_at, m.id`,
    parametersOf(posts),
  )
  return rows.map(({ accountId, publishedAt, ...figures }) => ({
    accountId,
    publishedAt,
    ...numbersOf(figures),
  }))
}

/** Posts that have the number, highest first, after the post in `after`. */
export async function topPosts(
  db: Database,
  posts: PostsWithin,
  page: {
    readonly ranking: Ranking
    readonly limit: number
    readonly after?: { readonly value: number; readonly id: string } | undefined
  },
): Promise<readonly RankedRow[]> {
  const { ranking, limit, after } = page
  const { rows } = await db.query<RankedRow>(
    // Per account, because the index is by account.
    `with top as (
       select best.* from unnest($1::text[]) account cross join lateral (
         select id, ${FIGURES} from ${figuresOf(posts, OF_ONE)} m
         where ${ranking} is not null and ($4::bigint is null or (${ranking}, id) < ($4, $5))
         order by ${ranking} desc, id desc limit $6
       ) best order by ${ranking} desc, id desc limit $6
     )
     select m.id, m.post_id as "postId", m.account_id as "accountId", m.platform, m.platform_post_id as "platformPostId",
       m.published_at as "publishedAt", m.media_type as "mediaType", m.hashtags,
       p.caption, p.origin, details.metrics, details.captured_at as "capturedAt", top.views, top.interactions, top.likes, top.comments
     from top join read.post_metrics m using (id) left join read.posts p on p.id = m.post_id
       cross join lateral (${posts.asKnownThen ? DETAILS_THEN : DETAILS_NOW}) details
     order by top.${ranking} desc, id desc`,
    [...parametersOf(posts), after?.value ?? null, after?.id ?? null, limit],
  )
  return rows
}

/** Posts with the numbers to compare them, oldest first. */
export async function measuredPosts(db: Database, posts: PostsWithin): Promise<readonly MeasuredPost[]> {
  const { rows } = await db.query<
    Pick<PostMetricsRow, 'publishedAt' | 'mediaType' | 'hashtags'> & Pick<FigureColumns, 'views' | 'interactions'>
  >(
    `select m.published_at as "publishedAt", m.media_type as "mediaType", m.hashtags, figures.views, figures.interactions
     from ${figuresOf(posts, OF_ALL)} figures join read.post_metrics m using (id) order by m.published_at, m.id`,
    parametersOf(posts),
  )
  return rows.map(({ publishedAt, mediaType, hashtags, ...figures }) => ({
    publishedAt,
    ...(mediaType !== null && { mediaType }),
    hashtags: hashtags ?? [],
    ...numbersOf(figures),
  }))
}

/** Figures as numbers. Null becomes absent. */
export function numbersOf(columns: Partial<FigureColumns>): Figures {
  const { views = null, interactions = null, likes = null, comments = null } = columns
  return {
    ...(views !== null && { views: Number(views) }),
    ...(interactions !== null && { interactions: Number(interactions) }),
    ...(likes !== null && { likes: Number(likes) }),
    ...(comments !== null && { comments: Number(comments) }),
  }
}
