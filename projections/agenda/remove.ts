import { removal } from '../../domain/account/removal.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { PromiseKind } from './promise.ts'

/** What follows from a person's removal of the app, until it is finished. It concerns any workspace, so there is one group. */
export const remove: PromiseKind = {
  names: (recorded) => (eventOf(removal, recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (_promise, recorded, subject) => {
    const event = eventOf(removal, recorded)
    return event?.type === 'RemovalRequested' ? { subject, part: '', lane: '', dueAt: recorded.metadata.at } : undefined
  },
}
