import type { Readable } from 'node:stream'
import type { AttemptResult } from '../../../commands/delivery.ts'
import { HttpFailure, type Http } from '../../../infra/http/http.ts'
import { retryAfterMs } from '../../../platforms/kit/retry-after.ts'
import type { Clock } from '../../../infra/runtime/clock.ts'
import { attemptProblem } from './attempt-problem.ts'

/** DNS lookup, connect and response together. */
const TIMEOUT_MS = 15_000
/** How much of a response body is read, as sent, so that the connection can be reused. */
const MOST_READ_BYTES = 64 * 1024
/** Statuses with which a receiver may say when to retry (RFC 9110 §10.2.3). */
const SAYS_WHEN: readonly number[] = [429, 503]

export interface Outgoing {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An attempt whose outcome is known, though the rest of the response may still be arriving. */
export interface Attempted {
  readonly result: AttemptResult
  /** Closes the connection, unless the response has ended. */
  letGo(): void
}

/**
 * Makes one attempt. Its outcome is the status alone: nothing that follows changes it.
 *
 * @throws HttpFailure of kind `aborted` when our own side cut it off
 */
export async function attempt(
  { url, headers, body }: Outgoing,
  { http, clock, signal }: { readonly http: Http; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Attempted> {
  const began = clock.now()
  const took = () => Math.max(0, clock.now() - began)
  try {
    const answer = await http.stream(url, {
      method: 'POST',
      // The body is not used, so it need not be compressed.
      headers: { ...headers, 'content-type': 'application/json', 'accept-encoding': 'identity' },
      body,
      signal,
      timeoutMs: TIMEOUT_MS,
      // `readSome` enforces the limit: a response that declares a larger body still has an outcome.
      maxBytes: Number.POSITIVE_INFINITY,
      // Any content coding is acceptable.
      decode: false,
    })
    const result = resultOf(answer.status, took(), retryAfterMs(answer.headers['retry-after'], clock.now()))
    // A body that breaks off does not change the outcome.
    void readSome(answer.body).catch(() => undefined)
    return { result, letGo: () => void answer.body.destroy() }
  } catch (error) {
    if (!(error instanceof HttpFailure) || error.kind === 'aborted') throw error
    const result = { ok: false, statusCode: null, durationMs: took(), error: attemptProblem(error) } as const
    return { result, letGo: () => undefined }
  }
}

function resultOf(statusCode: number, durationMs: number, retryAfterMs: number | undefined): AttemptResult {
  if (statusCode >= 200 && statusCode <= 299) return { ok: true, statusCode, durationMs }
  const error = `HTTP ${statusCode}`
  return {
    ...{ ok: false, statusCode, durationMs, error },
    ...(SAYS_WHEN.includes(statusCode) && { retryAfterMs: retryAfterMs }),
  }
}

/** Reads up to the limit: leaving the loop destroys the body. */
async function readSome(body: Readable): Promise<void> {
  let read = 0
  for await (const chunk of body) {
    read += chunk.length
    if (read >= MOST_READ_BYTES) return
  }
}
