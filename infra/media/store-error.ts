/** The media store failed. The message is for the operator: plain words, no secrets. */
export class MediaStoreError extends Error {
  /** Whether the same call is likely to succeed on a plain retry. */
  readonly passes: boolean

  constructor(message: string, options: { readonly passes: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'MediaStoreError'
    this.passes = options.passes
  }
}

/** The file changed between finding and opening it. */
export function changedMeanwhile(): MediaStoreError {
  return new MediaStoreError('the file was replaced or deleted while it was being read', { passes: false })
}
