import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { workspace } from '../../domain/workspace/workspace.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  name: text(),
  createdAt: time(),
}
export type WorkspaceRow = RowOf<typeof columns>

export const workspaces: Projection<WorkspaceRow> = {
  name: 'workspaces',
  version: 1,
  columns,
  createsRow: atStreamStart,
  indexes: ['(name)'],
  rowIds: (event) => (eventOf(workspace, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(workspace, recorded)
    return event ? { id, name: event.data.name, createdAt: recorded.metadata.at } : row
  },
}

/** The workspaces with this id or name: names are not enforced to be unique. */
export async function findWorkspaces(db: Database, idOrName: string): Promise<readonly WorkspaceRow[]> {
  const { rows } = await db.query<WorkspaceRow>(
    `select ${rowFrom(columns)} from read.workspaces where id = $1 or name = $1 order by id`,
    [idOrName],
  )
  return rows
}
