import type { MediaFacts } from '../../infra/media/media.ts'
import type { Checked, Takes, TextLength } from '../kit/media-set.ts'
import type { PublishJob } from '../kit/platform.ts'
import { shownSeconds } from '../meta/measures.ts'
import { asPlaced, brokenPlacement, isPlacedAsReel, isStory, leftOutOfStory } from '../meta/placement.ts'

/** In UTF-16 code units, the larger count. Clients agree on the number; Meta's reference has none. */
const TEXT_LIMIT = 63_206
/** In UTF-16 code units too, and not in Meta's reference either. */
const COMMENT_LIMIT = 8_000

const VIDEO_TYPES: readonly string[] = ['video/mp4', 'video/quicktime', 'video/x-m4v']
const STORY_IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/bmp', 'image/tiff']
const IMAGE_TYPES: readonly string[] = [...STORY_IMAGE_TYPES, 'image/webp']

/**
 * For photos one of Meta's errors says 4 MB, its documentation 10 MB. No limit is known for videos fetched by URL: this is the
 * documented one for uploads in one piece. Nor is there one for the photos of a post, or for an alt text: these are the numbers
 * that clients use.
 */
export const TAKES = {
  image: {
    ...{ maxBytes: 10_000_000, isFetched: true, most: 10, altText: 1_000 },
    shape: { types: IMAGE_TYPES, maxBytes: 4_000_000 },
  },
  video: { maxBytes: 1_000_000_000, isFetched: true, shape: { types: VIDEO_TYPES } },
  text: {},
} as const
const REELS = { ...TAKES, image: { ...TAKES.image, most: 1 } } as const
const STORIES = {
  ...REELS,
  image: { ...REELS.image, shape: { ...REELS.image.shape, types: STORY_IMAGE_TYPES } },
} as const

export function takesFor(options: PublishJob['options']): Takes {
  if (isStory({ options })) return STORIES
  return isPlacedAsReel({ options }) ? REELS : TAKES
}

const REEL = { what: 'reels (vertical videos)', maxMs: 90_000 } as const
const STORY = { what: 'videos of stories', maxMs: 60_000 } as const
/** Of both. */
const UPRIGHT = { minMs: 3_000, minWidth: 540, minHeight: 960 } as const
/** 9:16, with a tolerance for pixel rounding. */
const MIN_RATIO = 9 / 16 - 0.005

/** A vertical video of at most 90 seconds is published as a reel: as a plain video it has been seen to end up as a draft. */
function isLikeReel({ mediaType, width, height, durationMs }: MediaFacts): boolean {
  return (
    mediaType === 'video' &&
    width !== undefined &&
    height !== undefined &&
    durationMs !== undefined &&
    height > width &&
    durationMs <= REEL.maxMs
  )
}

/** Whether a video is published as a reel. */
export function isReel(post: Pick<PublishJob, 'options'>, facts: MediaFacts): boolean {
  return post.options?.['placement'] === undefined ? isLikeReel(facts) : isPlacedAsReel(post)
}

/** Every Facebook rule that the post breaks. */
export function brokenRules(post: Checked, facts: MediaFacts | undefined): readonly string[] {
  const { text } = asPlaced(post)
  const tooLong =
    text.length > TEXT_LIMIT
      ? [`Facebook accepts texts of at most ${TEXT_LIMIT} characters; this one has ${text.length}.`]
      : []
  const media = !facts ? [] : post.mediaType === 'image' ? brokenByImage(post, facts) : brokenByVideo(post, facts)
  return [...tooLong, ...brokenByOptions(post), ...media]
}

export function measure(post: Checked): TextLength {
  return { length: asPlaced(post).text.length, most: TEXT_LIMIT }
}

/** What Facebook leaves out. */
export function warnings(post: Checked): readonly string[] {
  return leftOutOfStory('facebook', post)
}

function brokenByOptions(post: Checked): readonly string[] {
  if (post.mediaType === 'text') {
    const isPlaced = isStory(post) || isPlacedAsReel(post)
    return isPlaced ? ['A reel or story on Facebook needs media: choose another placement.'] : []
  }
  const hasLink = post.options?.['link'] !== undefined
  return [
    ...brokenPlacement('facebook', post),
    ...(hasLink ? ['Facebook shows a link only in a post without media: leave out the link, or the media.'] : []),
  ]
}

/** Every Facebook rule that a comment breaks. */
export function brokenByComment(text: string): readonly string[] {
  if (text.length <= COMMENT_LIMIT) return []
  return [`Facebook accepts comments of at most ${COMMENT_LIMIT} characters; this one has ${text.length}.`]
}

function brokenByImage(post: Checked, { mimeType }: MediaFacts): readonly string[] {
  const [types, names] = isStory(post)
    ? [STORY_IMAGE_TYPES, 'JPEG, PNG, GIF, BMP or TIFF in stories']
    : [IMAGE_TYPES, 'JPEG, PNG, GIF, BMP, TIFF or WebP']
  if (types.includes(mimeType)) return []
  return [`Facebook accepts images as ${names}; this one is ${mimeType}.`]
}

function brokenByVideo(post: Checked, facts: MediaFacts): readonly string[] {
  const { mimeType } = facts
  return [
    ...(VIDEO_TYPES.includes(mimeType)
      ? []
      : [`Facebook accepts videos as MP4 or MOV (${VIDEO_TYPES.join(', ')}); this one is ${mimeType}.`]),
    ...(isStory(post) ? brokenByUpright(STORY, facts) : isReel(post, facts) ? brokenByUpright(REEL, facts) : []),
  ]
}

/** What is not known is left to Facebook. */
function brokenByUpright(
  { what, maxMs }: { readonly what: string; readonly maxMs: number },
  { width, height, durationMs }: MediaFacts,
): readonly string[] {
  const { minMs, minWidth, minHeight } = UPRIGHT
  const accepts = `Facebook accepts ${what}`
  const broken: string[] = []
  if (durationMs !== undefined) {
    const isLong = `this one is ${shownSeconds(durationMs)}.`
    if (durationMs < minMs) broken.push(`${accepts} of at least ${shownSeconds(minMs)}; ${isLong}`)
    if (durationMs > maxMs) broken.push(`${accepts} of at most ${shownSeconds(maxMs)}; ${isLong}`)
  }
  if (width !== undefined && height !== undefined) {
    const isLarge = `this one is ${width}x${height}.`
    if (width < minWidth || height < minHeight) {
      broken.push(`${accepts} of at least ${minWidth}x${minHeight} pixels; ${isLarge}`)
    }
    if (width / height < MIN_RATIO) broken.push(`${accepts} no narrower than 9:16; ${isLarge}`)
  }
  return broken
}
