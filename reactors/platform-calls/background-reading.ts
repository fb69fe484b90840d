import type { KnownAccount } from '../../domain/account/account.ts'
import type { CostsOf } from '../../platforms/kit/costs.ts'

/**
 * Whether comments and metrics of an account are read on a schedule. Where that costs money, only once somebody has switched it
 * on: nobody should pay for what they may not even look at.
 */
export function readsInBackground(
  account: Pick<KnownAccount, 'platform' | 'baseUrl' | 'readsInBackground'>,
  costsOf: CostsOf,
): boolean {
  return account.readsInBackground ?? costsOf(account) === undefined
}
