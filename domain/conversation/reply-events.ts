import * as z from 'zod'
import { LONGEST_INSTRUCTION } from '../account/account.ts'
import { commentKey, references } from './comment.ts'
import type { EventOf } from '../core/event.ts'
import { ERASED, personalDataErased, type ErasedFields } from '../core/personal-data.ts'
import { provenance } from '../core/provenance.ts'
import { text } from '../core/text.ts'

export const REPLY_SOURCES = ['automation', 'api'] as const
/** The longest reply text; platforms accept less. */
export const LONGEST_REPLY = 10_000

const reply = text(LONGEST_REPLY)
const attempt = { attempt: z.int().positive() }
const error = text(2000)
const source = z.enum(REPLY_SOURCES)

export const replyEvents = {
  /** A reply was started. Its text is not known yet. */
  ReplyOpened: z.object({
    ...commentKey,
    commentText: text(10_000),
    commentAuthor: text(200).optional(),
    references,
    source,
  }),
  /**
   * The AI is to write a draft following `instruction`, revising the previous one as `context` says. `automatic`: the draft is
   * sent without approval.
   */
  DraftRequested: z.object({
    instruction: text(LONGEST_INSTRUCTION),
    context: text(LONGEST_INSTRUCTION).optional(),
    automatic: z.boolean(),
    accountId: z.string(),
  }),
  DraftWritten: z.object({ text: reply, ...provenance }),
  DraftDeferred: z.object({ error, retryAt: z.iso.datetime() }),
  DraftFailed: z.object({ error }),
  DraftEdited: z.object({ text: reply }),
  /** An automatic reply now requires approval. */
  ReviewRequired: z.object({ reason: error }),
  /** The event's metadata says who approved it: a person's API key, or the automation. */
  ReplyApproved: z.object({ text: reply, accountId: z.string() }),
  ReplyRejected: z.object({}),
  /** Another reply to the comment was sent: this one can no longer be approved. */
  ReplySuperseded: z.object({ replyId: z.string() }),
  /** The platform is processing the reply, before the visible call. Checked again at `lookAt`. */
  SendProgressed: z.object({ handle: z.record(z.string(), z.unknown()), lookAt: z.iso.datetime() }),
  /** The last write before the visible call, which may have been made from here on. */
  SendStarted: z.object(attempt),
  /** The call was made, but its response was lost. `lookAt` is when to look for the reply on the platform. */
  SendAnswerLost: z.object({ ...attempt, error, lookAt: z.iso.datetime() }),
  SendDeferred: z.object({ ...attempt, error, retryAt: z.iso.datetime() }),
  ReplySent: z.object({
    ...attempt,
    ...commentKey,
    text: reply,
    source,
    platformReplyId: text(1000),
    url: text(2000).optional(),
  }),
  /** `unknown`: the platform may have accepted the reply, and nothing can confirm it. Never retried automatically. */
  ReplyFailed: z.object({
    ...attempt,
    error,
    code: z.enum(['no_account', 'permanent', 'needs_reauth', 'gave_up', 'unknown']),
  }),
  PersonalDataErased: personalDataErased,
}

export const erasedReply = {
  ReplyOpened: { commentText: ERASED, commentAuthor: undefined },
  DraftRequested: { instruction: ERASED, context: undefined },
  DraftWritten: { text: ERASED, prompt: ERASED },
  DraftEdited: { text: ERASED },
  ReplyApproved: { text: ERASED },
  SendProgressed: { handle: {} },
  ReplySent: { text: ERASED },
} satisfies ErasedFields<typeof replyEvents>

export type ReplyEvent = EventOf<typeof replyEvents>
