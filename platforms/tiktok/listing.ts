import { z } from 'zod'
import type { Api } from './api.ts'
import { plainId } from '../plain-id.ts'

const FIELDS = 'id,create_time,title,video_description,share_url'
const PAGE_SIZE = 20
const MOST_PAGES = 5

const text = z.string().nullish().catch(undefined)
const listAnswer = z.object({
  videos: z.array(
    z.object({
      id: plainId,
      /** Seconds since the epoch. */
      create_time: z.number(),
      title: text,
      video_description: text,
      share_url: text,
    }),
  ),
  cursor: z.number().optional().catch(undefined),
  has_more: z.boolean(),
})
export type Listed = z.infer<typeof listAnswer>['videos'][number]

/**
 * The account's public posts since a time, newest first.
 *
 * @param since milliseconds since the epoch
 * @returns undefined when there are too many to be sure
 * @throws PlatformError
 */
export async function postsSince(since: number, api: Api): Promise<readonly Listed[] | undefined> {
  const posts: Listed[] = []
  let cursor: number | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const json = { max_count: PAGE_SIZE, ...(cursor !== undefined && { cursor }) }
    const answer = await api({ path: `/video/list/?fields=${FIELDS}`, json }, listAnswer)
    const recent = answer.videos.filter(({ create_time }) => (create_time + 1) * 1_000 > since)
    posts.push(...recent)
    if (!answer.has_more || recent.length < answer.videos.length) return posts
    if (answer.cursor === undefined) return undefined
    cursor = answer.cursor
  }
  return undefined
}
