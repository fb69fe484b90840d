import * as z from 'zod'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { Analytics } from '../kit/analytics.ts'
import { count, known } from '../kit/counts.ts'
import { hasStatus } from '../kit/errors.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { callAs } from './api.ts'

/** Mastodon does not count views. */
export const analytics: Analytics = {
  // One call each: the one for several is not on every server.
  postsPerCall: 20,
  // 300 calls per 5 minutes and account.
  freshForMs: 60_000,
  metrics: async (account, postIds, io) => {
    const counted = new Map<string, PostMetrics>()
    for (const id of postIds) {
      const metrics = await metricsOf(id, account, io)
      if (metrics) counted.set(id, metrics)
    }
    return counted
  },
  channel: async (account, io) => {
    const path = '/api/v1/accounts/verify_credentials'
    const { followers_count, statuses_count } = await callAs(account, { method: 'GET', path }, countedAccount, io)
    return known({ followers: followers_count, posts: statuses_count })
  },
}

const countedAccount = z.object({ followers_count: count, statuses_count: count })
const countedStatus = z.object({
  favourites_count: count,
  reblogs_count: count,
  replies_count: count,
  quotes_count: count,
})

async function metricsOf(id: string, account: PlatformAccount, io: PlatformIo): Promise<PostMetrics | undefined> {
  try {
    const path = `/api/v1/statuses/${encodeURIComponent(id)}`
    const counts = await callAs(account, { method: 'GET', path }, countedStatus, io)
    return known({
      likes: counts.favourites_count,
      reposts: counts.reblogs_count,
      replies: counts.replies_count,
      quotes: counts.quotes_count,
    })
  } catch (error) {
    if (hasStatus(error, 404)) return undefined
    throw error
  }
}
