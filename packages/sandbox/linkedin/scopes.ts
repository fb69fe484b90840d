import type { LedgerAccount } from '../ledger.ts'
import { isMember } from './identity.ts'
import { refuse } from './refusal.ts'

/** The token's scopes: what its owner granted, or the defaults for its kind of author. */
export function scopesOf({ externalId, secrets }: LedgerAccount): readonly string[] {
  const usual = isMember(externalId) ? 'w_member_social' : 'w_organization_social r_organization_social'
  return (secrets['scope'] ?? `openid profile ${usual}`).split(' ')
}

/** @throws StandInRefusal 403 */
export function mustHave(caller: LedgerAccount, scopes: readonly string[], resource: string): void {
  const granted = scopesOf(caller)
  if (scopes.every((scope) => granted.includes(scope))) return
  throw refuse(403, 'ACCESS_DENIED', `Not enough permissions to access: ${resource}`)
}
