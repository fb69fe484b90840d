/** Why generating a clip or speech failed. The message is shown to the user: plain words, no secrets. */
export class GenerationError extends Error {
  /**
   * `permanent`: the same request will be refused again. `retryable`: nothing was started, and a later call may succeed.
   * `ambiguous`: the job may have been started, and billed.
   */
  readonly kind: 'permanent' | 'retryable' | 'ambiguous'
  /** Milliseconds the provider asked us to wait before retrying, if it said so. */
  readonly retryAfterMs: number | undefined

  constructor(
    kind: GenerationError['kind'],
    message: string,
    options: ErrorOptions & { readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options)
    this.name = 'GenerationError'
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }
}
