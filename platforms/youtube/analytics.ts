import type { Analytics, ChannelFacts } from '../kit/analytics.ts'
import { PlatformError, type PlatformAccount, type PlatformIo } from '../kit/platform.ts'
import { channelBy } from './analytics-channels.ts'
import { competitors } from './analytics-competitors.ts'
import { metricsOf, VIDEOS_PER_CALL } from './analytics-metrics.ts'

/** Each call costs one of 10,000 units a day, shared with comments and by all channels of a Google Cloud project. */
const FRESH_FOR_MS = 5 * 60_000

/** Public counts only: watch times and shares, which the Analytics API has, are days late. */
export const analytics: Analytics = {
  postsPerCall: VIDEOS_PER_CALL,
  freshForMs: FRESH_FOR_MS,
  metrics: metricsOf,
  channel,
  competitors,
}

async function channel(account: PlatformAccount, io: PlatformIo): Promise<ChannelFacts> {
  const own = await channelBy({ id: account.externalId }, 'statistics', account, io)
  if (own) return own.statistics
  throw new PlatformError('permanent', 'YouTube no longer has the channel.')
}
