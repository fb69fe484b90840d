import { IANAZone } from 'luxon'
import { grouped } from '../core/grouped.ts'
import { formatsOf, performanceBy, performanceOf, type Keyed, type MeasuredPost } from './performance.ts'
import type { PostType } from '../core/platform.ts'

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** An hour of the week in local time: `hour` 9 is from 9:00 to 9:59. */
export interface WeekHour {
  readonly weekday: Weekday
  readonly hour: number
}

/** What an account's own posts say about when to post. */
export interface PostingHistory {
  readonly times: readonly Keyed<WeekHour>[]
  readonly weekdays: readonly Keyed<Weekday>[]
  readonly formats: readonly Keyed<PostType>[]
  /** The actual rate. */
  readonly postsPerWeek: number
  /** The weekly post count with the highest median interactions per post; absent when no count occurred twice. */
  readonly bestPostsPerWeek?: number
}

/** Fewer posts than this say nothing about a channel (api-spec §8, Best-time analytics). */
export const LEAST_HISTORY = 5
/** The fewest posts in an hour or on a weekday, and the fewest weeks with a post count, for it to be ranked. */
const LEAST_ALIKE = 2
const MOST_TIMES = 5
const WEEK_MS = 7 * 86_400_000
/** 1 January 1970 was a Thursday. */
const FIRST_WEEKDAY = 3

/**
 * Ranks hours of the week, weekdays, formats and posts per week by their posts' median interactions.
 *
 * @param within the period covered, ISO 8601 UTC; weeks are counted back from its end
 * @param timezone IANA name
 * @returns undefined when fewer than LEAST_HISTORY posts have interaction counts
 */
export function postingHistory(
  posts: readonly MeasuredPost[],
  { since, until }: { readonly since: string; readonly until: string },
  timezone: string,
): PostingHistory | undefined {
  const measured = posts.filter(({ interactions }) => interactions !== undefined)
  if (measured.length < LEAST_HISTORY) return undefined
  const hourOf = weekHours(timezone)
  const times = performanceBy(measured, (post) => [hourOf(post)]).filter(isFounded)
  const best = bestPerWeek(measured, Date.parse(since), Date.parse(until))
  return {
    times: times.slice(0, MOST_TIMES).map(({ key, ...rest }) => ({ key: weekHour(key), ...rest })),
    weekdays: performanceBy(measured, (post) => [weekHour(hourOf(post)).weekday]).filter(isFounded),
    formats: formatsOf(measured),
    postsPerWeek: perWeek(measured, Date.parse(until)),
    ...(best !== undefined && { bestPostsPerWeek: best }),
  }
}

/** All hours of the week with a post, best first. @param timezone IANA name */
export function hourPerformance(posts: readonly MeasuredPost[], timezone: string): readonly Keyed<WeekHour>[] {
  const hourOf = weekHours(timezone)
  return performanceBy(posts, (post) => [hourOf(post)]).map(({ key, ...rest }) => ({ key: weekHour(key), ...rest }))
}

function isFounded({ posts }: { readonly posts: number }): boolean {
  return posts >= LEAST_ALIKE
}

/** The hour of the week in which a post was published; 0 is Monday at midnight. */
function weekHours(timezone: string): (post: MeasuredPost) => number {
  const zone = IANAZone.create(timezone)
  return ({ publishedAt }) => {
    const at = Date.parse(publishedAt)
    const hours = Math.floor((at + zone.offset(at) * 60_000) / 3_600_000) + FIRST_WEEKDAY * 24
    return ((hours % 168) + 168) % 168
  }
}

function weekHour(hourOfWeek: number): WeekHour {
  return { weekday: WEEKDAYS[Math.floor(hourOfWeek / 24)] ?? 'monday', hour: hourOfWeek % 24 }
}

/** Counted since the first post, over at least a week. */
function perWeek(posts: readonly MeasuredPost[], until: number): number {
  const first = posts.reduce((min, { publishedAt }) => Math.min(min, Date.parse(publishedAt)), until)
  return posts.length / Math.max(1, (until - first) / WEEK_MS)
}

/** Only weeks that lie wholly within the period count. */
function bestPerWeek(posts: readonly MeasuredPost[], since: number, until: number): number | undefined {
  const whole = Math.floor((until - since) / WEEK_MS)
  const weekOf = ({ publishedAt }: MeasuredPost) => Math.floor((until - Date.parse(publishedAt)) / WEEK_MS)
  const weeks = grouped(
    posts.filter((post) => weekOf(post) < whole),
    (post) => [weekOf(post)],
  )
  const alike = [...grouped(weeks.values(), ({ length }) => [length])].filter(([, of]) => of.length >= LEAST_ALIKE)
  const scored = alike.map(([count, of]) => ({ count, ...performanceOf(of.flat()) }))
  return scored.toSorted(
    (one, other) => (other.medianInteractions ?? 0) - (one.medianInteractions ?? 0) || one.count - other.count,
  )[0]?.count
}
