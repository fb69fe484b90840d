import { accountRoutes } from './accounts/accounts.ts'
import { activityRoutes } from './activity/activity.ts'
import { approvalRoutes } from './approvals/approvals.ts'
import { reviewLinkRoutes } from './approvals/review-links.ts'
import { analyticsRoutes } from './analytics/analytics.ts'
import { channelRoutes } from './notifications/channels.ts'
import { chainRoutes } from './posts/chains.ts'
import { commentRoutes } from './conversations/comments.ts'
import { competitorRoutes } from './competitors/competitors.ts'
import { budgetRoutes } from './budgets/budgets.ts'
import { costRoutes } from './costs/costs.ts'
import { creditRoutes } from './credits/credits.ts'
import { deliveryRoutes } from './webhooks/deliveries.ts'
import { draftRoutes } from './drafts/drafts.ts'
import { duplicateRoutes } from './posts/duplicates.ts'
import { erasureRoutes } from './erasures/erasures.ts'
import { eventRoutes } from './events/events.ts'
import { forecastRoutes } from './forecast/forecast.ts'
import { feedRoutes } from './feeds/rss-feeds.ts'
import { historyRoutes } from './history/history.ts'
import { importRoutes } from './scheduled-posts/import.ts'
import { mediaRoutes } from './media/media.ts'
import { postRoutes } from './posts/posts.ts'
import { recyclingRoutes } from './recycling/recycling-rules.ts'
import { replyRoutes } from './conversations/replies.ts'
import { scheduledPostRoutes } from './scheduled-posts/scheduled-posts.ts'
import { slotRoutes } from './slots/slots.ts'
import { invitationRoutes } from './team/invitations.ts'
import { userRoutes } from './team/users.ts'
import type { AnyRoute } from '../http/route.ts'
import type { Services } from '../kit/services.ts'
import { videoRoutes } from './videos/videos.ts'
import { voiceRoutes } from './voice/voice.ts'
import { webhookRoutes } from './webhooks/webhooks.ts'

/** Every endpoint under `/v1`. */
export function routeTable(services: Services): readonly AnyRoute[] {
  return [
    ...accountRoutes(services),
    ...costRoutes(services),
    ...budgetRoutes(services),
    ...chainRoutes(services),
    ...postRoutes(services),
    ...duplicateRoutes(services),
    ...mediaRoutes(services),
    ...scheduledPostRoutes(services),
    ...importRoutes(services),
    ...forecastRoutes(services),
    ...approvalRoutes(services),
    ...reviewLinkRoutes(services),
    ...slotRoutes(services),
    ...voiceRoutes(services),
    ...draftRoutes(services),
    ...feedRoutes(services),
    ...recyclingRoutes(services),
    ...commentRoutes(services),
    ...replyRoutes(services),
    ...videoRoutes(services),
    ...analyticsRoutes(services),
    ...competitorRoutes(services),
    ...creditRoutes(services),
    ...webhookRoutes(services),
    ...deliveryRoutes(services),
    ...eventRoutes(services),
    ...channelRoutes(services),
    ...historyRoutes(services),
    ...activityRoutes(services),
    ...userRoutes(services),
    ...invitationRoutes(services),
    ...erasureRoutes(services),
  ]
}
