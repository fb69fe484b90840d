import type { ActorKind } from '../../domain/log/activity.ts'
import type { Database } from '../../infra/postgres/pool.ts'

export interface AuthorRow {
  readonly id: string
  readonly kind: ActorKind | 'system'
}

/** Who scheduled posts, by the ids of the posts. */
export async function schedulersOf(db: Database, postIds: readonly string[]): Promise<ReadonlyMap<string, AuthorRow>> {
  if (postIds.length === 0) return new Map()
  const { rows } = await db.query<AuthorRow & { readonly postId: string }>(
    'select id as "postId", author_id as id, author_kind as kind from read.scheduled_posts where id = any($1)',
    [postIds],
  )
  return new Map(rows.map(({ postId, ...author }) => [postId, author]))
}

/** What the users and keys of a workspace with these ids are called. */
export async function authorNames(
  db: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  // Of a user who was removed and joined again, the name they have now.
  const { rows } = await db.query<{ id: string; name: string }>(
    `select id, label as name, false as removed, created_at from read.api_keys where workspace_id = $1 and id = any($2)
     union all
     select user_id, name, removed, created_at from read.members where workspace_id = $1 and user_id = any($2)
     order by removed desc, created_at`,
    [workspaceId, ids],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
