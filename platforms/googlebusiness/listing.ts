import { z } from 'zod'
import type { Api } from './api.ts'
import { localPostSchema, type LocalPost } from './local-post.ts'

/** Below the largest, 100: a page of so many long posts could be longer than an answer may be. */
const PAGE_SIZE = 50
const MOST_PAGES = 20

const nextPageToken = z.string().optional()
/** Google leaves out a list that is empty: what has something else instead is no answer of its. */
const postPage = z.union([
  z.object({ localPosts: z.array(localPostSchema), nextPageToken }),
  z.strictObject({ nextPageToken }).transform((page) => ({ ...page, localPosts: [] })),
])

export interface ListedPost extends LocalPost {
  /** Milliseconds since the epoch; undefined when Google does not say. */
  readonly createdAt: number | undefined
}

export interface Listing {
  readonly posts: readonly ListedPost[]
  /** Whether every post made since the time asked for is surely among them, as far as Google lists it by now. */
  readonly complete: boolean
}

/**
 * The posts of a location as far back as a time. The order is not documented: only where the list itself shows that it
 * is newest first is the rest of it taken for older.
 *
 * @returns undefined when the list can't be read
 * @throws PlatformError
 */
export async function postsSince(location: string, since: number, api: Api): Promise<Listing | undefined> {
  const posts: ListedPost[] = []
  let pageToken = ''
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({ pageSize: String(PAGE_SIZE), ...(pageToken && { pageToken }) })
    const url = `${api.hosts.posts}/${location}/localPosts?${query}`
    const answer = postPage.safeParse(await api.call({ method: 'GET', url }, z.unknown()))
    if (!answer.success) return undefined
    const { localPosts, nextPageToken } = answer.data
    posts.push(...localPosts.map((post) => ({ ...post, createdAt: timeOf(post.createTime) })))
    if (!nextPageToken || reachesBehind(since, posts)) return { posts, complete: true }
    pageToken = nextPageToken
  }
  return { posts, complete: false }
}

function reachesBehind(since: number, posts: readonly ListedPost[]): boolean {
  const times = posts.map(({ createdAt }) => createdAt ?? NaN)
  const [newest = NaN, oldest = NaN] = [times.at(0), times.at(-1)]
  const newestFirst = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? NaN))
  return newestFirst && newest > oldest && oldest < since
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? undefined : time
}
