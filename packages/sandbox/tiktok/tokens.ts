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

export type Scope = (typeof SCOPES)[number]
export const SCOPES = [
  'user.info.basic',
  'user.info.profile',
  'user.info.stats',
  'video.publish',
  'video.upload',
  'video.list',
] as const
/** Those of an account whose owner has not authorized an app. */
const USUAL = 'user.info.basic,video.publish,video.upload,video.list'

/** As TikTok lists them. */
export function scopesOf({ secrets }: LedgerAccount): string {
  return secrets['scope'] ?? USUAL
}

/** @param scopes of which the token must have one @throws StandInRefusal 401 */
export function authenticate(
  authorization: string | undefined,
  scopes: readonly Scope[],
  deps: StandInDeps,
): LedgerAccount {
  const account = tokens.bearerOf(authorization, deps)
  if (!account) throw refusal('access_token_invalid', 'The access token is invalid or not found in the request.')
  const granted = scopesOf(account).split(',')
  if (scopes.some((scope) => granted.includes(scope))) return account
  throw refusal('scope_not_authorized', 'The user did not authorize the scope required for completing this request.')
}
