import { FORGOTTEN } from '../domain/core/forgotten.ts'
import { post, type PostState, type TargetKey } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { isOpened, reply, type ReplyState } from '../domain/conversation/reply.ts'
import type { ReplyEvent } from '../domain/conversation/reply-events.ts'
import { firstCommentFailed, firstCommentPosted, startFirstComment } from './first-comment.ts'
import { foreseen } from './foreseen.ts'
import { accountFailed, accountPublished, publishPrepared, startPublish, targetState } from './publish-attempt.ts'
import { replyFailed, replySent, startSend } from './send-reply.ts'
import { Superseded } from './superseded.ts'

/*
 * Settles what a log restored from a backup has lost. The call was made, but the log ends before it: the events leading up to
 * it are appended again, without a call. Each function throws `Superseded` when there is nothing left to settle.
 */

/** The post was found on the platform. */
export function postFound(
  state: PostState,
  key: TargetKey,
  found: { readonly postId: string; readonly url?: string },
  hasFirstComment: boolean,
): readonly PostEvent[] {
  const { before, after, attempt } = submitted(state, key)
  return [...before, ...accountPublished(after, { ...key, attempt }, found, hasFirstComment)]
}

/** Nothing shows whether the post is on the platform. A retry by its owner looks for it again, and may publish it. */
export function postUnknown(state: PostState, key: TargetKey, error: string): readonly PostEvent[] {
  const { before, after, attempt } = submitted(state, key)
  return [...before, ...accountFailed(after, { ...key, attempt }, 'submitted', { code: 'unknown', error })]
}

export function firstCommentFound(
  state: PostState,
  key: TargetKey,
  found: { readonly postId: string } | undefined,
): readonly PostEvent[] {
  const { before, after, attempt } = commentStarted(state, key)
  return [...before, ...firstCommentPosted(after, { ...key, attempt }, found)]
}

export function firstCommentUnknown(state: PostState, key: TargetKey, error: string): readonly PostEvent[] {
  const { before, after, attempt } = commentStarted(state, key)
  return [...before, ...firstCommentFailed(after, { ...key, attempt }, error)]
}

export function replyFound(
  state: ReplyState,
  sent: { readonly replyId: string; readonly url?: string },
): readonly ReplyEvent[] {
  const { before, after, attempt } = sendStarted(state)
  return [...before, ...replySent(after, attempt, sent)]
}

export function replyUnknown(state: ReplyState, error: string): readonly ReplyEvent[] {
  const { before, after, attempt } = sendStarted(state)
  return [...before, ...replyFailed(after, attempt, { code: 'unknown', error })]
}

function submitted(state: PostState, key: TargetKey) {
  const target = targetState(state, key)
  if (target?.step === 'submitted') return { before: [], after: state, attempt: target.attempt }
  const started = startPublish(state, key)
  const begun = foreseen(post, state, started)
  const attempt = targetState(begun, key)?.attempt ?? 0
  const before = [...started, ...publishPrepared(begun, { ...key, attempt }, FORGOTTEN)]
  return { before, after: foreseen(post, state, before), attempt }
}

function commentStarted(state: PostState, key: TargetKey) {
  const target = targetState(state, key)
  const comment = target?.step === 'published' ? target.firstComment : undefined
  if (comment?.step === 'started') return { before: [], after: state, attempt: comment.attempt }
  if (comment?.step !== 'queued') throw new Superseded()
  const before = startFirstComment(state, key)
  return { before, after: foreseen(post, state, before), attempt: comment.attempts + 1 }
}

function sendStarted(state: ReplyState) {
  const sending = isOpened(state) && state.status === 'sending' ? state.sending : undefined
  if (!sending) throw new Superseded()
  if (sending.startedAt !== undefined) return { before: [], after: state, attempt: sending.attempt }
  const before = startSend(state)
  return { before, after: foreseen(reply, state, before), attempt: sending.attempt + 1 }
}
