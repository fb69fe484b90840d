import { z } from 'zod'
import type { Clock } from '../../infra/runtime/clock.ts'
import { HttpFailure, type HttpResponse } from '../../infra/http/http.ts'
import { PlatformError, type PlatformErrorKind } from '../kit/platform.ts'
import { retryAfterMs } from '../kit/retry-after.ts'
import { quoted, unansweredText, unreadableText } from '../kit/rest.ts'

/** Whether anyone can see the effect of a call. A `visible` call with an unknown outcome is ambiguous, a `hidden` one is not. */
export type Effect = 'hidden' | 'visible'

/** A refusal that keeps Bluesky's error name, for callers that handle specific ones. */
export class BlueskyError extends PlatformError {
  /** `ExpiredToken`, `InvalidSwap`, ... Empty if there was no answer. */
  readonly refusal: string

  constructor(
    kind: PlatformErrorKind,
    message: string,
    options: { refusal?: string; retryAfterMs?: number; accountRests?: boolean; cause?: unknown } = {},
  ) {
    super(kind, message, options)
    this.name = 'BlueskyError'
    this.refusal = options.refusal ?? ''
  }
}

/** The token is invalid or expired; a newer one may work. */
const STALE_SESSION: ReadonlySet<string> = new Set(['ExpiredToken', 'InvalidToken', 'AuthMissing'])

/** The account itself is disabled until its owner acts; a new token does not help. */
const ACCOUNT_OFF: Readonly<Record<string, string>> = {
  AccountDeactivated: 'The Bluesky account is deactivated.',
  AccountSuspended: 'The Bluesky account is suspended.',
  AccountTakedown: 'Bluesky has taken the account down.',
}

/** A service rejected the token that the account's server issued for a proxied call. The session itself is fine. */
const REFUSED_SERVICE_TOKEN = /^(BadJwt|JwtExpired)/

export function isStaleSession(error: unknown): boolean {
  return error instanceof BlueskyError && STALE_SESSION.has(error.refusal)
}

/** Classifies a non-2xx answer. */
export function refused(response: HttpResponse, effect: Effect, clock: Clock): BlueskyError {
  const { error: refusal, message } = refusalOf(response)
  const said = quoted(message === '' ? `HTTP ${response.status} ${refusal}`.trim() : message)
  const as = (kind: PlatformErrorKind, text: string): BlueskyError => new BlueskyError(kind, text, { refusal })

  if (response.status === 429) {
    const wait = untilReset(response, clock)
    const options = { refusal, accountRests: true, ...(wait !== undefined && { retryAfterMs: wait }) }
    return new BlueskyError('retryable', "Bluesky's rate limit was reached.", options)
  }
  if (response.status >= 500 || response.status === 408) {
    return as(effect === 'visible' ? 'ambiguous' : 'retryable', `Bluesky failed (${said}).`)
  }

  const off = ACCOUNT_OFF[refusal]
  if (off !== undefined) return as('permanent', off)
  if (STALE_SESSION.has(refusal)) return as('needs-reauth', `Bluesky no longer accepts the session: ${said}`)
  if (refusal === 'AuthFactorTokenRequired') {
    return as('needs-reauth', 'Bluesky requires a second factor. Use an app password instead of the main password.')
  }
  if (REFUSED_SERVICE_TOKEN.test(refusal))
    return as('retryable', `Bluesky did not accept a token from the account's server: ${said}`)
  if (response.status === 401)
    return as('needs-reauth', `Bluesky did not accept the identifier or app password: ${said}`)
  // The server dropped an unreferenced upload; the next attempt uploads it again.
  if (refusal === 'BlobNotFound') return as('retryable', `Bluesky no longer has the uploaded media: ${said}`)
  if (response.status === 413)
    return as('permanent', `The media is too large for the account's Bluesky server: ${said}`)
  return as('permanent', `Bluesky refused the request: ${said}`)
}

/** Classifies a call that got no complete answer. */
export function unanswered(error: unknown, effect: Effect): BlueskyError {
  if (!(error instanceof HttpFailure)) throw error
  const message = unansweredText('Bluesky', error)
  if (error.kind === 'blocked' || error.kind === 'bad-url')
    return new BlueskyError('permanent', message, { cause: error })
  const kind = effect === 'visible' && error.mayHaveArrived ? 'ambiguous' : 'retryable'
  return new BlueskyError(kind, message, { cause: error })
}

/** A success whose body cannot be parsed: something happened, but it is unknown what. */
export function unreadable(error: unknown, effect: Effect): BlueskyError {
  const kind = effect === 'visible' ? 'ambiguous' : 'retryable'
  return new BlueskyError(kind, `${unreadableText('Bluesky')}.`, { cause: error })
}

const refusalSchema = z.object({ error: z.string().catch(''), message: z.string().catch('') })

function refusalOf(response: HttpResponse): z.infer<typeof refusalSchema> {
  try {
    return refusalSchema.parse(response.json())
  } catch {
    // Intermediate proxies answer in HTML; fall back to the status alone.
    return { error: '', message: '' }
  }
}

/** Milliseconds until the rate limit window ends; `ratelimit-reset` is a Unix time in seconds. */
function untilReset(response: HttpResponse, clock: Clock): number | undefined {
  const reset = Number(response.headers['ratelimit-reset'])
  if (reset > 0) return Math.max(1000, reset * 1000 - clock.now())
  return retryAfterMs(response.headers['retry-after'], clock.now())
}
