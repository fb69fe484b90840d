import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { erasure } from '../../domain/workspace/erasure.ts'
import type { PromiseKind } from './promise.ts'

/** An erasure, until it is finished. Concurrency group: the workspace. */
export const erase: PromiseKind = {
  names: (recorded) => (eventOf(erasure, recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (_promise, recorded, subject) => {
    const event = eventOf(erasure, recorded)
    if (event?.type !== 'ErasureRequested') return undefined
    return { subject, part: '', lane: event.data.workspaceId, dueAt: recorded.metadata.at }
  },
}
