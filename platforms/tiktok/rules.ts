import type { MediaFacts } from '../../infra/media/media.ts'
import type { PublishJob } from '../kit/platform.ts'
import { brokenTextRules } from './text.ts'

const FORMATS = {
  image: { words: 'images as JPEG or WebP', types: ['image/jpeg', 'image/webp'] },
  video: { words: 'videos as MP4, MOV or WebM', types: ['video/mp4', 'video/quicktime', 'video/webm'] },
} as const

/** TikTok says "1080p at most": read as 1920 x 1080, portrait or landscape. */
const IMAGE_SIDES = { short: 1_080, long: 1_920 }

const VIDEO_SIDE = { least: 360, most: 4_096 }
/** The limit for any account; TikTok gives an account's own limit before each post. */
const LONGEST_S = 600

/** Megabytes are read as decimal, the smaller unit. */
export const TAKES = {
  image: {
    ...{ maxBytes: 20_000_000, isFetched: true, verifiedOnly: true, most: 35 },
    shape: { types: FORMATS.image.types, longer: IMAGE_SIDES.long, shorter: IMAGE_SIDES.short },
  },
  video: {
    maxBytes: 4_000_000_000,
    shape: {
      ...{ types: FORMATS.video.types, videoCodecs: ['h264', 'hevc', 'vp8', 'vp9'] },
      ...{ longer: VIDEO_SIDE.most, fps: 60, maxMs: LONGEST_S * 1_000 },
    },
  },
} as const

export function brokenRules(
  { text, mediaType }: Pick<PublishJob, 'text' | 'mediaType'>,
  facts: MediaFacts | undefined,
): readonly string[] {
  const media = facts ? [...brokenFormat(facts), ...brokenSize(facts), ...brokenDuration(facts)] : []
  return [...brokenTextRules(text, mediaType), ...media]
}

function brokenFormat({ mediaType, mimeType }: MediaFacts): readonly string[] {
  const { words, types } = FORMATS[mediaType === 'image' ? 'image' : 'video']
  return types.some((type) => type === mimeType) ? [] : [`TikTok accepts ${words}; this one is ${mimeType}.`]
}

function brokenSize({ mediaType, width, height }: MediaFacts): readonly string[] {
  if (width === undefined || height === undefined) return []
  const [short, long] = width < height ? [width, height] : [height, width]
  const has = `this one is ${width} x ${height}`
  if (mediaType === 'image') {
    return short > IMAGE_SIDES.short || long > IMAGE_SIDES.long
      ? [
          `TikTok accepts images of at most ${IMAGE_SIDES.long} x ${IMAGE_SIDES.short} pixels, portrait or landscape; ${has}.`,
        ]
      : []
  }
  return short < VIDEO_SIDE.least || long > VIDEO_SIDE.most
    ? [`TikTok accepts videos of ${VIDEO_SIDE.least} to ${VIDEO_SIDE.most} pixels on each side; ${has}.`]
    : []
}

function brokenDuration({ durationMs = 0 }: MediaFacts): readonly string[] {
  return durationMs > LONGEST_S * 1_000
    ? [`TikTok accepts videos of at most 10 minutes (${LONGEST_S} seconds); this one is ${durationMs / 1_000} seconds.`]
    : []
}
