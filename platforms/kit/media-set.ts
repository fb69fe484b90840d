import { PLATFORM_NAMES, type PlatformKey, type PostType } from '../../domain/core/platform.ts'
import type { PostMedia } from '../../domain/post/post-media.ts'
import { conversionFor, type ImageShape } from '../../infra/media/image-conversion.ts'
import type { MediaFacts } from '../../infra/media/media.ts'
import type { VideoShape } from '../../infra/media/video-conversion.ts'
import type { PublishJob } from './platform.ts'

/** What a platform takes of one kind of media. */
export interface Taken {
  /** Maximum size of one item. */
  readonly maxBytes: number
  /** Whether the platform fetches it by its URL, instead of being sent it. */
  readonly isFetched?: boolean
  /** It does so only from domains that the app's owner has verified there: see `PlatformIo.relay`. */
  readonly verifiedOnly?: boolean
  /** Most items of this kind in one post. Default 1. */
  readonly most?: number
  /** Most characters of an alt text. Absent: it takes none. */
  readonly altText?: number
  /** The image that it takes to show before a video is played that is the only item. */
  readonly thumbnail?: TakenThumbnail
}

export interface TakenThumbnail {
  /** MIME types. */
  readonly types: readonly string[]
  readonly maxBytes: number
  /** It is sent once the video is published, which stays as it is if that fails. Other images are converted. */
  readonly isSentLater?: true
}

/** By what a post shows; a kind that is absent is not supported. */
export interface Takes {
  /** `shape`: other images are converted. Its `maxBytes`: of all but a GIF; default that of the kind. */
  readonly image?: Taken & { readonly shape?: Omit<ImageShape, 'maxBytes'> & { readonly maxBytes?: number } }
  /** `shape`: other videos are converted. Its `maxBytes`: as for images. */
  readonly video?: Taken & { readonly shape?: Omit<VideoShape, 'maxBytes'> & { readonly maxBytes?: number } }
  readonly document?: Taken
  /** Text alone. `chain`: whether posts can be a reply to another of the account. */
  readonly text?: { readonly chain?: true }
  /** Most items of a post that has both kinds. Absent: a post has only one kind. */
  readonly mixed?: number
  /** Whether a post has one alt text as a whole: that of the first item. */
  readonly oneAltText?: true
}

/** What the rules of a platform are about: the text, and one item. */
export interface Checked {
  readonly text: string
  readonly mediaType: PostType
  /** How many items the post has. Default 1. */
  readonly items?: number
  /** What the post sets on the platform, or the account, alone. */
  readonly options?: PublishJob['options']
}

/** How long a text is, and may be, as a platform counts. */
export interface TextLength {
  readonly length: number
  readonly most: number
  /** What is counted. Default: characters. */
  readonly unit?: 'bytes'
}

type Rules = { readonly key: PlatformKey; readonly takes: Takes }

/** What a platform would not take of a thumbnail. @param converts whether other images are converted where Fanfare sends it */
export function brokenThumbnailRules(
  key: PlatformKey,
  { types, maxBytes, isSentLater }: TakenThumbnail,
  facts: MediaFacts,
  converts: boolean,
): readonly string[] {
  const { mimeType, bytes } = facts
  if (isSentLater && converts && conversionFor({ types, maxBytes }, facts, 'pad')) return []
  const name = PLATFORM_NAMES[key]
  const formats = types.map((type) => type.replace('image/', '').toUpperCase()).join(' or ')
  return [
    ...(types.includes(mimeType) ? [] : [`${name} accepts thumbnails as ${formats}; this one is ${mimeType}.`]),
    ...(bytes > maxBytes ? [`${name} accepts thumbnails of at most ${maxBytes} bytes; this one has ${bytes}.`] : []),
  ]
}

/** Names the item that a sentence is about, where there are several. */
export function aboutItem(index: number, count: number, sentence: string): string {
  return count === 1 ? sentence : `Item ${index + 1}: ${sentence}`
}

/** The rules about how many items a post has, of which kinds, and about their alt texts. */
export function brokenSetRules({ key, takes }: Rules, items: readonly PostMedia[]): readonly string[] {
  const name = PLATFORM_NAMES[key]
  const broken = tooMany(name, takes, items)
  const tooLong = items.flatMap(({ type, altText = '' }, index) => {
    const most = takes[type]?.altText ?? Infinity
    const { length } = [...altText]
    if (length <= most) return []
    return [aboutItem(index, items.length, `the alt text has ${length} characters; ${name} takes at most ${most}.`)]
  })
  return broken === undefined ? tooLong : [broken, ...tooLong]
}

function tooMany(name: string, takes: Takes, items: readonly PostMedia[]): string | undefined {
  const count = items.length
  const kinds = new Set(items.map(({ type }) => type))
  const { image: { most: images = 1 } = {}, video: { most: videos = 1 } = {}, mixed } = takes
  if (count <= 1) return undefined
  if (kinds.has('document')) {
    // Elsewhere it is refused by itself.
    return takes.document && `${name} takes a document only by itself; this post has ${count} items.`
  }
  if (Math.max(images, videos, mixed ?? 1) === 1) return `${name} takes one item per post here; this post has ${count}.`
  if (kinds.size > 1 && mixed === undefined) return `${name} takes images or a video in one post, not both.`
  const [most, noun] =
    kinds.size > 1 ? [mixed ?? 1, 'items'] : kinds.has('image') ? [images, 'images'] : [videos, 'videos']
  if (count <= most) return undefined
  return most === 1
    ? `${name} takes one ${noun.slice(0, -1)} per post; this post has ${count}.`
    : `${name} takes at most ${most} ${noun} per post; this post has ${count}.`
}

/** What the platform does not take of a post, and is left out. */
export function leftOut({ key, takes }: Rules, items: readonly PostMedia[]): readonly string[] {
  const name = PLATFORM_NAMES[key]
  const others = items.slice(1).some(({ altText = '' }) => altText !== '')
  const sentences = items.flatMap(({ type, altText = '', thumbnailUrl }) => [
    ...(altText !== '' && takes[type]?.altText === undefined
      ? [`${name} takes no alt text of ${A[type]}: it is left out.`]
      : []),
    ...(thumbnailUrl !== undefined && (items.length > 1 || !takes[type]?.thumbnail)
      ? [`${name} takes no thumbnail here: it is left out.`]
      : []),
  ])
  if (takes.oneAltText && others) sentences.push(`${name} takes one alt text per post: that of the first item.`)
  return [...new Set(sentences)]
}

const A = { image: 'an image', video: 'a video', document: 'a document' } as const
