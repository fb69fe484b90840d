import { unreachable } from './api-error.ts'

/** Longer than the service itself takes before it gives up on a request (ms). */
const TIMEOUT_MS = 35_000

let csrfToken = ''
let onSignedOut: () => void = () => undefined

/** Goes with every request that changes something, for as long as the session lasts. */
export function keepCsrfToken(token: string): void {
  csrfToken = token
}

/** Called when the service no longer knows the session. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener
}

/**
 * `fetch` with a limit in time, the CSRF token, and a look at whether the session still holds.
 * @throws ApiError unreachable
 */
export async function send(request: Request): Promise<Response> {
  if (request.method !== 'GET') request.headers.set('X-CSRF-Token', csrfToken)
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const response = await fetch(request, { signal }).catch((error: unknown) => {
    throw request.signal.aborted ? error : unreachable()
  })
  if (response.status === 401) onSignedOut()
  return response
}
