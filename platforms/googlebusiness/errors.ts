import { z } from 'zod'
import type { HttpResponse } from '../../infra/http/http.ts'
import { PlatformError, type PlatformErrorKind } from '../kit/platform.ts'
import { jsonOf, lost, quoted, type Effect } from '../kit/rest.ts'
import { retryAfterMs } from '../kit/retry-after.ts'

/** A refusal that keeps Google's status, for callers that handle specific ones. */
export class GoogleRefusal extends PlatformError {
  readonly status: number
  /** `ErrorInfo.reason`; empty if Google gave none. */
  readonly reason: string

  constructor(
    { status, reason }: { readonly status: number; readonly reason: string },
    kind: PlatformErrorKind,
    message: string,
    options?: ConstructorParameters<typeof PlatformError>[2],
  ) {
    super(kind, message, options)
    this.name = 'GoogleRefusal'
    this.status = status
    this.reason = reason
  }
}

/** Whether the call was refused, without effect, because the access token is expired or invalid. */
export function isExpired(error: unknown): boolean {
  return error instanceof GoogleRefusal && error.status === 401
}

interface Refused {
  readonly status: number
  readonly reason: string
  readonly quotaLimit: string
  /** Codes among `ValidationError.errorDetails`. */
  readonly codes: readonly number[]
  readonly says: string
}

interface Rule {
  readonly status: number
  /** Absent: any. */
  readonly when?: (refused: Refused) => boolean
  readonly kind: PlatformErrorKind
  readonly text: string
  readonly accountRests?: true
}

/** Google's limits are per minute. */
const LIMITED_FOR_MS = 60_000
const FETCHING_FAILED = 1000

/** The first match applies. */
const RULES: readonly Rule[] = [
  { status: 401, kind: 'needs-reauth', text: 'Google does not accept the access token. Connect the account again' },
  {
    status: 403,
    when: ({ reason }) => reason === 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
    kind: 'forbidden',
    text: 'The access does not cover business profiles. Connect the account again with the scope business.manage',
  },
  {
    status: 403,
    when: ({ reason }) => reason === 'SERVICE_DISABLED',
    kind: 'permanent',
    text: 'A Business Profile API is not enabled in the Google Cloud project',
  },
  {
    status: 403,
    kind: 'permanent',
    text: 'Google does not allow this. Check that the user still manages the location and its profile is verified, not suspended',
  },
  { status: 404, kind: 'permanent', text: 'Google could not find the location' },
  {
    status: 400,
    when: ({ codes, says }) => codes.includes(FETCHING_FAILED) || /fetching image failed/i.test(says),
    // The next attempt fetches the media itself first, and fails for good if it is gone.
    kind: 'retryable',
    text: "Google could not fetch the image from the media's host",
  },
  { status: 400, kind: 'permanent', text: 'Google did not accept the post' },
  {
    status: 429,
    when: ({ quotaLimit }) => quotaLimit === '0',
    kind: 'permanent',
    text: 'Google has not approved the Google Cloud project for the Business Profile APIs: its quota is 0',
  },
  { status: 429, kind: 'retryable', text: "Google's rate limit was reached", accountRests: true },
]

const errorDetail = z.object({
  reason: z.string().catch(''),
  metadata: z.object({ quota_limit_value: z.string().catch('') }).catch({ quota_limit_value: '' }),
  errorDetails: z.array(z.object({ code: z.number().catch(0), message: z.string().catch('') })).catch([]),
  fieldViolations: z.array(z.object({ field: z.string().catch(''), description: z.string().catch('') })).catch([]),
})
const errorAnswer = z.object({
  error: z.object({ message: z.string().catch(''), details: z.array(errorDetail).catch([]) }),
})

function read(response: HttpResponse): Refused {
  const { message = '', details = [] } = errorAnswer.safeParse(jsonOf(response)).data?.error ?? {}
  const errors = details.flatMap(({ errorDetails }) => errorDetails)
  const violations = details.flatMap(({ fieldViolations }) => fieldViolations)
  const causes = [
    ...errors.map((error) => error.message),
    ...violations.map(({ field, description }) => `${field}: ${description}`),
  ]
  return {
    status: response.status,
    reason: details.map(({ reason }) => reason).find((reason) => reason !== '') ?? '',
    quotaLimit: details.map(({ metadata }) => metadata.quota_limit_value).find((value) => value !== '') ?? '',
    codes: errors.map(({ code }) => code),
    // The message says only that an argument is invalid; the details say which.
    says: quoted(causes.length > 0 ? causes.join(' ') : message),
  }
}

/** Classifies a non-200 answer. */
export function refused(response: HttpResponse, effect: Effect | undefined, now: number): GoogleRefusal {
  const { status, headers } = response
  const fault = read(response)
  const named = fault.says === '' ? `HTTP ${status}` : `HTTP ${status}, ${fault.says}`
  const as = (kind: PlatformErrorKind, text: string, options?: ConstructorParameters<typeof PlatformError>[2]) =>
    new GoogleRefusal(fault, kind, `${text} (${named}).`, options)

  const wait = retryAfterMs(headers['retry-after'], now)
  const rule = RULES.find((each) => each.status === status && (each.when?.(fault) ?? true))
  if (rule?.accountRests) return as(rule.kind, rule.text, { retryAfterMs: wait ?? LIMITED_FOR_MS, accountRests: true })
  if (rule) return as(rule.kind, rule.text)
  // 408 is a timeout of the server or an intermediary; it is unknown how far the request got.
  if (status >= 500 || status === 408) return as(lost(effect), 'Google failed', { retryAfterMs: wait })
  return as('permanent', 'Google refused the request')
}
