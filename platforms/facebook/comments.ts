import * as z from 'zod'
import { fetchedFrom, type Said } from '../meta/comment-thread.ts'
import { orOdd, withoutOdd, type UnderToken } from '../meta/pages.ts'
import { time } from '../meta/time.ts'
import type { FetchedComment } from '../kit/conversation.ts'
import type { RestIo } from '../kit/rest.ts'
import { pages } from './api.ts'
import type { CommentedPost } from './commented-posts.ts'
import { plainId } from '../kit/plain-id.ts'

const PAGE = 50
/** Facebook lists the oldest first by default. */
export const NEWEST_FIRST = { filter: 'toplevel', order: 'reverse_chronological' } as const
const OWN = 'id,message,created_time,from{id,name},is_hidden'
const BELOW = 'comments.order(reverse_chronological).limit(25)'
const FIELDS = `${OWN},${BELOW}{${OWN},${BELOW}{${OWN}}}`

interface Comment {
  readonly id: string
  readonly message: string
  readonly created_time: number
  readonly from?: { readonly id?: string | undefined; readonly name?: string | undefined } | undefined
  readonly is_hidden: boolean
  readonly comments?: Replies | undefined
}
interface Replies {
  readonly data: readonly (Comment | undefined)[]
  readonly paging?: { readonly next?: string | undefined } | undefined
}

/** A person's identity may be hidden, the Page's never is. */
export const author = z.object({ id: z.string().optional(), name: z.string().optional() }).optional().catch(undefined)

const comment: z.ZodType<Comment> = z.object({
  id: plainId,
  message: z.string().catch(''),
  created_time: time,
  from: author,
  is_hidden: z.boolean().catch(false),
  comments: z
    .lazy(() =>
      z.object({ data: z.array(orOdd(comment)), paging: z.object({ next: z.string().optional() }).optional() }),
    )
    .optional()
    .catch(undefined),
})

/** What to read, and since when (ms since the epoch). */
export interface Reading {
  readonly pageId: string
  readonly since: number
  readonly underToken: UnderToken
  readonly io: RestIo
}

/**
 * What others wrote under a post. A reply is found if its thread starts on a page with something new.
 *
 * @throws PlatformError
 */
export async function* commentsUnder(
  { target, postId }: CommentedPost,
  reading: Reading,
): AsyncGenerator<readonly FetchedComment[]> {
  for await (const page of commentsOf(target, reading)) {
    const fetched: FetchedComment[] = []
    for (const one of page) fetched.push(...fetchedFrom(await saidIn(one, undefined, reading), postId, reading.since))
    yield fetched
  }
}

/** Comments directly under a post or comment, up to the first page that ends with an old one. */
async function* commentsOf(id: string, { since, underToken, io }: Reading): AsyncGenerator<readonly Comment[]> {
  const edge = {
    path: `/${id}/comments`,
    query: { ...NEWEST_FIRST, fields: FIELDS },
    item: orOdd(comment),
    limit: PAGE,
  }
  for await (const page of pages(edge, underToken, io)) {
    const comments = withoutOdd(page)
    yield comments
    const last = comments.at(-1)
    if (last && last.created_time < since) return
  }
}

async function saidIn(one: Comment, parentId: string | undefined, reading: Reading): Promise<readonly Said[]> {
  const { id, message: text, created_time: at, from, is_hidden: isHidden } = one
  const isOurs = from?.id === reading.pageId
  const said = [{ id, parentId, text, author: from?.name ?? '', authorId: from?.id, at, isOurs, isHidden }]
  const below: Said[] = []
  for (const reply of await repliesTo(one, reading)) below.push(...(await saidIn(reply, id, reading)))
  return [...said, ...below]
}

/** The newest come with the comment; if all of them are new, there may be more. */
async function repliesTo({ id, comments }: Comment, reading: Reading): Promise<readonly Comment[]> {
  const newest = withoutOdd(comments?.data ?? [])
  const last = newest.at(-1)
  if (comments?.paging?.next === undefined || (last && last.created_time < reading.since)) return newest
  const all: Comment[] = []
  for await (const page of commentsOf(id, reading)) all.push(...page)
  return all
}
