import type { Readable } from 'node:stream'

/**
 * Where the media that the service makes are kept: files, or any store that speaks S3. What goes wrong is a MediaStoreError,
 * except for the caller's own: a signal that aborted, content that can't be read, a name that is none.
 */
export interface MediaStore {
  /** Keeps a file under a name (`isMediaName`); one of the same name is replaced, and never seen in part. */
  put(name: string, content: MediaContent, signal: AbortSignal): Promise<void>
  /** undefined when there is no such file. */
  find(name: string, signal: AbortSignal): Promise<StoredMedia | undefined>
  /** Deleting what is not there is no failure. */
  delete(name: string, signal: AbortSignal): Promise<void>
}

/** A store with what keeps it tidy. */
export interface SweptMediaStore extends MediaStore {
  /**
   * Deletes what a killed process left behind, half written.
   *
   * @param olderThanMs since the last byte was written
   * @returns how many files
   */
  sweep(olderThanMs: number): Promise<number>
}

export interface MediaContent {
  readonly bytes: number
  /** The content anew, each time. */
  open(): Readable
}

/** From `start` up to, without it, `end`; never empty, and within the file. */
export interface ByteSpan {
  readonly start: number
  readonly end: number
}

export interface StoredMedia {
  readonly bytes: number
  /** By the name's ending. */
  readonly mimeType: string
  /** With its quotes, as the header has it. */
  readonly etag: string
  /** The whole, or a part of it: of the very file that was found, or a failure when it has been replaced or deleted since. */
  open(span: ByteSpan | undefined, signal: AbortSignal): Promise<Readable>
}
