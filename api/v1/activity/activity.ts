import { Refusal } from '../../../domain/core/errors.ts'
import type { Permission } from '../../../domain/core/scope.ts'
import { ACTIVITY_KINDS, ACTIVITY_SCOPES, type ActivityKind } from '../../../domain/log/activity.ts'
import { activityId, listActivity } from '../../../projections/models/activity.ts'
import type { RouteRequest, AnyRoute } from '../../http/route.ts'
import { listRoute } from '../../kit/list-route.ts'
import type { Services } from '../../kit/services.ts'
import { asCsv, CSV_HEADER } from './activity-csv.ts'
import { activityQuery, activitySchema, type ActivityEntry, type ActivityQuery } from './activity-schemas.ts'
import { actorOf } from './actor-of.ts'
import { activityEntries } from './entries.ts'

const LIST = 'activity'
/** Rows of one CSV answer, and those of which the sentences are read at once. */
const MOST_ROWS = 10_000
const CHUNK = 500
type Asked = RouteRequest<unknown, ActivityQuery, unknown>

/** Who did what in the workspace. */
export function activityRoutes(services: Services): readonly AnyRoute[] {
  const { db, cursors } = services
  const rowsOf = async (
    { query, caller }: Asked,
    page: Pick<Parameters<typeof listActivity>[1], 'limit' | 'after'>,
  ) => {
    const { workspaceId } = caller
    const actor = query.actor === undefined ? undefined : await actorOf(db, workspaceId, query.actor)
    const { from, to } = query
    return listActivity(db, { ...page, workspaceId, kinds: kindsFor(caller.scopes, query.kind), actor, from, to })
  }
  const entriesOf = ({ caller: { workspaceId, actor } }: Asked, rows: Awaited<ReturnType<typeof rowsOf>>) =>
    activityEntries(services, rows, { workspaceId, readerId: actor.id })

  return [
    listRoute(services, {
      path: `/${LIST}`,
      operationId: 'listActivity',
      summary: 'List who did what in the workspace, newest first',
      description:
        'What people, keys, agents and rules did, of the kinds that the scopes of the caller show, each with a one-sentence summary. ' +
        `With \`Accept: text/csv\`, it is a CSV file of up to ${MOST_ROWS} rows, whatever the limit; if there are more, ` +
        'the header `X-Next-Cursor` has the cursor of the next ones.',
      tag: 'Activity',
      scope: 'posts:read',
      query: activityQuery,
      plural: LIST,
      item: activitySchema,
      fetch: async (page, request) => entriesOf(request, await rowsOf(request, page)),
      present: (entry) => entry,
      place: ({ at, id }) => ({ at, id }),
      handleCsv: async (request) => {
        const { query, caller } = request
        const after = query.cursor === undefined ? undefined : cursors.decode(LIST, caller.workspaceId, query.cursor)
        const found = await rowsOf(request, { limit: MOST_ROWS + 1, after })
        const rows = found.slice(0, MOST_ROWS)
        const last = rows.at(-1)
        const isWhole = found.length === rows.length || !last
        const next = isWhole
          ? undefined
          : cursors.encode(LIST, caller.workspaceId, { at: last.createdAt, id: activityId(last) })
        return {
          status: 200,
          headers: {
            'Content-Disposition': 'attachment; filename="activity.csv"',
            ...(next !== undefined && { 'X-Next-Cursor': next }),
          },
          csv: linesOf(rows, (some) => entriesOf(request, some)),
        }
      },
    }),
  ]
}

/** @throws Refusal insufficient_scope for a kind that was asked for */
function kindsFor(scopes: readonly Permission[], asked: readonly ActivityKind[] | undefined): readonly ActivityKind[] {
  const hidden = asked?.find((kind) => !scopes.includes(ACTIVITY_SCOPES[kind]))
  if (hidden !== undefined) {
    throw new Refusal('insufficient_scope', `The activity of ${hidden} needs the scope ${ACTIVITY_SCOPES[hidden]}.`)
  }
  return asked ?? ACTIVITY_KINDS.filter((kind) => scopes.includes(ACTIVITY_SCOPES[kind]))
}

async function* linesOf<Row>(
  rows: readonly Row[],
  entriesOf: (rows: readonly Row[]) => Promise<readonly ActivityEntry[]>,
): AsyncGenerator<string> {
  yield CSV_HEADER
  for (let from = 0; from < rows.length; from += CHUNK) {
    yield (await entriesOf(rows.slice(from, from + CHUNK))).map(asCsv).join('')
  }
}
