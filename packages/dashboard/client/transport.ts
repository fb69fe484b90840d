import { unreachable } from './api-error.ts'

/** Longer than the service's own request timeout (ms). */
const TIMEOUT_MS = 35_000

let csrfToken = ''
let onSignedOut: () => void = () => undefined
let onForbidden: () => void = () => undefined

/** Sent with every request that changes something, until the session ends. */
export function keepCsrfToken(token: string): void {
  csrfToken = token
}

/** Called when the session is no longer valid. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener
}

/** Called when a change is refused: perhaps the session shows another workspace now. */
export function whenForbidden(listener: () => void): void {
  onForbidden = listener
}

/**
 * `fetch` with a timeout, the CSRF token and a check for an expired session.
 *
 * @throws ApiError unreachable
 */
export async function send(request: Request): Promise<Response> {
  if (request.method !== 'GET') request.headers.set('X-CSRF-Token', csrfToken)
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const response = await fetch(request, { signal }).catch((error: unknown) => {
    throw request.signal.aborted ? error : unreachable()
  })
  if (response.status === 401) onSignedOut()
  if (response.status === 403 && request.method !== 'GET') onForbidden()
  return response
}
