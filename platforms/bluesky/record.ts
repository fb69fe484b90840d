import type * as z from 'zod'
import type { MediaFacts } from '../../infra/media/media.ts'
import type { Blob } from './blob.ts'
import type { blueskyOptions } from './options.ts'
import type { Facet } from './rich-text.ts'

export const COLLECTION = 'app.bsky.feed.post'
const LABEL = 'com.atproto.label.defs'

/** The complete record as stored, built before it is sent so that every attempt sends the same JSON. */
export type PostRecord = Readonly<Record<string, unknown>>

interface Words {
  readonly text: string
  readonly facets: readonly Facet[]
  /** ISO 8601 UTC. */
  readonly createdAt: string
}

/** A specific version of a record. */
export interface Reference {
  readonly uri: string
  readonly cid: string
}

/** An uploaded image or video. */
export interface Uploaded {
  readonly facts: MediaFacts
  readonly blob: Blob
  readonly altText: string
}

/** `root` is the first post of the thread and `parent` the one replied to; they may be the same. */
export interface Thread {
  readonly root: Reference
  readonly parent: Reference
}

/** @param post.media one video, or images; none for text alone */
export function postRecord(
  post: Words & { readonly media: readonly Uploaded[]; readonly reply?: Thread | undefined } & z.infer<
      typeof blueskyOptions
    >,
): PostRecord {
  const { media, reply, languages, labels } = post
  return recordOf(post, {
    ...(media.length > 0 && { embed: embed(media) }),
    ...(reply && { reply }),
    ...(languages && { langs: languages }),
    ...(labels && { labels: { $type: `${LABEL}#selfLabels`, values: labels.map((val) => ({ val })) } }),
  })
}

export function replyRecord({ root, parent, ...words }: Words & Thread): PostRecord {
  return recordOf(words, { reply: { root, parent } })
}

function recordOf({ text, facets, createdAt }: Words, more: object): PostRecord {
  return { $type: COLLECTION, text, ...(facets.length > 0 && { facets }), ...more, createdAt }
}

function embed(media: readonly Uploaded[]): object {
  const video = media.find(({ facts }) => facts.mediaType === 'video')
  if (!video) {
    const images = media.map((image) => ({ image: image.blob, alt: image.altText, ...aspectRatio(image) }))
    return { $type: 'app.bsky.embed.images', images }
  }
  const alt = video.altText === '' ? {} : { alt: video.altText }
  return { $type: 'app.bsky.embed.video', video: video.blob, ...alt, ...aspectRatio(video) }
}

function aspectRatio({ facts: { width, height } }: Uploaded): object {
  return width !== undefined && height !== undefined ? { aspectRatio: { width, height } } : {}
}
