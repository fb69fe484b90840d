import { PLATFORM_NAMES } from '../../../domain/core/platform.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { inDollars } from '../../../platforms/kit/costs.ts'
import { monthCosts } from '../../../reactors/accounts/month-costs.ts'
import { SHARES } from '../../../reactors/platform-calls/pauses.ts'
import type { Core } from '../../wiring/core.ts'
import { ok, type Finding } from './finding.ts'

/** What the platforms have charged this month for the use of their APIs, as far as the log knows, and what is left to spend. */
export async function examineCosts({
  db,
  access,
  clock,
  settings,
}: Pick<Core, 'db' | 'access' | 'clock'> & { readonly settings: Pick<Core['settings'], 'budgets'> }): Promise<
  readonly Finding[]
> {
  const month = isoTime(clock.now()).slice(0, 7)
  const costs = await monthCosts({ db, costsOf: access.costsOf })(month)
  return costs.map(({ platform, usd, kinds }) => {
    const counts = kinds.map(({ label, count }) => `${count} ${label}`).join(', ')
    const spent = `${PLATFORM_NAMES[platform]} in ${month}: about ${inDollars(usd * 1e6)} (${counts})`
    const budget = settings.budgets.get(platform)
    if (budget === undefined || usd < budget * SHARES.reading) return ok('costs', spent)
    const stopped = usd < budget * SHARES.writing ? 'nothing is read in the background' : 'posts and replies wait'
    const setting = `${platform.toUpperCase()}_MONTHLY_BUDGET`
    return {
      ...{ check: 'costs', level: 'warning', finding: `${spent} of ${inDollars(budget * 1e6)}: ${stopped}` },
      remedy: `Raise ${setting}, or wait until the next month.`,
    }
  })
}
