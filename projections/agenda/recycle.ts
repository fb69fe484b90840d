import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { DUE_WORK_PARTS, dueWorkAfter, type DueWork } from '../../domain/recycling/recycling-due-work.ts'
import type { RecyclingEvent } from '../../domain/recycling/recycling-events.ts'
import { recyclingRule } from '../../domain/recycling/recycling-rule.ts'
import type { Promised, PromiseKind } from './promise.ts'

/** A recycling rule's due work, one row per rule. Concurrency group: the workspace. */
export const recycle: PromiseKind = {
  names: (recorded) => (eventOf(recyclingRule, recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (promise, recorded, subject) => {
    const event = eventOf(recyclingRule, recorded)
    if (!event) return promise
    const due = dueWorkAfter(promise && dueWorkBy(promise), event, recorded.metadata.at)
    const lane = promise?.lane ?? laneOf(event)
    return due && lane !== undefined ? { subject, part: due.part, lane, dueAt: due.dueAt } : undefined
  },
}

function dueWorkBy({ part, dueAt }: Promised): DueWork | undefined {
  const known = DUE_WORK_PARTS.find((one) => one === part)
  return known && { part: known, dueAt }
}

function laneOf({ data }: RecyclingEvent): string | undefined {
  return 'workspaceId' in data ? data.workspaceId : undefined
}
