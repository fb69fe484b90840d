import { erasePersonalData, requestErasure } from '../../commands/erasure.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { account } from '../../domain/account/account.ts'
import { streamName } from '../../domain/core/event.ts'
import { derivedId, derivedUlid } from '../../domain/core/ids.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { erasure, type ErasedCounts, type ErasureFilter } from '../../domain/workspace/erasure.ts'
import type { PlatformAccount } from '../../platforms/kit/platform.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { DONE, park, type Reactor, type WorkResult } from '../runtime/reactor.ts'

/** How long the data of each platform may be kept (`platforms/retention.ts`). */
export type RetentionOf = Readonly<
  Record<PlatformKey, { readonly commentsMs?: number; readonly afterDisconnectMs: number }>
>

export interface RetainDeps extends CommandDeps {
  readonly retention: RetentionOf
  /** Ends the access to a disconnected account (`reactors/accounts/end-access.ts`). */
  endAccess(account: PlatformAccount, isLast: boolean, signal: AbortSignal): Promise<boolean>
  readonly keys: {
    count(filter: ErasureFilter): Promise<ErasedCounts>
    erase(streams: readonly string[], erasureId: string, at: string): Promise<void>
  }
}

/** The share of their time by which comments are erased too early, so that none is too late. */
const SLACK = 1 / 24
/** How long (ms) an erasure usually takes. */
const ERASED_WITHIN_MS = 60_000
/** Until the access to a disconnected account is revoked again, after the platform could not be reached, ms. */
const AGAIN_MS = 600_000
/** Until an account without a limit is looked at again, ms. */
const FAR_MS = 30 * 86_400_000

/** Requests erasures of what an account's platform no longer allows to be kept, and sees that a disconnection is completed. */
export function retainReactor(deps: RetainDeps): Reactor {
  return async ({ subject: accountId }, signal) => {
    const { log, clock, retention } = deps
    const state = await load(log, account, accountId)
    if (state.status === 'absent') return DONE
    const { workspaceId, platform, status, connectedAt, disconnectedAt = connectedAt } = state
    const { commentsMs, afterDisconnectMs } = retention[platform]
    const now = clock.now()
    if (status === 'disconnected') {
      const until = Date.parse(disconnectedAt) + afterDisconnectMs
      const hasEnded = await deps.endAccess({ ...state, id: accountId }, until <= now, signal)
      if (until > now) return park(hasEnded ? until : Math.min(until, now + AGAIN_MS))
      return eraseAccount(deps, { workspaceId, accountId, disconnectedAt })
    }
    if (commentsMs === undefined) return park(now + FAR_MS)
    const slack = commentsMs * SLACK
    const filter = { workspaceId, accountId, before: isoTime(now - commentsMs + slack) }
    if (!isNothing(await deps.keys.count(filter))) await request(deps, erasureIdOf(accountId, filter.before), filter)
    return park(now + slack / 2)
  }
}

/** First the comments, then the account's name, which ends the work. */
async function eraseAccount(
  deps: RetainDeps,
  of: { readonly workspaceId: string; readonly accountId: string; readonly disconnectedAt: string },
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
  // The key first: the event ends the work, so after a crash between them both are repeated.
  await keys.erase([stream], erasureId, isoTime(clock.now()))
  await erasePersonalData(deps, stream, erasureId)
  return DONE
}

async function request(deps: RetainDeps, id: string, filter: ErasureFilter): Promise<void> {
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
