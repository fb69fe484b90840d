import type { LedgerAccount } from '../ledger.ts'
import { rotatingTokens } from '../oauth/rotating-tokens.ts'
import type { StandInDeps } from '../stand-in.ts'
import { refusal } from './refusal.ts'

/** 2 hours and 180 days. */
export const LIFETIME_S = { access: 7_200, refresh: 15_552_000 }

/** More lenient than TikTok, which revokes a replaced refresh token at once. */
export const tokens = rotatingTokens({
  platform: 'tiktok',
  prefix: { access: 'act', refresh: 'rft' },
  separator: '.',
  lifetimeS: LIFETIME_S,
  scopeSeparator: ',',
  storesRefreshExpiry: true,
})

/** @throws StandInRefusal 401 */
export function authenticate(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  const account = tokens.bearerOf(authorization, deps)
  if (account) return account
  throw refusal('access_token_invalid', 'The access token is invalid or not found in the request.')
}
