import type { CommandDeps } from '../../commands/handle.ts'
import { isoTime, type Clock } from '../../infra/runtime/clock.ts'
import { windowAt, type MaintenanceWindow } from '../../infra/runtime/maintenance-settings.ts'
import { inDollars, type CostsOf } from '../../platforms/kit/costs.ts'
import { PlatformError, type PlatformAccount } from '../../platforms/kit/platform.ts'
import { noteLimit, type Use } from './account-standing.ts'

/** Reading that nobody asked for; and posts and replies. */
export type Spending = 'reading' | 'writing'

/** Why work has to wait, and until when (ms since the epoch) at first: a budget may be raised before the month ends. */
export interface Pause {
  readonly until: number
  readonly failure: PlatformError
}

/** When work waits that would call a platform: in a maintenance window, and once a budget is used up. */
export interface Pauses {
  /** Undefined if it need not wait. */
  pauseOf(account: Pick<PlatformAccount, 'platform' | 'baseUrl'>, spending: Spending): Promise<Pause | undefined>
}

export const NO_PAUSES: Pauses = { pauseOf: async () => undefined }

/** The share of a budget at which each stops: a post matters more than a number. */
export const SHARES: Readonly<Record<Spending, number>> = { reading: 0.8, writing: 1 }
const CONTINUES: Readonly<Record<Spending, string>> = {
  reading: 'Comments and metrics are not read in the background',
  writing: 'Posts and replies wait',
}
const MAINTENANCE = 'Maintenance: nothing is sent until it ends.'
/** How long (ms) a sum is used: posts that are published meanwhile may exceed the budget. */
const FRESH_MS = 10_000
const LOOK_AGAIN_MS = 15 * 60_000

/**
 * Until when (ms since the epoch) work has to wait; undefined if it need not. That a budget is used up is recorded on the account.
 */
export async function pausedUntil(
  deps: CommandDeps & { readonly access: { readonly pauses: Pauses } },
  account: Pick<PlatformAccount, 'platform' | 'baseUrl'>,
  spending: Spending,
  use: Use,
): Promise<number | undefined> {
  const pause = await deps.access.pauses.pauseOf(account, spending)
  if (pause) await noteLimit(deps, use, pause.failure)
  return pause?.until
}

/**
 * @param deps.maintenance in the order of time
 * @param deps.budgets US dollars a month, by platform
 * @param deps.lookAgainMs after which time a budget may have been raised
 */
export function createPauses(deps: {
  readonly maintenance: readonly MaintenanceWindow[]
  readonly budgets: ReadonlyMap<string, number>
  readonly costsOf: CostsOf
  readonly monthCosts: (month: string) => Promise<readonly { readonly platform: string; readonly usd: number }[]>
  readonly clock: Clock
  readonly lookAgainMs?: number
}): Pauses {
  const { maintenance, budgets, costsOf, monthCosts, clock, lookAgainMs = LOOK_AGAIN_MS } = deps
  let last: { readonly at: number; readonly month: string; readonly costs: ReturnType<typeof monthCosts> } | undefined

  const spentOn = async (platform: string, month: string): Promise<number> => {
    const now = clock.now()
    if (!last || last.month !== month || now - last.at > FRESH_MS) {
      last = { at: now, month, costs: monthCosts(month) }
      last.costs.catch(() => (last = undefined))
    }
    return (await last.costs).find((each) => each.platform === platform)?.usd ?? 0
  }

  return {
    pauseOf: async (account, spending) => {
      const now = clock.now()
      const window = windowAt(maintenance, now)
      if (window) return { until: window.until, failure: new PlatformError('permanent', MAINTENANCE) }
      const { platform } = account
      const budget = budgets.get(platform)
      if (budget === undefined || costsOf(account) === undefined) return undefined
      const month = isoTime(now).slice(0, 7)
      const spent = await spentOn(platform, month)
      if (spent < budget * SHARES[spending]) return undefined
      const [year = 0, number = 0] = month.split('-').map(Number)
      const next = Date.UTC(year, number)
      const setting = `${platform.toUpperCase()}_MONTHLY_BUDGET`
      const reason =
        `${CONTINUES[spending]} until ${isoTime(next).slice(0, 10)}, or until ${setting} is raised: about ` +
        `${inDollars(spent * 1e6)} of ${inDollars(budget * 1e6)} have been spent in ${month}.`
      return {
        until: Math.min(next, now + lookAgainMs),
        failure: new PlatformError('permanent', reason, { limit: 'billing' }),
      }
    },
  }
}
