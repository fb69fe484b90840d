import * as z from 'zod'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { Analytics, ChannelFacts } from '../kit/analytics.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { competitors } from './analytics-competitors.ts'
import { channelFacts, countedPost, postMetrics } from './analytics-counts.ts'
import { profileOf } from './analytics-profile.ts'
import { COLLECTION } from './record.ts'
import { withSession } from './session.ts'
import { xrpc } from './xrpc.ts'

/** Bluesky does not count views. */
export const analytics: Analytics = {
  postsPerCall: 25,
  // The limit is 3,000 calls per 5 minutes and IP address; a call for posts counts as one.
  freshForMs: 60_000,
  metrics,
  channel,
  competitors,
}

const POST_URI = new RegExp(`^at://did:[a-z]+:[a-zA-Z0-9._:%-]+/${COLLECTION}/[a-zA-Z0-9._~:-]{1,512}$`)
/** Far more than any single record can hold, even a malicious one. */
const MOST_BYTES = 8 * 1024 * 1024

const views = z.object({ posts: z.array(z.unknown()) })

async function metrics(
  account: PlatformAccount,
  postIds: readonly string[],
  io: PlatformIo,
): Promise<ReadonlyMap<string, PostMetrics>> {
  // A single malformed URI makes the server reject the whole batch.
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
