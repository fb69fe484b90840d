/** An error response, with the API's explanation. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined

  constructor(status: number, code: string, message: string, requestId?: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.requestId = requestId
  }
}

/** No response at all: the service is down, or the network is. */
export function unreachable(): ApiError {
  return new ApiError(0, 'unreachable', 'Fanfare does not respond. Is it running, and are you online?')
}

/** @param body of the response, an envelope of the API or anything else */
export function errorOf({ status, headers }: Response, body: unknown): ApiError {
  const { error } = (body ?? {}) as { error?: { code?: string; message?: string; requestId?: string } }
  const message = error?.message ?? `The service answered with HTTP ${status}.`
  return new ApiError(
    status,
    error?.code ?? 'unexpected',
    message,
    error?.requestId ?? headers.get('x-request-id') ?? undefined,
  )
}
