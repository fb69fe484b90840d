import { z } from 'zod'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { byEitherName, callAs, idSchema, type Names } from './call.ts'

/** X shows the 800 newest mentions, 100 on a page; of an account's own posts no more are looked through. */
const MOST_PAGES = 8

export interface Listing {
  readonly list: 'tweets' | 'mentions'
  /** ISO 8601 UTC. */
  readonly since: string
  /** What is asked for, by either family of names. */
  readonly query: Readonly<Record<Names['postFields'], Readonly<Record<string, string>>>>
}

export interface ListPage<Post> {
  readonly posts: readonly Post[]
  /** The authors, by their ids. */
  readonly users: ReadonlyMap<string, XUser>
  /** False when something is missing: X left it out or showed it in an odd shape, or it is further back than is looked. */
  readonly isWhole: boolean
}

export type XUser = z.infer<typeof user>
const word = z.string().catch('')
const user = z.object({ id: word, name: word, username: word })
const nobody: XUser = { id: '', name: '', username: '' }

const page = z.object({
  data: z.array(z.unknown()).default([]),
  includes: z.object({ users: z.array(user.catch(nobody)) }).catch({ users: [] }),
  // What X could not show of a page that it otherwise answers with 200.
  errors: z.array(z.object({ parameter: word }).catch({ parameter: '' })).default([]),
  meta: z.object({ next_token: z.string().optional() }).optional(),
})

const references = z.array(z.object({ type: z.string(), id: idSchema })).optional()

/** Which other posts a post refers to, by either name. */
export const referring = { referenced_tweets: references, referenced_posts: references }

/** @returns the id of the first post that it refers to in this way */
export function referenced(
  { referenced_tweets, referenced_posts }: z.infer<z.ZodObject<typeof referring>>,
  type: 'replied_to' | 'retweeted',
): string | undefined {
  return (referenced_tweets ?? referenced_posts)?.find((reference) => reference.type === type)?.id
}

/** The newest posts of a list first, page by page, until all since then are shown. */
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
    // That a post refers to one that has gone takes nothing from the list.
    const missing = errors.filter(({ parameter }) => !parameter.startsWith('referenced_'))
    yield {
      posts,
      users: new Map(includes.users.map((user) => [user.id, user])),
      // An answer without it is none of X's lists.
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
    // To the second, as X documents it.
    start_time: since.replace(/\.\d+Z$/, 'Z'),
    ...query[postFields],
    ...(token !== undefined && { pagination_token: token }),
  })
  return callAs(account, { method: 'GET', path: `/2/users/${account.externalId}/${list}?${asked}` }, page, io)
}
