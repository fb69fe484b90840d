import type { LedgerAccount } from '../ledger.ts'
import { isMember } from './identity.ts'
import type { StandInDeps } from '../stand-in.ts'
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

/** Several items in one call are for apps with the Standard tier. @throws StandInRefusal 403 */
export function mustHaveStandardTier(resource: string, { ledger }: StandInDeps): void {
  if (ledger.isReviewed('linkedin')) return
  throw refuse(403, 'ACCESS_DENIED', `Not enough permissions to access: partnerApi${resource}.BATCH_GET.20260901`, 100)
}
