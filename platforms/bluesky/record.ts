import type { MediaFacts } from '../media.ts'
import type { Blob } from './blob.ts'
import type { Facet } from './rich-text.ts'

export const COLLECTION = 'app.bsky.feed.post'

/** The post as it is stored: plain JSON, whole before it is sent, so that every attempt sends the same. */
export function postRecord(post: {
  readonly text: string
  readonly facets: readonly Facet[]
  readonly media: MediaFacts
  readonly blob: Blob
  /** ISO 8601 UTC. */
  readonly createdAt: string
}): Readonly<Record<string, unknown>> {
  const { text, facets, createdAt } = post
  return {
    $type: COLLECTION,
    text,
    ...(facets.length > 0 && { facets }),
    embed: embed(post.media, post.blob),
    createdAt,
  }
}

function embed(media: MediaFacts, blob: Blob): object {
  const { width, height } = media
  const aspectRatio = width !== undefined && height !== undefined ? { aspectRatio: { width, height } } : {}
  return media.mediaType === 'image'
    ? { $type: 'app.bsky.embed.images', images: [{ image: blob, alt: '', ...aspectRatio }] }
    : { $type: 'app.bsky.embed.video', video: blob, ...aspectRatio }
}
