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
  endAccess(account: PlatformAccount, signal: AbortSignal): Promise<boolean>
  readonly keys: {
    count(filter: ErasureFilter): Promise<ErasedCounts>
    erase(streams: readonly string[], erasureId: string): Promise<void>
  }
}

/** Comments are erased at the latest when this share of their time is left. */
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
    const ofAccount = { workspaceId, accountId }
    if (status === 'disconnected') {
      if (!(await deps.endAccess({ ...state, id: accountId }, signal))) return park(now + AGAIN_MS)
      const until = Date.parse(disconnectedAt) + afterDisconnectMs
      return until > now ? park(until) : eraseAccount(deps, ofAccount)
    }
    if (commentsMs === undefined) return park(now + FAR_MS)
    const slack = commentsMs * SLACK
    await requested(deps, { ...ofAccount, before: isoTime(now - commentsMs + slack) })
    return park(now + slack)
  }
}

/** First the comments, then the account itself, which ends the work. */
async function eraseAccount(deps: RetainDeps, of: Omit<ErasureFilter, 'before'>): Promise<WorkResult> {
  const now = deps.clock.now()
  // What was received at this moment too.
  const filter = { ...of, before: isoTime(now + 1) }
  if (await requested(deps, filter)) return park(now + ERASED_WITHIN_MS)
  const stream = streamName(account, of.accountId ?? '')
  const erasureId = erasureIdOf(filter)
  await erasePersonalData(deps, stream, erasureId)
  await deps.keys.erase([stream], erasureId)
  return DONE
}

/** @returns whether there is anything to erase */
async function requested(deps: RetainDeps, filter: ErasureFilter): Promise<boolean> {
  if (Object.values(await deps.keys.count(filter)).every((count) => count === 0)) return false
  const id = erasureIdOf(filter)
  const cause = { commandId: derivedId('retain', id), actor: ACTOR, correlationId: id }
  await handle(deps, erasure, id, cause, (state) => requestErasure(state, filter))
  return true
}

const ACTOR = { kind: 'reactor', id: 'retain' } as const

function erasureIdOf({ accountId = '', before }: ErasureFilter): string {
  return resourceId('ers', derivedUlid('retain', accountId, before))
}
