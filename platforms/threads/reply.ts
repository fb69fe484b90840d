import * as z from 'zod'
import type { Conversation, ReplyJob } from '../kit/conversation.ts'
import { PlatformError, type PlatformIo, type PublishJob } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import type { Session } from '../meta/graph.ts'
import { prepareContainer } from '../meta/prepare.ts'
import { graph, is } from './api.ts'
import { create, steps } from './prepare.ts'
import { published } from './publish.ts'
import { brokenRules, TAKES } from './rules.ts'
import { withSession } from './session.ts'
import { plainId } from '../kit/plain-id.ts'

const rules = { key: 'threads', takes: TAKES, check: brokenRules } as const
const written = z.object({ username: z.string().optional(), root_post: z.object({ id: plainId }).optional() })

/** A reply is a post of text alone: a container, which is prepared and then published. */
export const prepareReply: NonNullable<Conversation['prepare']> = (job, io, earlier) => {
  const creating = { ...steps, create: (post: PublishJob, contents: Contents) => createReply(post, contents, job, io) }
  return prepareContainer(creating, rules, postOf(job), io, earlier)
}

export const reply: Conversation['reply'] = async (job, io, handle = {}) => {
  const { postId: replyId, url } = await published(postOf(job), handle, io)
  return { replyId, ...(url !== undefined && { url }) }
}

function postOf({ key, account, commentId, text, approvedAt }: ReplyJob): PublishJob {
  const comment = { postId: commentId }
  return {
    ...{ key, account, mediaUrl: '', mediaType: 'text', text, queuedAt: approvedAt },
    inReplyTo: { first: comment, previous: comment },
  }
}

type Contents = Parameters<typeof create>[1]

async function createReply(
  post: PublishJob,
  contents: Contents,
  { account, commentId }: ReplyJob,
  io: PlatformIo,
): Promise<string> {
  try {
    return await create(post, contents, io)
  } catch (error) {
    const isRefused = is(error, 'permission', 'permission or failure')
    if (isRefused && (await withSession(account, io, (session) => isElsewhere(commentId, session, io))))
      throw notAllowed(error)
    throw error
  }
}

/** Whether a comment is under someone else's post, which may not be readable either. */
async function isElsewhere(commentId: string, session: Session, io: RestIo): Promise<boolean> {
  const read = (id: string, fields: string) =>
    graph(session, { method: 'GET', path: `/${id}`, query: { fields } }, written, io).catch(() => undefined)
  const comment = await read(commentId, 'id,username,root_post{id}')
  const root = comment?.root_post ? await read(comment.root_post.id, 'id,username') : comment
  const us = await read('me', 'id,username')
  return us !== undefined && us.username !== root?.username
}

function notAllowed(cause: unknown): PlatformError {
  const message =
    "Threads allows replies under the account's own posts. Replying elsewhere requires further permissions."
  return new PlatformError('permanent', message, { cause })
}
