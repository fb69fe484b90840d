import type { LedgerAccount } from '../ledger.ts'
import { rotatingTokens } from '../oauth/rotating-tokens.ts'
import type { StandInDeps } from '../stand-in.ts'
import { pinterestRefusal } from './refusal.ts'

/** 30 and 60 days. */
export const LIFETIME_S = { access: 2_592_000, refresh: 5_184_000 }

export const tokens = rotatingTokens({
  platform: 'pinterest',
  prefix: { access: 'pina', refresh: 'pinr' },
  separator: '_',
  lifetimeS: LIFETIME_S,
  scopeSeparator: ' ',
  storesRefreshExpiry: false,
})

/** @throws StandInRefusal 401 code 2 */
export function authenticate(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  const account = tokens.bearerOf(authorization, deps)
  if (!account) throw pinterestRefusal(401, 2, 'Authentication failed.')
  return account
}

/** @throws StandInRefusal 403 code 29 unless the owner has granted every scope */
export function mustBeGranted({ secrets: { scope } }: LedgerAccount, scopes: readonly string[]): void {
  const missing = scopes.filter((each) => scope !== undefined && !scope.split(' ').includes(each))
  if (missing.length > 0) throw pinterestRefusal(403, 29, `Your token lacks the scope ${missing.join(', ')}.`)
}
