import { credits } from '../../domain/video/credits.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { PromiseKind } from './promise.ts'

/** Entries after which the books are closed without waiting for the end of the month. */
export const ENTRIES_PER_BOOK = 100

/** Closing a workspace's books: at the end of the month, and after many entries. Concurrency group: the workspace. */
export const books: PromiseKind = {
  names: (recorded) =>
    eventOf(credits, recorded) || recorded.type === 'WorkspaceErased' ? [parseStreamName(recorded.stream).id] : [],
  apply: (promise, { stream, type, revision, metadata }, subject) => {
    if (type === 'CreditsClosed' || type === 'WorkspaceErased') return undefined
    const { id: workspaceId } = parseStreamName(stream)
    if ((revision + 1) % ENTRIES_PER_BOOK === 0) {
      return { subject, part: '', lane: workspaceId, dueAt: metadata.at }
    }
    return promise ?? { subject, part: '', lane: workspaceId, dueAt: nextMonth(metadata.at) }
  },
}

function nextMonth(at: string): string {
  const time = new Date(at)
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1)).toISOString()
}
