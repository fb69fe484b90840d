import type { Readable } from 'node:stream'
import type { MediaType } from '../../domain/core/platform.ts'
import type { Shape } from './conversion.ts'

/** Facts taken from the bytes themselves; the URL and its content type are not trusted. */
export interface MediaFacts {
  readonly mediaType: MediaType
  /** Detected from the content: `image/jpeg`, `video/mp4`, ... */
  readonly mimeType: string
  readonly bytes: number
  /** Pixels, as displayed (after rotation); absent if the format does not say. */
  readonly width?: number
  readonly height?: number
  /** Video only. */
  readonly durationMs?: number
  /** Of an MP4 or MOV: `h264`, `hevc`, `aac`, ..., as ffmpeg calls them, or what the file calls them. */
  readonly videoCodec?: string
  readonly audioCodec?: string
  /** Frames per second, on average. */
  readonly fps?: number
  /** Document only, where the file says so without being unpacked. */
  readonly pages?: number
  /** Whether it says where it was taken. */
  readonly hasPosition?: true
}

/** Media fetched into a temporary file, so that it can be probed, measured and sent more than once. */
export interface SpooledMedia {
  readonly facts: MediaFacts
  /** Whether it is not what the URL has: it was converted, or is the same without its position. */
  readonly isChanged?: boolean
  /** A new stream each time: the whole content, or the bytes from `start` up to but excluding `end`. */
  open(range?: { readonly start: number; readonly end: number }): Readable
  bytes(): Promise<Uint8Array>
  /** Deletes the file. Safe to call twice. */
  dispose(): Promise<void>
}

export interface MediaSource {
  /**
   * Streams a public URL into a temporary file (bounded memory) and probes it.
   *
   * @throws PlatformError `permanent` if it is too large, not the requested media type, or refused by its host or the outbound
   *   guard; `retryable` if its host cannot be reached or answers 5xx or 429
   */
  spool(url: string, want: WantedMedia, signal: AbortSignal): Promise<SpooledMedia>
  readonly convertsImages?: boolean
  readonly convertsVideos?: boolean
  /** Whether it removes the position where media were taken. */
  readonly removesPosition?: boolean
}

/** The same source, with what it fetches counted against the workspace's share of the disk. */
export function mediaFor(media: MediaSource, workspaceId: string): MediaSource {
  return { ...media, spool: (url, want, signal) => media.spool(url, { ...want, workspaceId }, signal) }
}

export interface WantedMedia {
  readonly mediaType: MediaType
  readonly maxBytes: number
  /** The workspace whose share of the disk it uses. */
  readonly workspaceId?: string
  /** Converts an item of another kind into one of this, as far as that is possible. */
  readonly shape?: Shape | undefined
  /** Leaves the position where it was taken in it, because the file is only looked at. */
  readonly keepsPosition?: boolean
}
