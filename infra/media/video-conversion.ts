import type { MediaFacts } from './media.ts'

/** The videos that a platform takes. */
export interface VideoShape {
  /** MIME types, with `video/mp4`. */
  readonly types: readonly string[]
  /** As in `MediaFacts`, with `h264` and `aac`. Absent: any. */
  readonly videoCodecs?: readonly string[]
  readonly audioCodecs?: readonly string[]
  readonly maxBytes: number
  /** Longer ones are left to the rules: nothing is cut off. */
  readonly maxMs?: number
  /** Most pixels of the width, and of the longer side. */
  readonly width?: number
  readonly longer?: number
  /** Most frames per second. */
  readonly fps?: number
}

/** How a video is converted: always into an MP4. */
export interface VideoConversion {
  readonly kind: 'video'
  readonly maxBytes: number
  /** Whether picture and sound are left as they are, and only the file around them is another. */
  readonly isCopied: boolean
  readonly width?: number
  readonly longer?: number
  readonly fps?: number
  /** Most bits per second of the picture, for the file not to get too large. */
  readonly bitsPerSecond?: number
}

/** The largest file that is converted, and the largest result. */
export const CONVERTED_VIDEO_MAX_BYTES = 1_000_000_000
/** The longest video that is re-encoded: a slow machine needs about as long for it as preparing a post may take. */
export const ENCODED_MAX_MS = 20 * 60_000

/** What ffmpeg calls the containers that are converted, by MIME type. No other is tried: some name files to read. */
export const CONTAINERS: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/x-m4v': 'mov',
  'video/3gpp': 'mov',
  'video/3gpp2': 'mov',
  'video/webm': 'matroska',
  'video/matroska': 'matroska',
  'video/vnd.avi': 'avi',
  'video/mp2t': 'mpegts',
}

/** Bits per second of the sound. */
export const SOUND_BITS = 160_000
/** Below this a picture cannot be recognized. */
const LEAST_BITS = 250_000
/** For what ffmpeg exceeds a bit rate by, and for the index. */
const MARGIN = 0.92
/** A rate is an average. */
const FPS_TOLERANCE = 0.5

/** What has to be done to a video for a platform to take it; undefined if nothing has to be, or can be. */
export function videoConversionFor(shape: VideoShape, facts: MediaFacts): VideoConversion | undefined {
  const { mimeType, bytes, durationMs = 0, videoCodec, audioCodec, fps = 0 } = facts
  if (!CONTAINERS[mimeType] || bytes > CONVERTED_VIDEO_MAX_BYTES || durationMs > (shape.maxMs ?? Infinity))
    return undefined
  const isEncoded =
    bytes > shape.maxBytes ||
    isOutside(shape.videoCodecs, videoCodec) ||
    isOutside(shape.audioCodecs, audioCodec) ||
    scaledVideo(shape, facts) !== undefined ||
    (shape.fps !== undefined && fps > shape.fps + FPS_TOLERANCE)
  if (!isEncoded && shape.types.includes(mimeType)) return undefined
  const maxBytes = Math.min(shape.maxBytes, CONVERTED_VIDEO_MAX_BYTES)
  if (!isEncoded && isForMp4(facts)) return { kind: 'video', maxBytes, isCopied: true }
  if (durationMs > ENCODED_MAX_MS) return undefined
  const bitsPerSecond = durationMs === 0 ? Infinity : Math.floor((maxBytes * 8_000 * MARGIN) / durationMs) - SOUND_BITS
  if (bitsPerSecond < LEAST_BITS) return undefined
  const { width, longer } = shape
  return {
    ...{ kind: 'video', maxBytes, isCopied: false },
    ...(width !== undefined && { width }),
    ...(longer !== undefined && { longer }),
    ...(shape.fps !== undefined && fps > shape.fps + FPS_TOLERANCE && { fps: shape.fps }),
    ...(bitsPerSecond < BEST_BITS && { bitsPerSecond }),
  }
}

/** Bits per second of a picture that is not limited. */
export const BEST_BITS = 8_000_000

/** What is known of the result before it is made. */
export function factsAfterVideo(conversion: VideoConversion, facts: MediaFacts): MediaFacts {
  const { hasPosition: _, ...kept } = facts
  const common = { ...kept, mimeType: 'video/mp4', bytes: Math.min(facts.bytes, conversion.maxBytes) }
  if (conversion.isCopied) return common
  const { fps = facts.fps } = conversion
  return {
    ...{ ...common, ...scaledVideo(conversion, facts), videoCodec: 'h264' },
    ...(facts.audioCodec !== undefined && { audioCodec: 'aac' }),
    ...(fps !== undefined && { fps }),
  }
}

/** What is done to a video, as a sentence. */
export function describeVideoConversion(conversion: VideoConversion, facts: MediaFacts): string {
  const { isCopied, maxBytes, fps } = conversion
  const size = isCopied ? undefined : scaledVideo(conversion, facts)
  const steps = [
    isCopied ? 'put into an MP4 file as it is' : 'converted to MP4 with H.264 and AAC',
    ...(size ? [`resized from ${facts.width}x${facts.height} to ${size.width}x${size.height} pixels`] : []),
    ...(fps === undefined ? [] : [`reduced from ${facts.fps} to ${fps} frames per second`]),
    ...(facts.bytes > maxBytes ? [`compressed to at most ${maxBytes / 1e6} MB`] : []),
  ]
  return `The video is ${new Intl.ListFormat('en').format(steps)} before it is sent.`
}

/** The size of a video that is too large, as ffmpeg's filter makes it: even numbers. */
function scaledVideo(
  { width: mostWidth = Infinity, longer = Infinity }: Pick<VideoShape, 'width' | 'longer'>,
  { width, height }: MediaFacts,
): { readonly width: number; readonly height: number } | undefined {
  if (width === undefined || height === undefined) return undefined
  const factor = Math.min(mostWidth / width, longer / Math.max(width, height))
  if (factor >= 1) return undefined
  const [across, down] = [width, height].map((side) => 2 * Math.max(1, Math.floor((side * factor) / 2)))
  return { width: across ?? 2, height: down ?? 2 }
}

function isForMp4({ videoCodec, audioCodec }: MediaFacts): boolean {
  return (videoCodec === 'h264' || videoCodec === 'hevc') && (audioCodec === undefined || audioCodec === 'aac')
}

function isOutside(taken: readonly string[] | undefined, codec: string | undefined): boolean {
  return taken !== undefined && codec !== undefined && !taken.includes(codec)
}
