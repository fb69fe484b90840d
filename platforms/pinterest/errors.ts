import { z } from 'zod'
import type { HttpResponse } from '../../infra/http/http.ts'
import { PlatformError, type PlatformErrorKind } from '../kit/platform.ts'
import { jsonOf, lost, quoted, type Effect } from '../kit/rest.ts'
import { retryAfterMs } from '../kit/retry-after.ts'

/** A refusal that keeps Pinterest's status and code, for callers that handle specific ones. */
export class PinterestRefusal extends PlatformError {
  readonly status: number
  /** Pinterest's own error number; undefined if it gave none. */
  readonly code: number | undefined

  constructor(
    { status, code }: Refused,
    kind: PlatformErrorKind,
    message: string,
    options?: ConstructorParameters<typeof PlatformError>[2],
  ) {
    super(kind, message, options)
    this.name = 'PinterestRefusal'
    this.status = status
    this.code = code
  }
}

interface Refused {
  readonly status: number
  readonly code: number | undefined
}

interface Rule {
  readonly status: readonly number[]
  /** Absent: any. */
  readonly code?: readonly number[]
  /** Must match Pinterest's own text. Absent: any. */
  readonly says?: RegExp
  readonly kind: PlatformErrorKind
  readonly text: string
  readonly accountRests?: true
}

const LIMITED_FOR_MS = 60_000

/** The first match applies: status before code before text (API description 5.12 to 5.23, and reports of 2026). */
const RULES: readonly Rule[] = [
  {
    status: [403],
    code: [3, 29],
    says: /trial/i,
    kind: 'permanent',
    text: 'The Pinterest app has Trial access, which does not allow creating Pins. Ask Pinterest for Standard access',
  },
  {
    status: [401, 403],
    code: [7, 29],
    says: /scope/i,
    kind: 'forbidden',
    text: 'The access token lacks a scope. Connect the account again with all scopes',
  },
  {
    status: [401],
    code: [7],
    kind: 'forbidden',
    text: 'The access token lacks a permission. Connect the account again with all scopes',
  },
  {
    status: [403],
    code: [7, 29],
    kind: 'permanent',
    text: 'The account is not allowed to do this. The board may belong to another account',
  },
  {
    status: [401],
    kind: 'needs-reauth',
    text: 'Pinterest does not accept the access token. Connect the account again',
  },
  { status: [403], code: [233], kind: 'permanent', text: 'The image is too small for Pinterest' },
  { status: [403], code: [235], kind: 'permanent', text: 'Pinterest could not read the image' },
  {
    status: [404],
    code: [40],
    kind: 'permanent',
    text: 'Pinterest could not find the board. Connect the account again with another board',
  },
  {
    status: [404],
    code: [2031],
    kind: 'permanent',
    text: 'Pinterest could not find the section of the board. Connect the account again with another section',
  },
  { status: [404], code: [50], kind: 'permanent', text: 'Pinterest could not find the Pin' },
  {
    status: [400],
    says: /unable to reach the url/i,
    kind: 'retryable',
    text: "Pinterest could not fetch the image from the media's host",
  },
  { status: [400], says: /cover_image/i, kind: 'permanent', text: 'Pinterest did not accept the cover of the video' },
  {
    status: [429],
    kind: 'retryable',
    text: "Pinterest's rate limit was reached",
    accountRests: true,
  },
]

const errorBody = z.object({
  code: z.int().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  error_description: z.string().optional().catch(undefined),
})

/** The error in an answer, in either of the two formats that Pinterest uses. */
export function errorOf(response: HttpResponse): { code: number | undefined; error: string; says: string } {
  const { code, message, error, error_description } = errorBody.safeParse(jsonOf(response)).data ?? {}
  return { code, error: error ?? '', says: quoted(message ?? error_description ?? error ?? '') }
}

/** Classifies a non-2xx answer of the API. */
export function refused(response: HttpResponse, effect: Effect | undefined, now: number): PinterestRefusal {
  const { status, headers } = response
  const { code, says } = errorOf(response)
  const named = [`HTTP ${status}`, ...(code === undefined ? [] : [`code ${code}`]), ...(says === '' ? [] : [says])]
  const rule = RULES.find(
    (each) =>
      each.status.includes(status) &&
      (each.code === undefined || (code !== undefined && each.code.includes(code))) &&
      (each.says === undefined || each.says.test(says)),
  )
  const as = (kind: PlatformErrorKind, text: string, options?: { retryAfterMs?: number; accountRests?: boolean }) =>
    new PinterestRefusal({ status, code }, kind, `${text} (${named.join(', ')}).`, options)

  const wait = retryAfterMs(headers['retry-after'], now)
  if (rule?.accountRests) return as(rule.kind, rule.text, { retryAfterMs: wait ?? LIMITED_FOR_MS, accountRests: true })
  if (rule) return as(rule.kind, rule.text)
  // 408 is a timeout of the server or an intermediary; it is unknown how far the request got.
  if (status >= 500 || status === 408) {
    return as(lost(effect), 'Pinterest failed', wait === undefined ? {} : { retryAfterMs: wait })
  }
  return as('permanent', 'Pinterest refused the request')
}
