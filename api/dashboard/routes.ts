import type { AnyRoute } from '../http/route.ts'
import { accountAccessRoutes } from './account-access.ts'
import { accountAdminRoutes } from './accounts.ts'
import { approvalPolicyRoutes } from './approval-policy.ts'
import { competitorAdminRoutes } from './competitors.ts'
import { keyRoutes } from './keys.ts'
import { dueWorkRoutes } from './due-work.ts'
import { joinAsUserRoutes } from './join-as-user.ts'
import { ownChannelRoutes } from './own-channels.ts'
import { ownIdentityRoutes } from './own-identity.ts'
import { ownSessionRoutes } from './own-sessions.ts'
import { platformRoutes } from './platforms.ts'
import { recentWeeksRoutes } from './recent-weeks.ts'
import { resetLinkRoutes } from './reset-links.ts'
import type { DashboardServices } from './services.ts'
import { sessionRoutes } from './session.ts'
import { twoStepRoutes } from './two-step.ts'
import { undoRoutes } from './undo.ts'
import { voiceRoutes } from './voice.ts'
import { workspaceRoutes } from './workspace.ts'

/**
 * What the dashboard needs besides the public API, under `/dashboard/api` and for signed-in users only. It is not part of the
 * contract, so it is not in the OpenAPI document.
 */
export function dashboardRoutes(services: DashboardServices): readonly AnyRoute[] {
  return [
    ...sessionRoutes(services),
    ...joinAsUserRoutes(services),
    ...ownSessionRoutes(services),
    ...ownIdentityRoutes(services),
    ...twoStepRoutes(services),
    ...resetLinkRoutes(services),
    ...workspaceRoutes(services),
    ...approvalPolicyRoutes(services),
    ...undoRoutes(services),
    ...voiceRoutes(services),
    ...keyRoutes(services),
    ...platformRoutes(services),
    ...accountAccessRoutes(services),
    ...accountAdminRoutes(services),
    ...competitorAdminRoutes(services),
    ...ownChannelRoutes(services),
    ...dueWorkRoutes(services),
    ...recentWeeksRoutes(services),
  ]
}
