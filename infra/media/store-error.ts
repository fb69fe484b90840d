/** The media store failed. The message is for whoever runs the service: plain words, no secret. */
export class MediaStoreError extends Error {
  /** Whether the same call may well succeed if it is simply made again. */
  readonly passes: boolean

  constructor(message: string, options: { readonly passes: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'MediaStoreError'
    this.passes = options.passes
  }
}

/** Between the look at a file and its opening. */
export function changedMeanwhile(): MediaStoreError {
  return new MediaStoreError('the file was replaced or deleted while it was being read', { passes: false })
}
