import { z } from 'zod'
import type { HttpResponse } from '../../infra/http/http.ts'
import { PlatformError, type PlatformErrorKind } from '../kit/platform.ts'
import { heard, jsonOf, lost, unreadableText, type Effect } from '../kit/rest.ts'
import { retryAfterMs } from '../kit/retry-after.ts'

/** A refusal that keeps TikTok's error code, which may be empty. */
export class TikTokError extends PlatformError {
  readonly code: string

  constructor(code: string, ...of: ConstructorParameters<typeof PlatformError>) {
    super(...of)
    this.name = 'TikTokError'
    this.code = code
  }
}

export interface Meaning {
  /** `lost`: TikTok failed, and the call may have taken effect. */
  readonly kind: PlatformErrorKind | 'lost'
  readonly says: string
  /** For limits: how long (ms) to pause the account if TikTok does not say. */
  readonly restMs?: number
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const EXPIRED_CODE = 'access_token_invalid'

const EXPIRED: Meaning = {
  kind: 'needs-reauth',
  says: 'TikTok no longer accepts the access token. Connect the account again',
}
const SCOPE: Meaning = {
  kind: 'forbidden',
  says: 'The access token lacks a scope. Connect the account again with all scopes',
}
const REFUSED: Meaning = { kind: 'permanent', says: 'TikTok refused the request' }
const GONE: Meaning = { kind: 'permanent', says: 'TikTok could not find the post, or it belongs to another account' }
const SPAM: Meaning = { kind: 'permanent', says: 'TikTok flagged the post, or its text, as spam' }
const RATE: Meaning = { kind: 'retryable', says: "TikTok's rate limit was reached", restMs: MINUTE_MS }
const DAILY: Meaning = {
  kind: 'retryable',
  says: 'TikTok accepts no more posts from this account for a day',
  restMs: DAY_MS,
}
const FAILED: Meaning = { kind: 'lost', says: 'TikTok failed' }

/** By `error.code`, whatever the HTTP status: some come with a 200. Other codes are classified by status. */
const BY_CODE: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  [EXPIRED_CODE, EXPIRED],
  ['scope_not_authorized', SCOPE],
  ['scope_permission_missed', SCOPE],
  ['invalid_param', REFUSED],
  ['invalid_params', REFUSED],
  [
    'privacy_level_option_mismatch',
    {
      kind: 'permanent',
      says: 'TikTok does not offer this privacyLevel to the account. Connect the account again with a different one',
    },
  ],
  [
    'url_ownership_unverified',
    {
      kind: 'permanent',
      says: "TikTok fetches images only from domains verified for your TikTok app; the URL's domain is not",
    },
  ],
  [
    'unaudited_client_can_only_post_to_private_accounts',
    { kind: 'permanent', says: 'Until TikTok has audited your app, it may post only to accounts set to private' },
  ],
  [
    'reached_active_user_cap',
    {
      kind: 'retryable',
      says: 'Your TikTok app has reached the number of accounts that it may post to in a day',
      restMs: DAY_MS,
    },
  ],
  ['spam_risk_too_many_posts', DAILY],
  ['spam_risk_too_many_pending_share', DAILY],
  ['spam_risk_user_banned_from_posting', { kind: 'permanent', says: 'TikTok has banned this account from posting' }],
  ['spam_risk_text', SPAM],
  ['spam_risk', SPAM],
  ['app_version_check_failed', REFUSED],
  ['rate_limit_exceeded', RATE],
  ['internal_error', FAILED],
  ['invalid_publish_id', GONE],
  ['token_not_authorized_for_specified_publish_id', GONE],
])

const envelope = z.object({ error: z.object({ code: z.string(), message: z.string().catch('') }) })

/** The `error` of an answer; undefined if the answer is not from TikTok's API. */
export function errorIn(response: HttpResponse): { readonly code: string; readonly message: string } | undefined {
  return envelope.safeParse(jsonOf(response)).data?.error
}

/** The meaning of a TikTok error code. */
export function meaningOf(code: string): Meaning | undefined {
  return BY_CODE.get(code)
}

/** Classifies an unsuccessful answer. */
export function refused(response: HttpResponse, effect: Effect | undefined, now: number): TikTokError {
  const { status, headers } = response
  const { code, message } = errorIn(response) ?? { code: status === 401 ? EXPIRED_CODE : '', message: '' }
  const { kind, says, restMs } = meaningOf(code) ?? byStatus(status, code)
  const said = heard(status, code, message)
  const options = {
    accountRests: restMs !== undefined,
    retryAfterMs: retryAfterMs(headers['retry-after'], now) ?? restMs,
  }
  return new TikTokError(code, kind === 'lost' ? lost(effect) : kind, `${says} (${said}).`, options)
}

function byStatus(status: number, code: string): Meaning {
  if (status === 401) return EXPIRED
  if (status === 429) return RATE
  // 408 comes from an intermediary; it is unknown how far the request got.
  if (status === 408 || status >= 500) return FAILED
  return status < 300 && code === '' ? { kind: 'lost', says: unreadableText('TikTok') } : REFUSED
}

/** Whether a call was refused, without effect, because the access token is expired or invalid. */
export function isExpired(error: unknown): boolean {
  return error instanceof TikTokError && error.code === EXPIRED_CODE
}
