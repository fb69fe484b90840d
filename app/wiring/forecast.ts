import { monthCosts } from '../../reactors/accounts/month-costs.ts'
import type { ForecastDeps } from '../../reactors/forecast/forecast.ts'
import type { Core } from './core.ts'
import { sandboxUrlOf } from './platform-settings.ts'
import { textModelOf } from './text-model.ts'

/** What decides in a forecast as in the reactors. */
export function forecastDeps(core: Core): ForecastDeps {
  const { settings, db, log, vault, access, logger } = core
  return {
    ...{ db, log, vault, access, logger },
    monthCosts: monthCosts({ db, costsOf: access.costsOf }),
    maintenance: settings.MAINTENANCE_WINDOWS,
    budgets: settings.budgets,
    policy: { delaysMs: settings.RETRY_DELAYS },
    graceMs: settings.SCHEDULE_GRACE,
    rewrites: textModelOf(core) !== undefined,
    sandboxUrl: sandboxUrlOf(settings),
  }
}
