import type { Readable } from 'node:stream'
import type { MediaType } from '../../domain/core/platform.ts'

/** What a look at the bytes themselves tells; the URL and its content type are not believed. */
export interface MediaFacts {
  readonly mediaType: MediaType
  /** By content: `image/jpeg`, `video/mp4`, ... */
  readonly mimeType: string
  readonly bytes: number
  /** Pixels, as shown (after rotation); absent when the format does not tell. */
  readonly width?: number
  readonly height?: number
  /** Video only. */
  readonly durationMs?: number
}

/** Media fetched into a temporary file, so that it can be probed, measured and sent more than once. */
export interface SpooledMedia {
  readonly facts: MediaFacts
  /** The content anew, each time: the whole, or the bytes from `start` up to, without it, `end`. */
  open(range?: { readonly start: number; readonly end: number }): Readable
  bytes(): Promise<Uint8Array>
  /** Deletes the file. Safe to call twice. */
  dispose(): Promise<void>
}

export interface MediaSource {
  /**
   * Streams a public URL into a temporary file (bounded memory) and probes it.
   *
   * @throws PlatformError `permanent` when it is too large, not the media type asked for, or refused by its host or the
   *   outbound guard; `retryable` when its host can't be reached or answers 5xx or 429
   */
  spool(url: string, want: WantedMedia, signal: AbortSignal): Promise<SpooledMedia>
}

/** The same source, with what it fetches counted as the workspace's. */
export function mediaFor(media: MediaSource, workspaceId: string): MediaSource {
  return { spool: (url, want, signal) => media.spool(url, { ...want, workspaceId }, signal) }
}

export interface WantedMedia {
  readonly mediaType: MediaType
  readonly maxBytes: number
  /** Whose share of the disk it takes. */
  readonly workspaceId?: string
}
