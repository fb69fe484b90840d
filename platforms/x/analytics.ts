import { z } from 'zod'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { Analytics, ChannelFacts } from '../kit/analytics.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { competitors } from './analytics-competitors.ts'
import { postCounts } from './analytics-counts.ts'
import { lookUp } from './analytics-users.ts'
import { byEitherName, callAs, idSchema } from './call.ts'

/** What X counts in public. What only the owner may see, X tells of posts of the last 30 days alone. */
export const analytics: Analytics = {
  postsPerCall: 100,
  // X charges a post that it tells of once a day (UTC), however often, but lets an account ask for itself 75 times in 15
  // minutes, and an app for posts 3,500 times, for all its accounts together.
  freshForMs: 5 * 60_000,
  metrics,
  channel,
  competitors,
}

const counted = z.object({ id: idSchema, public_metrics: postCounts })
/** X answers 200 with what it has, and with an error for each post that it does not have. */
const lookup = z
  .object({ data: z.array(z.unknown()).optional(), errors: z.array(z.unknown()).optional() })
  .refine(({ data, errors }) => data !== undefined || errors !== undefined, 'neither posts nor errors')

async function metrics(
  account: PlatformAccount,
  postIds: readonly string[],
  io: PlatformIo,
): Promise<ReadonlyMap<string, PostMetrics>> {
  // One that can't be an id has X refuse all.
  const ids = postIds.filter((id) => idSchema.safeParse(id).success)
  if (ids.length === 0) return new Map()
  const { data = [] } = await byEitherName(({ postFields }) => {
    const query = new URLSearchParams({ ids: ids.join(','), [postFields]: 'public_metrics' })
    return callAs(account, { method: 'GET', path: `/2/tweets?${query}` }, lookup, io)
  })
  const posts = data.flatMap((given) => counted.safeParse(given).data ?? [])
  return new Map(posts.map(({ id, public_metrics }) => [id, public_metrics]))
}

async function channel(account: PlatformAccount, io: PlatformIo): Promise<ChannelFacts> {
  return (await lookUp('me', account, io))?.public_metrics ?? {}
}
