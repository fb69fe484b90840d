import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { listedSince, matching, postFields, timeOf, type ListedPost, type PostList } from '../meta/post-list.ts'
import type { Published, PublishJob } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { graph } from './api.ts'
import { hasNoReplies } from './find-reply.ts'
import { plainId } from '../kit/plain-id.ts'

const PAGE = 100
/** Of posts newer than one attempt: more than an account may publish in days. */
const MOST_PAGES = 10

const FIELDS = 'id,text,media_type,permalink,timestamp'

const listing = z.object({
  data: z.array(
    z.object({ ...postFields, text: z.string().default(''), replied_to: z.object({ id: plainId }).optional() }),
  ),
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
  return matching(job, (await postsSince(job, from, session, io)).posts, session)
}

/**
 * The account's posts; for a part of a chain, its replies to the part before. Newest first. The lists have cursors but no links:
 * they end with an empty page, or with a cursor that is missing or repeated.
 *
 * @param from ms since the epoch, by our clock
 * @throws PlatformError
 */
export async function postsSince(
  { account, inReplyTo }: Pick<PublishJob, 'account' | 'inReplyTo'>,
  from: number,
  session: Session,
  io: RestIo,
): Promise<PostList> {
  const since = listedSince(from)
  const to = inReplyTo?.previous.postId
  const edge = inReplyTo
    ? { path: `/${account.externalId}/replies`, query: { fields: `${FIELDS},replied_to{id}` } }
    : { path: `/${account.externalId}/threads`, query: { fields: FIELDS, since: String(since) } }
  const found = new Map<string, ListedPost>()
  let isEmpty = true
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { ...edge.query, limit: String(PAGE), ...(after !== undefined && { after }) }
    const { data, paging } = await graph(session, { method: 'GET', path: edge.path, query }, listing, io)
    const recent = data.filter((one) => timeOf(one) >= since * 1000)
    for (const one of recent) if (one.replied_to?.id === to) found.set(one.id, one)
    isEmpty &&= data.length === 0
    const next = paging?.cursors?.after
    if (recent.length === 0 || next === undefined || next === after) {
      const isWhole = !inReplyTo || !isEmpty || (await hasNoReplies(account.externalId, session, io))
      return { posts: [...found.values()], isWhole }
    }
    after = next
  }
  return { posts: [...found.values()], isWhole: false }
}
