import * as z from 'zod'
import { postingHistory } from '../../../domain/analytics/best-times.ts'
import { formatsOf, hashtagsOf } from '../../../domain/analytics/performance.ts'
import { grouped } from '../../../domain/core/grouped.ts'
import { text } from '../../../domain/core/text.ts'
import { measuredPosts, sumsByAccount, topPosts, totalsFrom, totalsOf } from '../../../projections/models/analytics.ts'
import {
  accountQuery,
  accountsAsked,
  bestTimesQuery,
  measuredAccount,
  summaryQuery,
  timeOf,
} from './analytics-query.ts'
import { accountAnalyticsSchema, bestTimesSchema, summarySchema } from './analytics-schemas.ts'
import { overTimeRoutes } from './over-time.ts'
import { postAnalyticsRoute } from './post-analytics.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { presentGeneral, presentHistory, presentRankedPost } from './present-analytics.ts'
import { topPostsRoute } from './top-posts.ts'

const TAG = 'Analytics'
const params = z.object({ accountId: text(100) })
const TOP = 3
const MOST_HASHTAGS = 25

/** Post performance (api-spec §4, Channel-level analytics). */
export function analyticsRoutes(services: Services): readonly AnyRoute[] {
  const { db, liveNumbers } = services

  return [
    route({
      method: 'GET',
      path: '/analytics/summary',
      operationId: 'getAnalyticsSummary',
      summary: 'Get totals for one account or all, with the three most viewed posts',
      description: 'For posts published on youtube, x, pinterest and bluesky within the given number of days.',
      tag: TAG,
      scope: 'analytics:read',
      query: summaryQuery,
      answer: {
        status: 200,
        description: 'Unavailable metrics are omitted, never reported as zero.',
        schema: summarySchema,
      },
      handle: async ({ query, caller }) => {
        const { accountId, days, asOf } = query
        const accounts = await accountsAsked(services, query, caller)
        const posts = { ...timeOf(services, query), accountIds: [...accounts.keys()] }
        const [sums, top] = await Promise.all([
          sumsByAccount(db, posts),
          topPosts(db, posts, { ranking: 'views', limit: TOP }),
        ])
        const byPlatform = grouped(sums, (of) => [accounts.get(of.accountId) ?? []].flat())
        const platforms = [...byPlatform].map(([platform, of]) => ({ platform, ...totalsFrom(of) }))
        const totals = totalsFrom(sums)
        return { status: 200, body: { days, asOf, accountId, totals, platforms, topPosts: top.map(presentRankedPost) } }
      },
    }),

    route({
      method: 'GET',
      path: '/analytics/accounts/{accountId}',
      operationId: 'getAccountAnalytics',
      summary: 'Get totals for one account, with its best formats and hashtags',
      description:
        'Formats and hashtags are compared by medians, so that one lucky post does not decide. asOf returns what was ' +
        'known on a past day.',
      tag: TAG,
      scope: 'analytics:read',
      params,
      query: accountQuery,
      answer: { status: 200, description: 'Medians over posts.', schema: accountAnalyticsSchema },
      handle: async ({ params: { accountId }, query, caller }) => {
        const { platform } = await measuredAccount(services, accountId, caller)
        const { days, asOf } = query
        const posts = { ...timeOf(services, query), accountIds: [accountId] }
        const [totals, measured, channel] = await Promise.all([
          totalsOf(db, posts),
          measuredPosts(db, posts),
          asOf === undefined ? liveNumbers.ofChannel(accountId) : undefined,
        ])
        const formats = formatsOf(measured).map(({ key: format, ...rest }) => ({ format, ...rest }))
        const hashtags = hashtagsOf(measured).map(({ key: hashtag, ...rest }) => ({ hashtag, ...rest }))
        const body = { accountId, platform, days, asOf, totals, followers: channel?.value?.followers }
        return { status: 200, body: { ...body, formats, hashtags: hashtags.slice(0, MOST_HASHTAGS) } }
      },
    }),

    route({
      method: 'GET',
      path: '/analytics/accounts/{accountId}/best-times',
      operationId: 'getBestTimes',
      summary: 'Get the best times, days, formats and frequency for posts on one account',
      description: 'basedOn is general, with general guidance, when there are fewer than 5 posts to learn from.',
      tag: TAG,
      scope: 'analytics:read',
      params,
      query: bestTimesQuery,
      answer: { status: 200, description: 'Based on its own posts, or general guidance.', schema: bestTimesSchema },
      handle: async ({ params: { accountId }, query, caller }) => {
        const { platform } = await measuredAccount(services, accountId, caller)
        const { days, timezone } = query
        const time = timeOf(services, query)
        const measured = await measuredPosts(db, { ...time, accountIds: [accountId] })
        const posts = measured.filter(({ interactions }) => interactions !== undefined).length
        const history = postingHistory(measured, time, timezone)
        const advice = history ? presentHistory(history) : presentGeneral()
        return { status: 200, body: { accountId, platform, days, timezone, posts, ...advice } }
      },
    }),

    ...overTimeRoutes(services),
    topPostsRoute(services),
    postAnalyticsRoute(services),
  ]
}
