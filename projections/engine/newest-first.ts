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

/** A workspace's rows of a read model, newest first. Needs an index on `(workspace_id, created_at desc, id desc)`. */
export async function newestFirst<R extends Row & { readonly workspaceId: string; readonly createdAt: string }>(
  db: Database,
  { name, columns }: Projection<R>,
  { workspaceId, limit, after }: WorkspacePage,
): Promise<readonly R[]> {
  const { rows } = await db.query<R>(
    `select ${rowFrom(columns)} from read.${name}
     where workspace_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3))
     order by created_at desc, id desc limit $4`,
    [workspaceId, after?.at ?? null, after?.id ?? null, limit],
  )
  return rows
}
