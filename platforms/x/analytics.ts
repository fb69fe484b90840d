import * as z from 'zod'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { Analytics, ChannelFacts } from '../kit/analytics.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { competitors } from './analytics-competitors.ts'
import { postCounts } from './analytics-counts.ts'
import { lookUp } from './analytics-users.ts'
import { byEitherName, callAs, idSchema } from './call.ts'

/** Public counts only: X offers private ones just for posts of the last 30 days. */
export const analytics: Analytics = {
  postsPerCall: 100,
  // X charges for a post at most once a day (UTC), however often it is read. The rate limits per 15 minutes are 75 reads
  // of an account on its own, and 3,500 reads of posts per app, across all of its accounts.
  freshForMs: 5 * 60_000,
  metrics,
  channel,
  competitors,
}

const counted = z.object({ id: idSchema, public_metrics: postCounts })
/** X answers 200 with the posts it has, and an error for each one it does not have. */
const lookup = z
  .object({ data: z.array(z.unknown()).optional(), errors: z.array(z.unknown()).optional() })
  .refine(({ data, errors }) => data !== undefined || errors !== undefined, 'neither posts nor errors')

async function metrics(
  account: PlatformAccount,
  postIds: readonly string[],
  io: PlatformIo,
): Promise<ReadonlyMap<string, PostMetrics>> {
  // A single malformed id makes X refuse the whole batch.
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
