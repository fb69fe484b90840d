import { accounts } from './accounts.ts'
import { activity } from './activity.ts'
import { agenda } from '../agenda/agenda.ts'
import { apiKeys } from './api-keys.ts'
import { billedWork } from './billed-work.ts'
import { channels } from './channels.ts'
import { comments } from './comments.ts'
import { competitors } from './competitors.ts'
import { creditEntries } from './credit-entries.ts'
import { deliveries } from './deliveries.ts'
import { drafts } from './drafts.ts'
import { erasures } from './erasures.ts'
import { feedItems } from './feed-items.ts'
import { feeds } from './feeds.ts'
import { invitations } from './invitations.ts'
import { media } from './media.ts'
import { members } from './members.ts'
import { metricSnapshots } from './metric-snapshots.ts'
import { notifications } from './notifications.ts'
import { postMetrics } from './post-metrics.ts'
import { posts } from './posts.ts'
import { erased, type AnyProjection } from '../engine/projection.ts'
import { publicEvents } from './public-events.ts'
import { recyclingRules } from './recycling-rules.ts'
import { replies } from './replies.ts'
import { scheduledPosts } from './scheduled-posts.ts'
import { users } from './users.ts'
import { videos } from './videos.ts'
import { webhooks } from './webhooks.ts'
import { workspaces } from './workspaces.ts'

/** Every read model. */
export const projections: readonly AnyProjection[] = [
  erased(workspaces),
  erased(users),
  erased(members),
  erased(invitations),
  erased(apiKeys),
  erased(accounts),
  erased(posts),
  erased(scheduledPosts),
  erased(drafts),
  erased(postMetrics),
  erased(metricSnapshots),
  erased(billedWork),
  erased(competitors),
  erased(feeds),
  erased(feedItems),
  erased(recyclingRules),
  erased(comments),
  erased(replies),
  erased(videos),
  erased(media),
  erased(creditEntries),
  erased(webhooks),
  erased(deliveries),
  erased(publicEvents),
  erased(channels),
  erased(notifications),
  erased(erasures),
  erased(activity),
  erased(agenda),
]
