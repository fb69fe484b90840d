import type { PostType } from '../../domain/core/platform.ts'
import type { MediaFacts } from '../../infra/media/media.ts'

/** In UTF-16 code units, the larger count. Clients agree on the number; Meta's reference has none. */
const TEXT_LIMIT = 63_206
/** In UTF-16 code units too, and not in Meta's reference either. */
const COMMENT_LIMIT = 8_000

const VIDEO_TYPES: readonly string[] = ['video/mp4', 'video/quicktime', 'video/x-m4v']
const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/bmp', 'image/tiff', 'image/webp']

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

const REEL = { minMs: 3_000, maxMs: 90_000, minWidth: 540, minHeight: 960 } as const
/** 9:16, with a tolerance for pixel rounding. */
const REEL_MIN_RATIO = 9 / 16 - 0.005

/** A vertical video of at most 90 seconds is published as a reel: as a plain video it has been seen to end up as a draft. */
export function isReel({ mediaType, width, height, durationMs }: MediaFacts): boolean {
  return (
    mediaType === 'video' &&
    width !== undefined &&
    height !== undefined &&
    durationMs !== undefined &&
    height > width &&
    durationMs <= REEL.maxMs
  )
}

/** Every Facebook rule that the post breaks. */
export function brokenRules(
  { text, mediaType }: { readonly text: string; readonly mediaType: PostType },
  facts: MediaFacts | undefined,
): readonly string[] {
  const tooLong =
    text.length > TEXT_LIMIT
      ? [`Facebook accepts texts of at most ${TEXT_LIMIT} characters; this one has ${text.length}.`]
      : []
  const media = !facts ? [] : mediaType === 'image' ? brokenByImage(facts) : brokenByVideo(facts)
  return [...tooLong, ...media]
}

/** Every Facebook rule that a comment breaks. */
export function brokenByComment(text: string): readonly string[] {
  if (text.length <= COMMENT_LIMIT) return []
  return [`Facebook accepts comments of at most ${COMMENT_LIMIT} characters; this one has ${text.length}.`]
}

function brokenByImage({ mimeType }: MediaFacts): readonly string[] {
  if (IMAGE_TYPES.includes(mimeType)) return []
  return [`Facebook accepts images as JPEG, PNG, GIF, BMP, TIFF or WebP; this one is ${mimeType}.`]
}

function brokenByVideo(facts: MediaFacts): readonly string[] {
  const { mimeType } = facts
  return [
    ...(VIDEO_TYPES.includes(mimeType)
      ? []
      : [`Facebook accepts videos as MP4 or MOV (${VIDEO_TYPES.join(', ')}); this one is ${mimeType}.`]),
    ...(isReel(facts) ? brokenByReel(facts) : []),
  ]
}

function brokenByReel({ width = 0, height = 0, durationMs = 0 }: MediaFacts): readonly string[] {
  const smallest = `${REEL.minWidth}x${REEL.minHeight}`
  return [
    ...(durationMs < REEL.minMs
      ? [
          `Facebook accepts reels (vertical videos) of at least 3 s; this one is ${Number((durationMs / 1000).toFixed(3))} s.`,
        ]
      : []),
    ...(width < REEL.minWidth || height < REEL.minHeight
      ? [`Facebook accepts reels (vertical videos) of at least ${smallest} pixels; this one is ${width}x${height}.`]
      : []),
    ...(width / height < REEL_MIN_RATIO
      ? [`Facebook accepts reels (vertical videos) no narrower than 9:16; this one is ${width}x${height}.`]
      : []),
  ]
}
