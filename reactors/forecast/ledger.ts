import { isoTime } from '../../infra/runtime/clock.ts'
import type { CostsOf } from '../../platforms/kit/costs.ts'
import type { PlatformAccount } from '../../platforms/kit/platform.ts'

/** What was published on each account, and what it cost. */
export interface Ledger {
  /**
   * @param at ms since the epoch, as below
   * @param counts whether it counts as a post
   */
  published(
    account: Pick<PlatformAccount, 'id' | 'platform' | 'baseUrl'>,
    text: string,
    at: number,
    counts: boolean,
  ): void
  /** How many posts of the account were published after a time. */
  countSince(accountId: string, time: number): number
  /** In US dollars. @param month `YYYY-MM`, UTC */
  spent(platform: string, month: string): number
  /** What the account was charged since the last call, in US dollars; undefined if its platform is free. */
  bill(accountId: string): number | undefined
}

/** @param before when posts of each account were published, ms since the epoch, the oldest first */
export function createLedger(costsOf: CostsOf, before: ReadonlyMap<string, readonly number[]>): Ledger {
  const times = new Map([...before].map(([id, known]) => [id, [...known]]))
  const microUsd = new Map<string, number>()
  const bills = new Map<string, number>()
  const add = (to: Map<string, number>, key: string, amount: number) => to.set(key, (to.get(key) ?? 0) + amount)

  return {
    published: ({ id, platform, baseUrl }, text, at, counts) => {
      if (counts) {
        const known = times.get(id)
        if (known) known.push(at)
        else times.set(id, [at])
      }
      const costs = costsOf({ platform, baseUrl })
      const price = costs?.kinds[costs.publish(text)]?.microUsd
      if (price === undefined) return
      add(microUsd, `${platform} ${isoTime(at).slice(0, 7)}`, price)
      add(bills, id, price)
    },
    countSince: (accountId, time) => {
      const known = times.get(accountId) ?? []
      return known.length - 1 - known.findLastIndex((at) => at <= time)
    },
    spent: (platform, month) => (microUsd.get(`${platform} ${month}`) ?? 0) / 1e6,
    bill: (accountId) => {
      const price = bills.get(accountId)
      bills.delete(accountId)
      return price === undefined ? undefined : price / 1e6
    },
  }
}
