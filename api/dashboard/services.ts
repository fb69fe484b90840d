import type { AccountConnection } from '../../domain/account/account-connection.ts'
import type { CompetitorTracking } from '../../domain/analytics/competitor-tracking.ts'
import type { GroupRoles } from '../../domain/workspace/role.ts'
import type { IdentityProvider } from '../../infra/oidc/identity-provider.ts'
import type { Totps } from '../../infra/postgres/totps.ts'
import type { Ids } from '../../infra/runtime/ids.ts'
import type { MaintenanceWindow } from '../../infra/runtime/maintenance-settings.ts'
import type { Services } from '../kit/services.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { Sessions } from './sessions.ts'
import type { SignInFlows } from './sign-in-flows.ts'
import type { Throttle } from './throttle.ts'

/** Sign-in with OpenID Connect, as the operator has set it up. */
export interface SingleSignOn {
  readonly provider: IdentityProvider
  /** What people call it. */
  readonly name: string
  /** Where people join by a group: an id or a name. */
  readonly workspace: string | undefined
  readonly roles: GroupRoles
  close(): Promise<void>
}

/** What the dashboard's routes depend on. */
export interface DashboardServices extends Services {
  readonly ids: Ids
  readonly sessions: Sessions
  readonly cookie: SessionCookie
  readonly totps: Totps
  readonly throttle: Throttle
  readonly connection: AccountConnection
  readonly competitors: CompetitorTracking
  /** Undefined unless it is set up. */
  readonly signOn: SingleSignOn | undefined
  /** In the order of time. */
  readonly maintenance: readonly MaintenanceWindow[]
  readonly flows: SignInFlows
  readonly flowCookie: SessionCookie
  /** The public key that browsers subscribe with, in base64url. */
  readonly pushKey: string
}
