import { z } from 'zod'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { HttpResponse } from '../../infra/http/http.ts'
import { PlatformError, type PlatformErrorKind } from '../kit/platform.ts'
import { heard, jsonOf, lost, type Effect } from '../kit/rest.ts'
import { retryAfterMs } from '../kit/retry-after.ts'
import { untilPacificMidnight } from './pacific.ts'

/** A refusal by one of Google's APIs. */
class GoogleError extends PlatformError {
  /** Whether it was refused, without effect, because the access token is expired or invalid. */
  readonly expired: boolean

  constructor(
    kind: PlatformErrorKind,
    message: string,
    options: { expired: boolean; retryAfterMs?: number | undefined; accountRests?: boolean },
  ) {
    super(kind, message, options)
    this.expired = options.expired
  }
}

export function isExpired(error: unknown): boolean {
  return error instanceof GoogleError && error.expired
}

interface Meaning {
  /** `lost`: Google failed, and the call may have taken effect. */
  readonly kind: PlatformErrorKind | 'lost'
  readonly says: string
  readonly expired?: true
  readonly accountRests?: true
  /** For quotas: milliseconds until the reset. */
  readonly restMs?: (now: number) => number
}

const DAY_MS = 86_400_000

const EXPIRED: Meaning = {
  kind: 'needs-reauth',
  expired: true,
  says: 'YouTube no longer accepts the access token. Connect the account again',
}
const RATE: Meaning = { kind: 'retryable', accountRests: true, says: "YouTube's rate limit was reached" }
const FAILED: Meaning = { kind: 'lost', says: 'YouTube failed' }
const REFUSED: Meaning = { kind: 'permanent', says: 'YouTube refused the request' }

const SCOPE: Meaning = {
  kind: 'forbidden',
  says: 'The access does not cover this. Connect the account again with the scope youtube.force-ssl',
}
const CHANNEL: Meaning = { kind: 'permanent', says: 'The Google account has no YouTube channel that can be posted to' }
const QUOTA: Meaning = {
  kind: 'retryable',
  accountRests: true,
  restMs: untilPacificMidnight,
  says: 'The quota of the Google Cloud project is used up until midnight Pacific time',
}
const UPLOADS: Meaning = {
  kind: 'retryable',
  accountRests: true,
  restMs: () => DAY_MS,
  says: 'YouTube accepts no more uploads from this channel for about a day',
}
const METADATA: Meaning = { kind: 'permanent', says: 'YouTube does not accept the title, description or settings' }
const SETTING: Meaning = { kind: 'permanent', says: 'YouTube does not allow this for the account' }
const REPLY: Meaning = { kind: 'permanent', says: 'YouTube does not accept the reply' }
const CLOSED: Meaning = { kind: 'permanent', says: 'YouTube does not accept replies to this comment' }
const GONE: Meaning = { kind: 'permanent', says: 'YouTube no longer has the comment' }
const API_OFF: Meaning = { kind: 'permanent', says: 'The YouTube Data API is not enabled in the Google Cloud project' }

/** By `errors[].reason`, the reason in `details`, or `status`. Anything else is classified by HTTP status. */
const BY_REASON: ReadonlyMap<string, Meaning> = new Map(
  (
    [
      [SCOPE, ['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT']],
      [
        CHANNEL,
        [
          'youtubeSignupRequired',
          'authenticatedUserNotChannel',
          'authenticatedUserAccountClosed',
          'authenticatedUserAccountSuspended',
          'channelClosed',
          'channelSuspended',
          'ineligibleAccount',
        ],
      ],
      [QUOTA, ['quotaExceeded', 'dailyLimitExceeded']],
      [UPLOADS, ['uploadLimitExceeded']],
      [RATE, ['rateLimitExceeded', 'userRateLimitExceeded', 'servingLimitExceeded']],
      [
        METADATA,
        [
          'invalidTitle',
          'invalidDescription',
          'invalidTags',
          'invalidCategoryId',
          'invalidVideoMetadata',
          'invalidPublishAt',
          'mediaBodyRequired',
          'invalidFilename',
        ],
      ],
      [SETTING, ['forbiddenPrivacySetting', 'forbiddenLicenseSetting', 'forbidden']],
      [
        REPLY,
        [
          'parentIdMissing',
          'commentTextRequired',
          'commentTextTooLong',
          'invalidCommentMetadata',
          'invalidCustomEmoji',
        ],
      ],
      [CLOSED, ['operationNotSupported', 'parentCommentIsPrivate', 'commentsDisabled']],
      [GONE, ['parentCommentNotFound', 'commentNotFound', 'commentThreadNotFound']],
      // "While this can be a transient error": the documentation does not say that the call had no effect.
      [FAILED, ['processingFailure']],
      [API_OFF, ['accessNotConfigured', 'SERVICE_DISABLED']],
    ] as const
  ).flatMap(([meaning, reasons]) => reasons.map((reason) => [reason, meaning] as const)),
)

const reasons = z.array(z.object({ reason: z.string().catch('') })).catch([])
const errorAnswer = z.object({
  error: z.object({
    message: z.string().catch(''),
    status: z.string().catch(''),
    errors: reasons,
    details: reasons,
  }),
})

/** Classifies an unsuccessful answer. */
export function refused(response: HttpResponse, effect: Effect | undefined, clock: Clock): PlatformError {
  const { error } = errorAnswer.safeParse(jsonOf(response)).data ?? {}
  const reasons = [...(error?.errors ?? []), ...(error?.details ?? [])].map(({ reason }) => reason)
  const meaning = [...reasons, error?.status ?? '']
    .map((each) => BY_REASON.get(each))
    .find((each) => each !== undefined)
  const { kind, says, expired = false, accountRests = false, restMs } = meaning ?? byStatus(response.status)
  const now = clock.now()
  const wait = restMs?.(now) ?? retryAfterMs(response.headers['retry-after'], now)
  const said = heard(response.status, error?.message ?? '')
  const options = { expired, accountRests, retryAfterMs: wait }
  return new GoogleError(kind === 'lost' ? lost(effect) : kind, `${says} (${said}).`, options)
}

function byStatus(status: number): Meaning {
  if (status === 401) return EXPIRED
  if (status === 429) return RATE
  // 408 comes from an intermediary; it is unknown how far the request got.
  return status === 408 || status >= 500 ? FAILED : REFUSED
}
