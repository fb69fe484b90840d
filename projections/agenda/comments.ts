import { account, type AccountEvent } from '../../domain/account/account.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { hasConversations } from '../../domain/core/platform.ts'
import type { PromiseKind } from './promise.ts'

/**
 * The next look at an account's comments. Each look puts the next one off; whoever wants one sooner has the row looked at, and its
 * reactor decide. One lane for each workspace.
 */
export const comments: PromiseKind = {
  names: (recorded) => {
    const event = eventOf(account, recorded)
    return event && CHANGING.includes(event.type) ? [parseStreamName(recorded.stream).id] : []
  },
  apply: (promise, recorded, subject) => {
    const event = eventOf(account, recorded)
    if (event?.type === 'CommentsCheckRequested') return promise && { ...promise, due_at: recorded.metadata.at }
    if (event?.type !== 'AccountConnected' || !hasConversations(event.data.platform)) return undefined
    return { subject, part: '', lane: event.data.workspaceId, due_at: recorded.metadata.at }
  },
}

const CHANGING: readonly AccountEvent['type'][] = ['AccountConnected', 'AccountDisconnected', 'CommentsCheckRequested']
