import { z } from 'zod'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { HttpResponse } from '../../infra/http/http.ts'
import { PlatformError, type PlatformErrorKind } from '../kit/platform.ts'
import { heard, jsonOf, lost, type Effect } from '../kit/rest.ts'
import { retryAfterMs } from '../kit/retry-after.ts'
import { API_VERSION } from './version.ts'

/** A refusal that keeps LinkedIn's status and error code, for callers that handle specific ones. */
export class LinkedInError extends PlatformError {
  readonly status: number
  /** `DUPLICATE_POST`, `ACCESS_DENIED`, ... Empty if LinkedIn gave none. */
  readonly code: string

  constructor(
    kind: PlatformErrorKind,
    message: string,
    options: { status: number; code: string; retryAfterMs?: number; accountRests?: boolean },
  ) {
    super(kind, message, options)
    this.name = 'LinkedInError'
    this.status = options.status
    this.code = options.code
  }
}

/** What was called: the API, or an upload URL, where a refused token means that the URL has expired. */
export type Place = 'api' | 'upload'

/** Whether a read is refused for good, so that repeating it is useless. A dead token, by contrast, may be renewed. */
export function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof PlatformError)) return false
  return error.kind === 'permanent' || (error instanceof LinkedInError && error.status === 403)
}

interface Row {
  readonly at?: Place
  readonly status?: readonly number[]
  /** Matched against the error's code and message. */
  readonly words?: RegExp
  /** `lost`: LinkedIn failed, so a visible call may have taken effect. */
  readonly kind: PlatformErrorKind | 'lost'
  readonly says: string
  readonly waitMs?: number
  readonly accountRests?: true
}

const UPLOAD_OVER = 'LinkedIn no longer accepts this upload; it will be started again'
/** Client errors told apart by their wording. Server errors are excluded, whatever their wording. */
const UNFIT = [400, 409, 422] as const
const ASSET_WAIT_MS = 90_000
const THROTTLE_WAIT_MS = 15 * 60_000
const DAY_MS = 24 * 60 * 60_000

/** LinkedIn's errors and what they mean here. The first matching row applies. */
const ROWS: readonly Row[] = [
  { at: 'upload', status: [401, 403, 404, 410], kind: 'retryable', says: UPLOAD_OVER },
  { at: 'upload', words: /EXPIRED_UPLOAD_URL/, kind: 'retryable', says: UPLOAD_OVER },
  {
    status: [401],
    kind: 'needs-reauth',
    says: 'LinkedIn no longer accepts the access token. Connect the account again',
  },
  {
    status: [403],
    kind: 'forbidden',
    says: 'LinkedIn does not allow this: the app lacks a permission, or the member lacks the role on the page',
  },
  {
    status: UNFIT,
    words: /DUPLICATE_POST|content is a duplicate/i,
    kind: 'permanent',
    says: 'LinkedIn refused the post as a duplicate of an existing one, which may be this one from an earlier attempt',
  },
  { status: UNFIT, words: /PROCESSING_FAILED/, kind: 'permanent', says: 'LinkedIn could not process the media' },
  {
    status: UNFIT,
    words: /MEDIA_ASSET_WAITING_UPLOAD|MEDIA_ASSET_PROCESSING|still (?:being )?process/i,
    kind: 'retryable',
    says: 'LinkedIn is still processing the media',
    waitMs: ASSET_WAIT_MS,
  },
  {
    status: [426],
    kind: 'permanent',
    says: `LinkedIn has retired version ${API_VERSION} of its API, which this release uses. Update Fanfare`,
  },
  {
    status: [429],
    kind: 'retryable',
    says: "LinkedIn's rate limit was reached",
    waitMs: THROTTLE_WAIT_MS,
    accountRests: true,
  },
  { status: [413], kind: 'permanent', says: 'The media is too large for LinkedIn' },
  { status: [415], kind: 'permanent', says: 'LinkedIn does not accept media of this type' },
  { status: [404], kind: 'permanent', says: 'LinkedIn could not find the requested item' },
  { status: [408, 500, 502, 503, 504], kind: 'lost', says: 'LinkedIn failed' },
]
const REFUSED: Row = { kind: 'permanent', says: 'LinkedIn refused the request' }
const FAILED: Row = { kind: 'lost', says: 'LinkedIn failed' }

/** Classifies a non-2xx answer. */
export function refused(response: HttpResponse, effect: Effect | undefined, place: Place, clock: Clock): LinkedInError {
  const { status } = response
  const { code, message } = refusalOf(response)
  const row = rowOf(status, `${code} ${message}`, place)
  const waitMs = row.waitMs === undefined ? undefined : waitOf(response, message, row.waitMs, clock.now())
  return new LinkedInError(
    row.kind === 'lost' ? lost(effect) : row.kind,
    `${row.says} (${heard(status, message || code)}).`,
    {
      status,
      code,
      ...(waitMs !== undefined && { retryAfterMs: waitMs }),
      ...(row.accountRests && { accountRests: true }),
    },
  )
}

function rowOf(status: number, words: string, place: Place): Row {
  const fits = (row: Row): boolean =>
    (row.at === undefined || row.at === place) &&
    (row.status === undefined || row.status.includes(status)) &&
    (row.words === undefined || row.words.test(words))
  return ROWS.find(fits) ?? (status >= 500 ? FAILED : REFUSED)
}

/** Daily quotas reset at 00:00 UTC; LinkedIn calls them the DAY limit and often sends no `Retry-After`. */
function waitOf(response: HttpResponse, message: string, otherwise: number, now: number): number {
  const asked = retryAfterMs(response.headers['retry-after'], now)
  if (asked !== undefined) return asked
  return /\bDAY limit\b/.test(message) ? DAY_MS - (now % DAY_MS) : otherwise
}

const refusalSchema = z.object({
  message: z.string().catch(''),
  code: z.string().catch(''),
  errorDetails: z
    .object({ inputErrors: z.array(z.object({ code: z.string() })) })
    .optional()
    .catch(undefined),
})

function refusalOf(response: HttpResponse): { readonly code: string; readonly message: string } {
  const result = refusalSchema.safeParse(jsonOf(response))
  if (!result.success) return { code: '', message: '' }
  const { code, message, errorDetails } = result.data
  const named = code || errorDetails?.inputErrors[0]?.code || /\b[A-Z]+(?:_[A-Z]+)+\b/.exec(message)?.[0]
  return { code: named ?? '', message }
}
