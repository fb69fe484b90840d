/** Why a clip or a voice was not made. The message is shown to the user: plain words, no secret. */
export class GenerationError extends Error {
  /**
   * `permanent`: the same request will be refused again. `retryable`: nothing was begun, and a later call may succeed.
   * `ambiguous`: it may have been begun, and paid for.
   */
  readonly kind: 'permanent' | 'retryable' | 'ambiguous'
  /** Milliseconds after which the provider wants to be asked again, when it said so. */
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
