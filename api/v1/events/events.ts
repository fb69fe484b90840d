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
      summary: 'Events, oldest first; ask again with `after` for what is new',
      description:
        'The same that webhooks are told, kept from the beginning. nextCursor is never null: pass it as after ' +
        'to get what has happened since.',
      tag: 'Events',
      scope: 'webhooks:read',
      query: eventsQuery,
      answer: {
        status: 200,
        description: 'What comes next. Each is what the body of its delivery is.',
        schema: eventsSchema,
      },
      handle: async ({ query: { limit, after, event: events }, caller: { workspaceId } }) => {
        const from = after === undefined ? BEFORE_ALL : cursors.decodePosition(LIST, workspaceId, after)
        const rows = await listPublicEvents(db, { workspaceId, events, after: from, limit })
        const last = rows.at(-1)
        const nextCursor = cursors.encodePosition(LIST, workspaceId, last ? BigInt(last.position) : from)
        const shown = rows.map(({ id, event, created_at: createdAt, data }) => ({ id, event, createdAt, data }))
        return { status: 200, body: { events: shown, nextCursor } }
      },
    }),
  ]
}
