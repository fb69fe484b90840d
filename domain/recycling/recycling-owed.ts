import { isoTime } from '../../infra/runtime/clock.ts'
import { checkAfter, checkFrom } from './recycling-checks.ts'
import type { RecyclingEvent } from './recycling-events.ts'

export const OWED_PARTS = ['check', 'request', 'post'] as const

/** What a rule owes: a turn at a check, a turn that was asked for, or the post of a turn that has begun. */
export interface Owed {
  readonly part: (typeof OWED_PARTS)[number]
  /** ISO 8601 UTC. */
  readonly dueAt: string
}

/** Whoever has begun a turn queues its post at once. When it has not by then it has died, and another one does it. */
const TAKE_OVER_MS = 30_000

/** What is owed after an event, by what was owed before it. @param at when it happened, ISO 8601 UTC */
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
      // A check that has come, and that nobody has got to yet, is not put off to the one after it.
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

/** A turn whose time has long passed is made once, at the next check. */
function atCheck(nextRecycleAt: string, now: number): Owed {
  return { part: 'check', dueAt: isoTime(checkFrom(Math.max(Date.parse(nextRecycleAt), now))) }
}
