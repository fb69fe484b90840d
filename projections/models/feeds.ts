import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { feed, type LiveFeed } from '../../domain/feed/rss-feed.ts'
import { feedItem } from '../../domain/feed/feed-item.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { boolean, integer, json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  workspaceId: text(),
  url: text(),
  selections: json<Readonly<Record<string, string[]>>>(),
  captionTemplate: text(),
  checkIntervalMinutes: integer(),
  platformOptions: json<LiveFeed['platformOptions'] | null>(),
  accountOptions: json<LiveFeed['accountOptions'] | null>(),
  active: boolean(),
  lastError: text<string | null>(),
  postedCount: integer(),
  createdAt: time(),
}
export type FeedRow = RowOf<typeof columns>

export const feeds: Projection<FeedRow> = {
  name: 'feeds',
  version: 2,
  columns,
  // The first event of an item's stream changes an existing row.
  createsRow: (recorded) => atStreamStart(recorded) && eventOf(feed, recorded) !== undefined,
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
        const { platformOptions = null, accountOptions = null } = event.data
        return {
          id,
          workspaceId,
          url,
          selections,
          captionTemplate,
          checkIntervalMinutes,
          platformOptions,
          accountOptions,
          active: true,
          lastError: null,
          postedCount: 0,
          createdAt: recorded.metadata.at,
        }
      }
      case 'FeedChanged': {
        if (!row) return row
        const { selections, captionTemplate, checkIntervalMinutes, active } = event.data
        const { platformOptions, accountOptions } = event.data
        return {
          ...row,
          selections: selections ?? row.selections,
          captionTemplate: captionTemplate ?? row.captionTemplate,
          checkIntervalMinutes: checkIntervalMinutes ?? row.checkIntervalMinutes,
          platformOptions: platformOptions ?? row.platformOptions,
          accountOptions: accountOptions ?? row.accountOptions,
          active: active ?? row.active,
        }
      }
      case 'FeedDeleted':
        return undefined
      case 'FeedCheckFailed':
        return row && { ...row, lastError: event.data.error }
      case 'FeedRecovered':
        return row && { ...row, lastError: null }
      case 'FeedItemPosted':
        return row && { ...row, postedCount: row.postedCount + 1 }
      default:
        return row
    }
  },
}

/** Includes the time of the last check, which no event records (`reactors/feeds/feed-checks.ts`). */
export interface ShownFeed extends FeedRow {
  readonly lastCheckedAt: string | null
}

const SHOWN = `select ${rowFrom(columns, 'f')}, c.checked_at as "lastCheckedAt"
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

/** How many items the active feeds of a workspace have posted since a time (ISO 8601 UTC), the busiest first; those that did. */
export async function feedPaces(
  db: Database,
  { workspaceId, since, limit }: { readonly workspaceId: string; readonly since: string; readonly limit: number },
): Promise<readonly { readonly url: string; readonly posted: number }[]> {
  const { rows } = await db.query<{ url: string; posted: number }>(
    `select f.url, count(*)::int as posted from read.feeds f
     join read.feed_items i on i.feed_id = f.id and i.status = 'posted' and i.seen_at > $2
     where f.workspace_id = $1 and f.active group by f.id, f.url order by posted desc, f.id limit $3`,
    [workspaceId, since, limit],
  )
  return rows
}
