import * as z from 'zod'
import type { ReplyJob, SentReply } from '../kit/conversation.ts'
import { PlatformError, type PlatformIo } from '../kit/platform.ts'
import { bodyOf, jsonOf, unreadableText } from '../kit/rest.ts'
import { callAs, type Call } from './api.ts'
import { isOrganization } from './author.ts'
import { isNoAnswer } from './errors.ts'
import { commentName, encodedUrn, isPostUrn, nameUnder, type CommentName } from './urn.ts'

const CREATED = 201

const got = z.object({ parentComment: z.string().optional().catch(undefined) })
const made = z.object({ commentUrn: z.string().optional().catch(undefined) }).catch({})

/**
 * Replies to a comment beneath it; to a reply beneath its parent comment, as there are only two levels; and to a mention
 * with a comment on its post.
 *
 * @throws PlatformError
 */
export async function reply(job: ReplyJob, io: PlatformIo): Promise<SentReply> {
  const { account, references, text } = job
  const { postUrn } = references
  if (postUrn === undefined) {
    throw new PlatformError('permanent', 'LinkedIn: postUrn is required for a reply. Use the one from GET /comments.')
  }
  const thread = await threadOf(job, io)
  const target = thread?.urn ?? job.commentId
  const call: Call = {
    method: 'POST',
    path: `/rest/socialActions/${encodedUrn(target)}/comments`,
    json: {
      actor: account.externalId,
      object: postUrn,
      ...(thread && { parentComment: thread.urn }),
      message: { text },
    },
    effect: 'visible',
  }
  const response = await callAs(account.baseUrl, call, io)
  const { status } = response
  if (status !== CREATED) throw new PlatformError('ambiguous', `${unreadableText('LinkedIn')} (HTTP ${status}).`)
  const id = response.headers['x-restli-id'] ?? ''
  const name =
    commentName(made.parse(jsonOf(response)).commentUrn) ??
    commentName(decoded(id)) ??
    (/^\d+$/.test(id) ? nameUnder(thread?.entity ?? postUrn, id) : undefined)
  // Even without a URN the reply is published; fall back to the URN of its target.
  return name ? sentAs(name, thread) : { replyId: target }
}

/**
 * The comment beneath which the reply goes.
 *
 * @returns undefined if the reply goes to a post
 * @throws PlatformError `permanent` if the id is neither a comment's nor a post's
 */
export async function threadOf({ account, commentId }: ReplyJob, io: PlatformIo): Promise<CommentName | undefined> {
  if (isPostUrn(commentId)) return undefined
  const name = commentName(commentId)
  if (!name) {
    throw new PlatformError(
      'permanent',
      'LinkedIn: commentId must be the URN of a comment, or of a post that mentions the page.',
    )
  }
  // Members cannot read comments, so assume a top-level one.
  return isOrganization(account.externalId) ? ((await parentOf(name, account.baseUrl, io)) ?? name) : name
}

async function parentOf(
  { entity, id }: CommentName,
  baseUrl: string | undefined,
  io: PlatformIo,
): Promise<CommentName | undefined> {
  const call: Call = { method: 'GET', path: `/rest/socialActions/${encodedUrn(entity)}/comments/${id}` }
  try {
    const response = await callAs(baseUrl, call, io)
    return commentName(bodyOf('linkedin', { ...call, url: call.path }, response, got).parentComment)
  } catch (error) {
    // Let the reply itself find out whether the comment can be replied to.
    if (isNoAnswer(error)) return undefined
    throw error
  }
}

/** @param thread the parent comment; undefined for a comment on the post itself */
export function sentAs(name: CommentName, thread: CommentName | undefined): SentReply {
  const url = new URL(`https://www.linkedin.com/feed/update/${name.entity}/`)
  url.searchParams.set('commentUrn', (thread ?? name).urn)
  if (thread) url.searchParams.set('replyUrn', name.urn)
  return { replyId: name.urn, url: url.href }
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header)
  } catch {
    return header
  }
}
