import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import { accountIdsOf } from '../../projections/models/accounts.ts'
import { totalsOf } from '../../projections/models/analytics.ts'
import { countPublished, hasDemoSince } from '../../projections/models/posts.ts'
import { route, type AnyRoute } from '../http/route.ts'
import type { DashboardServices } from './services.ts'

const WEEK_MS = 7 * 86_400_000

const weekSchema = z.object({
  published: z.int().describe('Posts published on at least one account.'),
  views: z.int().nullable().describe('Null while no platform has reported any.'),
  interactions: z.int().nullable(),
})

export function recentWeeksRoutes({ db, clock }: DashboardServices): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/recent-weeks',
      operationId: 'getRecentWeeks',
      summary: 'Get how the posts of the last 7 days and of the 7 days before perform',
      tag: 'Home',
      scope: 'analytics:read',
      answer: {
        status: 200,
        description: 'The week before with what was known when it ended, so that the posts of both had the same time.',
        schema: z.object({
          last: weekSchema,
          before: weekSchema,
          hasDemo: z.boolean().describe('Whether posts of the demo are among them.'),
        }),
      },
      handle: async ({ caller: { workspaceId } }) => {
        const accountIds = await accountIdsOf(db, workspaceId)
        const weekUntil = async (end: number, asKnownThen: boolean) => {
          const within = { since: isoTime(end - WEEK_MS), until: isoTime(end) }
          const [published, { views = null, interactions = null }] = await Promise.all([
            countPublished(db, { workspaceId, ...within }),
            totalsOf(db, { accountIds, asKnownThen, ...within }),
          ])
          return { published, views, interactions }
        }
        const now = clock.now() + 1
        const [last, before, hasDemo] = await Promise.all([
          weekUntil(now, false),
          weekUntil(now - WEEK_MS, true),
          hasDemoSince(db, workspaceId, isoTime(now - 2 * WEEK_MS)),
        ])
        return { status: 200, body: { last, before, hasDemo } }
      },
    }),
  ]
}
