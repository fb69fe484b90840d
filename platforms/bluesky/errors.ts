import { z } from 'zod'
import type { Clock } from '../../infra/runtime/clock.ts'
import { HttpFailure, type HttpResponse } from '../../infra/http/http.ts'
import { PlatformError, type PlatformErrorKind } from '../kit/platform.ts'
import { retryAfterMs } from '../kit/retry-after.ts'
import { quoted, unansweredText, unreadableText } from '../kit/rest.ts'

/** Whether a call is seen by anybody. A `visible` one whose outcome is not known is ambiguous, a `hidden` one is not. */
export type Effect = 'hidden' | 'visible'

/** A refusal that keeps the platform's own name for it, for those who can do something about one. */
export class BlueskyError extends PlatformError {
  /** `ExpiredToken`, `InvalidSwap`, ... Empty when nothing was answered. */
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

/** The token is not, or no longer, good for anything: a newer one may be. */
const STALE_SESSION: ReadonlySet<string> = new Set(['ExpiredToken', 'InvalidToken', 'AuthMissing'])

/** The account itself is off until its owner does something; another token does not help. */
const ACCOUNT_OFF: Readonly<Record<string, string>> = {
  AccountDeactivated: 'The Bluesky account is deactivated.',
  AccountSuspended: 'The Bluesky account is suspended.',
  AccountTakedown: 'Bluesky has taken the account down.',
}

/** How services refuse the token that a server of accounts makes for a call that it passes on. The session is not at fault. */
const REFUSED_SERVICE_TOKEN = /^(BadJwt|JwtExpired)/

export function isStaleSession(error: unknown): boolean {
  return error instanceof BlueskyError && STALE_SESSION.has(error.refusal)
}

/** Classifies an answer other than 2xx. */
export function refused(response: HttpResponse, effect: Effect, clock: Clock): BlueskyError {
  const { error: refusal, message } = refusalOf(response)
  const said = quoted(message === '' ? `HTTP ${response.status} ${refusal}`.trim() : message)
  const as = (kind: PlatformErrorKind, text: string): BlueskyError => new BlueskyError(kind, text, { refusal })

  if (response.status === 429) {
    const wait = untilReset(response, clock)
    const options = { refusal, accountRests: true, ...(wait !== undefined && { retryAfterMs: wait }) }
    return new BlueskyError('retryable', 'Bluesky limits how often it may be called.', options)
  }
  if (response.status >= 500 || response.status === 408) {
    return as(effect === 'visible' ? 'ambiguous' : 'retryable', `Bluesky failed (${said}).`)
  }

  const off = ACCOUNT_OFF[refusal]
  if (off !== undefined) return as('permanent', off)
  if (STALE_SESSION.has(refusal)) return as('needs-reauth', `Bluesky no longer accepts the session: ${said}`)
  if (refusal === 'AuthFactorTokenRequired') {
    return as('needs-reauth', 'Bluesky asks for a second factor. Use an app password instead of the main password.')
  }
  if (REFUSED_SERVICE_TOKEN.test(refusal))
    return as('retryable', `Bluesky did not accept its own server's word: ${said}`)
  if (response.status === 401)
    return as('needs-reauth', `Bluesky did not accept the identifier or app password: ${said}`)
  // The server has dropped an upload that no post referred to: the next attempt uploads it anew.
  if (refusal === 'BlobNotFound') return as('retryable', `Bluesky no longer has the uploaded media: ${said}`)
  if (response.status === 413)
    return as('permanent', `The media is larger than the account's Bluesky server takes: ${said}`)
  return as('permanent', `Bluesky refused the request: ${said}`)
}

/** Classifies a call that got no whole answer. */
export function unanswered(error: unknown, effect: Effect): BlueskyError {
  if (!(error instanceof HttpFailure)) throw error
  const message = unansweredText('Bluesky', error)
  if (error.kind === 'blocked' || error.kind === 'bad-url')
    return new BlueskyError('permanent', message, { cause: error })
  const kind = effect === 'visible' && error.mayHaveArrived ? 'ambiguous' : 'retryable'
  return new BlueskyError(kind, message, { cause: error })
}

/** A success that can't be read: something happened, but not what. */
export function unreadable(error: unknown, effect: Effect): BlueskyError {
  const kind = effect === 'visible' ? 'ambiguous' : 'retryable'
  return new BlueskyError(kind, `${unreadableText('Bluesky')}.`, { cause: error })
}

const refusalSchema = z.object({ error: z.string().catch(''), message: z.string().catch('') })

function refusalOf(response: HttpResponse): z.infer<typeof refusalSchema> {
  try {
    return refusalSchema.parse(response.json())
  } catch {
    // A proxy in between answers in HTML; the status alone must do.
    return { error: '', message: '' }
  }
}

/** Milliseconds until the limit's window ends: `ratelimit-reset` is a unix time in seconds. */
function untilReset(response: HttpResponse, clock: Clock): number | undefined {
  const reset = Number(response.headers['ratelimit-reset'])
  if (reset > 0) return Math.max(1000, reset * 1000 - clock.now())
  return retryAfterMs(response.headers['retry-after'], clock.now())
}
