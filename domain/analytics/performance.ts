import { grouped } from '../core/grouped.ts'
import { median } from './median.ts'
import type { PostType } from '../core/platform.ts'

/** A published post with its known numbers. */
export interface MeasuredPost {
  /** ISO 8601 UTC. */
  readonly publishedAt: string
  readonly mediaType?: PostType
  readonly hashtags: readonly string[]
  readonly views?: number
  readonly interactions?: number
}

/** The performance of a group of posts. A median is absent when no post reports the number. */
export interface Performance {
  readonly posts: number
  readonly medianViews?: number
  readonly medianInteractions?: number
}

export type Keyed<Key> = Performance & { readonly key: Key }

export function performanceOf(posts: readonly MeasuredPost[]): Performance {
  const medianViews = median(posts.flatMap(({ views }) => views ?? []))
  const medianInteractions = median(posts.flatMap(({ interactions }) => interactions ?? []))
  return {
    posts: posts.length,
    ...(medianViews !== undefined && { medianViews }),
    ...(medianInteractions !== undefined && { medianInteractions }),
  }
}

/** Best first: by median interactions, then median views, then number of posts. Groups without numbers come last. */
export function performanceBy<Key>(
  posts: readonly MeasuredPost[],
  keysOf: (post: MeasuredPost) => readonly Key[],
): readonly Keyed<Key>[] {
  return [...grouped(posts, keysOf)].map(([key, group]) => ({ key, ...performanceOf(group) })).sort(byPerformance)
}

export function formatsOf(posts: readonly MeasuredPost[]): readonly Keyed<PostType>[] {
  return performanceBy(posts, ({ mediaType }) => (mediaType === undefined ? [] : [mediaType]))
}

/** Compares hashtags without `#` and ignoring case. */
export function hashtagsOf(posts: readonly MeasuredPost[]): readonly Keyed<string>[] {
  const plain = (hashtag: string) => hashtag.replace(/^#+/, '').toLowerCase()
  return performanceBy(posts, ({ hashtags }) => hashtags.map(plain).filter((hashtag) => hashtag !== ''))
}

function byPerformance(one: Performance, other: Performance): number {
  return (
    (other.medianInteractions ?? -1) - (one.medianInteractions ?? -1) ||
    (other.medianViews ?? -1) - (one.medianViews ?? -1) ||
    other.posts - one.posts
  )
}
