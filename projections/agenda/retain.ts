import { account, type AccountEvent } from '../../domain/account/account.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { PromiseKind } from './promise.ts'

/**
 * Erasing what an account's platform no longer allows to be kept: again and again while it is connected, and for the last time
 * after it was disconnected. Concurrency group: the workspace.
 */
export const retain: PromiseKind = {
  names: (recorded) => {
    const event = eventOf(account, recorded)
    return event && CHANGING.includes(event.type) ? [parseStreamName(recorded.stream).id] : []
  },
  apply: (promise, recorded, subject) => {
    const event = eventOf(account, recorded)
    const dueAt = recorded.metadata.at
    if (event?.type === 'AccountConnected') return { subject, part: '', lane: event.data.workspaceId, dueAt }
    return event?.type === 'AccountDisconnected' ? promise && { ...promise, dueAt } : undefined
  },
}

const CHANGING: readonly AccountEvent['type'][] = ['AccountConnected', 'AccountDisconnected', 'PersonalDataErased']
