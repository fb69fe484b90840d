import type { PlatformKey } from '../domain/platform.ts'
import type { Database } from '../database/pool.ts'
import type { OtherPosts } from '../platforms/platform.ts'
import { isoTime } from '../system/clock.ts'

/** So long (ms) before the post that is searched for another may have been queued which went out at the same time. */
const RETRIED_FOR_MS = 86_400_000

/** One post on one account. */
export interface SearchedPost {
  readonly workspaceId: string
  readonly postId: string
  readonly platform: PlatformKey
  readonly accountId: string
  /** ISO 8601 UTC. */
  readonly queuedAt: string
}

/**
 * What is known of a workspace's other posts, for who searches one by what it says. The read models may be behind: then
 * another is taken for one that it may be.
 */
export function otherPosts(db: Database): (searched: SearchedPost) => OtherPosts {
  return ({ workspaceId, postId, platform, accountId, queuedAt }) =>
    async (platformPostIds) => {
      const { rows } = await db.query<{ id: string }>(
        `select result ->> 'postId' as id
         from read.posts, json_array_elements(results -> $3) as result
         where workspace_id = $1 and id <> $2 and created_at >= $4
           and result ->> 'accountId' = $5 and result ->> 'postId' = any($6)`,
        [workspaceId, postId, platform, isoTime(Date.parse(queuedAt) - RETRIED_FOR_MS), accountId, platformPostIds],
      )
      return new Set(rows.map(({ id }) => id))
    }
}
