import * as z from 'zod'
import type { FetchedComment } from '../kit/conversation.ts'
import { fetchedFrom, type Said } from '../meta/comment-thread.ts'
import { orOdd, withoutOdd, type UnderToken } from '../meta/pages.ts'
import { time } from '../meta/time.ts'
import type { RestIo } from '../kit/rest.ts'
import { pages } from './api.ts'
import { addresseeOf } from './address.ts'
import { authorFields, isOurs, nameOf } from './author.ts'
import type { CommentedMedia } from './commented-media.ts'
import { fewerFields } from './fewer-fields.ts'
import { plainId } from '../kit/plain-id.ts'

const PAGE = 50
const PLAIN = 'id,text,timestamp,username,hidden'
const WHOLE = `${PLAIN},from{id,username}`
const FIELD_SETS = [`${WHOLE},replies.limit(${PAGE}){${WHOLE}}`, `${PLAIN},replies.limit(${PAGE}){${PLAIN}}`, PLAIN]

const own = {
  id: plainId,
  text: z.string().catch(''),
  timestamp: time,
  hidden: z.boolean().catch(false),
  ...authorFields,
}
const reply = z.object(own)
const comment = z.object({
  ...own,
  replies: z
    .object({ data: z.array(orOdd(reply)), paging: z.object({ next: z.string().optional() }).optional() })
    .optional()
    .catch(undefined),
})
type Reply = z.infer<typeof reply>
type Comment = z.infer<typeof comment>

/** Whose comments to read, and since when (ms since the epoch). */
export interface Reading {
  readonly us: { readonly accountId: string; readonly username: string }
  readonly since: number
  readonly underToken: UnderToken
  readonly io: RestIo
}

export interface CommentReader {
  /**
   * Reads what others wrote under a post. A reply is found if the comment that it answers is on a page with a new one.
   *
   * @throws PlatformError
   */
  readonly under: (media: CommentedMedia) => AsyncGenerator<readonly FetchedComment[]>
  /** Whether, in all that was read, comments are counted and none by others is listed. */
  readonly areWithheld: () => boolean
}

export function commentReader(reading: Reading): CommentReader {
  const withFields = fewerFields(FIELD_SETS)
  const found: Found = { hidesCounted: false, byOthers: false }
  return {
    under: (media) => withFields((fields) => commentsWith(fields, media, reading, found)),
    areWithheld: () => found.hidesCounted && !found.byOthers,
  }
}

/** What the lists have shown so far. */
interface Found {
  /** Some list is empty although comments are counted. */
  hidesCounted: boolean
  /** Some list has a comment by somebody else, of any age. */
  byOthers: boolean
}

/** Instagram lists the newest first. */
async function* commentsWith(
  fields: string,
  { id: mediaId, count = 0 }: CommentedMedia,
  reading: Reading,
  found: Found,
): AsyncGenerator<readonly FetchedComment[]> {
  const { since, underToken, io } = reading
  const edge = { path: `/${mediaId}/comments`, query: { fields }, item: orOdd(comment), limit: PAGE }
  const replies = fields === PLAIN ? 'unknown' : 'known'
  let isEmpty = true
  for await (const page of pages(edge, underToken, io)) {
    isEmpty &&= page.length === 0
    const comments = withoutOdd(page)
    const fetched: FetchedComment[] = []
    for (const one of comments) {
      const thread = await saidIn(one, reading)
      found.byOthers ||= thread.some(({ isOurs }) => !isOurs)
      fetched.push(...fetchedFrom(thread, mediaId, since, replies))
    }
    yield fetched
    const last = comments.at(-1)
    if (last && last.timestamp < since) return
  }
  found.hidesCounted ||= isEmpty && count > 0
}

async function saidIn(one: Comment, reading: Reading): Promise<readonly Said[]> {
  const replies = await repliesTo(one, reading)
  return [said(one, undefined, reading), ...replies.map((reply) => said(reply, one.id, reading))]
}

/** Replies come with the comment, in unknown order: if there are more, all are read. */
async function repliesTo({ id, replies }: Comment, { underToken, io }: Reading): Promise<readonly Reply[]> {
  if (replies?.paging?.next === undefined) return withoutOdd(replies?.data ?? [])
  const read = (fields: string) =>
    pages({ path: `/${id}/replies`, query: { fields }, item: orOdd(reply), limit: PAGE }, underToken, io)
  const all: Reply[] = []
  for await (const page of fewerFields([WHOLE, PLAIN])(read)) all.push(...withoutOdd(page))
  return all
}

function said(one: Reply, parentId: string | undefined, { us }: Reading): Said {
  const { id, text, timestamp: at, hidden: isHidden, from } = one
  const author = nameOf(one) ?? ''
  const ours = isOurs(one, us) ?? false
  return { id, parentId, text, author, authorId: from?.id, at, isOurs: ours, isHidden, addressee: addresseeOf(text) }
}
