import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { CompetitorFacts } from '../kit/analytics.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { countedPost, postMetrics } from './analytics-counts.ts'
import { withSession, type Session } from './session.ts'
import { xrpc, type XrpcIo } from './xrpc.ts'

const MOST_POSTS = 100
/** Bounds the work for accounts that repost far more than they write. */
const MOST_PAGES = 5
const PAGE_BYTES = 8 * 1024 * 1024

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
const entry = z.object({
  post: countedPost.extend({
    author: z.object({ did: z.string() }),
    indexedAt: time,
    record: z.object({ createdAt: time }).optional().catch(undefined),
  }),
  /** Set for reposts and pinned posts. */
  reason: z.unknown().optional(),
})

const pageSchema = z.object({ feed: z.array(z.unknown()), cursor: z.string().optional() })

/**
 * The newest posts that an account wrote itself, without replies.
 *
 * @param since ISO 8601
 * @throws PlatformError
 */
export async function recentOf(
  did: string,
  since: string,
  account: PlatformAccount,
  io: PlatformIo,
): Promise<CompetitorFacts['recent']> {
  const earliest = Date.parse(since)
  const recent: z.infer<typeof entry>['post'][] = []
  let before: string | undefined
  for (let pages = 1; pages <= MOST_PAGES; pages += 1) {
    const { feed, cursor } = await withSession(account, io, (session) => pageBefore(before, did, session, io))
    const own = feed
      .flatMap((given) => entry.safeParse(given).data ?? [])
      .flatMap(({ post, reason }) => (reason === undefined && post.author.did === did ? [post] : []))
    recent.push(...own.filter((post) => writtenAt(post) >= earliest))
    const oldest = own.at(-1)
    const isDone = recent.length >= MOST_POSTS || (oldest !== undefined && writtenAt(oldest) < earliest)
    if (isDone || cursor === undefined || cursor === before) break
    before = cursor
  }
  return recent.slice(0, MOST_POSTS).map((post) => ({
    id: post.uri,
    createdAt: isoTime(writtenAt(post)),
    metrics: postMetrics(post),
  }))
}

/** Keeps the original date of posts imported from elsewhere, and ignores dates in the future. */
function writtenAt({ indexedAt, record }: z.infer<typeof entry>['post']): number {
  return Math.min(indexedAt, record?.createdAt ?? indexedAt)
}

function pageBefore(
  cursor: string | undefined,
  actor: string,
  { host, accessJwt: token }: Session,
  io: XrpcIo,
): Promise<z.infer<typeof pageSchema>> {
  const query = { actor, limit: '100', filter: 'posts_no_replies', ...(cursor !== undefined && { cursor }) }
  const call = { host, method: 'GET', nsid: 'app.bsky.feed.getAuthorFeed', token, query, maxBytes: PAGE_BYTES } as const
  return xrpc(call, pageSchema, io)
}
