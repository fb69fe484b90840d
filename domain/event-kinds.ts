import { account } from './account.ts'
import { apiKey } from './api-key.ts'
import { comment } from './comment.ts'
import { competitor } from './competitor.ts'
import type { EventSchemas } from './event.ts'
import { credits } from './credits.ts'
import { delivery } from './delivery.ts'
import { feedItem } from './feed-item.ts'
import { keyRing } from './key-ring.ts'
import { metrics } from './post-metrics.ts'
import { post } from './post.ts'
import { recyclingRule } from './recycling-rule.ts'
import { reply } from './reply.ts'
import { feed } from './rss-feed.ts'
import { user } from './user.ts'
import { video } from './video.ts'
import { webhook } from './webhook.ts'
import { workspace } from './workspace.ts'

/** Every kind of stream there is, by category. */
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
