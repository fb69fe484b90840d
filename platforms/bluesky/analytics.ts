import { z } from 'zod'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { Analytics, ChannelFacts } from '../kit/analytics.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { competitors } from './analytics-competitors.ts'
import { channelFacts, countedPost, postMetrics } from './analytics-counts.ts'
import { profileOf } from './analytics-profile.ts'
import { COLLECTION } from './record.ts'
import { withSession } from './session.ts'
import { xrpc } from './xrpc.ts'

/** What the app counts. How often a post was seen, nobody does. */
export const analytics: Analytics = {
  postsPerCall: 25,
  // 3,000 calls in 5 minutes are let through from one address; a call for posts is one of them.
  freshForMs: 60_000,
  metrics,
  channel,
  competitors,
}

const POST_URI = new RegExp(`^at://did:[a-z]+:[a-zA-Z0-9._:%-]+/${COLLECTION}/[a-zA-Z0-9._~:-]{1,512}$`)
/** One record has less, whatever is written into it on purpose. */
const MOST_BYTES = 8 * 1024 * 1024

const views = z.object({ posts: z.array(z.unknown()) })

async function metrics(
  account: PlatformAccount,
  postIds: readonly string[],
  io: PlatformIo,
): Promise<ReadonlyMap<string, PostMetrics>> {
  // One that can't be a post's has the server refuse all.
  const uris = postIds.filter((id) => POST_URI.test(id))
  if (uris.length === 0) return new Map()
  const { posts } = await withSession(account, io, ({ host, accessJwt: token }) => {
    const call = { host, method: 'GET', nsid: 'app.bsky.feed.getPosts', token, query: { uris } } as const
    return xrpc({ ...call, maxBytes: MOST_BYTES }, views, io)
  })
  const counted = posts.flatMap((given) => countedPost.safeParse(given).data ?? [])
  return new Map(counted.map((post) => [post.uri, postMetrics(post)]))
}

async function channel(account: PlatformAccount, io: PlatformIo): Promise<ChannelFacts> {
  const profile = await profileOf(account.externalId, account, io)
  return profile ? channelFacts(profile) : {}
}
