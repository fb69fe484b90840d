import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { reply } from '../../domain/conversation/reply.ts'
import type { PromiseKind } from './promise.ts'

/** Marks a draft that is sent without approval. */
const AUTOMATIC = 'automatic'

/**
 * A reply's draft: until it is written and, if automatic, approved. Concurrency group: the account, so that automatic replies
 * are counted against its limit one at a time.
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
        return { subject, part: event.data.automatic ? AUTOMATIC : '', lane: event.data.accountId, dueAt: at }
      case 'DraftDeferred':
        return promise && { ...promise, dueAt: event.data.retryAt }
      case 'DraftWritten':
        return promise?.part === AUTOMATIC ? { ...promise, dueAt: at } : undefined
      default:
        return undefined
    }
  },
}
