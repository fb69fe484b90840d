import type { Database } from '../../infra/postgres/pool.ts'
import { rowFrom } from './columns.ts'
import type { Projection, Row } from './projection.ts'

/** A page of a workspace's list. */
export interface WorkspacePage {
  readonly workspaceId: string
  readonly limit: number
  /** The last row of the previous page; `at` is ISO 8601 UTC. */
  readonly after?: { readonly at: string; readonly id: string } | undefined
}

/** A further condition of a list's query; `$` stands for the parameter that has the value. */
export interface Filter {
  readonly sql: string
  readonly value: unknown
}

/** @param first the number of the parameters before those of the filters */
export function conditions(filters: readonly Filter[], first: number): string {
  return filters.map(({ sql }, index) => `and (${sql.replaceAll('$', `$${first + index + 1}`)})`).join(' ')
}

/** A workspace's rows of a read model, newest first. Needs an index on `(workspace_id, created_at desc, id desc)`. */
export async function newestFirst<R extends Row & { readonly workspaceId: string; readonly createdAt: string }>(
  db: Database,
  { name, columns }: Projection<R>,
  { workspaceId, limit, after }: WorkspacePage,
  filters: readonly Filter[] = [],
): Promise<readonly R[]> {
  const { rows } = await db.query<R>(
    `select ${rowFrom(columns)} from read.${name}
     where workspace_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3))
       ${conditions(filters, 4)}
     order by created_at desc, id desc limit $4`,
    [workspaceId, after?.at ?? null, after?.id ?? null, limit, ...filters.map(({ value }) => value)],
  )
  return rows
}
