import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { uploadedFileIn } from '../../domain/core/upload.ts'
import { mediaUrls } from '../../domain/post/post-media.ts'
import { post } from '../../domain/post/post.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import type { PromiseKind } from './promise.ts'

/**
 * A scheduled post with media that were not uploaded: until they are copied, or it is published or canceled. Concurrency group:
 * the workspace.
 */
export const pin: PromiseKind = {
  names: (recorded) => (concerns(eventOf(post, recorded)) ? [parseStreamName(recorded.stream).id] : []),
  apply: (_, recorded, id) => {
    const event = eventOf(post, recorded)
    if (!isWritten(event) || mediaUrls(event.data).every((url) => uploadedFileIn(url))) return undefined
    return { subject: id, part: '', lane: event.data.workspaceId, dueAt: recorded.metadata.at }
  },
}

type Written = Extract<PostEvent, { type: 'PostScheduled' | 'PostEdited' }>

function isWritten(event: PostEvent | undefined): event is Written {
  return event?.type === 'PostScheduled' || event?.type === 'PostEdited'
}

function concerns(event: PostEvent | undefined): boolean {
  if (isWritten(event) || event?.type === 'PostMediaPinned' || event?.type === 'ScheduleCancelled') return true
  return event?.type === 'PostQueued' && event.data.origin === 'schedule'
}
