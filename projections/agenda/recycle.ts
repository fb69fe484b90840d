import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { OWED_PARTS, owedAfter, type Owed } from '../../domain/recycling/recycling-owed.ts'
import type { RecyclingEvent } from '../../domain/recycling/recycling-events.ts'
import { recyclingRule } from '../../domain/recycling/recycling-rule.ts'
import type { Promised, PromiseKind } from './promise.ts'

/** A recycling rule's due work, one row per rule. Concurrency group: the workspace. */
export const recycle: PromiseKind = {
  names: (recorded) => (eventOf(recyclingRule, recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (promise, recorded, subject) => {
    const event = eventOf(recyclingRule, recorded)
    if (!event) return promise
    const owed = owedAfter(promise && owedBy(promise), event, recorded.metadata.at)
    const lane = promise?.lane ?? laneOf(event)
    return owed && lane !== undefined ? { subject, part: owed.part, lane, dueAt: owed.dueAt } : undefined
  },
}

function owedBy({ part, dueAt }: Promised): Owed | undefined {
  const known = OWED_PARTS.find((one) => one === part)
  return known && { part: known, dueAt }
}

function laneOf({ data }: RecyclingEvent): string | undefined {
  return 'workspaceId' in data ? data.workspaceId : undefined
}
