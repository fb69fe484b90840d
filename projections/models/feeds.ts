import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { feed } from '../../domain/feed/rss-feed.ts'
import { feedItem } from '../../domain/feed/feed-item.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

export interface FeedRow {
  readonly id: string
  readonly workspace_id: string
  readonly url: string
  readonly selections: Readonly<Record<string, string[]>>
  readonly caption_template: string
  readonly check_interval_minutes: number
  readonly active: boolean
  readonly last_error: string | null
  readonly posted_count: number
  readonly created_at: string
}

export const feeds: Projection<FeedRow> = {
  name: 'feeds',
  version: 1,
  columns: {
    id: 'text',
    workspace_id: 'text',
    url: 'text',
    selections: 'json',
    caption_template: 'text',
    check_interval_minutes: 'integer',
    active: 'boolean',
    last_error: 'text',
    posted_count: 'integer',
    created_at: 'timestamptz',
  },
  // The first event of an item's stream changes an existing row.
  makesAnew: (recorded) => atStreamStart(recorded) && eventOf(feed, recorded) !== undefined,
  indexes: ['(workspace_id, created_at desc, id desc)'],
  rowIds: (recorded) => {
    if (eventOf(feed, recorded)) return [parseStreamName(recorded.stream).id]
    const item = eventOf(feedItem, recorded)
    return item?.type === 'FeedItemPosted' ? [item.data.feedId] : []
  },
  apply: (row, recorded, id) => {
    const event = eventOf(feed, recorded) ?? eventOf(feedItem, recorded)
    switch (event?.type) {
      case 'FeedAdded': {
        const { workspaceId, url, selections, captionTemplate, checkIntervalMinutes } = event.data
        return {
          id,
          workspace_id: workspaceId,
          url,
          selections,
          caption_template: captionTemplate,
          check_interval_minutes: checkIntervalMinutes,
          active: true,
          last_error: null,
          posted_count: 0,
          created_at: recorded.metadata.at,
        }
      }
      case 'FeedChanged': {
        if (!row) return row
        const { selections, captionTemplate, checkIntervalMinutes, active } = event.data
        return {
          ...row,
          selections: selections ?? row.selections,
          caption_template: captionTemplate ?? row.caption_template,
          check_interval_minutes: checkIntervalMinutes ?? row.check_interval_minutes,
          active: active ?? row.active,
        }
      }
      case 'FeedDeleted':
        return undefined
      case 'FeedCheckFailed':
        return row && { ...row, last_error: event.data.error }
      case 'FeedRecovered':
        return row && { ...row, last_error: null }
      case 'FeedItemPosted':
        return row && { ...row, posted_count: row.posted_count + 1 }
      default:
        return row
    }
  },
}

/** Includes the time of the last check, which no event records (`reactors/feeds/feed-checks.ts`). */
export interface ShownFeed extends FeedRow {
  readonly last_checked_at: string | null
}

const SHOWN = `select f.*, c.checked_at as last_checked_at
  from read.feeds f left join service.feed_checks c on c.feed_id = f.id`

export async function findFeed(db: Database, id: string): Promise<ShownFeed | undefined> {
  const { rows } = await db.query<ShownFeed>(`${SHOWN} where f.id = $1`, [id])
  return rows[0]
}

/** Newest first. */
export async function listFeeds(
  db: Database,
  page: {
    readonly workspaceId: string
    readonly limit: number
    readonly after: { readonly at: string; readonly id: string } | undefined
  },
): Promise<readonly ShownFeed[]> {
  const { rows } = await db.query<ShownFeed>(
    `${SHOWN} where f.workspace_id = $1 and ($2::timestamptz is null or (f.created_at, f.id) < ($2, $3))
     order by f.created_at desc, f.id desc limit $4`,
    [page.workspaceId, page.after?.at ?? null, page.after?.id ?? null, page.limit],
  )
  return rows
}
