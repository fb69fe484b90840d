import { erasePersonalData, finishErasure } from '../../commands/erasure.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { streamName } from '../../domain/core/event.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { erasure, type ErasedCounts, type ErasureFilter } from '../../domain/workspace/erasure.ts'
import { member, memberIdOf } from '../../domain/workspace/member.ts'
import { user } from '../../domain/workspace/user.ts'
import { WORKSPACE_PART } from '../../projections/agenda/erase.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { DONE, park, type Reactor, type WorkResult } from '../runtime/reactor.ts'

/** The keys of personal data (`event-log/postgres/erasable-keys.ts`). */
export interface ErasableKeys {
  matching(
    filter: ErasureFilter & { readonly named?: readonly string[] | undefined },
    after: string,
    limit: number,
  ): Promise<{ readonly streams: readonly string[]; readonly next: string | undefined }>
  erase(streams: readonly string[], erasureId: string, at: string): Promise<void>
  lastErased(workspaceId: string, erasureId: string): Promise<string | undefined>
  erased(workspaceId: string, erasureId: string): Promise<ErasedCounts>
  forgetAuthors(workspaceId: string): Promise<void>
}

export interface EraseDeps extends CommandDeps {
  readonly keys: ErasableKeys
}

/** Erases a closed workspace (`erase-workspace.ts`). */
type EraseWorkspace = (workspaceId: string, signal: AbortSignal) => Promise<WorkResult>

/** Keys that are looked at together. */
const PAGE = 2_000
/** Streams erased per turn, at least: other work of the pool gets the slot in between. */
const A_TURN = 4_000
/** Streams that are erased together. */
const AT_ONCE = 100
/** Until then (ms), work that had read the data before it was erased has ended, and every process has forgotten the keys. */
const SETTLED_MS = 30_000

/** Carries out erasures. */
export function eraseReactor(deps: EraseDeps & { readonly eraseWorkspace: EraseWorkspace }): Reactor {
  const places: Places = new Map()
  return ({ subject, part }, signal) =>
    part === WORKSPACE_PART ? deps.eraseWorkspace(subject, signal) : eraseFurther(deps, subject, signal, places)
}

/** Where the next turn of an erasure goes on. Without it, it looks at all keys again. */
type Places = Map<string, string>

/**
 * Erases what a request names, and then what was written from it in the meantime: it is finished when nothing is left, some time
 * after the last comment or reply was erased, by whichever process. All of it is repeatable.
 */
export async function eraseFurther(
  deps: EraseDeps,
  id: string,
  signal: AbortSignal,
  places: Places = new Map(),
): Promise<WorkResult> {
  const { log, clock, keys } = deps
  const state = await load(log, erasure, id)
  if (state.status !== 'running') return DONE
  const left = await eraseSome(deps, { id, filter: state, places }, signal)
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
  of: { readonly id: string; readonly filter: ErasureFilter; readonly places: Places },
  signal: AbortSignal,
): Promise<'more' | 'waiting' | 'nothing'> {
  const { id, filter, places } = of
  const from = places.get(id) ?? ''
  let [erased, isWaiting]: [number, boolean] = [0, false]
  for (let after: string | undefined = from; after !== undefined && erased < A_TURN;) {
    const { streams, next } = await deps.keys.matching({ ...filter, named: named(filter) }, after, PAGE)
    for (let start = 0; start < streams.length; start += AT_ONCE) {
      signal.throwIfAborted()
      const outcome = await eraseAll(deps, id, streams.slice(start, start + AT_ONCE))
      erased += outcome.erased
      isWaiting ||= outcome.isWaiting
    }
    if (next === undefined) places.delete(id)
    else places.set(id, next)
    after = next
  }
  // Only a look at all of them can tell that nothing is left.
  if (from !== '' || places.has(id)) return 'more'
  return isWaiting ? 'waiting' : 'nothing'
}

/** The streams that have the name of the user whose name is to be erased. */
function named({ userId, workspaceId }: ErasureFilter): readonly string[] | undefined {
  return userId === undefined
    ? undefined
    : [streamName(user, userId), streamName(member, memberIdOf(userId, workspaceId))]
}

async function eraseAll({ keys, ...deps }: EraseDeps, erasureId: string, streams: readonly string[]) {
  const outcomes = await Promise.all(streams.map((stream) => erasePersonalData(deps, stream, erasureId)))
  const erased = streams.filter((_, index) => outcomes[index] === 'erased')
  if (erased.length > 0) await keys.erase(erased, erasureId, isoTime(deps.clock.now()))
  return { erased: erased.length, isWaiting: outcomes.includes('waits') }
}
