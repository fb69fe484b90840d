import { z } from 'zod'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { HttpResponse } from '../../infra/http/http.ts'
import { PlatformError, type PlatformErrorKind } from '../kit/platform.ts'
import { heard, jsonOf, lost, type Effect } from '../kit/rest.ts'
import { retryAfterMs } from '../kit/retry-after.ts'

/** The refusals that callers can handle. */
export type Refusal = 'token' | 'duplicate' | 'unusable-media' | 'missing' | 'bad-request'

/** A refusal by X, with details for callers that handle specific ones. */
export class XError extends PlatformError {
  readonly status: number
  readonly refusal: Refusal | undefined
  /** All of X's error text, including the names of the offending parameters. */
  readonly said: string

  constructor(
    kind: PlatformErrorKind,
    message: string,
    options: {
      status: number
      refusal: Refusal | undefined
      said: string
      retryAfterMs?: number | undefined
      accountRests?: boolean
    },
  ) {
    super(kind, message, options)
    this.name = 'XError'
    this.status = options.status
    this.refusal = options.refusal
    this.said = options.said
  }
}

interface Row {
  readonly status: number
  /** Matched against all of X's error text. Absent: any. */
  readonly says?: RegExp
  readonly kind: PlatformErrorKind
  readonly refusal?: Refusal
  readonly means: string
}

/** The first matching row applies. */
const ROWS: readonly Row[] = [
  {
    status: 401,
    kind: 'needs-reauth',
    refusal: 'token',
    means: 'X no longer accepts the access token. Connect the account again.',
  },
  {
    status: 403,
    says: /unsupported[ -]authentication|oauth1-permissions|scope/i,
    kind: 'forbidden',
    means: 'The access granted by X is of the wrong kind or lacks a scope. Connect the account again.',
  },
  {
    status: 403,
    says: /client-forbidden|client-not-enrolled/i,
    kind: 'permanent',
    means: 'X does not allow this app to use its API. Check the app in the X developer console.',
  },
  {
    status: 403,
    says: /duplicate content/i,
    kind: 'permanent',
    refusal: 'duplicate',
    means: 'The account recently posted the same text on X. This post may already be published.',
  },
  {
    status: 403,
    says: /have not been mentioned/i,
    kind: 'permanent',
    means: 'X allows this app to reply only to users who mentioned or quoted the account.',
  },
  { status: 403, kind: 'permanent', means: 'X does not allow this for the account or for the content.' },
  {
    status: 400,
    says: /media ids? (?:are|is) invalid/i,
    kind: 'permanent',
    refusal: 'unusable-media',
    means: 'X does not accept the uploaded media.',
  },
  { status: 400, kind: 'permanent', refusal: 'bad-request', means: 'X rejected the request as invalid.' },
  {
    status: 402,
    kind: 'permanent',
    means: 'The app has no API credits left on X. Buy credits in the X developer console, then publish again.',
  },
  { status: 404, kind: 'permanent', refusal: 'missing', means: 'X could not find the requested item.' },
  {
    status: 429,
    says: /usage-capped|usage ?cap|spend/i,
    kind: 'permanent',
    means:
      'The app has reached its usage or spending cap on X for this period. Raise the cap in the X developer console.',
  },
  { status: 429, kind: 'retryable', means: "X's rate limit was reached." },
]

/** Classifies a non-2xx answer. */
export function refused(response: HttpResponse, effect: Effect | undefined, clock: Clock): XError {
  const { status } = response
  const { shown, said } = wordsOf(response)
  const details = heard(status, shown)
  const row = ROWS.find((row) => row.status === status && (row.says?.test(said) ?? true))
  if (row) {
    const limit = row.kind === 'retryable' ? { retryAfterMs: untilReset(response, clock), accountRests: true } : {}
    return new XError(row.kind, `${row.means} (${details}.)`, { status, refusal: row.refusal, said, ...limit })
  }
  // 408 is a timeout of the server or an intermediary; it is unknown how far the request got.
  const failed = status === 408 || status >= 500
  const message = `${failed ? 'X failed' : 'X refused the request'} (${details}).`
  return new XError(failed ? lost(effect) : 'permanent', message, { status, refusal: undefined, said })
}

const text = z.string().catch('')
const problem = z.object({
  title: text,
  detail: text,
  type: text,
  reason: text,
  error: text,
  error_description: text,
  errors: z
    .array(z.object({ message: text, parameters: z.record(z.string(), z.unknown()).catch({}) }).catch(noError))
    .catch([]),
})

function noError(): { message: string; parameters: Record<string, unknown> } {
  return { message: '', parameters: {} }
}

/** X has several error formats; this collects all text from any of them. */
function wordsOf(response: HttpResponse): { readonly shown: string; readonly said: string } {
  const result = problem.safeParse(jsonOf(response))
  // Intermediate proxies answer in HTML; fall back to the status alone.
  if (!result.success) return { shown: '', said: '' }
  const { title, detail, type, reason, error, error_description: description, errors } = result.data
  const shown = [...new Set([detail || title || description || error, ...errors.map(({ message }) => message)])]
  const parameters = errors.flatMap((each) => Object.keys(each.parameters))
  const rest = [title, type.slice(type.lastIndexOf('/') + 1), reason, error, description, ...parameters]
  const join = (words: readonly string[]): string => words.filter((word) => word !== '').join(' ')
  return { shown: join(shown), said: join([...shown, ...rest]) }
}

/** Rate limit windows: 15 minutes, and two of a day. */
const WINDOWS = ['x-rate-limit', 'x-user-limit-24hour', 'x-app-limit-24hour']

/** Milliseconds until every exhausted window has reset; resets are Unix times in seconds. */
function untilReset({ headers }: HttpResponse, clock: Clock): number | undefined {
  const resets = (names: readonly string[]): readonly number[] =>
    names.map((name) => Number(headers[`${name}-reset`])).filter((reset) => reset > 0)
  const usedUp = resets(WINDOWS.filter((name) => headers[`${name}-remaining`]?.trim() === '0'))
  const known = usedUp.length > 0 ? usedUp : resets(WINDOWS.slice(0, 1))
  if (known.length > 0) return Math.max(1_000, Math.max(...known) * 1_000 - clock.now())
  return retryAfterMs(headers['retry-after'], clock.now())
}
