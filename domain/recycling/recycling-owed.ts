import { isoTime } from '../../infra/runtime/clock.ts'
import { checkAfter, checkFrom } from './recycling-checks.ts'
import type { RecyclingEvent } from './recycling-events.ts'

export const OWED_PARTS = ['check', 'request', 'post'] as const

/** A rule's due work: a turn at a check, a requested turn, or the post of a started turn. */
export interface Owed {
  readonly part: (typeof OWED_PARTS)[number]
  /** ISO 8601 UTC. */
  readonly dueAt: string
}

/** The worker that starts a turn queues its post at once. If it has not by then, it crashed and another takes over. */
const TAKE_OVER_MS = 30_000

/** The due work after an event, given the due work before it. @param at when it happened, ISO 8601 UTC */
export function owedAfter(owed: Owed | undefined, event: RecyclingEvent, at: string): Owed | undefined {
  const now = Date.parse(at)
  switch (event.type) {
    case 'RecyclingRuleAdded':
      return atCheck(event.data.nextRecycleAt, now)
    case 'RecyclingRuleChanged': {
      const { active, nextRecycleAt } = event.data
      if (owed?.part === 'post') return owed
      if (!active) return undefined
      if (owed?.part === 'request') return owed
      // Do not postpone a due check that no worker has picked up yet.
      const hasCome = owed && owed.dueAt <= at && nextRecycleAt <= owed.dueAt
      return hasCome ? owed : atCheck(nextRecycleAt, now)
    }
    case 'RecyclingRuleDeleted':
      return owed?.part === 'post' ? owed : undefined
    case 'RecycleRequested':
      return { part: 'request', dueAt: at }
    case 'RecycleStarted':
      return { part: 'post', dueAt: isoTime(now + TAKE_OVER_MS) }
    case 'CaptionRewritten':
      return owed
    case 'RecycleFailed':
      return owed && { ...owed, dueAt: isoTime(checkAfter(now)) }
    case 'Recycled':
      return event.data.active ? atCheck(event.data.nextRecycleAt, now) : undefined
  }
}

/** An overdue turn is made once, at the next check. */
function atCheck(nextRecycleAt: string, now: number): Owed {
  return { part: 'check', dueAt: isoTime(checkFrom(Math.max(Date.parse(nextRecycleAt), now))) }
}
