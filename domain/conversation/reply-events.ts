import { z } from 'zod'
import { LONGEST_INSTRUCTION } from '../account/account.ts'
import { commentKey, references } from './comment.ts'
import type { EventOf } from '../core/event.ts'
import { provenance } from '../core/provenance.ts'
import { text } from '../core/text.ts'

export const REPLY_SOURCES = ['automation', 'api'] as const
/** The longest text of a reply; platforms take less. */
export const LONGEST_REPLY = 10_000

const reply = text(LONGEST_REPLY)
const attempt = { attempt: z.int().positive() }
const error = text(2000)
const source = z.enum(REPLY_SOURCES)

export const replyEvents = {
  /** A reply to a comment was begun. What it says is still to come. */
  ReplyOpened: z.object({
    ...commentKey,
    commentText: text(10_000),
    commentAuthor: text(200).optional(),
    references,
    source,
  }),
  /**
   * The AI is to write a draft: by `instruction`, and revising the one before as `context` says. `automatic`: it is to be sent
   * without anybody's approval.
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
  /** It was to be sent without approval, and now waits for one. */
  ReviewRequired: z.object({ reason: error }),
  /** Who approved it is in the event's metadata: a person by an API key, or the automation. */
  ReplyApproved: z.object({ text: reply, accountId: z.string() }),
  ReplyRejected: z.object({}),
  /** Another reply to the comment was sent: this one is no longer to be approved. */
  ReplySuperseded: z.object({ replyId: z.string() }),
  /** The last write before the visible call: from here on it may have been made. */
  SendStarted: z.object(attempt),
  /** The call was made and its answer is lost: whether the reply is there is looked up at `lookAt`. */
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
  /** `unknown`: the platform may have taken it, and nothing can tell. Never tried again by itself. */
  ReplyFailed: z.object({
    ...attempt,
    error,
    code: z.enum(['no_account', 'permanent', 'needs_reauth', 'gave_up', 'unknown']),
  }),
}

export type ReplyEvent = EventOf<typeof replyEvents>
