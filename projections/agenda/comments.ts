import { account } from '../../domain/account.ts'
import { eventOf, parseStreamName } from '../../domain/event.ts'
import { hasConversations } from '../../domain/platform.ts'
import type { PromiseKind } from './promise.ts'

/** The next look at an account's comments. Each look puts the next one off. One lane for each workspace. */
export const comments: PromiseKind = {
  names: (recorded) => {
    const event = eventOf(account, recorded)
    return event?.type === 'AccountConnected' || event?.type === 'AccountDisconnected'
      ? [parseStreamName(recorded.stream).id]
      : []
  },
  apply: (_, recorded, subject) => {
    const event = eventOf(account, recorded)
    if (event?.type !== 'AccountConnected' || !hasConversations(event.data.platform)) return undefined
    return { subject, part: '', lane: event.data.workspaceId, due_at: recorded.metadata.at }
  },
}
