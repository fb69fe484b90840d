import * as z from 'zod'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { byEitherName, callAs, idSchema, type Names } from './call.ts'

/** X lists the 800 newest mentions, 100 per page. The same limit is applied to an account's own posts. */
const MOST_PAGES = 8

export interface Listing {
  readonly list: 'tweets' | 'mentions'
  /** ISO 8601 UTC. */
  readonly since: string
  /** The requested fields, under the old and the new names. */
  readonly query: Readonly<Record<Names['postFields'], Readonly<Record<string, string>>>>
}

export interface ListPage<Post> {
  readonly posts: readonly Post[]
  /** The authors by id. */
  readonly users: ReadonlyMap<string, XUser>
  /** False if posts are missing: X omitted them, they could not be parsed, or they are beyond the page limit. */
  readonly isWhole: boolean
}

export type XUser = z.infer<typeof user>
const word = z.string().catch('')
const user = z.object({ id: word, name: word, username: word })
const nobody: XUser = { id: '', name: '', username: '' }

const page = z.object({
  data: z.array(z.unknown()).default([]),
  includes: z.object({ users: z.array(user.catch(nobody)) }).catch({ users: [] }),
  // Partial errors of a page that X answers with 200.
  errors: z.array(z.object({ parameter: word }).catch({ parameter: '' })).default([]),
  meta: z.object({ next_token: z.string().optional() }).optional(),
})

const references = z.array(z.object({ type: z.string(), id: idSchema })).optional()

/** The posts that a post refers to, under the old or the new name. */
export const referring = { referenced_tweets: references, referenced_posts: references }

/** @returns the id of the first post referred to in this way */
export function referenced(
  { referenced_tweets, referenced_posts }: z.infer<z.ZodObject<typeof referring>>,
  type: 'replied_to' | 'retweeted',
): string | undefined {
  return (referenced_tweets ?? referenced_posts)?.find((reference) => reference.type === type)?.id
}

/** The posts of a list since then, newest first, page by page. */
export async function* listed<Post>(
  account: PlatformAccount,
  listing: Listing,
  post: z.ZodType<Post>,
  io: PlatformIo,
): AsyncGenerator<ListPage<Post>> {
  let token: string | undefined
  for (let pages = 1; pages <= MOST_PAGES; pages += 1) {
    const { data, includes, errors, meta } = await byEitherName((names) => ask(account, listing, token, names, io))
    const posts = data.flatMap((given) => post.safeParse(given).data ?? [])
    token = meta?.next_token
    const isCutOff = token !== undefined && pages === MOST_PAGES
    // A reference to a deleted post does not make the list incomplete.
    const missing = errors.filter(({ parameter }) => !parameter.startsWith('referenced_'))
    yield {
      posts,
      users: new Map(includes.users.map((user) => [user.id, user])),
      // Every list of X has `meta`.
      isWhole: meta !== undefined && missing.length === 0 && posts.length === data.length && !isCutOff,
    }
    if (token === undefined) return
  }
}

function ask(
  account: PlatformAccount,
  { list, since, query }: Listing,
  token: string | undefined,
  { postFields }: Names,
  io: PlatformIo,
): Promise<z.infer<typeof page>> {
  const asked = new URLSearchParams({
    max_results: '100',
    // X documents a resolution of seconds.
    start_time: since.replace(/\.\d+Z$/, 'Z'),
    ...query[postFields],
    ...(token !== undefined && { pagination_token: token }),
  })
  return callAs(account, { method: 'GET', path: `/2/users/${account.externalId}/${list}?${asked}` }, page, io)
}
