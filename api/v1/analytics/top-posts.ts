import { topPosts, type RankedRow, type Ranking } from '../../../projections/models/analytics.ts'
import { accountsAsked, timeOf, topPostsQuery } from './analytics-query.ts'
import { topPostsSchema } from './analytics-schemas.ts'
import { pageOf } from '../../http/pagination.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { presentRankedPost } from './present-analytics.ts'

const LIST = 'analytics/top-posts'

export function topPostsRoute(services: Services): AnyRoute {
  const { db, cursors } = services
  return route({
    method: 'GET',
    path: `/${LIST}`,
    operationId: 'listTopPosts',
    summary: 'List posts ranked by views, interactions, likes or comments, highest first',
    description: 'Posts without the metric are left out.',
    tag: 'Analytics',
    scope: 'analytics:read',
    query: topPostsQuery,
    answer: {
      status: 200,
      description: 'One page. Posts without the metric are left out.',
      schema: topPostsSchema,
    },
    handle: async ({ query, caller }) => {
      const { sort: ranking, limit, cursor } = query
      const accounts = await accountsAsked(services, query, caller)
      const posts = { ...timeOf(services, query), accountIds: [...accounts.keys()] }
      const list = `${LIST} ${ranking}`
      const after = cursor === undefined ? undefined : cursors.decodeRank(list, caller.workspaceId, cursor)
      const rows = await topPosts(db, posts, { ranking, limit: limit + 1, after })
      const { page, nextCursor } = pageOf(rows, limit, (last) =>
        cursors.encodeRank(list, caller.workspaceId, rankOf(last, ranking)),
      )
      return { status: 200, body: { posts: page.map(presentRankedPost), nextCursor } }
    },
  })
}

function rankOf(row: RankedRow, ranking: Ranking) {
  return { value: Number(row[ranking]), id: row.id }
}
