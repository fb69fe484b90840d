import { competitor as kind, LOOK_EVERY_MS, type CompetitorEvent } from '../../domain/analytics/competitor.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { PromiseKind } from './promise.ts'

/**
 * The next check of a competitor: at once, then a day after each successful check. A failed check postpones its own retry.
 * Concurrency group: the workspace.
 */
export const competitor: PromiseKind = {
  names: (recorded) => {
    const event = eventOf(kind, recorded)
    return event && CHANGING.includes(event.type) ? [parseStreamName(recorded.stream).id] : []
  },
  apply: (promise, recorded, subject) => {
    const event = eventOf(kind, recorded)
    const { at } = recorded.metadata
    switch (event?.type) {
      case 'CompetitorAdded':
        return { subject, part: '', lane: event.data.workspaceId, dueAt: at }
      case 'CompetitorLooked':
        return promise && { ...promise, dueAt: isoTime(Date.parse(at) + LOOK_EVERY_MS) }
      case 'CompetitorRemoved':
        return undefined
      default:
        return promise
    }
  },
}

const CHANGING: readonly CompetitorEvent['type'][] = ['CompetitorAdded', 'CompetitorLooked', 'CompetitorRemoved']
