import type { FastifyInstance } from 'fastify'
import type { AccountConnection } from '../../domain/account/account-connection.ts'
import type { CompetitorTracking } from '../../domain/analytics/competitor-tracking.ts'
import type { SmallImage } from '../../domain/media/small-image.ts'
import type { Totps } from '../../infra/postgres/totps.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Ids } from '../../infra/runtime/ids.ts'
import type { MaintenanceWindow } from '../../infra/runtime/maintenance-settings.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { vapidKeys } from '../../infra/runtime/vapid.ts'
import type { Authenticate } from '../http/authenticate.ts'
import { mountRoutes } from '../http/mount-routes.ts'
import { createRateLimiter, type RateLimiter } from '../http/rate-limit.ts'
import type { RunRoute } from '../http/run-route.ts'
import type { Services } from '../kit/services.ts'
import type { TimeLimit } from '../http/time-limit.ts'
import type { OAuthServer } from '../oauth/server.ts'
import { authenticateUser } from './authenticate-user.ts'
import { consent } from './consent.ts'
import { imageRoute } from './image.ts'
import { createLiveChanges } from './live-changes.ts'
import { forgottenPassword } from './forgotten-password.ts'
import { join } from './join.ts'
import { liveRoute } from './live.ts'
import { dashboardPages, type Pages } from './pages.ts'
import { reset } from './reset.ts'
import { review } from './review.ts'
import { dashboardRoutes } from './routes.ts'
import { flowCookie, sessionCookie, type SessionCookie } from './session-cookie.ts'
import type { SingleSignOn } from './services.ts'
import { createSessions } from './sessions.ts'
import { createSignInFlows } from './sign-in-flows.ts'
import { signIn } from './sign-in.ts'
import { singleSignOn } from './single-sign-on.ts'
import { createThrottle } from './throttle.ts'

/** Options of the dashboard only. */
export interface DashboardOptions {
  /** Directory of the built page. */
  readonly directory: string
  /** Origins, besides https, of its images and clips, such as the sandbox. */
  readonly mediaOrigins: readonly string[]
  /** Request limit per user. */
  readonly perMinute: number
  readonly totps: Totps
  readonly connection: AccountConnection
  readonly competitors: CompetitorTracking
  readonly smallImage: SmallImage
  /** Undefined unless it is set up. */
  readonly singleSignOn: SingleSignOn | undefined
  /** In the order of time. */
  readonly maintenance: readonly MaintenanceWindow[]
  /** How often (ms) a live listener gets a heartbeat and its session is checked. Default 15 s. */
  readonly beatMs?: number
}

export interface Dashboard {
  readonly authenticate: Authenticate
  readonly cookie: SessionCookie
  readonly limiter: RateLimiter
  readonly pages: Pages
  /** Registers the routes under `/dashboard/api`. */
  mount(
    app: FastifyInstance,
    by: { readonly run: RunRoute; readonly limit: TimeLimit; readonly oauth: OAuthServer },
  ): void
}

/** Proxies cut connections that stay silent much longer. */
const BEAT_MS = 15_000
const MINUTES_OF_A_DAY = 24 * 60

export function createDashboard(deps: {
  readonly services: Services
  readonly dashboard: DashboardOptions
  readonly ids: Ids
  readonly clock: Clock
  readonly logger: Logger
  readonly derivationSecret: Buffer
  readonly publicUrl: string | undefined
}): Dashboard {
  const { dashboard, clock, logger, ids, derivationSecret, publicUrl } = deps
  const { totps, connection, competitors, perMinute, singleSignOn: signOn, maintenance, beatMs = BEAT_MS } = dashboard
  const { db, log, seen } = deps.services
  const sessions = createSessions(db, clock, derivationSecret)
  const secure = publicUrl?.startsWith('https:') ?? false
  const cookie = sessionCookie(secure)
  const throttle = createThrottle(db, clock)
  const services = {
    ...{ ...deps.services, ids, sessions, cookie, throttle, totps, connection, competitors, signOn, maintenance },
    pushKey: vapidKeys(derivationSecret).publicKey,
    flows: createSignInFlows(db, clock, derivationSecret),
    flowCookie: flowCookie(secure),
  }
  return {
    authenticate: authenticateUser({ sessions, cookie, publicUrl }),
    cookie,
    // No separate limit per day: a page that is left open polls all day.
    limiter: createRateLimiter(db, clock, { perMinute, perDay: perMinute * MINUTES_OF_A_DAY }),
    pages: dashboardPages(dashboard.directory, dashboard.mediaOrigins),
    mount: (app, { run, limit, oauth }) => {
      signIn(app, services, { limit, publicUrl })
      singleSignOn(app, services, { limit, logger })
      join(app, services, { limit, publicUrl })
      forgottenPassword(app, services, { limit, publicUrl })
      reset(app, services, { limit, publicUrl })
      review(app, services, { limit, publicUrl })
      consent(app, services, { oauth, limit })
      liveRoute(app, { changes: createLiveChanges({ db, log, seen, clock, logger }), sessions, clock, logger, beatMs })
      imageRoute(app, dashboard.smallImage)
      const others = {
        ...{ '/session': ['POST'], '/invitation': ['POST'], '/join': ['POST'] },
        ...{
          '/single-sign-on': ['GET'],
          '/forgotten-password': ['POST'],
          '/reset-link': ['POST'],
          '/reset': ['POST'],
          '/review-link': ['POST'],
          '/review': ['POST'],
          '/consent/:id': ['GET', 'POST', 'DELETE'],
          '/live': ['GET'],
          '/image': ['GET'],
        },
      }
      mountRoutes(app, dashboardRoutes(services), { run, limit, others })
    },
  }
}
