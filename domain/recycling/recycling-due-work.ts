import { isoTime } from '../../infra/runtime/clock.ts'
import { checkAfter, checkFrom } from './recycling-checks.ts'
import type { RecyclingEvent } from './recycling-events.ts'

export const DUE_WORK_PARTS = ['check', 'request', 'post'] as const

/** A rule's due work: a turn at a check, a requested turn, or the post of a started turn. */
export interface DueWork {
  readonly part: (typeof DUE_WORK_PARTS)[number]
  /** ISO 8601 UTC. */
  readonly dueAt: string
}

/** The worker that starts a turn queues its post at once. If it has not by then, it crashed and another takes over. */
const TAKE_OVER_MS = 30_000

/** The due work after an event, given the due work before it. @param at when it happened, ISO 8601 UTC */
export function dueWorkAfter(due: DueWork | undefined, event: RecyclingEvent, at: string): DueWork | undefined {
  const now = Date.parse(at)
  switch (event.type) {
    case 'RecyclingRuleSummarized':
      return due
    case 'RecyclingRuleAdded':
      return atCheck(event.data.nextRecycleAt, now)
    case 'RecyclingRuleChanged': {
      const { active, nextRecycleAt } = event.data
      if (due?.part === 'post') return due
      if (!active) return undefined
      if (due?.part === 'request') return due
      // Do not postpone a due check that no worker has picked up yet.
      const hasCome = due && due.dueAt <= at && nextRecycleAt <= due.dueAt
      return hasCome ? due : atCheck(nextRecycleAt, now)
    }
    case 'RecyclingRuleDeleted':
      return due?.part === 'post' ? due : undefined
    case 'RecycleRequested':
      return { part: 'request', dueAt: at }
    case 'RecycleStarted':
      return { part: 'post', dueAt: isoTime(now + TAKE_OVER_MS) }
    case 'CaptionRewritten':
      return due
    case 'RecycleFailed':
      return due && { ...due, dueAt: isoTime(checkAfter(now)) }
    case 'Recycled':
      return event.data.active ? atCheck(event.data.nextRecycleAt, now) : undefined
  }
}

/** An overdue turn is made once, at the next check. */
function atCheck(nextRecycleAt: string, now: number): DueWork {
  return { part: 'check', dueAt: isoTime(checkFrom(Math.max(Date.parse(nextRecycleAt), now))) }
}
