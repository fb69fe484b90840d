import type { MediaType } from '../../domain/platform.ts'
import type { MediaFacts } from '../media.ts'

const CAPTION_LIMIT = 2_200
/** Instagram has announced 5, and is not known to hold the API to it. */
const HASHTAG_LIMIT = 30
const MENTION_LIMIT = 20

/** Megabytes of 1,000,000 bytes, the smaller reading. One text of Meta's says 1 GB of a reel, the others 300 MB. */
export const TAKES = { image: { maxBytes: 8_000_000 }, video: { maxBytes: 300_000_000 } } as const

const VIDEO_TYPES: readonly string[] = ['video/mp4', 'video/quicktime']
const REEL = { maxWidth: 1_920, minMs: 3_000, maxMs: 900_000, minRatio: 0.01, maxRatio: 10 } as const
/** 4:5 to 1.91:1. What rounds to 1.91 counts as that: 1200x628 is sold as it everywhere. */
const IMAGE = { minRatio: 0.8, maxRatio: 1.915 } as const

const HASHTAG = /(?<![\p{L}\p{M}\p{N}_&])#[\p{L}\p{M}\p{N}_]+/gu
const MENTION = /(?<![\p{L}\p{M}\p{N}_.])@[A-Za-z0-9_.]+/gu

/** Every rule of Instagram's that the post breaks. Widths are no rule for images: Instagram scales them. */
export function brokenRules(
  { text, mediaType }: { readonly text: string; readonly mediaType: MediaType },
  facts: MediaFacts | undefined,
): readonly string[] {
  const media = !facts ? [] : mediaType === 'image' ? brokenByImage(facts) : brokenByReel(facts)
  return [...brokenByText(text), ...media]
}

function brokenByText(text: string): readonly string[] {
  const length = [...text].length
  const hashtags = text.match(HASHTAG)?.length ?? 0
  const mentions = text.match(MENTION)?.length ?? 0
  return [
    ...(length > CAPTION_LIMIT
      ? [`Instagram takes captions of ${CAPTION_LIMIT} characters, this one has ${length}.`]
      : []),
    ...(hashtags > HASHTAG_LIMIT ? [`Instagram takes ${HASHTAG_LIMIT} hashtags, this caption has ${hashtags}.`] : []),
    ...(mentions > MENTION_LIMIT ? [`Instagram takes ${MENTION_LIMIT} mentions, this caption has ${mentions}.`] : []),
  ]
}

function brokenByImage({ mimeType, bytes, width, height }: MediaFacts): readonly string[] {
  const ratio = ratioOf(width, height)
  return [
    ...(mimeType === 'image/jpeg' ? [] : [`Instagram takes images as JPEG (image/jpeg), this one is ${mimeType}.`]),
    ...tooManyBytes('image', bytes),
    ...(ratio !== undefined && (ratio < IMAGE.minRatio || ratio >= IMAGE.maxRatio)
      ? [
          `Instagram takes images of a ratio between 4:5 and 1.91:1, this one has ${width}x${height}, ${shown(ratio)}:1.`,
        ]
      : []),
  ]
}

function brokenByReel({ mimeType, bytes, width, height, durationMs }: MediaFacts): readonly string[] {
  const ratio = ratioOf(width, height)
  const seconds = (ms: number): string => `${Number((ms / 1000).toFixed(3))} s`
  return [
    ...(VIDEO_TYPES.includes(mimeType)
      ? []
      : [`Instagram takes videos as MP4 or MOV (${VIDEO_TYPES.join(', ')}), this one is ${mimeType}.`]),
    ...tooManyBytes('video', bytes),
    ...(width !== undefined && width > REEL.maxWidth
      ? [`Instagram takes videos of at most ${REEL.maxWidth} pixels in width, this one has ${width}.`]
      : []),
    ...(ratio !== undefined && (ratio < REEL.minRatio || ratio > REEL.maxRatio)
      ? [
          `Instagram takes videos of a ratio between 0.01:1 and 10:1, this one has ${width}x${height}, ${shown(ratio)}:1.`,
        ]
      : []),
    ...(durationMs !== undefined && durationMs < REEL.minMs
      ? [`Instagram takes videos of at least ${seconds(REEL.minMs)}, this one has ${seconds(durationMs)}.`]
      : []),
    ...(durationMs !== undefined && durationMs > REEL.maxMs
      ? [`Instagram takes videos of at most ${seconds(REEL.maxMs)}, this one has ${seconds(durationMs)}.`]
      : []),
  ]
}

function tooManyBytes(mediaType: MediaType, bytes: number): readonly string[] {
  const { maxBytes } = TAKES[mediaType]
  return bytes > maxBytes ? [`Instagram takes ${mediaType}s of at most ${maxBytes} bytes, this one has ${bytes}.`] : []
}

function ratioOf(width: number | undefined, height: number | undefined): number | undefined {
  return width === undefined || height === undefined ? undefined : width / height
}

function shown(ratio: number): string {
  return String(Number(ratio.toPrecision(3)))
}
