import { listPublicEvents } from '../../../projections/models/public-events.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { eventsQuery, eventsSchema } from '../webhooks/webhook-schemas.ts'

const LIST = 'events'
const BEFORE_ALL = -1n

/** The events that webhooks receive (api-spec §6), for clients that prefer to poll. */
export function eventRoutes({ db, cursors }: Services): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: `/${LIST}`,
      operationId: 'listEvents',
      summary: 'List events, oldest first; pass `after` to get newer ones',
      description:
        'The same events that webhooks receive, from the beginning. nextCursor is never null: pass it as after ' +
        'to get what has happened since then.',
      tag: 'Events',
      scope: 'webhooks:read',
      query: eventsQuery,
      answer: {
        status: 200,
        description: 'The next events, each identical to the body of its delivery.',
        schema: eventsSchema,
      },
      handle: async ({ query: { limit, after, event: events }, caller: { workspaceId } }) => {
        const from = after === undefined ? BEFORE_ALL : cursors.decodePosition(LIST, workspaceId, after)
        const rows = await listPublicEvents(db, { workspaceId, events, after: from, limit })
        const last = rows.at(-1)
        const nextCursor = cursors.encodePosition(LIST, workspaceId, last ? BigInt(last.position) : from)
        const shown = rows.map(({ id, event, createdAt, data }) => ({ id, event, createdAt, data }))
        return { status: 200, body: { events: shown, nextCursor } }
      },
    }),
  ]
}
