/** What is wrong with one field of a request. */
export interface Detail {
  readonly path: string
  readonly message: string
}

/** A response that is an error, with the API's explanation. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  /** Of an invalid request. */
  readonly details: readonly Detail[]

  constructor(status: number, code: string, message: string, requestId?: string, details: readonly Detail[] = []) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.requestId = requestId
    this.details = details
  }
}

interface Envelope {
  readonly error?: {
    readonly code?: string
    readonly message?: string
    readonly requestId?: string
    readonly details?: readonly Detail[]
  }
}

/** @param body of the response, an envelope of the API or anything else */
export function errorOf({ status, headers }: Response, body: unknown): ApiError {
  const { error } = (body ?? {}) as Envelope
  return new ApiError(
    status,
    error?.code ?? 'unexpected',
    error?.message ?? `The service answered with HTTP ${status}.`,
    error?.requestId ?? headers.get('x-request-id') ?? undefined,
    error?.details,
  )
}
