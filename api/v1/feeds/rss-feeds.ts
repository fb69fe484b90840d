import * as z from 'zod'
import { feed } from '../../../domain/feed/rss-feed.ts'
import { text } from '../../../domain/core/text.ts'
import { addFeed, changeFeed, deleteFeed, requestFeedCheck } from '../../../commands/feed.ts'
import { countPosted, listFeedItems } from '../../../projections/models/feed-items.ts'
import { feeds, findFeed, listFeeds, type FeedRow } from '../../../projections/models/feeds.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { asItWas } from '../../kit/as-it-was.ts'
import { decider } from '../../kit/decide.ts'
import { addFeedBody, changedFeed, changeFeedBody, feedItemSchema, feedSchema } from './feed-schemas.ts'
import { atQuery } from '../history/history-schemas.ts'
import { listRoute } from '../../kit/list-route.ts'
import { owned } from '../../kit/owned.ts'
import { check } from '../../http/validation.ts'
import { route, type AnyRoute, type Caller } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { shown } from '../../kit/shown.ts'
import { presentState, type ShownFeed } from './present-feed.ts'

const TAG = 'RSS feeds'
const idParams = z.object({ id: text(100) })

/** Feeds whose new items become posts (api-spec §4, RSS feeds; decisions, "RSS and recycling"). */
export function feedRoutes(services: Services): readonly AnyRoute[] {
  const { db } = services

  const own = async (id: string, caller: Caller): Promise<ShownFeed> =>
    shown(feedSchema, owned(await findFeed(db, id), caller, 'feed'))
  const decide = decider(services, feed)

  return [
    route({
      method: 'POST',
      path: '/rss-feeds',
      operationId: 'addFeed',
      summary: 'Post new items of an RSS or Atom feed automatically',
      description:
        'Items already in the feed are not posted, only new ones. Items without an image are skipped. ' +
        'Only for facebook, instagram, threads, pinterest and bluesky.',
      reachesOut: true,
      mayConflict: true,
      tag: TAG,
      scope: 'rss:write',
      body: addFeedBody,
      idempotent: true,
      answer: { status: 200, description: 'Added. Items already in the feed are not posted.', schema: feedSchema },
      handle: async (request) => {
        const id = resourceId('feed', request.work)
        const { workspaceId } = request.caller
        const command = { ...request.body, workspaceId }
        const state = await services.ceilings.adding('feeds', { workspaceId, id }, () =>
          decide(request, id, (state) => addFeed(state, command)),
        )
        return { status: 200, body: presentState(id, state, { postedCount: 0 }) }
      },
    }),

    listRoute(services, {
      path: '/rss-feeds',
      operationId: 'listFeeds',
      summary: 'List feeds, newest first',
      description: 'With the time and any error of the last check of each.',
      tag: TAG,
      scope: 'rss:read',
      plural: 'feeds',
      item: feedSchema,
      fetch: (page) => listFeeds(db, page),
      present: (row) => shown(feedSchema, row),
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),

    route({
      method: 'GET',
      path: '/rss-feeds/{id}',
      operationId: 'getFeed',
      summary: 'Get one feed',
      description: 'With the time and any error of its last check.',
      tag: TAG,
      scope: 'rss:read',
      params: idParams,
      query: atQuery,
      answer: { status: 200, description: 'The feed.', schema: feedSchema },
      handle: async ({ params: { id }, query: { at }, caller }) => {
        if (at === undefined) return { status: 200, body: await own(id, caller) }
        const of = { projection: feeds, kind: feed, noun: 'feed' }
        const { lastCheckedAt: _, ...row } = owned(await findFeed(db, id), caller, 'feed')
        const then = await asItWas<FeedRow>(services, of, row, at)
        // Checks that find no change leave no event, so the last one is unknown.
        const counted = { postedCount: await countPosted(db, id, at), lastCheckedAt: null }
        return { status: 200, body: shown(feedSchema, { ...then, ...counted }) }
      },
    }),

    listRoute(services, {
      path: '/rss-feeds/{id}/items',
      operationId: 'listFeedItems',
      summary: 'List the items of a feed, newest first',
      description: 'With the post of each posted item, and the reason why others were skipped.',
      tag: TAG,
      scope: 'rss:read',
      params: idParams,
      of: ({ id }) => id,
      plural: 'items',
      item: feedItemSchema,
      fetch: async ({ limit, after }, { params: { id: feedId }, caller }) => {
        await own(feedId, caller)
        return listFeedItems(db, { feedId, limit, after })
      },
      present: (row) => shown(feedItemSchema, row),
      place: ({ seenAt: at, id }) => ({ at, id }),
    }),

    route({
      method: 'PATCH',
      path: '/rss-feeds/{id}',
      operationId: 'changeFeed',
      summary: 'Change, pause or resume a feed; it is then checked immediately',
      description: 'Only the given fields change. Set active to false to pause the feed.',
      reachesOut: true,
      tag: TAG,
      scope: 'rss:write',
      params: idParams,
      body: changeFeedBody,
      answer: { status: 200, description: 'The updated feed.', schema: feedSchema },
      handle: async (request) => {
        const { id } = request.params
        const before = await own(id, request.caller)
        const { selections = before.selections, accountOptions } = request.body
        check(changedFeed, { selections, accountOptions }, 'body')
        const state = await decide(request, id, (state) => changeFeed(state, request.body))
        return { status: 200, body: presentState(id, state, before) }
      },
    }),

    route({
      method: 'DELETE',
      path: '/rss-feeds/{id}',
      operationId: 'deleteFeed',
      summary: 'Delete a feed',
      description: 'New items are no longer posted. Existing posts are kept.',
      tag: TAG,
      scope: 'rss:write',
      params: idParams,
      answer: { status: 204, description: 'Deleted. New items are no longer posted.' },
      handle: async (request) => {
        const { id } = request.params
        await own(id, request.caller)
        await decide(request, id, deleteFeed)
        return { status: 204 }
      },
    }),

    route({
      method: 'POST',
      path: '/rss-feeds/{id}/check-now',
      operationId: 'checkFeedNow',
      summary: 'Check a feed now',
      description: 'New items are posted within about a minute, without waiting for the interval.',
      reachesOut: true,
      mayConflict: true,
      tag: TAG,
      scope: 'rss:write',
      params: idParams,
      idempotent: true,
      answer: { status: 200, description: 'The feed is checked within seconds.', schema: feedSchema },
      handle: async (request) => {
        const { id } = request.params
        const before = await own(id, request.caller)
        return { status: 200, body: presentState(id, await decide(request, id, requestFeedCheck), before) }
      },
    }),
  ]
}
