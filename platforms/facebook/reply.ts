import * as z from 'zod'
import type { ReplyJob, SentReply } from '../kit/conversation.ts'
import type { Session } from '../meta/graph.ts'
import { replyAmong, sentFrom, type Written } from '../meta/sent-reply.ts'
import { time } from '../meta/time.ts'
import { PlatformError, type PlatformIo, type Search } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { whole } from './address.ts'
import { graph, is, pages } from './api.ts'
import { hasComments } from './comment-count.ts'
import { author, NEWEST_FIRST } from './comments.ts'
import { withSession } from './session.ts'
import { plainId } from '../kit/plain-id.ts'

const PAGE = 50
/** All calls of a reply together must end within the guard's 30 s. */
const READ_TIMEOUT_MS = 5_000
const SEND_TIMEOUT_MS = 15_000

const made = z.object({ id: plainId })
const placed = z.object({ parent: z.object({ id: plainId }).optional() })
const shown = z.object({ permalink_url: z.string().optional() })
const written = z.object({
  id: plainId,
  message: z.string().catch(''),
  created_time: time,
  from: author,
  permalink_url: z.string().optional(),
})

/** @throws PlatformError */
export function reply({ account, commentId, text: message }: ReplyJob, io: PlatformIo): Promise<SentReply> {
  return withSession(account, io, async (session) => {
    const path = `/${await threadOf(commentId, session, io)}/comments`
    const call = { method: 'POST', path, form: { message }, effect: 'visible', timeoutMs: SEND_TIMEOUT_MS } as const
    const { id: replyId } = await graph(session, call, made, io).catch((error: unknown) => {
      // A missing object accepts nothing, so nothing was sent.
      if (!is(error, 'unreadable')) throw error
      throw new PlatformError('retryable', error.message, { cause: error })
    })
    // Already published: a failed permalink lookup does not matter.
    const url = await addressOf(replyId, session, io).catch(() => undefined)
    return { replyId, ...(url !== undefined && { url }) }
  })
}

/** @throws PlatformError */
export function find(job: ReplyJob, io: PlatformIo): Promise<Search<SentReply>> {
  return withSession(job.account, io, async (session) => {
    const thread = await threadOf(job.commentId, session, io)
    const all = await writtenSince(sentFrom(job), thread, job.account.externalId, session, io)
    const search = replyAmong(all, [job.text], job)
    // Without a task on the Page the list is empty.
    const isBlind = all.length === 0 && (await hasComments(thread, session, io))
    return search.outcome === 'absent' && isBlind ? { outcome: 'unknown' } : search
  })
}

/** Threads have two levels: a reply to a reply appears beside it. @throws PlatformError */
async function threadOf(commentId: string, session: Session, io: RestIo): Promise<string> {
  const query = { fields: 'id,parent{id}' }
  const call = { method: 'GET', path: `/${commentId}`, query, timeoutMs: READ_TIMEOUT_MS } as const
  try {
    return (await graph(session, call, placed, io)).parent?.id ?? commentId
  } catch (error) {
    // A post, such as one that mentions the Page, has no such field.
    if (is(error, 'refused')) return commentId
    throw error
  }
}

/** Reads up to the first page that ends with an old one. @throws PlatformError */
async function writtenSince(
  from: number,
  thread: string,
  pageId: string,
  session: Session,
  io: RestIo,
): Promise<readonly Written[]> {
  const query = { ...NEWEST_FIRST, fields: 'id,message,created_time,from{id},permalink_url' }
  const edge = { path: `/${thread}/comments`, query, item: written, limit: PAGE }
  const all: Written[] = []
  for await (const page of pages(edge, (work) => work(session), io)) {
    all.push(
      ...page.map(({ id, message: text, created_time: at, from: by, permalink_url: url }) => ({
        ...{ id, text, at, url: whole(url) },
        isOurs: by?.id === undefined ? undefined : by.id === pageId,
      })),
    )
    const last = all.at(-1)
    if (last && last.at < from) break
  }
  return all
}

async function addressOf(replyId: string, session: Session, io: RestIo): Promise<string | undefined> {
  const query = { fields: 'permalink_url' }
  const call = { method: 'GET', path: `/${replyId}`, query, timeoutMs: READ_TIMEOUT_MS } as const
  const { permalink_url: url } = await graph(session, call, shown, io)
  return whole(url)
}
