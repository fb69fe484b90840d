import { Refusal } from '../domain/core/errors.ts'
import type { Actor } from '../domain/core/event.ts'
import { isOpened, type LiveReply, type ReplyState } from '../domain/conversation/reply.ts'
import type { ReplyEvent } from '../domain/conversation/reply-events.ts'
import { asText } from '../domain/core/text.ts'
import { nextAttemptAt, type AttemptPolicy } from './attempt-policy.ts'
import { shortened } from './shortened.ts'

export type OpenReply = Extract<ReplyEvent, { type: 'ReplyOpened' }>['data']
/** What the reply says: a text, which is sent at once or awaits approval; a draft for the AI to write; or nothing yet. */
export type ReplyRequest =
  | { readonly text: string; readonly awaitsApproval?: boolean }
  | { readonly instruction: string; readonly automatic: boolean }
  | undefined
export type WrittenDraft = Extract<ReplyEvent, { type: 'DraftWritten' }>['data']

/** Opens a reply to a comment. Opening the same one again is a no-op. */
export function openReply(state: ReplyState, opened: OpenReply, request: ReplyRequest): readonly ReplyEvent[] {
  if (isOpened(state)) return []
  const begun: ReplyEvent = { type: 'ReplyOpened', data: opened }
  if (!request) return [begun]
  const { accountId } = opened
  if ('text' in request) {
    const text = spoken(request.text, 'directText')
    return [begun, request.awaitsApproval ? { type: 'DraftEdited', data: { text } } : approval(accountId, text)]
  }
  return [begun, { type: 'DraftRequested', data: { ...request, accountId } }]
}

/** @throws Refusal not_found; failed_precondition when it is being sent, or was sent, rejected or superseded */
export function editDraft(state: ReplyState, text: string, field = 'text'): readonly ReplyEvent[] {
  const before = mustBeOpen(state)
  const edited = spoken(text, field)
  return before.draft === edited && !before.drafting ? [] : [{ type: 'DraftEdited', data: { text: edited } }]
}

/** Has the AI revise the draft. @throws Refusal as `editDraft` */
export function regenerateDraft(
  state: ReplyState,
  request: { readonly instruction: string; readonly context: string },
): readonly ReplyEvent[] {
  const { accountId } = mustBeOpen(state)
  return [{ type: 'DraftRequested', data: { ...request, accountId, automatic: false } }]
}

/**
 * Approves the reply for sending, as drafted or as edited.
 *
 * @param except who may not approve their own words
 * @throws Refusal as `editDraft`; failed_precondition when it has no text yet; forbidden to its author
 */
export function approveReply(state: ReplyState, editedText: string | undefined, except?: Actor): readonly ReplyEvent[] {
  const { draft, accountId, writtenBy } = mustBeOpen(state)
  if (except && (editedText !== undefined || writtenBy?.id === except.id)) {
    throw new Refusal('forbidden', 'You cannot approve your own words: somebody else has to.')
  }
  if (editedText !== undefined) return [approval(accountId, spoken(editedText, 'editedText'))]
  if (draft !== '') return [approval(accountId, draft)]
  throw new Refusal('failed_precondition', 'The reply has no text yet. Pass editedText, or wait for the draft.')
}

/** Approves a draft under its account's automation, unless a user has decided on it in the meantime. */
export function approveAutomatically(state: ReplyState): readonly ReplyEvent[] {
  return isOpened(state) && state.isAutomatic ? [approval(state.accountId, state.draft)] : []
}

/** Moves an automatic draft to review: a user has to decide. */
export function requireReview(state: ReplyState, reason: string): readonly ReplyEvent[] {
  return isOpened(state) && state.isAutomatic ? [{ type: 'ReviewRequired', data: { reason } }] : []
}

/** @throws Refusal as `editDraft` */
export function rejectReply(state: ReplyState): readonly ReplyEvent[] {
  mustBeOpen(state)
  return [{ type: 'ReplyRejected', data: {} }]
}

/** Removes a draft from the review inbox because another reply was sent. */
export function supersedeReply(state: ReplyState, replyId: string): readonly ReplyEvent[] {
  if (!isOpened(state) || (state.status !== 'pending' && state.status !== 'failed')) return []
  return [{ type: 'ReplySuperseded', data: { replyId } }]
}

/** Has the AI write a draft if there is none. */
export function requestDraft(state: ReplyState, instruction: string): readonly ReplyEvent[] {
  if (!isOpened(state) || state.status !== 'pending' || state.draft !== '' || state.drafting) return []
  return [{ type: 'DraftRequested', data: { instruction, accountId: state.accountId, automatic: false } }]
}

/** Records the draft for a request. No-op when a user has since written, approved or requested another one. */
export function draftWritten(state: ReplyState, request: number, draft: WrittenDraft): readonly ReplyEvent[] {
  return isAwaited(state, request) ? [{ type: 'DraftWritten', data: draft }] : []
}

/** Retries later, or gives up when the policy's attempts are used up or the failure is permanent. */
export function draftFailed(
  state: ReplyState,
  request: number,
  failure: { readonly error: string; readonly isFinal: boolean; readonly retryAfterMs?: number | undefined },
  policy: AttemptPolicy,
  now: number,
): readonly ReplyEvent[] {
  if (!isAwaited(state, request)) return []
  const { error } = shortened(failure)
  const attempts = (state.drafting?.attempts ?? 0) + 1
  const retryAt = failure.isFinal ? undefined : nextAttemptAt(policy, attempts, now, failure.retryAfterMs)
  return [
    retryAt === undefined
      ? { type: 'DraftFailed', data: { error } }
      : { type: 'DraftDeferred', data: { error, retryAt } },
  ]
}

function isAwaited(state: ReplyState, request: number): state is LiveReply {
  return isOpened(state) && state.drafting?.request === request
}

/** A reply that is undecided, or whose sending failed. */
function mustBeOpen(state: ReplyState): LiveReply {
  if (!isOpened(state)) throw new Refusal('not_found', 'No such reply.')
  if (state.status === 'pending' || state.status === 'failed') return state
  if (state.status !== 'superseded') throw new Refusal('failed_precondition', WHY_NOT[state.status])
  throw new Refusal('failed_precondition', `The comment already has a reply: ${state.supersededBy}.`)
}

const WHY_NOT = {
  sending: 'The reply is being sent.',
  sent: 'The reply has already been sent.',
  rejected: 'The reply was rejected.',
} as const

function approval(accountId: string, text: string): ReplyEvent {
  return { type: 'ReplyApproved', data: { text, accountId } }
}

/** @throws Refusal invalid_request when the text is blank */
function spoken(text: string, field: string): string {
  if (text.trim() === '') throw new Refusal('invalid_request', `${field} must not be blank`)
  return asText(text, text.length)
}
