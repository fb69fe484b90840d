import { Refusal } from '../../domain/core/errors.ts'
import type { Caller } from '../http/route.ts'

/**
 * The row that a request names, if it belongs to the caller.
 *
 * @param noun what the error message calls it
 * @throws Refusal not_found when there is none, forbidden when it is another workspace's (decisions, "HTTP")
 */
export function owned<Row extends { readonly workspaceId: string }>(
  row: Row | undefined,
  { workspaceId }: Pick<Caller, 'workspaceId'>,
  noun: string,
): Row {
  if (!row) throw new Refusal('not_found', `No such ${noun}.`)
  if (row.workspaceId === workspaceId) return row
  throw new Refusal('forbidden', `This ${noun} belongs to someone else.`)
}
