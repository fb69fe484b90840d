import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { reply } from '../../domain/conversation/reply.ts'
import type { PromiseKind } from './promise.ts'

/** An approved reply: until it is sent or fails. Concurrency group: the account. */
export const send: PromiseKind = {
  names: (recorded) => (eventOf(reply, recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (promise, recorded, subject) => {
    const event = eventOf(reply, recorded)
    switch (event?.type) {
      case 'ReplyApproved':
        return { subject, part: '', lane: event.data.accountId, dueAt: recorded.metadata.at }
      case 'SendProgressed':
      case 'SendAnswerLost':
        return promise && { ...promise, dueAt: event.data.lookAt }
      case 'SendDeferred':
        return promise && { ...promise, dueAt: event.data.retryAt }
      case 'ReplySent':
      case 'ReplyFailed':
        return undefined
      default:
        return promise
    }
  },
}
