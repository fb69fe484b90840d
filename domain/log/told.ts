import { account } from '../account/account.ts'
import { apiKey } from '../workspace/api-key.ts'
import { comment } from '../conversation/comment.ts'
import { competitor } from '../analytics/competitor.ts'
import { credits } from '../video/credits.ts'
import { delivery } from '../webhook/delivery.ts'
import { parseStreamName, type DomainEvent, type RecordedEvent, type StreamKind } from '../core/event.ts'
import { feedItem } from '../feed/feed-item.ts'
import { keyRing } from '../workspace/key-ring.ts'
import { metrics } from '../analytics/post-metrics.ts'
import { post } from '../post/post.ts'
import { recyclingRule } from '../recycling/recycling-rule.ts'
import { reply } from '../conversation/reply.ts'
import { feed } from '../feed/rss-feed.ts'
import { tellAccount } from './told/account.ts'
import { tellApiKey } from './told/api-key.ts'
import { tellComment } from './told/comment.ts'
import { tellCompetitor } from './told/competitor.ts'
import { tellCredits } from './told/credits.ts'
import { tellDelivery } from './told/delivery.ts'
import { tellFeedItem } from './told/feed-item.ts'
import { tellFeed } from './told/feed.ts'
import { tellKeyRing } from './told/key-ring.ts'
import { tellMetrics } from './told/metrics.ts'
import { tellPost } from './told/post.ts'
import { tellRecyclingRule } from './told/recycling-rule.ts'
import { tellReply } from './told/reply.ts'
import { tellUser } from './told/user.ts'
import { tellVideo } from './told/video.ts'
import { tellWebhook } from './told/webhook.ts'
import { tellWorkspace } from './told/workspace.ts'
import { user } from '../workspace/user.ts'
import { video } from '../video/video.ts'
import { webhook } from '../webhook/webhook.ts'
import { workspace } from '../workspace/workspace.ts'

type Teller = (event: DomainEvent) => string

const tellers: ReadonlyMap<string, Teller> = new Map([
  teller(keyRing, tellKeyRing),
  teller(workspace, tellWorkspace),
  teller(user, tellUser),
  teller(apiKey, tellApiKey),
  teller(account, tellAccount),
  teller(post, tellPost),
  teller(metrics, tellMetrics),
  teller(competitor, tellCompetitor),
  teller(feed, tellFeed),
  teller(feedItem, tellFeedItem),
  teller(recyclingRule, tellRecyclingRule),
  teller(comment, tellComment),
  teller(reply, tellReply),
  teller(video, tellVideo),
  teller(credits, tellCredits),
  teller(webhook, tellWebhook),
  teller(delivery, tellDelivery),
])

/** Describes an event as one line of plain English; falls back to the type of an unknown event. */
export function tell({ stream, type, data }: Pick<RecordedEvent, 'stream' | 'type' | 'data'>): string {
  const tellEvent = tellers.get(parseStreamName(stream).category)
  return tellEvent ? tellEvent({ type, data }) : type
}

function teller<State, Event extends DomainEvent>(
  kind: StreamKind<State, Event>,
  tellEvent: (event: Event) => string,
): readonly [string, Teller] {
  return [kind.category, (event) => (Object.hasOwn(kind.events, event.type) ? tellEvent(event as Event) : event.type)]
}
