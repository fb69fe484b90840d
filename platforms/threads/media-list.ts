import { z } from 'zod'
import type { Published, PublishJob } from '../platform.ts'
import type { RestIo } from '../rest.ts'
import { graph, type Session } from './graph.ts'

/** How far the clocks may be apart. */
const SKEW_MS = 60_000
const PAGE = 100
/** Of posts younger than one attempt: more than an account may publish in days. */
const MOST_PAGES = 10

const post = z.object({
  id: z.string().min(1),
  text: z.string().optional(),
  media_type: z.string().optional(),
  permalink: z.string().optional(),
  timestamp: z.string(),
})
const listing = z.object({
  data: z.array(post),
  paging: z.object({ cursors: z.object({ after: z.string().optional() }).optional() }).optional(),
})
type Post = z.infer<typeof post>

const MEDIA_TYPES = { image: 'IMAGE', video: 'VIDEO' } as const

/**
 * The account's posts that may be this one: its text to the letter, its type, and not older than `from` (ms since the
 * epoch, by our clock).
 *
 * @throws PlatformError
 */
export async function livePosts(
  { account, text: wanted, mediaType }: PublishJob,
  from: number,
  session: Session,
  io: RestIo,
): Promise<readonly Published[]> {
  const since = Math.floor((from - SKEW_MS) / 1000)
  const recent = await postsSince(account.externalId, since, session, io)
  return recent
    .filter(({ text = '', media_type: type }) => text === wanted && type === MEDIA_TYPES[mediaType])
    .map(({ id, permalink }) => ({ postId: id, ...(permalink !== undefined && { url: permalink }) }))
}

/** The list has cursors and no links: it ends with an empty page, or with a cursor that is absent or comes again. */
async function postsSince(accountId: string, since: number, session: Session, io: RestIo): Promise<readonly Post[]> {
  const query = { fields: 'id,text,media_type,permalink,timestamp', limit: String(PAGE), since: String(since) }
  const found = new Map<string, Post>()
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const whole = { ...query, ...(after !== undefined && { after }) }
    const call = { method: 'GET', path: `/${accountId}/threads`, query: whole } as const
    const { data, paging } = await graph(session, call, listing, io)
    for (const one of data) if (timeOf(one.timestamp) >= since * 1000) found.set(one.id, one)
    const next = paging?.cursors?.after
    if (data.length === 0 || next === undefined || next === after) break
    after = next
  }
  return [...found.values()]
}

const shown = z.object({ permalink: z.string().optional() })

/** Only Threads knows a post's address: none can be made of the id. @throws PlatformError */
export async function permalinkOf(mediaId: string, session: Session, io: RestIo): Promise<string | undefined> {
  const call = { method: 'GET', path: `/${mediaId}`, query: { fields: 'id,permalink' }, timeoutMs: 4_000 } as const
  return (await graph(session, call, shown, io)).permalink
}

/** Written as `2026-09-01T10:20:30+0000`; the standard has a colon in the offset. */
function timeOf(timestamp: string): number {
  return Date.parse(timestamp.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
}
