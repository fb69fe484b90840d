import type { Database } from '../../infra/postgres/pool.ts'

/** Times are ISO 8601 UTC. */
interface Between {
  readonly workspaceId: string
  readonly mediaUrl: string
  readonly caption: string
  readonly from: string
  readonly to: string
}

/** The posts of a workspace with the same media, or the same text alone, that were queued, or will be, between two times. */
export async function postsWithMedia(
  db: Database,
  { workspaceId, mediaUrl, caption, from, to }: Between,
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from read.posts where workspace_id = $1 and media_url = $2 and ($2 <> '' or caption = $5) and created_at > $3 and created_at < $4
     union all
     select id from read.scheduled_posts
       where workspace_id = $1 and media_url = $2 and ($2 <> '' or caption = $5) and status = 'pending' and due_at > $3 and due_at < $4`,
    [workspaceId, mediaUrl, from, to, caption],
  )
  return rows.map(({ id }) => id)
}
