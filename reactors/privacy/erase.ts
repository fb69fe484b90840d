import { erasePersonalData, finishErasure } from '../../commands/erasure.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { comment } from '../../domain/conversation/comment.ts'
import { reply } from '../../domain/conversation/reply.ts'
import { parseStreamName } from '../../domain/core/event.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { erasure, type ErasedCounts, type ErasureFilter } from '../../domain/workspace/erasure.ts'
import { DONE, park, type Reactor, type WorkResult } from '../runtime/reactor.ts'

/** The keys of personal data (`event-log/postgres/erasable-keys.ts`). */
export interface ErasableKeys {
  matching(filter: ErasureFilter, after: string, limit: number): Promise<readonly string[]>
  erase(streams: readonly string[], erasureId: string): Promise<void>
  erased(workspaceId: string, erasureId: string): Promise<ErasedCounts>
  forgetAuthors(workspaceId: string): Promise<void>
}

export interface EraseDeps extends CommandDeps {
  readonly keys: ErasableKeys
}

/** Streams that are erased together. */
const PAGE = 100
/** Pages per turn: other work of the pool gets the slot in between. */
const MOST_PAGES = 10
/** Until then (ms), work that had read the data before it was erased has ended, and every process has forgotten the keys. */
const SETTLED_MS = 30_000

/** Carries out erasures. */
export function eraseReactor(deps: EraseDeps): Reactor {
  return ({ subject }, signal) => eraseFurther(deps, subject, signal)
}

/**
 * Erases what a request names, page by page, and then what was written from it in the meantime: it is done when a last look finds
 * nothing. All of it is repeatable.
 */
export async function eraseFurther(deps: EraseDeps, id: string, signal: AbortSignal): Promise<WorkResult> {
  const { log, clock, keys } = deps
  const state = await load(log, erasure, id)
  if (state.status !== 'running') return DONE
  const { found, isLast } = await erasePages(deps, id, state, signal)
  if (!isLast) return park(clock.now())
  if (found > 0) return park(clock.now() + SETTLED_MS)
  await keys.forgetAuthors(state.workspaceId)
  const counts = await keys.erased(state.workspaceId, id)
  const cause = { commandId: derivedId('finish', id), actor: ACTOR, correlationId: id }
  await handle(deps, erasure, id, cause, (now) => finishErasure(now, counts))
  return DONE
}

const ACTOR = { kind: 'reactor', id: 'erase' } as const

/** Whether something may have been written from it in the meantime. */
function isSource(stream: string, outcome: 'erased' | 'nothing' | undefined): boolean {
  const { category } = parseStreamName(stream)
  return outcome === 'erased' && (category === comment.category || category === reply.category)
}

/** @returns how many streams call for another look, and whether there are no more pages */
async function erasePages(
  deps: EraseDeps,
  erasureId: string,
  filter: ErasureFilter,
  signal: AbortSignal,
): Promise<{ readonly found: number; readonly isLast: boolean }> {
  const { keys } = deps
  let [found, after, pages] = [0, '', 0]
  while (pages < MOST_PAGES) {
    signal.throwIfAborted()
    const streams = await keys.matching(filter, after, PAGE)
    const outcomes = await Promise.all(streams.map((stream) => erasePersonalData(deps, stream, erasureId)))
    const erased = streams.filter((_, index) => outcomes[index] === 'erased')
    if (erased.length > 0) {
      await keys.erase(erased, erasureId)
      // Pages without any do not count, so that each turn gets further.
      pages += 1
    }
    found += streams.filter((stream, index) => outcomes[index] === 'waits' || isSource(stream, outcomes[index])).length
    const last = streams.at(-1)
    if (last === undefined || streams.length < PAGE) return { found, isLast: true }
    after = last
  }
  return { found, isLast: false }
}
