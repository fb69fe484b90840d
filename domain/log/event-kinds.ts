import { account } from '../account/account.ts'
import { apiKey } from '../workspace/api-key.ts'
import { channel } from '../notification/channel.ts'
import { comment } from '../conversation/comment.ts'
import { competitor } from '../analytics/competitor.ts'
import type { EventFormat } from '../core/event.ts'
import { credits } from '../video/credits.ts'
import { delivery } from '../webhook/delivery.ts'
import { draft } from '../post/draft.ts'
import { erasure } from '../workspace/erasure.ts'
import { feedItem } from '../feed/feed-item.ts'
import { invitation } from '../workspace/invitation.ts'
import { keyRing } from '../workspace/key-ring.ts'
import { media } from '../media/media.ts'
import { metrics } from '../analytics/post-metrics.ts'
import { notification } from '../notification/notification.ts'
import { post } from '../post/post.ts'
import { recyclingRule } from '../recycling/recycling-rule.ts'
import { removal } from '../account/removal.ts'
import { reply } from '../conversation/reply.ts'
import { feed } from '../feed/rss-feed.ts'
import { member } from '../workspace/member.ts'
import { user } from '../workspace/user.ts'
import { video } from '../video/video.ts'
import { webhook } from '../webhook/webhook.ts'
import { workspace } from '../workspace/workspace.ts'

/** The format of every kind of stream, by category. */
export const streamKinds: Readonly<Record<string, EventFormat>> = Object.fromEntries(
  [
    keyRing,
    workspace,
    user,
    member,
    invitation,
    apiKey,
    account,
    post,
    draft,
    metrics,
    competitor,
    feed,
    feedItem,
    recyclingRule,
    comment,
    reply,
    video,
    media,
    credits,
    webhook,
    delivery,
    channel,
    notification,
    erasure,
    removal,
  ].map((kind): [string, EventFormat] => [kind.category, kind]),
)

export const CATEGORIES: readonly string[] = Object.keys(streamKinds)
