import { setTimeout as wait } from 'node:timers/promises'

export interface Patience {
  readonly fetch: typeof globalThis.fetch
  /** How often a request is sent at most. */
  readonly attempts: number
  /** For each attempt. */
  readonly timeoutMs: number
}

const FIRST_WAIT_MS = 500
/** A service that asks for a longer wait is not waited for. */
const LONGEST_WAIT_MS = 60_000

/**
 * Sends a request again while the service cannot be reached, is overloaded or has failed. A POST gets an idempotency key first, so
 * the service acts on it once.
 *
 * @returns the first response that is not worth another attempt, or the last one
 * @throws what `fetch` throws, when there is no response to the last attempt
 */
export async function sendPatiently(request: Request, { fetch, attempts, timeoutMs }: Patience): Promise<Response> {
  const headers = new Headers(request.headers)
  if (request.method === 'POST' && !headers.has('Idempotency-Key')) headers.set('Idempotency-Key', crypto.randomUUID())
  const body = request.body === null ? null : await request.arrayBuffer()
  const { method, url, signal } = request
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= attempts
    const limits = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const answer = await fetch(url, { method, headers, body, signal: limits }).catch((error: unknown) => {
      if (isLast || signal.aborted) throw error
      return undefined
    })
    if (answer && (isLast || !(answer.status === 429 || answer.status >= 500))) return answer
    const waitMs = askedFor(answer) ?? FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random())
    if (answer && waitMs > LONGEST_WAIT_MS) return answer
    await answer?.body?.cancel()
    await wait(waitMs, undefined, { signal })
  }
}

/** How long `Retry-After` asks to wait (ms). */
function askedFor(answer: Response | undefined): number | undefined {
  const seconds = Number(answer?.headers.get('Retry-After') ?? NaN)
  return seconds >= 0 ? seconds * 1000 : undefined
}
