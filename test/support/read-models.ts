import type { Database } from '../../infra/postgres/pool.ts'
import { projections } from '../../projections/models/index.ts'
import { columnNames } from '../../projections/engine/columns.ts'
import type { AnyProjection } from '../../projections/engine/projection.ts'

type Shape = Pick<AnyProjection, 'name' | 'columns'>

/** Every row of every read model, without the dispatcher's own columns. */
export async function rowsOf(
  db: Database,
  of: readonly Shape[] = projections,
  isKept: (column: string) => boolean = () => true,
): Promise<Record<string, object[]>> {
  const tables: Record<string, object[]> = {}
  for (const { name, columns } of of) {
    const sql = `select ${columnNames(columns).filter(isKept).join(', ')} from read.${name} order by id`
    tables[name] = (await db.query<object>(sql)).rows
  }
  return tables
}

/** The same of any log: without what tells where in the log an event stands. */
export function rowsAsideFromPositions(db: Database): Promise<Record<string, object[]>> {
  return rowsOf(db, projections, (column) => !/(^|_)position$/.test(column))
}
