import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { FetchedComment } from '../kit/conversation.ts'
import { orOdd, withoutOdd } from '../meta/pages.ts'
import { time } from '../meta/time.ts'
import { pages } from './api.ts'
import type { ListedPost, Reading } from './own-posts.ts'
import { plainId } from '../kit/plain-id.ts'

const PAGE = 100
/** `NOT_HUSHED` and `UNHUSHED` are visible to everyone. */
const HIDDEN: readonly (string | undefined)[] = ['HIDDEN', 'COVERED', 'BLOCKED', 'RESTRICTED']

const parent = z.object({ id: plainId }).optional().catch(undefined)
const reply = z.object({
  id: plainId,
  text: z.string().catch(''),
  username: z.string().catch(''),
  timestamp: time,
  replied_to: parent,
  is_reply_owned_by_me: z.boolean().catch(false),
  hide_status: z.string().optional().catch(undefined),
})
const mention = z.object({ ...reply.shape, root_post: parent })
type Reply = z.infer<typeof reply>

/**
 * What others wrote under a post, at any depth.
 *
 * @throws PlatformError
 */
export async function* repliesUnder(
  { id: postId, username }: ListedPost,
  { since, underToken, io }: Reading,
): AsyncGenerator<readonly FetchedComment[]> {
  const fields = 'id,text,username,timestamp,replied_to{id},is_reply_owned_by_me,hide_status'
  const query = { fields, reverse: 'true' }
  const edge = { path: `/${postId}/conversation`, query, item: orOdd(reply), limit: PAGE }
  // The newest come first, so a reply always precedes what it answers.
  const answered = new Set<string>()
  for await (const page of pages(edge, underToken, io)) {
    const replies = withoutOdd(page)
    const isOurs = (one: Reply): boolean => one.is_reply_owned_by_me || one.username === username
    for (const { replied_to } of replies.filter(isOurs)) if (replied_to) answered.add(replied_to.id)
    yield replies
      .filter((one) => one.timestamp >= since && !isOurs(one) && !HIDDEN.includes(one.hide_status))
      .map((one) => ({ ...fetched(one), kind: 'comment', postId, replied: answered.has(one.id) }))
    const last = replies.at(-1)
    if (last && last.timestamp < since) return
  }
}

/**
 * Mentions of the account elsewhere.
 *
 * @param own the account's posts: a mention under one of them is a comment
 * @throws PlatformError
 */
export async function* mentions(
  own: ReadonlyMap<string, ListedPost>,
  { accountId, since, underToken, io }: Reading,
): AsyncGenerator<readonly FetchedComment[]> {
  const fields = 'id,text,username,timestamp,root_post{id},replied_to{id}'
  const query = { fields, since: String(since / 1000) }
  const edge = { path: `/${accountId}/mentions`, query, item: orOdd(mention), limit: PAGE }
  for await (const page of pages(edge, underToken, io)) {
    const names = new Set([...own.values()].map(({ username }) => username))
    const isOwn = ({ id, root_post: root, username }: z.infer<typeof mention>): boolean =>
      own.has(root?.id ?? id) || names.has(username)
    yield withoutOdd(page)
      .filter((one) => one.timestamp >= since && !isOwn(one))
      .map((one) => ({ ...fetched(one), kind: 'mention' }))
  }
}

function fetched({ id, username, text, timestamp }: Reply): Omit<FetchedComment, 'kind'> {
  return { id, author: username, text, createdAt: isoTime(timestamp), references: {} }
}
