import { PLATFORM_NAMES } from '../../../domain/core/platform.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { inDollars } from '../../../platforms/kit/costs.ts'
import { monthCosts } from '../../../reactors/accounts/month-costs.ts'
import type { Core } from '../../wiring/core.ts'
import { ok, type Finding } from './finding.ts'

/** What the platforms have charged this month for the use of their APIs, as far as the log knows. */
export async function examineCosts({ db, access, clock }: Core): Promise<readonly Finding[]> {
  const month = isoTime(clock.now()).slice(0, 7)
  const costs = await monthCosts({ db, costsOf: access.costsOf })(month)
  return costs.map(({ platform, usd, kinds }) => {
    const counts = kinds.map(({ label, count }) => `${count} ${label}`).join(', ')
    return ok('costs', `${PLATFORM_NAMES[platform]} in ${month}: about ${inDollars(usd * 1e6)} (${counts})`)
  })
}
