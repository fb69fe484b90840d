import type { LedgerAccount } from '../ledger.ts'
import { isMember } from './identity.ts'
import { refuse } from './refusal.ts'

/** Of an app with the Community Management API, beside those that sign a member in. */
export const SCOPES = [
  'openid',
  'profile',
  'r_basicprofile',
  'w_member_social',
  'w_organization_social',
  'r_organization_social',
  'rw_organization_admin',
  'r_organization_social_feed',
  'w_organization_social_feed',
] as const
type Scope = (typeof SCOPES)[number]

/** What the account's token may do: what its owner consented to, or what its kind of author needs. */
export function scopesOf({ externalId, secrets }: LedgerAccount): readonly string[] {
  const usual = isMember(externalId) ? 'w_member_social' : 'w_organization_social r_organization_social'
  return (secrets['scope'] ?? `openid profile ${usual}`).split(' ')
}

/** @throws LinkedInRefusal 403 */
export function mustHave(caller: LedgerAccount, scopes: readonly Scope[], resource: string): void {
  const granted = scopesOf(caller)
  if (scopes.every((scope) => granted.includes(scope))) return
  throw refuse(403, 'ACCESS_DENIED', `Not enough permissions to access: ${resource}`)
}
