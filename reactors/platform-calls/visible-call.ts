import type {
  Platform,
  PlatformAccount,
  PlatformError,
  PlatformErrorKind,
  PlatformIo,
  Prepared,
  Proof,
  PublishHandle,
  Search,
} from '../../platforms/kit/platform.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { PlatformAccess } from './platform-access.ts'
import { answerOf, type Answer } from './platform-failure.ts'

/*
 * The write-ahead guard for replies and first comments. Do everything invisible, record the intent, make the one visible call,
 * record its outcome. An interrupted call is reconciled by looking on the platform, never by calling again blindly.
 */

/** Time limit of the visible call. */
export const CALL_TIMEOUT_MS = 30_000
/** A harmless repeat, or a look at a handle, need not wait until the platform shows anything. */
export const LOOK_SOON_MS = 1_000
/** Delay before looking again when the platform cannot be reached. */
export const LOOK_AGAIN_MS = 10_000
/** If the platform cannot be reached for this long, the outcome stays unknown. */
const LOOK_FOR_MS = 60 * 60_000

/**
 * From this time (ms since the epoch), a search that finds nothing proves absence.
 *
 * @param at when the call was allowed, ISO 8601 UTC
 */
export function conclusiveAt(
  at: string,
  { publishTimeoutMs = CALL_TIMEOUT_MS, visibleWithinMs }: Pick<Platform, 'publishTimeoutMs' | 'visibleWithinMs'>,
): number {
  return Date.parse(at) + publishTimeoutMs + visibleWithinMs
}

/** When (ms since the epoch) to give up on a call that cannot be looked for. `from`: ISO 8601 UTC. */
export function lookedForUntil(
  from: string,
  { publishTimeoutMs = CALL_TIMEOUT_MS }: Pick<Platform, 'publishTimeoutMs'>,
) {
  return Date.parse(from) + publishTimeoutMs + LOOK_FOR_MS
}

export interface VisibleCall<Done> {
  /** What becomes visible, in words for users: `reply`. */
  readonly what: string
  readonly account: PlatformAccount
  /** When the call was allowed, ISO 8601 UTC. */
  readonly startedAt: string
  /** When a user retried after an unknown outcome. */
  readonly askedAgainAt?: string | undefined
  /** The error received instead of a response. */
  readonly lost?: string | undefined
  readonly proof: Exclude<Proof, 'handle'>
  /** After this many milliseconds the result is sure to be found. */
  readonly visibleWithinMs: number
  /** @param handle from the preparation; absent when the call is repeated */
  make(io: PlatformIo, handle?: PublishHandle): Promise<Done>
  find(io: PlatformIo): Promise<Search<Done>>
}

/** The outcome of a call. Times are ms since the epoch. */
export type CallOutcome<Done> =
  | { readonly kind: 'done'; readonly done: Done }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'lost'; readonly lookAt: number; readonly error: string }
  | { readonly kind: 'deferred'; readonly error: string; readonly retryAfterMs?: number | undefined }
  | { readonly kind: 'failed'; readonly code: 'permanent' | 'needs_reauth' | 'unknown'; readonly error: string }

export interface CallDeps {
  readonly access: PlatformAccess
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
  /** Called for each failure of the platform, for what it says about the whole account. */
  onFailure(failure: PlatformError): Promise<void>
}

/** Does the invisible work of a call that is not allowed yet. @param prepare absent: there is none */
export async function prepareCall(
  deps: CallDeps,
  account: PlatformAccount,
  prepare: ((io: PlatformIo) => Promise<Prepared>) | undefined,
): Promise<Answer<Prepared>> {
  if (!prepare) return { ok: true, value: { outcome: 'ready', handle: {} } }
  return ask(deps, { account }, CALL_TIMEOUT_MS, prepare)
}

/** Makes the call that has just been allowed. @param prepared what came of its invisible work */
export async function makeCall<Done>(
  deps: CallDeps,
  call: VisibleCall<Done>,
  prepared: Answer<Pick<Prepared, 'handle'>>,
): Promise<CallOutcome<Done>> {
  const left = Date.parse(call.startedAt) + CALL_TIMEOUT_MS - deps.clock.now()
  // The worker that reconciles this call counts it as dead by now: making it could send twice.
  if (left <= 0) return { kind: 'wait', until: conclusiveAt(call.startedAt, call) }
  const answer = prepared.ok ? await ask(deps, call, left, (io) => call.make(io, prepared.value.handle)) : prepared
  if (answer.ok) return { kind: 'done', done: answer.value }
  const { kind, message: error, retryAfterMs } = answer.failure
  switch (kind) {
    case 'permanent':
    case 'forbidden':
      return { kind: 'failed', code: 'permanent', error }
    case 'needs-reauth':
      return { kind: 'failed', code: 'needs_reauth', error }
    case 'retryable':
      return { kind: 'deferred', error, retryAfterMs }
    case 'ambiguous':
      if (call.proof === 'opaque') return unknown(call, error)
      return {
        kind: 'lost',
        error,
        lookAt: call.proof === 'searchable' ? conclusiveAt(call.startedAt, call) : deps.clock.now() + LOOK_SOON_MS,
      }
  }
}

/** Reconciles a call that was or may have been made, and whose response was lost. */
export async function settleCall<Done>(deps: CallDeps, call: VisibleCall<Done>): Promise<CallOutcome<Done>> {
  switch (call.proof) {
    case 'idempotent-key':
      return repeat(deps, call)
    case 'searchable':
      return search(deps, call)
    case 'opaque':
      return unconfirmed(call, 'The platform offers no way to look it up.')
  }
}

async function repeat<Done>(deps: CallDeps, call: VisibleCall<Done>): Promise<CallOutcome<Done>> {
  const answer = await ask(deps, call, CALL_TIMEOUT_MS, (io) => call.make(io))
  if (answer.ok) return { kind: 'done', done: answer.value }
  const { kind, message } = answer.failure
  if (kind === 'permanent' || kind === 'forbidden') return { kind: 'failed', code: 'permanent', error: message }
  // The first call may have succeeded; once the account is reconnected, repeating it is still harmless.
  return kind === 'needs-reauth' ? unknown(call, message) : lookAgain(deps, call, answer.failure)
}

async function search<Done>(deps: CallDeps, call: VisibleCall<Done>): Promise<CallOutcome<Done>> {
  const until = conclusiveAt(call.startedAt, call)
  if (deps.clock.now() < until) return { kind: 'wait', until }
  const answer = await ask(deps, call, CALL_TIMEOUT_MS, (io) => call.find(io))
  if (!answer.ok) {
    const { kind, message } = answer.failure
    return isFinal(kind) ? unknown(call, message) : lookAgain(deps, call, answer.failure)
  }
  switch (answer.value.outcome) {
    case 'found':
      return { kind: 'done', done: answer.value.found }
    case 'absent':
      return {
        kind: 'deferred',
        error: `${call.lost ?? `The response to the ${call.what} was lost.`} The ${call.what} is not on the platform.`,
      }
    case 'unknown':
      return unconfirmed(call, 'The platform cannot confirm whether it was published.')
  }
}

function ask<T>(
  deps: CallDeps,
  { account }: { readonly account: PlatformAccount },
  timeoutMs: number,
  work: (io: PlatformIo) => Promise<T>,
) {
  const asked = { ...deps, job: { account } }
  return answerOf(asked, () => deps.access.run(account, timeoutMs, deps.signal, work, 'replies'))
}

function lookAgain<Done>({ clock }: CallDeps, call: VisibleCall<Done>, failure: PlatformError): CallOutcome<Done> {
  const now = clock.now()
  const until = lookedForUntil(call.askedAgainAt ?? call.startedAt, {})
  if (now >= until) return unknown(call, failure.message)
  return { kind: 'wait', until: Math.min(now + Math.max(LOOK_AGAIN_MS, failure.retryAfterMs ?? 0), until) }
}

/** Failures that a retry would not change. */
export const isFinal = (kind: PlatformErrorKind) =>
  kind === 'permanent' || kind === 'forbidden' || kind === 'needs-reauth'

/** The outcome cannot be determined. Send again only if a user, knowing that, has retried. */
function unconfirmed<Done>(call: VisibleCall<Done>, why: string): CallOutcome<Done> {
  const { askedAgainAt, lost = '' } = call
  return askedAgainAt === undefined ? unknown(call, [why, lost].join(' ').trim()) : { kind: 'deferred', error: why }
}

function unknown<Done>({ what }: VisibleCall<Done>, why: string): CallOutcome<Done> {
  return { kind: 'failed', code: 'unknown', error: unknownOutcome(what, why) }
}

/** @param what as users know it: `post`, `reply` */
export function unknownOutcome(what: string, why: string): string {
  return `The outcome is unknown: the platform may have accepted the ${what}, but its response was lost. ${why}`
}
