import type { LimitCause } from '../../domain/account/capability.ts'
import type { HttpResponse } from '../../infra/http/http.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { PlatformError, type PlatformErrorKind } from './platform.ts'
import { lost, type Effect } from './rest.ts'
import { retryAfterMs } from './retry-after.ts'

export type Code = string | number

/** An unsuccessful response, as the platform's own function reads it. */
export interface ErrorResponse {
  /** The platform's error codes, most specific first. */
  readonly codes?: readonly Code[]
  /** The code that callers see. Default: the first; empty if there is none. */
  readonly code?: Code
  /** The text that rows are matched against. */
  readonly said?: string
  /** For the message: the status and the platform's own words. */
  readonly details: string
}

/** What an error means. All conditions must hold; a row without any applies only by its name. */
export interface ErrorRow {
  readonly status?: readonly number[]
  readonly codes?: readonly Code[]
  readonly says?: RegExp
  /** `lost`: the platform failed, so a visible call may have taken effect. */
  readonly kind: PlatformErrorKind | 'lost' | Readonly<Record<Effect, PlatformErrorKind>>
  readonly text: string
  /** How long (ms) until the call can be retried, if the platform does not say. */
  readonly waitMs?: number
  /** Whether the wait applies to the whole account: a rate limit or a quota. */
  readonly accountRests?: true
  /** Why calls of this kind are refused, where that outlasts the call. Default for `forbidden`: `permission_missing`. */
  readonly limit?: LimitCause
}

/** The rows that every table has, for errors that no other row explains. */
export type CommonRefusal = 'token' | 'rate limit' | 'failed' | 'refused'

/** What determines how long to wait. */
export interface Pause extends Pick<ErrorRow, 'kind' | 'accountRests'> {
  /** Of the row, if the call can be retried. */
  readonly waitMs: number | undefined
  readonly refusal: string
  readonly said: string
  readonly headers: HttpResponse['headers']
  /** Milliseconds, from `Retry-After`. */
  readonly askedMs: number | undefined
  readonly now: number
}

export interface ErrorTable<Own extends string, Response extends ErrorResponse = ErrorResponse> {
  /** The platform's display name. */
  readonly name: string
  /** By the name of the refusal. Codes take precedence, then the first row applies. */
  readonly rows: Readonly<Record<Own, ErrorRow>>
  /** Changes to the common rows. */
  readonly common?: Readonly<Partial<Record<CommonRefusal, Partial<ErrorRow>>>>
  /** @param secret must be redacted */
  readonly read: (response: HttpResponse, secret: string) => Response
  /** Default: `byStatus`, unless a row was found. */
  readonly settle?: (found: Own | CommonRefusal | undefined, status: number, response: Response) => Own | CommonRefusal
  /** Default: `Retry-After` counts for limits and failures. */
  readonly waitOf?: (pause: Pause) => number | undefined
  /** Default: the details in parentheses. */
  readonly worded?: (text: string, details: string) => string
}

export interface Errors<Refusal extends string> {
  readonly name: string
  readonly rows: Readonly<Record<Refusal, ErrorRow>>
  /** The refusal that lists one of the codes, most specific first. */
  readonly named: (codes: readonly Code[]) => Refusal | undefined
  /**
   * Classifies an unsuccessful response.
   *
   * @param secret redacted from the message, where the platform may echo it
   */
  readonly refused: (
    response: HttpResponse,
    effect: Effect | undefined,
    clock: Pick<Clock, 'now'>,
    secret?: string,
  ) => PlatformRefusal
  /** An error found otherwise than by a status. */
  readonly errorOf: (refusal: Refusal, details: string) => PlatformRefusal
  readonly is: (error: unknown, ...refusals: readonly Refusal[]) => error is PlatformRefusal
}

/** A refusal or failure that a platform reported, with details for callers that handle specific ones. */
export class PlatformRefusal extends PlatformError {
  /** 0 if it was not found by a status. */
  readonly status: number
  readonly code: Code
  /** Name of the row that applied. */
  readonly refusal: string
  /** All of the platform's text that rows were matched against. */
  readonly said: string

  constructor(
    kind: PlatformErrorKind,
    message: string,
    options: Pick<PlatformRefusal, 'status' | 'code' | 'refusal' | 'said' | 'accountRests' | 'limit' | 'retryAfterMs'>,
  ) {
    super(kind, message, options)
    this.status = options.status
    this.code = options.code
    this.refusal = options.refusal
    this.said = options.said
  }
}

/** Whether a call was answered with one of the statuses. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is PlatformRefusal {
  return error instanceof PlatformRefusal && statuses.includes(error.status)
}

/** Whether a call was answered with one of the platform's error codes. */
export function hasCode(error: unknown, ...codes: readonly Code[]): error is PlatformRefusal {
  return error instanceof PlatformRefusal && codes.includes(error.code)
}

/** The common row for a status. 408 may come from an intermediary; it is unknown how far the request got. */
export function byStatus(status: number): CommonRefusal {
  if (status === 401) return 'token'
  if (status === 429) return 'rate limit'
  return status === 408 || status >= 500 ? 'failed' : 'refused'
}

/** Classifies the errors of a platform by its table. */
export function errorTable<Own extends string, Response extends ErrorResponse>({
  name,
  rows: own,
  common = {},
  read,
  settle = (found, status) => found ?? byStatus(status),
  waitOf = defaultWait,
  worded = (text, details) => `${text} (${details}).`,
}: ErrorTable<Own, Response>): Errors<Own | CommonRefusal> {
  type Refusal = Own | CommonRefusal
  const rows: Readonly<Record<Refusal, ErrorRow>> = { ...own, ...commonRows(name, common) }
  const names = Object.keys(rows) as Refusal[]

  const find = (codes: readonly Code[], status?: number, said = ''): Refusal | undefined => {
    const holds = (row: ErrorRow) => (row.status?.includes(status ?? 0) ?? true) && (row.says?.test(said) ?? true)
    const byCode = (code: Code) => names.find((each) => rows[each].codes?.includes(code) && holds(rows[each]))
    const isUncoded = (row: ErrorRow) => row.codes === undefined && (row.status ?? row.says) !== undefined
    return (
      codes.map(byCode).find((each) => each !== undefined) ??
      names.find((each) => isUncoded(rows[each]) && holds(rows[each]))
    )
  }
  const refusalOf = (
    refusal: Refusal,
    effect: Effect | undefined,
    status: number,
    { codes = [], code = codes[0] ?? '', said = '', details }: ErrorResponse,
    wait: (waitMs: number | undefined) => number | undefined,
  ): PlatformRefusal => {
    const { text, waitMs, accountRests = false, limit, ...row } = rows[refusal]
    const kind = kindOf(row, effect)
    const retryAfterMs = wait(kind === 'retryable' ? waitMs : undefined)
    const options = { status, code, refusal, said, accountRests, limit, retryAfterMs }
    return new PlatformRefusal(kind, worded(text, details), options)
  }
  return {
    name,
    rows,
    named: (codes) => find(codes),
    refused: (response, effect, clock, secret = '') => {
      const { status, headers } = response
      const now = clock.now()
      const answer = read(response, secret)
      const { codes = [], said = '' } = answer
      const refusal = settle(find(codes, status, said), status, answer)
      const pause = {
        ...rows[refusal],
        refusal,
        said,
        headers,
        now,
        askedMs: retryAfterMs(headers['retry-after'], now),
      }
      return refusalOf(refusal, effect, status, answer, (waitMs) => waitOf({ ...pause, waitMs }))
    },
    errorOf: (refusal, details) => refusalOf(refusal, 'hidden', 0, { details }, (waitMs) => waitMs),
    is: (error, ...refusals): error is PlatformRefusal =>
      error instanceof PlatformRefusal && refusals.some((each) => each === error.refusal),
  }
}

function commonRows(
  name: string,
  changes: NonNullable<ErrorTable<never>['common']>,
): Readonly<Record<CommonRefusal, ErrorRow>> {
  const expired = `${name} no longer accepts the access token. Connect the account again`
  const limited = `${name}${name.endsWith('s') ? "'" : "'s"} rate limit was reached`
  return {
    token: { kind: 'needs-reauth', text: expired, ...changes.token },
    'rate limit': { kind: 'retryable', text: limited, accountRests: true, ...changes['rate limit'] },
    failed: { kind: 'lost', text: `${name} failed`, limit: 'platform_outage', ...changes.failed },
    refused: { kind: 'permanent', text: `${name} refused the request`, ...changes.refused },
  }
}

function kindOf({ kind }: Pick<ErrorRow, 'kind'>, effect: Effect = 'hidden'): PlatformErrorKind {
  if (kind === 'lost') return lost(effect)
  return typeof kind === 'string' ? kind : kind[effect]
}

function defaultWait({ kind, accountRests, waitMs, askedMs }: Pause): number | undefined {
  return accountRests || kind === 'lost' ? (askedMs ?? waitMs) : waitMs
}
