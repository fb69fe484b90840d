import { account } from '../account/account.ts'
import { apiKey } from '../workspace/api-key.ts'
import { channel } from '../notification/channel.ts'
import { comment } from '../conversation/comment.ts'
import { competitor } from '../analytics/competitor.ts'
import { credits } from '../video/credits.ts'
import { delivery } from '../webhook/delivery.ts'
import { draft } from '../post/draft.ts'
import { erasure } from '../workspace/erasure.ts'
import { eventOf, parseStreamName, type DomainEvent, type RecordedEvent, type StreamKind } from '../core/event.ts'
import { feedItem } from '../feed/feed-item.ts'
import { keyRing } from '../workspace/key-ring.ts'
import { media } from '../media/media.ts'
import { metrics } from '../analytics/post-metrics.ts'
import { notification } from '../notification/notification.ts'
import { reviewerOf, type Reviewer } from '../post/approval.ts'
import { post } from '../post/post.ts'
import { recyclingRule } from '../recycling/recycling-rule.ts'
import { removal } from '../account/removal.ts'
import { reply } from '../conversation/reply.ts'
import { feed } from '../feed/rss-feed.ts'
import { describeAccount } from './describe/account.ts'
import { describeApiKey } from './describe/api-key.ts'
import { describeChannel } from './describe/channel.ts'
import { describeComment } from './describe/comment.ts'
import { describeCompetitor } from './describe/competitor.ts'
import { describeCredits } from './describe/credits.ts'
import { describeDelivery } from './describe/delivery.ts'
import { describeDraft } from './describe/draft.ts'
import { describeErasure } from './describe/erasure.ts'
import { describeFeedItem } from './describe/feed-item.ts'
import { describeFeed } from './describe/feed.ts'
import { describeInvitation } from './describe/invitation.ts'
import { describeKeyRing } from './describe/key-ring.ts'
import { describeMedia } from './describe/media.ts'
import { describeMember } from './describe/member.ts'
import { describeMetrics } from './describe/metrics.ts'
import { describeNotification } from './describe/notification.ts'
import { describePost } from './describe/post.ts'
import { describeRecyclingRule } from './describe/recycling-rule.ts'
import { describeRemoval } from './describe/removal.ts'
import { describeReply } from './describe/reply.ts'
import { describeUser } from './describe/user.ts'
import { describeVideo } from './describe/video.ts'
import { describeWebhook } from './describe/webhook.ts'
import { describeWorkspace } from './describe/workspace.ts'
import { invitation } from '../workspace/invitation.ts'
import { member } from '../workspace/member.ts'
import { user } from '../workspace/user.ts'
import { video } from '../video/video.ts'
import { webhook } from '../webhook/webhook.ts'
import { workspace } from '../workspace/workspace.ts'

type Described = Pick<RecordedEvent, 'stream' | 'type' | 'data' | 'unreadable'>
type Describer = (recorded: Described) => string | undefined

const describers: ReadonlyMap<string, Describer> = new Map([
  describer(keyRing, describeKeyRing),
  describer(workspace, describeWorkspace),
  describer(user, describeUser),
  describer(member, describeMember),
  describer(invitation, describeInvitation),
  describer(apiKey, describeApiKey),
  describer(account, describeAccount),
  describer(post, describePost),
  describer(draft, describeDraft),
  describer(metrics, describeMetrics),
  describer(competitor, describeCompetitor),
  describer(feed, describeFeed),
  describer(feedItem, describeFeedItem),
  describer(recyclingRule, describeRecyclingRule),
  describer(comment, describeComment),
  describer(reply, describeReply),
  describer(video, describeVideo),
  describer(media, describeMedia),
  describer(credits, describeCredits),
  describer(webhook, describeWebhook),
  describer(delivery, describeDelivery),
  describer(channel, describeChannel),
  describer(notification, describeNotification),
  describer(erasure, describeErasure),
  describer(removal, describeRemoval),
])

/** Describes an event as one line of plain English; falls back to the type of an unknown event. */
export function describeEvent(recorded: Described): string {
  const { stream, type, unreadable } = recorded
  if (unreadable) return `${type} cannot be read: ${unreadable.reason}.`
  return describers.get(parseStreamName(stream).category)?.(recorded) ?? type
}

/** Who caused an event: a guest, or the actor in its metadata. */
export function causerOf(recorded: RecordedEvent): Reviewer {
  const { unreadable, metadata } = recorded
  const event = unreadable ? undefined : eventOf(post, recorded)
  return event ? reviewerOf(event, metadata.actor) : metadata.actor
}

function describer<State, Event extends DomainEvent>(
  kind: StreamKind<State, Event>,
  describe: (event: Event) => string,
): readonly [string, Describer] {
  return [
    kind.category,
    (recorded) => {
      const event = eventOf(kind, recorded)
      return event && describe(event)
    },
  ]
}
