import * as z from 'zod'
import type { ReplyJob, SentReply } from '../kit/conversation.ts'
import type { Session } from '../meta/graph.ts'
import { replyAmong, type Written } from '../meta/sent-reply.ts'
import { time } from '../meta/time.ts'
import { PlatformError, type PlatformIo, type Search } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { addressed } from './address.ts'
import { graph, is, pages } from './api.ts'
import { authorFields, isOurs, nameOf } from './author.ts'
import { fewerFields } from './fewer-fields.ts'
import { brokenByComment } from './rules.ts'
import { withSession } from './session.ts'
import { plainId } from '../kit/plain-id.ts'

const PAGE = 50
/** Both calls of a reply together must end within the guard's 30 s. */
const READ_TIMEOUT_MS = 8_000
const SEND_TIMEOUT_MS = 20_000

const made = z.object({ id: plainId })
const placed = z.object({ parent_id: plainId.optional(), ...authorFields })
const written = z.object({ id: plainId, text: z.string().catch(''), timestamp: time, ...authorFields })
const FIELD_SETS = ['id,text,timestamp,username,from{id,username}', 'id,text,timestamp,username']

/** Where a reply goes, and its text. */
interface Place {
  readonly thread: string
  readonly text: string
}

/** @throws PlatformError */
export function reply(job: ReplyJob, io: PlatformIo): Promise<SentReply> {
  return withSession(job.account, io, async (session) => {
    const { thread, text: message } = await placeOf(job, session, io)
    // No `fields`: with them Instagram creates the comment, but answers with an error.
    const sending = { path: `/${thread}/replies`, form: { message }, timeoutMs: SEND_TIMEOUT_MS }
    const call = { method: 'POST', ...sending, effect: 'visible' } as const
    const { id: replyId } = await graph(session, call, made, io).catch((error: unknown) => {
      // A missing object accepts nothing, so nothing was sent.
      if (!is(error, 'unreadable')) throw error
      throw new PlatformError('retryable', error.message, { cause: error })
    })
    return { replyId }
  })
}

/** @throws PlatformError */
export function find(job: ReplyJob, io: PlatformIo): Promise<Search<SentReply>> {
  return withSession(job.account, io, async (session, { username }) => {
    const { thread, text } = await placeOf(job, session, io)
    const us = { accountId: job.account.externalId, username }
    const read = (fields: string) =>
      pages({ path: `/${thread}/replies`, query: { fields }, item: written, limit: PAGE }, (work) => work(session), io)
    const all: Written[] = []
    // The order is unknown, so all are read.
    for await (const page of fewerFields(FIELD_SETS)(read)) {
      all.push(...page.map((each) => ({ id: each.id, text: each.text, at: each.timestamp, isOurs: isOurs(each, us) })))
    }
    return replyAmong(all, [text, job.text], job)
  })
}

/** @throws PlatformError */
async function placeOf({ commentId, text }: ReplyJob, session: Session, io: RestIo): Promise<Place> {
  const query = { fields: 'id,parent_id,username' }
  const call = { method: 'GET', path: `/${commentId}`, query, timeoutMs: READ_TIMEOUT_MS } as const
  const comment = await graph(session, call, placed, io)
  if (comment.parent_id === undefined) return { thread: commentId, text }
  const whole = addressed(text, nameOf(comment))
  // If there is no room for both, the name is dropped, not the text.
  return { thread: comment.parent_id, text: brokenByComment(whole).length === 0 ? whole : text }
}
