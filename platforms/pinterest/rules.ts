import type { MediaFacts } from '../../infra/media/media.ts'
import type { PublishJob } from '../kit/platform.ts'
import { brokenTextRules } from './text.ts'

/** Of the image types, JPEG and PNG are documented, the others reported. */
const FORMATS = {
  image: {
    words: 'images as JPEG, PNG, WebP, GIF, BMP or TIFF',
    types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/bmp', 'image/tiff'],
  },
  video: { words: 'videos as MP4, MOV or M4V', types: ['video/mp4', 'video/quicktime', 'video/x-m4v'] },
} as const

const LONGEST_MS = 15 * 60_000

/** Size limits as vendors report them; the API description has none. */
export const TAKES = {
  image: {
    ...{ maxBytes: 20_000_000, isFetched: true, most: 5, altText: 500 },
    shape: { types: FORMATS.image.types },
  },
  video: {
    ...{ maxBytes: 2_000_000_000, altText: 500 },
    thumbnail: { types: FORMATS.image.types, maxBytes: 20_000_000 },
    shape: { types: FORMATS.video.types, videoCodecs: ['h264', 'hevc'], maxMs: LONGEST_MS },
  },
  oneAltText: true,
} as const

const SHORTEST_MS = 4_000

export function brokenRules({ text }: Pick<PublishJob, 'text'>, facts: MediaFacts | undefined): readonly string[] {
  return [...brokenTextRules(text), ...(facts ? [...brokenFormat(facts), ...brokenSize(facts)] : [])]
}

function brokenFormat({ mediaType, mimeType }: MediaFacts): readonly string[] {
  const { words, types } = FORMATS[mediaType === 'image' ? 'image' : 'video']
  return types.some((type) => type === mimeType) ? [] : [`Pinterest accepts ${words}; this one is ${mimeType}.`]
}

function brokenSize({ mediaType, bytes, durationMs }: MediaFacts): readonly string[] {
  const { maxBytes } = TAKES[mediaType === 'image' ? 'image' : 'video']
  const broken =
    bytes > maxBytes ? [`Pinterest accepts ${mediaType}s of at most ${maxBytes} bytes; this one has ${bytes}.`] : []
  if (mediaType === 'image' || durationMs === undefined) return broken
  if (durationMs < SHORTEST_MS) {
    return [...broken, `Pinterest accepts videos of at least 4 seconds; this one is ${durationMs / 1000} seconds.`]
  }
  if (durationMs > LONGEST_MS) {
    return [
      ...broken,
      `Pinterest accepts videos of at most 15 minutes (900 seconds); this one is ${durationMs / 1000} seconds.`,
    ]
  }
  return broken
}
