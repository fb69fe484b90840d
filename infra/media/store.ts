import type { Readable } from 'node:stream'

/**
 * Where generated media are stored: a folder, or any S3-compatible store. Failures are MediaStoreErrors, except those caused by
 * the caller: an aborted signal, unreadable content, an invalid name.
 */
export interface MediaStore {
  /** Stores a file under a name (`isMediaName`), atomically replacing any file of that name. */
  put(name: string, content: MediaContent, signal: AbortSignal): Promise<void>
  /** `undefined` if there is no such file. */
  find(name: string, signal: AbortSignal): Promise<StoredMedia | undefined>
  /** Deleting a missing file is not an error. */
  delete(name: string, signal: AbortSignal): Promise<void>
}

/** A media store with its cleanup. */
export interface SweptMediaStore extends MediaStore {
  /**
   * Deletes half-written files of killed processes.
   *
   * @param olderThanMs since the last byte was written
   * @returns how many were deleted
   */
  sweep(olderThanMs: number): Promise<number>
}

export interface MediaContent {
  readonly bytes: number
  /** A new stream each time. */
  open(): Readable
  /** Where it is, if it is a file on this machine to which nothing is written any longer: a store on the same disk only links it. */
  readonly path?: string
}

/** From `start` up to but excluding `end`; never empty, and within the file. */
export interface ByteSpan {
  readonly start: number
  readonly end: number
}

export interface StoredMedia {
  readonly bytes: number
  /** From the name's extension. */
  readonly mimeType: string
  /** Including the quotes, as in the header. */
  readonly etag: string
  /** The whole file or a part of it: exactly the file that was found, or an error if it has since been replaced or deleted. */
  open(span: ByteSpan | undefined, signal: AbortSignal): Promise<Readable>
}
