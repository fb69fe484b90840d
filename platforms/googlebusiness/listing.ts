import * as z from 'zod'
import type { Api } from './api.ts'
import { localPostSchema, type LocalPost } from './local-post.ts'

/** The maximum is 100, but a page of that many long posts could exceed our response size limit. */
const PAGE_SIZE = 50
const MOST_PAGES = 20

const nextPageToken = z.string().optional()
/** Google omits an empty list. The strict object rejects anything else that lacks the list. */
const postPage = z.union([
  z.object({ localPosts: z.array(localPostSchema), nextPageToken }),
  z.strictObject({ nextPageToken }).transform((page) => ({ ...page, localPosts: [] })),
])

export interface ListedPost extends LocalPost {
  /** Milliseconds since the epoch; undefined if Google does not give it. */
  readonly createdAt: number | undefined
}

export interface Listing {
  readonly posts: readonly ListedPost[]
  /** Whether this includes every post since the requested time, apart from those Google does not list yet. */
  readonly complete: boolean
}

/**
 * The posts of a location back to a point in time. The order is not documented, so paging stops early only if the posts
 * read so far are clearly sorted newest first.
 *
 * @returns undefined if the list cannot be parsed
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
