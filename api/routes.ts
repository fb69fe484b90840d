import { accountRoutes } from './accounts.ts'
import { analyticsRoutes } from './analytics.ts'
import { commentRoutes } from './comments.ts'
import { competitorRoutes } from './competitors.ts'
import { creditRoutes } from './credits.ts'
import { deliveryRoutes } from './deliveries.ts'
import { eventRoutes } from './events.ts'
import { feedRoutes } from './rss-feeds.ts'
import { historyRoutes } from './history.ts'
import { postRoutes } from './posts.ts'
import { recyclingRoutes } from './recycling-rules.ts'
import { replyRoutes } from './replies.ts'
import { scheduledPostRoutes } from './scheduled-posts.ts'
import type { AnyRoute } from './route.ts'
import type { Services } from './services.ts'
import { videoRoutes } from './videos.ts'
import { webhookRoutes } from './webhooks.ts'

/** Every endpoint under `/v1`. */
export function routeTable(services: Services): readonly AnyRoute[] {
  return [
    ...accountRoutes(services),
    ...postRoutes(services),
    ...scheduledPostRoutes(services),
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
    ...historyRoutes(services),
  ]
}
