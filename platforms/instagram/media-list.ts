import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { asPlaced, isStory, STORY_LIFE_MS } from '../meta/placement.ts'
import { listedSince, matching, postFields, timeOf, type ListedPost, type PostList } from '../meta/post-list.ts'
import type { Published, PublishJob } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { graph } from './api.ts'

const PAGE = 50
/** Of media newer than one attempt: more than an account may publish in days. */
const MOST_PAGES = 10

export const paging = z
  .object({ next: z.string().optional(), cursors: z.object({ after: z.string() }).optional() })
  .optional()
const media = z
  .object({ ...postFields, caption: z.string().optional() })
  .transform(({ caption: text = '', ...post }) => ({ ...post, text }))
const listing = z.object({ data: z.array(media), paging })

/**
 * The account's media that may be this post: same caption and type, and not older than `from` (ms since the epoch, our clock).
 *
 * @throws PlatformError
 */
export async function livePosts(
  job: PublishJob,
  from: number,
  session: Session,
  io: RestIo,
): Promise<readonly Published[]> {
  return matching(asPlaced(job), (await mediaSince(job, from, session, io)).posts, session)
}

/**
 * The account's media, or its stories, which are listed apart and for a day.
 *
 * @param from ms since the epoch, by our clock
 * @throws PlatformError
 */
export async function mediaSince(job: PublishJob, from: number, session: Session, io: RestIo): Promise<PostList> {
  const path = `/${job.account.externalId}/${isStory(job) ? 'stories' : 'media'}`
  const isListed = !isStory(job) || io.clock.now() < from + STORY_LIFE_MS
  const since = listedSince(from)
  const query = {
    ...{ fields: 'id,caption,media_type,permalink,timestamp', limit: String(PAGE) },
    ...(!isStory(job) && { since: String(since) }),
  }
  // A list that grows while it is read may contain an item twice.
  const found = new Map<string, ListedPost>()
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const whole = { ...query, ...(after !== undefined && { after }) }
    const call = { method: 'GET', path, query: whole } as const
    const { data, paging } = await graph(session, call, listing, io)
    // Instagram may ignore `since`.
    const recent = data.filter((post) => timeOf(post) >= since * 1000)
    for (const post of recent) found.set(post.id, post)
    after = paging?.next === undefined ? undefined : paging.cursors?.after
    if (after === undefined || recent.length < data.length) return { posts: [...found.values()], isWhole: isListed }
  }
  return { posts: [...found.values()], isWhole: false }
}
