import { account } from '../account/account.ts'
import { apiKey } from '../workspace/api-key.ts'
import { comment } from '../conversation/comment.ts'
import { competitor } from '../analytics/competitor.ts'
import type { EventSchemas } from '../core/event.ts'
import { credits } from '../video/credits.ts'
import { delivery } from '../webhook/delivery.ts'
import { feedItem } from '../feed/feed-item.ts'
import { keyRing } from '../workspace/key-ring.ts'
import { metrics } from '../analytics/post-metrics.ts'
import { post } from '../post/post.ts'
import { recyclingRule } from '../recycling/recycling-rule.ts'
import { reply } from '../conversation/reply.ts'
import { feed } from '../feed/rss-feed.ts'
import { user } from '../workspace/user.ts'
import { video } from '../video/video.ts'
import { webhook } from '../webhook/webhook.ts'
import { workspace } from '../workspace/workspace.ts'

/** Every kind of stream, by category. */
export const streamKinds = {
  [keyRing.category]: keyRing.events,
  [workspace.category]: workspace.events,
  [user.category]: user.events,
  [apiKey.category]: apiKey.events,
  [account.category]: account.events,
  [post.category]: post.events,
  [metrics.category]: metrics.events,
  [competitor.category]: competitor.events,
  [feed.category]: feed.events,
  [feedItem.category]: feedItem.events,
  [recyclingRule.category]: recyclingRule.events,
  [comment.category]: comment.events,
  [reply.category]: reply.events,
  [video.category]: video.events,
  [credits.category]: credits.events,
  [webhook.category]: webhook.events,
  [delivery.category]: delivery.events,
} as const satisfies Record<string, EventSchemas>

export const CATEGORIES: readonly string[] = Object.keys(streamKinds)
