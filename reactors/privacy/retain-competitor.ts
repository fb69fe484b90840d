import { eraseFigures, eraseRemoved } from '../../commands/competitor.ts'
import { handle, load } from '../../commands/handle.ts'
import { competitor } from '../../domain/analytics/competitor.ts'
import { streamName } from '../../domain/core/event.ts'
import { derivedId, derivedUlid } from '../../domain/core/ids.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { DONE, park, type WorkResult } from '../runtime/reactor.ts'
import type { RetainDeps } from './retain.ts'

/** The keys of single readings (`event-log/postgres/erasable-keys.ts`). */
export interface CompetitorKeys {
  hasOlder(stream: string, before: string): Promise<boolean>
  eraseOlder(stream: string, before: string, erasureId: string, at: string): Promise<void>
}

/**
 * The share of their time by which figures are erased too early. Less than a day: the change within 30 days is computed from a
 * reading that is at least 29 days old.
 */
const SLACK = 1 / 60
/** Until a competitor without a limit is looked at again, ms. */
const FAR_MS = 30 * 86_400_000

/** Erases the figures of a competitor that its platform no longer allows to be kept, and all of them once it is removed. */
export async function retainCompetitor(
  deps: Pick<RetainDeps, 'log' | 'clock' | 'retention' | 'keys'>,
  id: string,
  token: string,
): Promise<WorkResult> {
  const { log, clock, retention, keys } = deps
  const state = await load(log, competitor, id)
  const now = clock.now()
  const stream = streamName(competitor, id)
  const cause = { commandId: derivedId(token, 'erase'), actor: ACTOR, correlationId: id }
  const erase = (before: string) =>
    keys.eraseOlder(stream, before, resourceId('ers', derivedUlid('retain', id, before)), isoTime(now))
  if (state.status !== 'tracked') {
    // The keys first: the event ends the work.
    await erase(isoTime(now + 1))
    await handle(deps, competitor, id, cause, eraseRemoved)
    return DONE
  }
  const { competitorsMs } = retention[state.platform]
  if (competitorsMs === undefined) return park(now + FAR_MS)
  const slack = competitorsMs * SLACK
  const before = isoTime(now - competitorsMs + slack)
  if (await keys.hasOlder(stream, before)) {
    // The event first: after a crash between them, the keys that are left cause another one.
    await handle(deps, competitor, id, cause, (of) => eraseFigures(of, before))
    await erase(before)
  }
  return park(now + slack / 2)
}

const ACTOR = { kind: 'reactor', id: 'retain' } as const
