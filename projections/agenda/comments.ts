import { account, type AccountEvent } from '../../domain/account/account.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { hasConversations } from '../../domain/core/platform.ts'
import type { PromiseKind } from './promise.ts'

/**
 * The next comment check of an account. Each check postpones the next. A requested check, or the switch for background reading,
 * makes the row due now, and the reactor decides when to run it. Concurrency group: the workspace.
 */
export const comments: PromiseKind = {
  names: (recorded) => {
    const event = eventOf(account, recorded)
    return event && CHANGING.includes(event.type) ? [parseStreamName(recorded.stream).id] : []
  },
  apply: (promise, recorded, subject) => {
    const event = eventOf(account, recorded)
    if (event && NOW.includes(event.type)) return promise && { ...promise, dueAt: recorded.metadata.at }
    if (event?.type !== 'AccountConnected' || !hasConversations(event.data.platform)) return undefined
    return { subject, part: '', lane: event.data.workspaceId, dueAt: recorded.metadata.at }
  },
}

/** They make the row due now. */
const NOW: readonly AccountEvent['type'][] = ['CommentsCheckRequested', 'BackgroundReadingSet']
const CHANGING: readonly AccountEvent['type'][] = ['AccountConnected', 'AccountDisconnected', ...NOW]
