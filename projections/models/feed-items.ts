import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { feedItem } from '../../domain/feed/feed-item.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  /** The feed's id, and a hash of the item's identity. */
  id: text(),
  /** Null for items of earlier versions. */
  workspaceId: text<string | null>(),
  feedId: text(),
  fingerprint: text(),
  title: text(),
  link: text(),
  status: text<'seeded' | 'posted' | 'skipped'>(),
  postId: text<string | null>(),
  reason: text<string | null>(),
  seenAt: time(),
}
/** A feed item and its outcome. */
export type FeedItemRow = RowOf<typeof columns>

export const feedItems: Projection<FeedItemRow> = {
  name: 'feed_items',
  version: 2,
  columns,
  createsRow: atStreamStart,
  indexes: ['(feed_id, seen_at desc, id desc)', '(feed_id, fingerprint)'],
  rowIds: (recorded) => (eventOf(feedItem, recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(feedItem, recorded)
    if (!event) return row
    const { workspaceId = null, feedId, fingerprint, title, link } = event.data
    const of = { id, workspaceId, feedId }
    const seen = { ...of, fingerprint, title, link, postId: null, reason: null, seenAt: recorded.metadata.at }
    switch (event.type) {
      case 'FeedItemSeeded':
        return { ...seen, status: 'seeded' }
      case 'FeedItemPosted':
        return { ...seen, status: 'posted', postId: event.data.postId }
      case 'FeedItemSkipped':
        return { ...seen, status: 'skipped', reason: event.data.reason }
    }
  },
}

/** The given ids and fingerprints that the feed has had before. */
export async function knownItems(
  db: Database,
  feedId: string,
  asked: { readonly ids: readonly string[]; readonly fingerprints: readonly string[] },
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<Pick<FeedItemRow, 'id' | 'fingerprint'>>(
    `select id, fingerprint from read.feed_items where id = any($2)
     union select id, fingerprint from read.feed_items where feed_id = $1 and fingerprint = any($3)`,
    [feedId, asked.ids, asked.fingerprints],
  )
  return new Set(rows.flatMap(({ id, fingerprint }) => [id, fingerprint]))
}

/** Newest first. */
export async function listFeedItems(
  db: Database,
  page: {
    readonly feedId: string
    readonly limit: number
    readonly after: { readonly at: string; readonly id: string } | undefined
  },
): Promise<readonly FeedItemRow[]> {
  const { rows } = await db.query<FeedItemRow>(
    `select ${rowFrom(columns)} from read.feed_items where feed_id = $1
       and ($2::timestamptz is null or (seen_at, id) < ($2, $3))
     order by seen_at desc, id desc limit $4`,
    [page.feedId, page.after?.at ?? null, page.after?.id ?? null, page.limit],
  )
  return rows
}

/** How many of a feed's items had been posted by a time (ISO 8601 UTC). */
export async function countPosted(db: Database, feedId: string, at: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from read.feed_items where feed_id = $1 and status = 'posted' and seen_at <= $2",
    [feedId, at],
  )
  return rows[0]?.count ?? 0
}
