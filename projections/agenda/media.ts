import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { usedMedia } from '../../domain/media/media-use.ts'
import { media as kind } from '../../domain/media/media.ts'
import { atStreamStart } from '../engine/projection.ts'
import type { Promised, PromiseKind } from './promise.ts'

/**
 * An upload: until it expires, until its file has been used or is to be kept, and after its deletion until the file is gone. `part`
 * says how far it is: nothing before it is complete, `used` if a post names it even then, `ready` or `deleted`. A file that is relayed
 * or pinned: until it is no longer needed, and gone. Concurrency group: the workspace.
 */
export const media: PromiseKind = {
  // The events of posts that use it come to a row that there may be.
  createsRow: (recorded) => eventOf(kind, recorded) !== undefined && atStreamStart(recorded),
  names: (recorded) =>
    eventOf(kind, recorded) ? [parseStreamName(recorded.stream).id] : (usedMedia(recorded)?.mediaIds ?? []),
  apply: (promise, recorded, subject) => {
    const event = eventOf(kind, recorded)
    switch (event?.type) {
      case 'UploadStarted':
      case 'MediaRelayed':
        return { subject, part: '', lane: event.data.workspaceId, dueAt: event.data.expiresAt }
      case 'MediaPinned':
        return { subject, part: '', lane: event.data.workspaceId, dueAt: recorded.metadata.at }
      case 'UploadCompleted':
        return promise?.part === '' ? { ...promise, part: 'ready', dueAt: event.data.unusedUntil } : undefined
      case 'MediaDeleted':
        return { subject, part: 'deleted', lane: event.data.workspaceId, dueAt: recorded.metadata.at }
      case 'MediaFilesDeleted':
        return undefined
      case 'UploadFailed':
        return promise
      case 'MediaEdited':
        return event.data.keep === true ? staying(promise) : promise
      default:
        return promise?.lane === usedMedia(recorded)?.workspaceId ? staying(promise) : promise
    }
  },
}

function staying(promise: Promised | undefined): Promised | undefined {
  if (!promise || promise.part === 'deleted') return promise
  return promise.part === 'ready' ? undefined : { ...promise, part: 'used' }
}
