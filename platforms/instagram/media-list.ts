import { z } from 'zod'
import type { Published, PublishJob } from '../platform.ts'
import type { RestIo } from '../rest.ts'
import { graph, type Session } from './graph.ts'

/** How far the clocks may be apart. */
const SKEW_MS = 60_000
const PAGE = 50
/** Of media younger than one attempt: more than an account may publish in days. */
const MOST_PAGES = 10

const media = z.object({
  id: z.string().min(1),
  caption: z.string().optional(),
  media_type: z.string().optional(),
  permalink: z.string().optional(),
  timestamp: z.string(),
})
export const paging = z
  .object({ next: z.string().optional(), cursors: z.object({ after: z.string() }).optional() })
  .optional()
const listing = z.object({ data: z.array(media), paging })

const MEDIA_TYPES = { image: 'IMAGE', video: 'VIDEO' } as const

/**
 * The account's media that may be this post: its caption to the letter, its type, and not older than `from` (ms since the
 * epoch, by our clock).
 *
 * @throws PlatformError
 */
export async function livePosts(
  { account, text, mediaType }: PublishJob,
  from: number,
  session: Session,
  io: RestIo,
): Promise<readonly Published[]> {
  const since = Math.floor((from - SKEW_MS) / 1000) * 1000
  const query = {
    fields: 'id,caption,media_type,permalink,timestamp',
    limit: String(PAGE),
    since: String(since / 1000),
  }
  const found: Published[] = []
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const call = {
      method: 'GET',
      path: `/${account.externalId}/media`,
      query: { ...query, ...(after !== undefined && { after }) },
    } as const
    const { data, paging } = await graph(session, call, listing, io)
    // Whether `since` is heeded is not sure.
    const recent = data.filter(({ timestamp }) => timeOf(timestamp) >= since)
    for (const { id, caption = '', media_type: type, permalink } of recent) {
      if (caption !== text || type !== MEDIA_TYPES[mediaType]) continue
      found.push({ postId: id, ...(permalink !== undefined && { url: permalink }) })
    }
    after = paging?.next === undefined ? undefined : paging.cursors?.after
    if (after === undefined || recent.length < data.length) break
  }
  return found
}

const shown = z.object({ permalink: z.string().optional() })

/** Only Instagram knows a post's address: none can be made of the id. @throws PlatformError */
export async function permalinkOf(mediaId: string, session: Session, io: RestIo): Promise<string | undefined> {
  const call = { method: 'GET', path: `/${mediaId}`, query: { fields: 'id,permalink' }, timeoutMs: 4_000 } as const
  return (await graph(session, call, shown, io)).permalink
}

/** Written as `2026-09-01T10:20:30+0000`; the standard has a colon in the offset. */
function timeOf(timestamp: string): number {
  return Date.parse(timestamp.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
}
