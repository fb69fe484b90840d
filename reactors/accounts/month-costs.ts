import type { KindCost, MonthCosts, PlatformCost } from '../../domain/account/month-costs.ts'
import { PLATFORM_KEYS } from '../../domain/core/platform.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Costs, CostsOf } from '../../platforms/kit/costs.ts'
import { workDone, type WorkDone } from '../../projections/models/billed-work.ts'

export function monthCosts({ db, costsOf }: { readonly db: Database; readonly costsOf: CostsOf }): MonthCosts {
  return async (month, workspaceId) => {
    const [year = 0, number = 0] = month.split('-').map(Number)
    const [from, until] = [isoTime(Date.UTC(year, number - 1)), isoTime(Date.UTC(year, number))]
    const done = await workDone(db, { from, until, workspaceId })
    return PLATFORM_KEYS.flatMap((platform) => {
      const billed = done.filter((each) => each.platform === platform && costsOf(each) !== undefined)
      const costs = billed[0] && costsOf(billed[0])
      return costs ? [{ platform, asOf: costs.asOf, ...summed(costs, billed) }] : []
    })
  }
}

function summed(costs: Costs, billed: readonly WorkDone[]): Pick<PlatformCost, 'usd' | 'kinds'> {
  const counts = new Map<string, number>()
  for (const each of billed) {
    for (const kind of kindsOf(costs, each)) counts.set(kind, (counts.get(kind) ?? 0) + each.count)
  }
  const kinds = Object.entries(costs.kinds).flatMap(([kind, { label, microUsd }]): readonly KindCost[] => {
    const count = counts.get(kind)
    return count === undefined ? [] : [{ kind, label, count, usd: (count * microUsd) / 1e6 }]
  })
  const microUsd = Object.entries(costs.kinds).map(([kind, each]) => (counts.get(kind) ?? 0) * each.microUsd)
  return { kinds, usd: microUsd.reduce((sum, each) => sum + each, 0) / 1e6 }
}

function kindsOf(costs: Costs, { work, text }: WorkDone): readonly string[] {
  switch (work) {
    case 'post':
    case 'first-comment':
      return [costs.publish(text)]
    case 'reply':
      return [costs.reply(text)]
    case 'comment':
      return costs.perComment
    case 'metrics':
      return costs.perLook
  }
}
