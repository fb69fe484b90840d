import type { z } from 'zod'
import { Refusal } from '../../../domain/core/errors.ts'
import { isLive, type FeedState } from '../../../domain/feed/rss-feed.ts'
import type { FeedItemRow } from '../../../projections/models/feed-items.ts'
import type { ShownFeed as FeedRow } from '../../../projections/models/feeds.ts'
import type { feedItemSchema, feedSchema } from './feed-schemas.ts'

export type ShownFeed = z.infer<typeof feedSchema>

/** Fields that are not part of a feed's own events. */
type Counted = Pick<ShownFeed, 'postedCount' | 'lastCheckedAt'>

/** A feed from its stream: it shows the command's result even if the read model lags. */
export function presentState(id: string, state: FeedState, { postedCount, lastCheckedAt }: Counted): ShownFeed {
  if (!isLive(state)) throw new Refusal('not_found', 'No such feed.')
  const { url, selections, captionTemplate, checkIntervalMinutes, status, lastError, createdAt } = state
  const settings = { id, url, selections, captionTemplate, checkIntervalMinutes, active: status === 'active' }
  return { ...settings, lastCheckedAt, lastError, postedCount, createdAt }
}

export function presentRow(row: FeedRow): ShownFeed {
  return {
    id: row.id,
    url: row.url,
    selections: row.selections,
    captionTemplate: row.caption_template,
    checkIntervalMinutes: row.check_interval_minutes,
    active: row.active,
    lastCheckedAt: row.last_checked_at ?? undefined,
    lastError: row.last_error ?? undefined,
    postedCount: row.posted_count,
    createdAt: row.created_at,
  }
}

export function presentItem(row: FeedItemRow): z.infer<typeof feedItemSchema> {
  const { title, link, status, post_id: postId, reason, seen_at: seenAt } = row
  return { title, link, status, postId: postId ?? undefined, reason: reason ?? undefined, seenAt }
}
