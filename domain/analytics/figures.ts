import { METRICS, type Metric, type PostMetrics } from './metrics.ts'

/** The numbers of a post that are comparable across platforms. A number that is not reported is absent, never zero. */
export interface Figures {
  readonly views?: number
  readonly interactions?: number
  readonly likes?: number
  readonly comments?: number
}

/** Actions taken on a post. A view is not one. */
export const INTERACTIONS = [
  ...['likes', 'reposts', 'replies', 'quotes', 'bookmarks', 'comments', 'reactions', 'saves'],
  ...['pinClicks', 'outboundClicks'],
] as const satisfies readonly Metric[]

/** The figures of one post. Impressions stand in for views where a platform does not count views. */
export function figuresOf(metrics: PostMetrics): Figures {
  return given({
    views: metrics.views ?? metrics.impressions,
    interactions: sum(INTERACTIONS.map((name) => metrics[name])),
    likes: metrics.likes ?? metrics.reactions,
    comments: metrics.comments ?? metrics.replies,
  })
}

/** Sums each number over the posts that report it. */
export function sumOf(all: readonly PostMetrics[]): PostMetrics {
  const sums = METRICS.map((name) => [name, sum(all.map((metrics) => metrics[name]))] as const)
  return Object.fromEntries(sums.filter(([, value]) => value !== undefined))
}

/** Sums each figure over the posts that have it. */
export function totalOf(posts: readonly Figures[]): Figures {
  return given({
    views: sum(posts.map(({ views }) => views)),
    interactions: sum(posts.map(({ interactions }) => interactions)),
    likes: sum(posts.map(({ likes }) => likes)),
    comments: sum(posts.map(({ comments }) => comments)),
  })
}

/** Interactions per view, over the posts that report both; undefined when those have no views. */
export function engagementRate(posts: readonly Figures[]): number | undefined {
  const both = posts.filter(({ views, interactions }) => views !== undefined && interactions !== undefined)
  return rateOf(sum(both.map(({ interactions }) => interactions)), sum(both.map(({ views }) => views)))
}

/** @param interactions of posts that also report views; `views` of the same posts */
export function rateOf(interactions: number | undefined, views: number | undefined): number | undefined {
  return interactions === undefined || !views ? undefined : interactions / views
}

function sum(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0)
}

function given(figures: { readonly [Name in keyof Figures]: Figures[Name] | undefined }): Figures {
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined))
}
