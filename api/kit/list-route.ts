import * as z from 'zod'
import { pageOf, pageQuery, type Place } from '../http/pagination.ts'
import { route, type AnyRoute, type Route } from '../http/route.ts'
import type { Services } from './services.ts'

type Params = z.ZodType | undefined
/** `pageQuery`, possibly with the list's own filters. */
type Query = z.ZodType<z.output<typeof pageQuery>>
type ListRequest<P extends Params, Q extends Query> = Parameters<Route<P, Q>['handle']>[0]

/** A paginated list (api-spec §4, Pagination). */
export interface List<Row, P extends Params, Q extends Query> extends Pick<
  Route<P, Q>,
  'path' | 'operationId' | 'summary' | 'description' | 'tag' | 'scope' | 'params' | 'query' | 'handleCsv'
> {
  /** The answer's field that holds the items, and the schema of one. */
  readonly plural: string
  readonly item: z.ZodType
  /** What the list belongs to, when the path alone does not say: a cursor of one list is not valid for another. */
  readonly of?: (params: ListRequest<P, Q>['params']) => string
  /** The first `limit` rows after a place, or from the start. */
  fetch(
    page: { readonly workspaceId: string; readonly limit: number; readonly after: Place | undefined },
    request: ListRequest<P, Q>,
  ): Promise<readonly Row[]>
  present(row: Row): object
  place(row: Row): Place
}

type Deps = Pick<Services, 'cursors'>

export function listRoute<Row, Q extends Query, P extends Params = undefined>(
  deps: Deps,
  list: List<Row, P, Q> & { readonly query: Q },
): AnyRoute
export function listRoute<Row, P extends Params = undefined>(deps: Deps, list: List<Row, P, typeof pageQuery>): AnyRoute
export function listRoute<Row, P extends Params>(
  { cursors }: Deps,
  { plural, item, of, fetch, present, place, query = pageQuery, ...facts }: List<Row, P, Query>,
): AnyRoute {
  return route<P, Query>({
    method: 'GET',
    query,
    ...facts,
    answer: {
      status: 200,
      description: 'One page.',
      schema: z.object({ [plural]: z.array(item), nextCursor: z.string().nullable() }),
    },
    handle: async (request) => {
      const { limit, cursor } = request.query
      const { workspaceId } = request.caller
      const name = facts.path.slice(1)
      const list = of ? `${name} ${of(request.params)}` : name
      const after = cursor === undefined ? undefined : cursors.decode(list, workspaceId, cursor)
      const rows = await fetch({ workspaceId, limit: limit + 1, after }, request)
      const { page, nextCursor } = pageOf(rows, limit, (last) => cursors.encode(list, workspaceId, place(last)))
      return { status: 200, body: { [plural]: page.map(present), nextCursor } }
    },
  })
}
