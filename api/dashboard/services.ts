import type { AccountConnection } from '../../domain/account/account-connection.ts'
import type { Totps } from '../../infra/postgres/totps.ts'
import type { Ids } from '../../infra/runtime/ids.ts'
import type { Services } from '../kit/services.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { Sessions } from './sessions.ts'
import type { Throttle } from './throttle.ts'

/** What the dashboard's routes depend on. */
export interface DashboardServices extends Services {
  readonly ids: Ids
  readonly sessions: Sessions
  readonly cookie: SessionCookie
  readonly totps: Totps
  readonly throttle: Throttle
  readonly connection: AccountConnection
}
