import { figuresOf } from './figures.ts'
import type { PostMetrics } from './metrics.ts'

/**
 * The figures that accounts are compared by (api-spec §4, Channel-level analytics). A number that the platform does not report
 * is absent, never zero.
 */
export interface RecentFigures {
  readonly postsPerWeek: number
  readonly interactionsPerPost?: number
  readonly viewsPerPost?: number
}

export interface RecentPost {
  /** ISO 8601 UTC. */
  readonly createdAt: string
  readonly metrics: PostMetrics
}

export interface FollowerCount {
  /** ISO 8601 UTC. */
  readonly at: string
  readonly followers: number
}

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** How far back posts are read, and follower counts compared. */
export const RECENT_MS = 30 * DAY_MS
/** Platforms list at most 100 posts. From this many on, the oldest one listed may not be the first of the 30 days. */
const MANY = 50
/** The shortest span to extrapolate from: two posts within a minute say nothing about a weekly rate. */
const SHORTEST_MS = 3_600_000

/**
 * Summarizes the posts of the last 30 days: posts per week, and mean interactions and views of the posts that report them.
 * Rounded to hundredths.
 *
 * @param now when the posts were read, ms since the epoch
 */
export function recentFigures(posts: readonly RecentPost[], now: number): RecentFigures {
  const figures = posts.map(({ metrics }) => figuresOf(metrics))
  const interactionsPerPost = mean(figures.flatMap(({ interactions }) => interactions ?? []))
  const viewsPerPost = mean(figures.flatMap(({ views }) => views ?? []))
  return {
    postsPerWeek: hundredths(posts.length / (spanOf(posts, now) / WEEK_MS)),
    ...(interactionsPerPost !== undefined && { interactionsPerPost }),
    ...(viewsPerPost !== undefined && { viewsPerPost }),
  }
}

/** The time (ms) that the list covers completely. */
function spanOf(posts: readonly RecentPost[], now: number): number {
  if (posts.length < MANY) return RECENT_MS
  const oldest = posts.reduce((earliest, { createdAt }) => Math.min(earliest, Date.parse(createdAt)), now)
  return Math.max(SHORTEST_MS, now - oldest)
}

/** Adds a count, and drops those too old for `followersChange`. Oldest first. */
export function withCount(counts: readonly FollowerCount[], newest: FollowerCount): readonly FollowerCount[] {
  const earliest = Date.parse(newest.at) - RECENT_MS - DAY_MS
  return [...counts.filter(({ at }) => Date.parse(at) >= earliest), newest]
}

/**
 * The difference between the last follower count and the one closest to 30 days before it.
 *
 * @param counts oldest first
 * @returns undefined when no count lies within a day of that time
 */
export function followersChange(counts: readonly FollowerCount[]): number | undefined {
  const last = counts.at(-1)
  if (!last) return undefined
  const offBy = ({ at }: FollowerCount) => Math.abs(Date.parse(last.at) - RECENT_MS - Date.parse(at))
  const [before] = counts.toSorted((one, other) => offBy(one) - offBy(other))
  return before && offBy(before) <= DAY_MS ? last.followers - before.followers : undefined
}

function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined
  return hundredths(values.reduce((total, value) => total + value, 0) / values.length)
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100
}
