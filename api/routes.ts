import { accountRoutes } from './accounts.ts'
import { postRoutes } from './posts.ts'
import type { AnyRoute } from './route.ts'
import type { Services } from './services.ts'

/** Every endpoint under `/v1`. */
export function routeTable(services: Services): readonly AnyRoute[] {
  return [...accountRoutes(services), ...postRoutes(services)]
}
