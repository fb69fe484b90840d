import type { ForecastPosts } from '../../domain/post/forecast.ts'
import { monthCosts } from '../../reactors/accounts/month-costs.ts'
import { createForecast, type ForecastDeps } from '../../reactors/forecast/forecast.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { accessOf, GRACE_MS, vaultOf, type World } from './world.ts'

/** The forecasts of a service whose processes are as those of `givenProcess`. */
export function givenForecast(world: World, parts: Partial<ForecastDeps> = {}): ForecastPosts {
  const { db, log } = world
  const access = accessOf(world)
  return createForecast({
    ...{ db, log, access },
    vault: vaultOf(world),
    logger: createLogger('silent'),
    monthCosts: monthCosts({ db, costsOf: parts.access?.costsOf ?? access.costsOf }),
    maintenance: [],
    budgets: new Map(),
    policy: { delaysMs: [1_000, 10_000, 60_000, 600_000] },
    graceMs: GRACE_MS,
    rewrites: true,
    sandboxUrl: world.sandbox.url,
    ...parts,
  })
}
