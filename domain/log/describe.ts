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
import { describeAccount } from './describe/account.ts'
import { describeApiKey } from './describe/api-key.ts'
import { describeComment } from './describe/comment.ts'
import { describeCompetitor } from './describe/competitor.ts'
import { describeCredits } from './describe/credits.ts'
import { describeDelivery } from './describe/delivery.ts'
import { describeFeedItem } from './describe/feed-item.ts'
import { describeFeed } from './describe/feed.ts'
import { describeKeyRing } from './describe/key-ring.ts'
import { describeMetrics } from './describe/metrics.ts'
import { describePost } from './describe/post.ts'
import { describeRecyclingRule } from './describe/recycling-rule.ts'
import { describeReply } from './describe/reply.ts'
import { describeUser } from './describe/user.ts'
import { describeVideo } from './describe/video.ts'
import { describeWebhook } from './describe/webhook.ts'
import { describeWorkspace } from './describe/workspace.ts'
import { user } from '../workspace/user.ts'
import { video } from '../video/video.ts'
import { webhook } from '../webhook/webhook.ts'
import { workspace } from '../workspace/workspace.ts'

type Teller = (event: DomainEvent) => string

const tellers: ReadonlyMap<string, Teller> = new Map([
  teller(keyRing, describeKeyRing),
  teller(workspace, describeWorkspace),
  teller(user, describeUser),
  teller(apiKey, describeApiKey),
  teller(account, describeAccount),
  teller(post, describePost),
  teller(metrics, describeMetrics),
  teller(competitor, describeCompetitor),
  teller(feed, describeFeed),
  teller(feedItem, describeFeedItem),
  teller(recyclingRule, describeRecyclingRule),
  teller(comment, describeComment),
  teller(reply, describeReply),
  teller(video, describeVideo),
  teller(credits, describeCredits),
  teller(webhook, describeWebhook),
  teller(delivery, describeDelivery),
])

/** Describes an event as one line of plain English; falls back to the type of an unknown event. */
export function describeEvent({ stream, type, data }: Pick<RecordedEvent, 'stream' | 'type' | 'data'>): string {
  const describeEvent = tellers.get(parseStreamName(stream).category)
  return describeEvent ? describeEvent({ type, data }) : type
}

function teller<State, Event extends DomainEvent>(
  kind: StreamKind<State, Event>,
  describeEvent: (event: Event) => string,
): readonly [string, Teller] {
  return [
    kind.category,
    (event) => (Object.hasOwn(kind.events, event.type) ? describeEvent(event as Event) : event.type),
  ]
}
