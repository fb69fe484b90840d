import { erasePersonalData, requestErasure } from '../../commands/erasure.ts'
import { identifyOwner } from '../../commands/connect-account.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { eraseMetrics } from '../../commands/metrics.ts'
import { account } from '../../domain/account/account.ts'
import { metrics } from '../../domain/analytics/post-metrics.ts'
import { streamName } from '../../domain/core/event.ts'
import { derivedId, derivedUlid } from '../../domain/core/ids.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { erasure, type ErasedCounts, type ErasureFilter } from '../../domain/workspace/erasure.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { PlatformAccount } from '../../platforms/kit/platform.ts'
import { COMPETITOR_PART } from '../../projections/agenda/retain.ts'
import { capturedBefore } from '../../projections/models/post-metrics.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { DONE, park, type Reactor, type WorkResult } from '../runtime/reactor.ts'
import { retainCompetitor, type CompetitorKeys } from './retain-competitor.ts'

/** How long the data of each platform may be kept (`platforms/retention.ts`). */
export type RetentionOf = Readonly<
  Record<
    PlatformKey,
    {
      readonly commentsMs?: number
      readonly metricsMs?: number
      readonly competitorsMs?: number
      readonly afterDisconnectMs: number
    }
  >
>

export interface RetainDeps extends CommandDeps {
  readonly db: Database
  readonly retention: RetentionOf
  /** Ends the access to a disconnected account (`reactors/accounts/end-access.ts`). */
  endAccess(account: PlatformAccount, isLast: boolean, signal: AbortSignal): Promise<boolean>
  /** Who granted the access to an account, if that can be told (`reactors/accounts/owner-of.ts`). */
  ownerOf(
    account: PlatformAccount,
    signal: AbortSignal,
  ): Promise<{ readonly ownerId?: string | undefined; readonly isUnreachable?: boolean }>
  readonly keys: CompetitorKeys & {
    count(filter: ErasureFilter): Promise<ErasedCounts>
    erase(streams: readonly string[], erasureId: string, at: string): Promise<void>
  }
}

/** The share of their time by which comments and metrics are erased too early, so that none is too late. */
const SLACK = 1 / 24
/** How long (ms) an erasure usually takes. */
const ERASED_WITHIN_MS = 60_000
/** Until the access to a disconnected account is revoked again, after the platform could not be reached, ms. */
const AGAIN_MS = 600_000
/** Until an account without a limit is looked at again, ms. */
const FAR_MS = 30 * 86_400_000
/** Posts whose metrics are erased per turn. */
const A_TURN = 500

/**
 * Requests erasures of what an account's platform no longer allows to be kept, and sees that a disconnection is completed. Learns
 * who granted the access to an account that was connected before that was asked.
 */
export function retainReactor(deps: RetainDeps): Reactor {
  return async ({ subject: accountId, part, token }, signal) => {
    if (part === COMPETITOR_PART) return retainCompetitor(deps, accountId, token)
    const { log, clock, retention } = deps
    const state = await load(log, account, accountId)
    if (state.status === 'absent') return DONE
    const { workspaceId, platform, status, connectedAt, disconnectedAt = connectedAt } = state
    const { commentsMs, metricsMs, afterDisconnectMs } = retention[platform]
    const now = clock.now()
    if (status === 'disconnected') {
      const until = Date.parse(disconnectedAt) + afterDisconnectMs
      const hasEnded = await deps.endAccess({ ...state, id: accountId }, until <= now, signal)
      if (until > now) return park(hasEnded ? until : Math.min(until, now + AGAIN_MS))
      return eraseAccount(deps, { workspaceId, accountId, disconnectedAt })
    }
    const isKnown = state.ownerId !== undefined
    const { ownerId, isUnreachable = false } = isKnown ? {} : await deps.ownerOf({ ...state, id: accountId }, signal)
    if (ownerId !== undefined) await identify(deps, { accountId, connectedAt, ownerId })
    const of = { workspaceId, accountId }
    const pauses = [isUnreachable ? AGAIN_MS : FAR_MS]
    if (commentsMs !== undefined) pauses.push(await limitComments(deps, of, commentsMs))
    if (metricsMs !== undefined) pauses.push(await limitMetrics(deps, of, metricsMs))
    return park(now + Math.min(...pauses))
  }
}

interface Of {
  readonly workspaceId: string
  readonly accountId: string
}

/** @returns until they are looked at again, ms */
async function limitComments(deps: RetainDeps, of: Of, keptMs: number): Promise<number> {
  const slack = keptMs * SLACK
  const filter = { ...of, before: isoTime(deps.clock.now() - keptMs + slack) }
  if (!isNothing(await deps.keys.count(filter))) await request(deps, erasureIdOf(of.accountId, filter.before), filter)
  return slack / 2
}

/**
 * Erases the metrics of posts that the platform has not reported for long: they may no longer be read, or the post is gone.
 *
 * @returns until they are looked at again, ms
 */
async function limitMetrics(deps: RetainDeps, { accountId }: Of, keptMs: number): Promise<number> {
  const slack = keptMs * SLACK
  const before = isoTime(deps.clock.now() - keptMs + slack)
  const hasMore = await eraseMetricsOf(deps, { accountId, before, erasureId: erasureIdOf(accountId, before) })
  return hasMore ? 0 : slack / 2
}

/**
 * The keys first: the events end the work, because the read model forgets the metrics then.
 *
 * @returns whether there may be more
 */
async function eraseMetricsOf(
  deps: EraseAccountDeps,
  of: { readonly accountId: string; readonly before: string; readonly erasureId: string },
): Promise<boolean> {
  const { accountId, before, erasureId } = of
  const ids = await capturedBefore(deps.db, { accountId, before, limit: A_TURN })
  const streams = ids.map((id) => streamName(metrics, id))
  await deps.keys.erase(streams, erasureId, isoTime(deps.clock.now()))
  const erase = (id: string) =>
    handle(deps, metrics, id, { commandId: derivedId(erasureId, id), actor: ACTOR, correlationId: id }, eraseMetrics)
  await Promise.all(ids.map(erase))
  return ids.length === A_TURN
}

async function identify(
  deps: CommandDeps,
  of: { readonly accountId: string; readonly connectedAt: string; readonly ownerId: string },
): Promise<void> {
  const { accountId, connectedAt, ownerId } = of
  const cause = { commandId: derivedId('owner', accountId, connectedAt), actor: ACTOR, correlationId: accountId }
  await handle(deps, account, accountId, cause, (state) => identifyOwner(state, ownerId))
}

type EraseAccountDeps = CommandDeps & Pick<RetainDeps, 'keys' | 'db'>

/**
 * First the comments, then the metrics and the account's name, which ends the work. Repeatable, also by two reactors at once.
 */
export async function eraseAccount(
  deps: EraseAccountDeps,
  of: Of & { readonly disconnectedAt: string },
): Promise<WorkResult> {
  const { workspaceId, accountId, disconnectedAt } = of
  const { log, clock, keys } = deps
  const erasureId = erasureIdOf(accountId, disconnectedAt)
  const { status } = await load(log, erasure, erasureId)
  if (status !== 'finished') {
    // What was received at this moment too.
    await request(deps, erasureId, { workspaceId, accountId, before: isoTime(clock.now() + 1) })
    return park(clock.now() + ERASED_WITHIN_MS)
  }
  const stream = streamName(account, accountId)
  // It may have been connected again in the meantime.
  if ((await load(log, account, accountId)).status !== 'disconnected') return DONE
  if (await eraseMetricsOf(deps, { accountId, before: isoTime(clock.now() + 1), erasureId })) return park(clock.now())
  // The key first: the event ends the work, so after a crash between them both are repeated.
  await keys.erase([stream], erasureId, isoTime(clock.now()))
  await erasePersonalData(deps, stream, erasureId)
  return DONE
}

async function request(deps: CommandDeps, id: string, filter: ErasureFilter): Promise<void> {
  const cause = { commandId: derivedId('retain', id), actor: ACTOR, correlationId: id }
  await handle(deps, erasure, id, cause, (state) => requestErasure(state, filter))
}

const ACTOR = { kind: 'reactor', id: 'retain' } as const

function isNothing(counts: ErasedCounts): boolean {
  return Object.values(counts).every((count) => count === 0)
}

function erasureIdOf(accountId: string, at: string): string {
  return resourceId('ers', derivedUlid('retain', accountId, at))
}
