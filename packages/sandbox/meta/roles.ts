import type { PlatformKey } from '../../../domain/core/platform.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'

/**
 * Whether an app may do nothing for the account: until Meta has given it advanced access, it is for people with a role on it only.
 * Those behind an account whose label contains `outsider` have none.
 *
 * https://developers.facebook.com/docs/development/build-and-test/app-modes/
 */
export function isOffLimits({ label }: LedgerAccount, platform: PlatformKey, { ledger }: StandInDeps): boolean {
  return !ledger.isReviewed(platform) && label.includes('outsider')
}
