import { erasePersonalData, finishErasure } from '../../commands/erasure.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { erasure, type ErasedCounts, type ErasureFilter } from '../../domain/workspace/erasure.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { DONE, park, type Reactor, type WorkResult } from '../runtime/reactor.ts'

/** The keys of personal data (`event-log/postgres/erasable-keys.ts`). */
export interface ErasableKeys {
  matching(filter: ErasureFilter, after: string, limit: number): Promise<readonly string[]>
  erase(streams: readonly string[], erasureId: string, at: string): Promise<void>
  lastErased(workspaceId: string, erasureId: string): Promise<string | undefined>
  erased(workspaceId: string, erasureId: string): Promise<ErasedCounts>
  forgetAuthors(workspaceId: string): Promise<void>
}

export interface EraseDeps extends CommandDeps {
  readonly keys: ErasableKeys
}

/** Streams per turn: other work of the pool gets the slot in between. */
const A_TURN = 5_000
/** Streams that are erased together. */
const AT_ONCE = 100
/** Until then (ms), work that had read the data before it was erased has ended, and every process has forgotten the keys. */
const SETTLED_MS = 30_000

/** Carries out erasures. */
export function eraseReactor(deps: EraseDeps): Reactor {
  return ({ subject }, signal) => eraseFurther(deps, subject, signal)
}

/**
 * Erases what a request names, and then what was written from it in the meantime: it is finished when nothing is left, some time
 * after the last comment or reply was erased, by whichever process. All of it is repeatable.
 */
export async function eraseFurther(deps: EraseDeps, id: string, signal: AbortSignal): Promise<WorkResult> {
  const { log, clock, keys } = deps
  const state = await load(log, erasure, id)
  if (state.status !== 'running') return DONE
  const left = await eraseSome(deps, id, state, signal)
  if (left === 'more') return park(clock.now())
  if (left === 'waiting') return park(clock.now() + SETTLED_MS)
  const settledAt = Date.parse((await keys.lastErased(state.workspaceId, id)) ?? '') + SETTLED_MS
  if (settledAt > clock.now()) return park(settledAt)
  await keys.forgetAuthors(state.workspaceId)
  const counts = await keys.erased(state.workspaceId, id)
  const cause = { commandId: derivedId('finish', id), actor: ACTOR, correlationId: id }
  await handle(deps, erasure, id, cause, (now) => finishErasure(now, counts))
  return DONE
}

const ACTOR = { kind: 'reactor', id: 'erase' } as const

/** @returns what is left: perhaps more, what is in use, or nothing */
async function eraseSome(
  deps: EraseDeps,
  erasureId: string,
  filter: ErasureFilter,
  signal: AbortSignal,
): Promise<'more' | 'waiting' | 'nothing'> {
  const { clock, keys } = deps
  let [isWaiting, after] = [false, '']
  for (;;) {
    const streams = await keys.matching(filter, after, A_TURN)
    let hasErased = false
    for (let start = 0; start < streams.length; start += AT_ONCE) {
      signal.throwIfAborted()
      const some = streams.slice(start, start + AT_ONCE)
      const outcomes = await Promise.all(some.map((stream) => erasePersonalData(deps, stream, erasureId)))
      const erased = some.filter((_, index) => outcomes[index] === 'erased')
      if (erased.length > 0) await keys.erase(erased, erasureId, isoTime(clock.now()))
      hasErased ||= erased.length > 0
      isWaiting ||= outcomes.includes('waits')
    }
    const last = streams.at(-1)
    if (last === undefined || streams.length < A_TURN) return isWaiting ? 'waiting' : 'nothing'
    if (hasErased) return 'more'
    // None of these can be erased now: those behind them may be.
    after = last
  }
}
