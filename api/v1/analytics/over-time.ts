import { hourPerformance } from '../../../domain/analytics/best-times.ts'
import { dailyFigures } from '../../../domain/analytics/daily.ts'
import { datedFigures, measuredPosts } from '../../../projections/models/analytics.ts'
import { accountsAsked, overTimeQuery, timeOf } from './analytics-query.ts'
import { dailySchema, hoursSchema } from './analytics-schemas.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'

const TAG = 'Analytics'

/** When posts were published, and how those perform. */
export function overTimeRoutes(services: Services): readonly AnyRoute[] {
  const { db } = services

  return [
    route({
      method: 'GET',
      path: '/analytics/daily',
      operationId: 'listDailyAnalytics',
      summary: 'Get totals by the day on which posts were published, and by platform',
      description: 'Days are those of the time zone. Those without a post are left out.',
      tag: TAG,
      scope: 'analytics:read',
      query: overTimeQuery,
      answer: { status: 200, description: 'Earliest day first.', schema: dailySchema },
      handle: async ({ query, caller }) => {
        const { days, asOf, timezone } = query
        const accounts = await accountsAsked(services, query, caller)
        const posts = await datedFigures(db, { ...timeOf(services, query), accountIds: [...accounts.keys()] })
        const dated = posts.flatMap((of) => {
          const platform = accounts.get(of.accountId)
          return platform === undefined ? [] : [{ ...of, platform }]
        })
        return { status: 200, body: { days, asOf, timezone, daily: [...dailyFigures(dated, timezone)] } }
      },
    }),

    route({
      method: 'GET',
      path: '/analytics/hours',
      operationId: 'listHourAnalytics',
      summary: 'Get how posts perform by the hour of the week in which they were published',
      description:
        'Medians of all hours with a post, for one account or all. Best times leaves out hours with a single post.',
      tag: TAG,
      scope: 'analytics:read',
      query: overTimeQuery,
      answer: { status: 200, description: 'Best first.', schema: hoursSchema },
      handle: async ({ query, caller }) => {
        const { days, asOf, timezone } = query
        const accounts = await accountsAsked(services, query, caller)
        const posts = await measuredPosts(db, { ...timeOf(services, query), accountIds: [...accounts.keys()] })
        const hours = hourPerformance(posts, timezone).map(({ key, ...performance }) => ({ ...key, ...performance }))
        return { status: 200, body: { days, asOf, timezone, hours } }
      },
    }),
  ]
}
