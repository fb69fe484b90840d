import { isOpened, type LiveReply, type ReplyState, type Sending } from '../domain/conversation/reply.ts'
import type { ReplyEvent } from '../domain/conversation/reply-events.ts'
import type { Handle } from '../domain/post/post.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { nextAttemptAt, type AttemptPolicy } from './attempt-policy.ts'
import { shortened } from './shortened.ts'
import { Superseded } from './superseded.ts'

/* The write-ahead guard of a reply: as for a first comment, starting is the last write before the visible call. */

type SendFailure = Pick<Extract<ReplyEvent, { type: 'ReplyFailed' }>['data'], 'code' | 'error'>

/** Records the platform's handle while it is processing, and when to check again (ms since the epoch). */
export function sendProgressed(state: ReplyState, handle: Handle, lookAt: number): readonly ReplyEvent[] {
  if (mustBeSending(state).sending.startedAt !== undefined) throw new Superseded()
  return [{ type: 'SendProgressed', data: { handle, lookAt: isoTime(lookAt) } }]
}

/** Claims the next attempt. */
export function startSend(state: ReplyState): readonly ReplyEvent[] {
  const { sending } = mustBeSending(state)
  if (sending.startedAt !== undefined) throw new Superseded()
  return [{ type: 'SendStarted', data: { attempt: sending.attempt + 1 } }]
}

/** Records that the call got no answer, and when to look for the reply (ms since the epoch). */
export function sendAnswerLost(
  state: ReplyState,
  attempt: number,
  error: string,
  lookAt: number,
): readonly ReplyEvent[] {
  mustBeStarted(state, attempt)
  return [{ type: 'SendAnswerLost', data: { attempt, ...shortened({ error }), lookAt: isoTime(lookAt) } }]
}

export function replySent(
  state: ReplyState,
  attempt: number,
  sent: { readonly replyId: string; readonly url?: string },
): readonly ReplyEvent[] {
  const { workspaceId, platform, accountId, commentId, source, sending } = mustBeStarted(state, attempt)
  const { replyId: platformReplyId, url } = sent
  const of = { workspaceId, platform, accountId, commentId, source, text: sending.text }
  return [{ type: 'ReplySent', data: { attempt, ...of, platformReplyId, ...(url === undefined ? {} : { url }) } }]
}

/** Backs off after a transient failure, or gives up when the policy's attempts are used up. */
export function deferSend(
  state: ReplyState,
  attempt: number,
  failure: { readonly error: string; readonly retryAfterMs?: number | undefined },
  policy: AttemptPolicy,
  now: number,
): readonly ReplyEvent[] {
  const { sending } = mustBeStarted(state, attempt)
  const { error } = shortened(failure)
  const retryAt = nextAttemptAt(policy, sending.attempts, now, failure.retryAfterMs)
  if (retryAt === undefined) return [{ type: 'ReplyFailed', data: { attempt, code: 'gave_up', error } }]
  return [{ type: 'SendDeferred', data: { attempt, error, retryAt } }]
}

export function replyFailed(state: ReplyState, attempt: number, failure: SendFailure): readonly ReplyEvent[] {
  mustBeStarted(state, attempt)
  return [{ type: 'ReplyFailed', data: { attempt, ...shortened(failure) } }]
}

type SendingReply = LiveReply & { readonly sending: Sending }

export function mustBeSending(state: ReplyState): SendingReply {
  if (!isOpened(state) || state.status !== 'sending' || !state.sending) throw new Superseded()
  return { ...state, sending: state.sending }
}

function mustBeStarted(state: ReplyState, attempt: number): SendingReply {
  const reply = mustBeSending(state)
  if (reply.sending.startedAt === undefined || reply.sending.attempt !== attempt) throw new Superseded()
  return reply
}
