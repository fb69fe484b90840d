/** The error codes of api-spec §7 with their HTTP status. */
export const ERROR_STATUS = {
  invalid_request: 400,
  not_supported: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  revoked_api_key: 401,
  insufficient_scope: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  failed_precondition: 409,
  rate_limit_exceeded: 429,
  resource_exhausted: 429,
  internal_error: 500,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** One of the problems of a request. `path`: of the field, like `selections.instagram[0]`; empty for the whole. */
export interface Detail {
  readonly path: string
  readonly message: string
}

/** A refusal that the caller can act on. Any other error thrown is a fault of the service. */
export class Refusal extends Error {
  readonly code: ErrorCode
  /** Seconds until a retry may succeed, when waiting is enough. */
  readonly retryAfterS: number | undefined
  /** Every problem, when the request is invalid; the message is that of the first. */
  readonly details: readonly Detail[] | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly retryAfterS?: number; readonly details?: readonly Detail[] } = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.retryAfterS = options.retryAfterS
    this.details = options.details
  }
}
