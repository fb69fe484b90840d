import * as z from 'zod'
import { asText } from '../../domain/core/text.ts'
import { HttpFailure } from '../http/http.ts'
import { hiding } from '../runtime/secrets.ts'
import { TextModelError } from './text.ts'
import { unanswered } from './unanswered.ts'

export interface FailureContext {
  /** Redacted from every message. */
  readonly apiKey: string | undefined
  readonly now: number
  retryAfterMs(header: string | undefined, now: number): number | undefined
}

/** The SDK's error for a non-success answer, or one it cannot parse. */
const answered = z.object({
  statusCode: z.int(),
  message: z.string(),
  responseHeaders: z.record(z.string(), z.string()).optional(),
})

const MAX_QUOTED = 300
/** Timeout, conflict and rate limit are transient, and so are 5xx errors. */
const PASSING = new Set([408, 409, 429])

/**
 * Why an SDK call failed. Its error is not kept as the cause: it holds the raw answer, which may repeat the key or our prompt.
 */
export function failureOf(error: unknown, context: FailureContext): TextModelError {
  const failure = httpFailureIn(error)
  if (failure) return unanswered(failure)
  const parsed = answered.safeParse(error)
  if (!parsed.success || isSuccess(parsed.data.statusCode)) {
    return new TextModelError('retryable', 'The response from the AI could not be read.')
  }
  const { statusCode: status, message, responseHeaders = {} } = parsed.data
  const kind = PASSING.has(status) || status >= 500 ? 'retryable' : 'permanent'
  const words = quoted(message, context.apiKey)
  return new TextModelError(kind, `The AI responded with status ${status}${words === '' ? '.' : `: ${words}`}`, {
    retryAfterMs: context.retryAfterMs(responseHeaders['retry-after'], context.now),
  })
}

/** The SDK wraps errors caused by a broken connection. */
export function httpFailureIn(error: unknown): HttpFailure | undefined {
  if (error instanceof HttpFailure) return error
  return error instanceof Error && error.cause instanceof HttpFailure ? error.cause : undefined
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** A server's own message on one line, without the key. */
export function quoted(message: string, apiKey: string | undefined): string {
  // `hiding` skips short secrets; this replaces the key whatever its length, and `hiding` its encoded forms.
  const safe = apiKey === undefined ? message : hiding([apiKey])(message.replaceAll(apiKey, '…'))
  return asText(safe.replaceAll(/\p{Cc}+/gu, ' ').trim(), MAX_QUOTED)
}
