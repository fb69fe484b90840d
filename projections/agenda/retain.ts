import { account, type AccountEvent } from '../../domain/account/account.ts'
import { competitor, type CompetitorEvent } from '../../domain/analytics/competitor.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { PromiseKind } from './promise.ts'

/** The part of the due work about a competitor. */
export const COMPETITOR_PART = 'competitor'

/**
 * Erasing what a platform no longer allows to be kept of an account or a competitor: again and again while it is connected or
 * tracked, and for the last time after that. Concurrency group: the workspace.
 */
export const retain: PromiseKind = {
  names: (recorded) => {
    const event = eventOf(account, recorded) ?? eventOf(competitor, recorded)
    return event && CHANGING.includes(event.type) ? [parseStreamName(recorded.stream).id] : []
  },
  apply: (promise, recorded, subject) => {
    const event = eventOf(account, recorded) ?? eventOf(competitor, recorded)
    const dueAt = recorded.metadata.at
    switch (event?.type) {
      case 'AccountConnected':
        return { subject, part: '', lane: event.data.workspaceId, dueAt }
      case 'CompetitorAdded':
        return { subject, part: COMPETITOR_PART, lane: event.data.workspaceId, dueAt }
      case 'AccountDisconnected':
      case 'CompetitorRemoved':
        return promise && { ...promise, dueAt }
      default:
        return undefined
    }
  },
}

const CHANGING: readonly (AccountEvent | CompetitorEvent)['type'][] = [
  ...(['AccountConnected', 'AccountDisconnected', 'PersonalDataErased'] as const),
  ...(['CompetitorAdded', 'CompetitorRemoved'] as const),
]
