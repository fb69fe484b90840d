import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { post, targetId } from '../../domain/post/post.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import type { PromiseKind } from './promise.ts'

/** One account of a post: from when publishing, unpublishing or editing is requested until it settles. */
export const publish: PromiseKind = {
  createsRow: (recorded) => eventOf(post, recorded)?.type === 'PostQueued',
  names: (recorded) => {
    const event = eventOf(post, recorded)
    return event ? targetsOf(event).map((key) => nameOf(recorded.stream, targetId(key))) : []
  },
  apply: (promise, recorded, name) => {
    const event = eventOf(post, recorded)
    const due = event && dueAt(event, recorded.metadata.at)
    if (due === undefined) return promise
    if (due === 'settled') return undefined
    const part = name.slice(nameOf(recorded.stream, '').length)
    const lane = part.slice(part.indexOf('/') + 1)
    return { subject: parseStreamName(recorded.stream).id, part, lane, dueAt: due }
  },
}

function nameOf(stream: string, part: string): string {
  return `${parseStreamName(stream).id}:${part}`
}

function targetsOf(event: PostEvent): readonly { platform: string; accountId: string }[] {
  switch (event.type) {
    case 'PostQueued':
      return Object.entries(event.data.selections).flatMap(([platform, accountIds]) =>
        accountIds.map((accountId) => ({ platform, accountId })),
      )
    case 'RetryRequested':
      return event.data.accountIds.map((accountId) => ({ platform: event.data.platform, accountId }))
    case 'PostScheduled':
    case 'PostRescheduled':
    case 'PostEdited':
    case 'PostMediaPinned':
    case 'ScheduleCancelled':
    case 'ApprovalRequested':
    case 'ApprovalDecided':
    case 'ApprovalCommented':
    case 'ReviewLinkCreated':
    case 'ReviewLinkRevoked':
    case 'PostHeld':
    case 'PostTextEdited':
    case 'PlatformRefused':
    case 'PostFinished':
      return []
    default:
      return [event.data]
  }
}

/** When the work is due after an event; `settled` when it is done, undefined when the event does not affect it. */
function dueAt(event: PostEvent, now: string): string | 'settled' | undefined {
  switch (event.type) {
    case 'PostQueued':
    case 'RetryRequested':
    case 'FirstCommentQueued':
    case 'UnpublishRequested':
    case 'EditRequested':
      return now
    case 'PublishProgressed':
    case 'PublishAnswerLost':
    case 'FirstCommentProgressed':
      return event.data.lookAt
    case 'PublishDeferred':
    case 'FirstCommentDeferred':
    case 'UnpublishDeferred':
    case 'EditDeferred':
      return event.data.retryAt
    case 'AccountPublished': {
      const { chain } = event.data
      return chain && chain.published.length < chain.parts ? now : 'settled'
    }
    case 'AccountPublishFailed':
    case 'FirstCommentPosted':
    case 'FirstCommentFailed':
    case 'AccountUnpublished':
    case 'UnpublishFailed':
    case 'UnpublishUnsupported':
    case 'AccountEdited':
    case 'EditFailed':
    case 'EditUnsupported':
      return 'settled'
    default:
      return undefined
  }
}
