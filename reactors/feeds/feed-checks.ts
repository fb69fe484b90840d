import type { Database } from '../../infra/postgres/pool.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { FeedVersion } from './reading/fetch-feed.ts'

/**
 * When a feed was last checked, and which version was read. Not stored as events: an hourly check would add 8,760 meaningless
 * ones a year. Losing this costs one full read.
 */
export interface FeedChecks {
  last(feedId: string): Promise<FeedVersion>
  note(feedId: string, now: number, version: FeedVersion): Promise<void>
}

export function feedChecks(db: Database): FeedChecks {
  return {
    last: async (feedId) => {
      const { rows } = await db.query<{ etag: string | null; last_modified: string | null }>(
        'select etag, last_modified from service.feed_checks where feed_id = $1',
        [feedId],
      )
      const { etag = null, last_modified: lastModified = null } = rows[0] ?? {}
      return { ...(etag !== null && { etag }), ...(lastModified !== null && { lastModified }) }
    },
    note: async (feedId, now, { etag, lastModified }) => {
      await db.query(
        `insert into service.feed_checks (feed_id, checked_at, etag, last_modified) values ($1, $2, $3, $4)
         on conflict (feed_id) do update set checked_at = $2, etag = $3, last_modified = $4`,
        [feedId, isoTime(now), etag ?? null, lastModified ?? null],
      )
    },
  }
}
