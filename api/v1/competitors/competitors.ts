import { competitors } from '../../../projections/models/competitors.ts'
import { newestFirst } from '../../../projections/engine/newest-first.ts'
import { listRoute } from '../../kit/list-route.ts'
import type { AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { competitorSchema, presentCompetitor } from './present-competitor.ts'

/** Other people's accounts that a workspace tracks (api-spec §4, Channel-level analytics). */
export function competitorRoutes(services: Services): readonly AnyRoute[] {
  return [
    listRoute(services, {
      path: '/analytics/competitors',
      operationId: 'listCompetitors',
      summary: 'List tracked competitors, newest first',
      description:
        'With their latest followers, posting frequency and engagement. Competitors are added in the dashboard or on the command line.',
      tag: 'Analytics',
      scope: 'analytics:read',
      plural: 'competitors',
      item: competitorSchema,
      fetch: (page) => newestFirst(services.db, competitors, page),
      present: presentCompetitor,
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),
  ]
}
