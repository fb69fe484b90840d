import type { Metadata } from '../core/event.ts'
import { isForgotten } from '../core/forgotten.ts'
import type { FirstCommentState, Handle, TargetKey, TargetState } from './post.ts'
import type { PostEvent } from './post-events.ts'
import type { PublishedPart } from './publish-result.ts'
import { evolveFollowUps, isFollowUpEvent } from './follow-up.ts'

/* How the state of one account of a post changes. */

/** An unknown outcome is reconciled once more before anything is sent again. */
export function retried(state: TargetState, askedAgainAt: string): TargetState {
  if (state.step !== 'failed') return state
  const counts = { attempt: state.attempt, attempts: 0 }
  return state.submission
    ? { step: 'submitted', ...counts, submission: state.submission, askedAgainAt }
    : { step: 'queued', ...counts }
}

type TargetEvent = Extract<PostEvent, { readonly data: TargetKey }>

export function evolveTarget(state: TargetState, event: TargetEvent, metadata: Metadata): TargetState {
  if (isFollowUpEvent(event)) {
    const canBeAsked = state.step === 'published' || state.step === 'failed'
    return canBeAsked ? { ...state, ...evolveFollowUps(state, event) } : state
  }
  const attempts = 'attempts' in state ? state.attempts : 0
  switch (event.type) {
    case 'PublishStarted':
      // Taking over from a crashed worker is not a platform failure, so it uses up no attempt.
      return {
        step: 'preparing',
        attempt: event.data.attempt,
        attempts: state.step === 'preparing' ? attempts : attempts + 1,
        ...handleOf(state),
      }
    case 'PublishProgressed': {
      const { attempt, handle } = event.data
      if (state.step === 'submitted') return { ...state, submission: { ...state.submission, handle, taken: true } }
      return { step: 'preparing', attempt, attempts, handle, processing: true }
    }
    case 'PublishPrepared': {
      const submission = { attempt: event.data.attempt, handle: event.data.handle, at: metadata.at }
      return { step: 'submitted', attempt: event.data.attempt, attempts, submission }
    }
    case 'PublishAnswerLost':
      return state.step === 'submitted' ? { ...state, lost: event.data.error } : state
    case 'PublishDeferred':
      return {
        step: 'queued',
        attempt: event.data.attempt,
        attempts,
        notBefore: event.data.retryAt,
        ...handleOf(state),
      }
    case 'AccountPublished': {
      const { attempt, postId, url, chain } = event.data
      if (chain && chain.published.length < chain.parts) return { step: 'queued', attempt, attempts: 0 }
      return { step: 'published', attempt, postId, ...(url === undefined ? {} : { url }) }
    }
    case 'AccountPublishFailed': {
      const { attempt, code, error } = event.data
      const submission = code === 'unknown' && state.step === 'submitted' ? { submission: state.submission } : {}
      return { step: 'failed', attempt, code, error, ...submission }
    }
    default:
      return state.step === 'published' ? { ...state, firstComment: evolveComment(state, event, metadata) } : state
  }
}

function handleOf(state: TargetState): { readonly handle?: Handle } {
  if (state.step === 'submitted') return isForgotten(state.submission) ? {} : { handle: state.submission.handle }
  return 'handle' in state && state.handle ? { handle: state.handle } : {}
}

type CommentEvent = Extract<TargetEvent, { type: `FirstComment${string}` }>

function evolveComment(
  state: Extract<TargetState, { step: 'published' }>,
  event: CommentEvent,
  metadata: Metadata,
): FirstCommentState {
  const attempts = state.firstComment && 'attempts' in state.firstComment ? state.firstComment.attempts : 0
  switch (event.type) {
    case 'FirstCommentQueued':
      return { step: 'queued', attempts: 0 }
    case 'FirstCommentProgressed':
      return { step: 'queued', attempts, notBefore: event.data.lookAt, handle: event.data.handle }
    case 'FirstCommentStarted':
      return { step: 'started', attempt: event.data.attempt, at: metadata.at, attempts: attempts + 1 }
    case 'FirstCommentDeferred':
      return { step: 'queued', attempts, notBefore: event.data.retryAt }
    case 'FirstCommentPosted':
      return { step: 'posted', ...(event.data.postId !== undefined && { postId: event.data.postId }) }
    case 'FirstCommentFailed':
      return { step: 'failed', error: event.data.error }
  }
}

/** All that the account has of the post after the event. */
export function publishedBy({
  chain,
  postId,
  url,
}: Extract<PostEvent, { type: 'AccountPublished' }>['data']): readonly PublishedPart[] {
  return chain?.published ?? [{ postId, ...(url !== undefined && { url }) }]
}
