import { bearerOf } from '../google/tokens.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { NAMED } from './refusal.ts'

/** @throws StandInRefusal 401, or 429 for a project that is not approved */
export function authenticate(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  const account = bearerOf('googlebusiness', authorization, deps)
  if (!account) throw NAMED.unauthenticated
  if (!deps.ledger.isReviewed('googlebusiness')) throw NAMED.unapproved
  return account
}
