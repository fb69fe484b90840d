import { account } from '../../domain/account/account.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { PromiseKind } from './promise.ts'

/** Looking whether the access to a connected account is about to end. Concurrency group: the workspace. */
export const expiry: PromiseKind = {
  names: (recorded) => {
    const event = eventOf(account, recorded)
    return event?.type === 'AccountConnected' || event?.type === 'AccountDisconnected'
      ? [parseStreamName(recorded.stream).id]
      : []
  },
  apply: (_promise, recorded, subject) => {
    const event = eventOf(account, recorded)
    if (event?.type !== 'AccountConnected') return undefined
    return { subject, part: '', lane: event.data.workspaceId, dueAt: recorded.metadata.at }
  },
}
