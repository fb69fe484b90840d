import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Conversation, FetchedComment, ReplyJob, SentReply } from '../kit/conversation.ts'
import { hasStatus } from '../kit/errors.ts'
import { PlatformError, type PlatformAccount, type PlatformIo, type Search } from '../kit/platform.ts'
import { callAs } from './api.ts'
import { alikeIn } from './find.ts'
import { usualRules } from './limits.ts'
import { mentionsSince, type Mention } from './notifications.ts'
import { ownStatuses, publishedAs } from './own-statuses.ts'
import { visibilities } from './options.ts'
import { postStatus } from './publish.ts'
import { addressOf } from './server.ts'
import { plainText, withoutMentions } from './text.ts'

/** Comments are mentions of the account; replies are ordinary posts, and found like those. */
export const conversation: Conversation = {
  requires: [],
  // 300 calls per 5 minutes and account; a poll makes two or three.
  leastIntervalMs: 60_000,
  fetch: fetchComments,
  check: (text) => usualRules().check({ text, mediaType: 'text' }, undefined),
  proof: 'searchable',
  visibleWithinMs: 30_000,
  reply,
  find,
}

async function* fetchComments(
  account: PlatformAccount,
  since: string,
  io: PlatformIo,
): AsyncIterable<readonly FetchedComment[]> {
  const { id: own } = addressOf(account)
  let answered: ReadonlySet<string> | undefined
  for await (const mentions of mentionsSince(account, since, io)) {
    const ofOthers = mentions.filter(({ status }) => status.account.id !== own)
    if (ofOthers.length === 0) continue
    answered ??= await answeredSince(account, since, io)
    yield ofOthers.map((mention) => ({
      ...commentOf(mention, own),
      replied: answered?.has(mention.status.id) === true,
    }))
  }
}

function commentOf({ status, created_at }: Mention, own: string): FetchedComment {
  const { id, in_reply_to_id, in_reply_to_account_id, content, account } = status
  const isUnderOwn = in_reply_to_account_id === own && in_reply_to_id
  return {
    id,
    ...(isUnderOwn ? { kind: 'comment', postId: in_reply_to_id } : { kind: 'mention' }),
    author: account.display_name.trim() || account.acct,
    authorId: account.id,
    text: withoutMentions(plainText(content)),
    createdAt: isoTime(created_at),
    references: {},
  }
}

/** The ids of everything the account has replied to since then, from any client. */
async function answeredSince(account: PlatformAccount, since: string, io: PlatformIo): Promise<ReadonlySet<string>> {
  const { listed } = await ownStatuses(account, Date.parse(since), 'public', io)
  return new Set(listed.flatMap(({ in_reply_to_id }) => in_reply_to_id ?? []))
}

const answerable = z.object({
  visibility: visibilities.catch('direct'),
  account: z.object({ id: z.string(), acct: z.string().min(1) }),
})

/** Nobody sees a reply who does not see the comment. @throws PlatformError `permanent` if it is gone */
async function commentAt(
  { account, commentId }: ReplyJob,
  io: PlatformIo,
): Promise<z.infer<typeof answerable> | undefined> {
  try {
    const path = `/api/v1/statuses/${encodeURIComponent(commentId)}`
    return await callAs(account, { method: 'GET', path }, answerable, io)
  } catch (error) {
    if (hasStatus(error, 404)) return undefined
    throw error
  }
}

async function reply(job: ReplyJob, io: PlatformIo): Promise<SentReply> {
  const comment = await commentAt(job, io)
  if (!comment) throw new PlatformError('permanent', 'The comment is no longer on Mastodon.')
  const { visibility, account: author } = comment
  // Only who is mentioned is told.
  const isOwn = author.id === addressOf(job.account).id
  const status = isOwn ? job.text : `@${author.acct} ${job.text}`
  const json = { status, visibility, in_reply_to_id: job.commentId }
  const { postId, url } = await postStatus(job, json, io)
  return { replyId: postId, ...(url !== undefined && { url }) }
}

async function find(job: ReplyJob, io: PlatformIo): Promise<Search<SentReply>> {
  const { account, commentId, text, approvedAt } = job
  const { visibility = 'direct' } = (await commentAt(job, io)) ?? {}
  const { listed, isWhole } = await ownStatuses(account, Date.parse(approvedAt), visibility, io)
  const there = listed.filter(({ in_reply_to_id }) => in_reply_to_id === commentId)
  const { alike, isWhole: isAll } = alikeIn(text, { listed: there, isWhole }, withoutMentions)
  const [found, ...more] = alike
  if (!isAll || more.length > 0) return { outcome: 'unknown' }
  if (!found) return { outcome: 'absent' }
  const { postId, url } = publishedAs(found, account)
  return { outcome: 'found', found: { replyId: postId, ...(url !== undefined && { url }) } }
}
