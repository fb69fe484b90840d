import type { AnyRoute } from '../http/route.ts'
import { accountAdminRoutes } from './accounts.ts'
import { keyRoutes } from './keys.ts'
import { owedRoutes } from './owed.ts'
import { platformRoutes } from './platforms.ts'
import type { DashboardServices } from './services.ts'
import { sessionRoutes } from './session.ts'

/**
 * What the dashboard needs beside the public API, under `/dashboard/api` and for users who are signed in alone. None of it is
 * promised to anybody else: it is in no OpenAPI document.
 */
export function dashboardRoutes(services: DashboardServices): readonly AnyRoute[] {
  return [
    ...sessionRoutes(services),
    ...keyRoutes(services),
    ...platformRoutes(services),
    ...accountAdminRoutes(services),
    ...owedRoutes(services),
  ]
}
