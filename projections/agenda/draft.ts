import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { reply } from '../../domain/conversation/reply.ts'
import type { PromiseKind } from './promise.ts'

/** What is done with a draft without anybody's approval, once it is there. */
const AUTOMATIC = 'automatic'

/**
 * The draft of a reply: until it is written and, where the account's automation wants that, sent off. One lane for each
 * account, so that its cap counts one after the other.
 */
export const draft: PromiseKind = {
  names: (recorded) => (eventOf(reply, recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (promise, recorded, subject) => {
    const event = eventOf(reply, recorded)
    const { at } = recorded.metadata
    switch (event?.type) {
      case 'ReplyOpened':
        return undefined
      case 'DraftRequested':
        return { subject, part: event.data.automatic ? AUTOMATIC : '', lane: event.data.accountId, due_at: at }
      case 'DraftDeferred':
        return promise && { ...promise, due_at: event.data.retryAt }
      case 'DraftWritten':
        return promise?.part === AUTOMATIC ? { ...promise, due_at: at } : undefined
      default:
        return undefined
    }
  },
}
