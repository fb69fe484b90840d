import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { listedSince, matching, postFields, timeOf, type ListedPost, type PostList } from '../meta/post-list.ts'
import type { Published, PublishJob } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { graph } from './api.ts'

const PAGE = 100
/** Of posts newer than one attempt: more than an account may publish in days. */
const MOST_PAGES = 10

const listing = z.object({
  data: z.array(z.object({ ...postFields, text: z.string().default('') })),
  paging: z.object({ cursors: z.object({ after: z.string().optional() }).optional() }).optional(),
})

/**
 * The account's posts that may be this one: same text and type, and not older than `from` (ms since the epoch, our clock).
 *
 * @throws PlatformError
 */
export async function livePosts(
  job: PublishJob,
  from: number,
  session: Session,
  io: RestIo,
): Promise<readonly Published[]> {
  return matching(job, (await postsSince(job.account.externalId, from, session, io)).posts, session)
}

/**
 * The list has cursors but no links: it ends with an empty page, or with a cursor that is missing or repeated.
 *
 * @param from ms since the epoch, by our clock
 * @throws PlatformError
 */
export async function postsSince(accountId: string, from: number, session: Session, io: RestIo): Promise<PostList> {
  const since = listedSince(from)
  const query = { fields: 'id,text,media_type,permalink,timestamp', limit: String(PAGE), since: String(since) }
  const found = new Map<string, ListedPost>()
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const whole = { ...query, ...(after !== undefined && { after }) }
    const call = { method: 'GET', path: `/${accountId}/threads`, query: whole } as const
    const { data, paging } = await graph(session, call, listing, io)
    for (const one of data) if (timeOf(one) >= since * 1000) found.set(one.id, one)
    const next = paging?.cursors?.after
    if (data.length === 0 || next === undefined || next === after) return { posts: [...found.values()], isWhole: true }
    after = next
  }
  return { posts: [...found.values()], isWhole: false }
}
