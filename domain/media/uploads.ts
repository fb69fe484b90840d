import type { UploadType } from '../core/upload.ts'
import type { ReadyMedia } from './media.ts'

/** How long (ms) the content of an upload may be sent. */
export const UPLOAD_MS = 86_400_000

/** What a request sends of a file; bytes count from 0. */
export type SentPart =
  | { readonly kind: 'whole'; readonly bytes: number | undefined }
  /** `last` is inclusive; `total` is absent if the client does not say. */
  | { readonly kind: 'part'; readonly first: number; readonly last: number; readonly total: number | undefined }
  /** Nothing: the client asks what has arrived. */
  | { readonly kind: 'status'; readonly total: number | undefined }

export type UploadProgress =
  | { readonly status: 'incomplete'; readonly received: number }
  /** `isNew`: completed by this very request. */
  | { readonly status: 'complete'; readonly isNew: boolean; readonly media: ReadyMedia }

/** Receives the content of uploads. */
export interface Uploads {
  /**
   * Adds to the content, and completes the upload with the last byte. What has arrived is kept if the request breaks off.
   *
   * @throws Refusal not_found, invalid_request for content that is not what was announced, failed_precondition while another
   *   request sends the same file, rate_limit_exceeded while the workspace sends too many
   */
  receive(id: string, part: SentPart, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<UploadProgress>
  /** @throws Refusal resource_exhausted if the disk has no room for it */
  mustFit(bytes: number): Promise<void>
}

/** The names and the URLs of uploads, and their limit. */
export interface UploadServices extends Uploads {
  readonly maxBytes: number
  /** The name in the media store. */
  fileOf(id: string, type: UploadType): string
  /** Permits to send the content. */
  tokenOf(id: string): string
  /** Where the content is to be sent. */
  urlOf(id: string): string
}
