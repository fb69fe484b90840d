import { commentStreamId } from './comment.ts'
import { unchanged, type Actor, type Metadata, type StreamKind } from '../core/event.ts'
import { ERASED } from '../core/personal-data.ts'
import { erasedReply, replyEvents, type ReplyEvent } from './reply-events.ts'

type DataOf<T extends ReplyEvent['type']> = Extract<ReplyEvent, { type: T }>['data']

/** A draft that the AI has yet to write. */
export interface Drafting {
  readonly instruction: string
  readonly context?: string | undefined
  readonly automatic: boolean
  /** The number of the draft request, from 1. */
  readonly request: number
  /** Failed attempts so far. */
  readonly attempts: number
  readonly notBefore?: string
}

/** The progress of sending an approved text. `attempt` counts over the whole life of the reply, `attempts` since approval. */
export interface Sending {
  readonly text: string
  readonly approvedAt: string
  readonly attempt: number
  readonly attempts: number
  readonly notBefore?: string
  /** What the platform has returned so far, needed to continue. */
  readonly handle?: DataOf<'SendProgressed'>['handle']
  /** When the visible call was allowed: it was or may have been made. Absent while it certainly was not. */
  readonly startedAt?: string
  /** The error received instead of a response. */
  readonly lost?: string
  /**
   * When the reply was approved again after an unknown outcome: it may then be sent again even if nothing can confirm the
   * outcome.
   */
  readonly askedAgainAt?: string
}

export interface LiveReply extends DataOf<'ReplyOpened'> {
  readonly status: 'pending' | 'sending' | 'sent' | 'rejected' | 'superseded' | 'failed'
  /** Empty until a draft is written. */
  readonly draft: string
  /** Absent if the AI wrote it. */
  readonly writtenBy?: Actor
  /** How many drafts were requested. */
  readonly requests: number
  readonly drafting?: Drafting
  /** Whether the draft is sent without approval. */
  readonly isAutomatic?: true
  /** Kept after the reply was sent or failed. */
  readonly sending?: Sending
  readonly sent?: { readonly platformReplyId: string; readonly url?: string | undefined }
  readonly error?: string
  /** The reply that was sent instead. */
  readonly supersededBy?: string
}

export type ReplyState = { readonly status: 'absent' } | LiveReply

export function isOpened(state: ReplyState): state is LiveReply {
  return state.status !== 'absent'
}

/** One reply to one comment, from draft to outcome (api-spec §3, Pending reply; decisions, "Replies and comments"). */
export const reply: StreamKind<ReplyState, ReplyEvent> = {
  category: 'reply',
  events: replyEvents,
  // Version 2 may be of a platform that was added since.
  upcasters: { ReplyOpened: [unchanged], ReplySent: [unchanged] },
  personal: {
    erased: erasedReply,
    begins: 'ReplyOpened',
    subjectOf: (begin) => {
      const { workspaceId, accountId, commentId } = begin as DataOf<'ReplyOpened'>
      return { workspaceId, accountId, commentId: commentStreamId(accountId, commentId) }
    },
  },
  initial: { status: 'absent' },
  evolve: (state, event, metadata): ReplyState => {
    if (event.type === 'ReplyOpened') return { ...event.data, status: 'pending', draft: '', requests: 0 }
    return isOpened(state) ? evolveOpened(state, event, metadata) : state
  },
}

type LaterEvent = Exclude<ReplyEvent, { type: 'ReplyOpened' }>

function evolveOpened(state: LiveReply, event: LaterEvent, { at, actor }: Metadata): LiveReply {
  const { drafting, isAutomatic: _, error: __, ...settled } = state
  switch (event.type) {
    case 'DraftRequested': {
      const request = state.requests + 1
      return { ...settled, requests: request, drafting: { ...event.data, request, attempts: 0 } }
    }
    case 'DraftDeferred': {
      const { error, retryAt: notBefore } = event.data
      return drafting
        ? { ...state, error, drafting: { ...drafting, attempts: drafting.attempts + 1, notBefore } }
        : state
    }
    case 'DraftWritten': {
      const { writtenBy: _, ...rest } = settled
      return { ...rest, draft: event.data.text, ...(drafting?.automatic && { isAutomatic: true }) }
    }
    case 'DraftEdited':
      return { ...settled, draft: event.data.text, writtenBy: actor }
    case 'DraftFailed':
      return { ...settled, error: event.data.error }
    case 'ReviewRequired':
      return { ...settled, error: event.data.reason }
    case 'ReplyApproved':
      return { ...settled, status: 'sending', draft: event.data.text, sending: approved(state, event.data.text, at) }
    case 'ReplyRejected':
      return { ...settled, status: 'rejected' }
    case 'ReplySuperseded':
      return { ...settled, status: 'superseded', supersededBy: event.data.replyId }
    case 'ReplySent': {
      const { platformReplyId, url } = event.data
      return { ...settled, status: 'sent', sent: { platformReplyId, url } }
    }
    case 'PersonalDataErased': {
      const { commentAuthor: _, sending, ...rest } = settled
      const texts = { commentText: ERASED, draft: rest.draft === '' ? '' : ERASED }
      return { ...rest, ...texts, ...(sending && { sending: { ...sending, text: ERASED } }) }
    }
    case 'ReplyFailed':
      return { ...settled, status: 'failed', error: event.data.error, ...ended(state, event.data) }
    default:
      return { ...state, ...(state.sending && { sending: evolveSending(state.sending, event, at, state.draft) }) }
  }
}

/** A call with an unknown outcome is reconciled once more before anything is sent again. */
function approved({ sending }: LiveReply, text: string, at: string): Sending {
  const counts = { attempt: sending?.attempt ?? 0, attempts: 0 }
  if (sending?.startedAt === undefined) return { ...counts, text, approvedAt: at }
  const { approvedAt, startedAt } = sending
  return { ...counts, text: sending.text, approvedAt, startedAt, askedAgainAt: at }
}

function ended({ sending }: LiveReply, { code }: DataOf<'ReplyFailed'>): Pick<LiveReply, 'sending'> {
  if (!sending || code === 'unknown') return {}
  const { startedAt: _, lost: __, askedAgainAt: ___, ...rest } = sending
  return { sending: rest }
}

type SendEvent = Extract<ReplyEvent, { type: `Send${string}` }>

function evolveSending(sending: Sending, event: SendEvent, at: string, draft: string): Sending {
  const { text, approvedAt, attempts, askedAgainAt } = sending
  switch (event.type) {
    case 'SendProgressed':
      return { ...sending, notBefore: event.data.lookAt, handle: event.data.handle }
    case 'SendStarted':
      return { text, approvedAt, attempt: event.data.attempt, attempts: attempts + 1, startedAt: at }
    case 'SendAnswerLost':
      return { ...sending, lost: event.data.error }
    case 'SendDeferred': {
      const waiting = { attempt: event.data.attempt, attempts, notBefore: event.data.retryAt }
      // The reply is not on the platform: from now on, send the text approved last.
      return askedAgainAt === undefined
        ? { text, approvedAt, ...waiting }
        : { text: draft, approvedAt: askedAgainAt, ...waiting }
    }
  }
}
