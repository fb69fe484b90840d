import { bearerOf } from '../google/tokens.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { googleRefusal } from './refusal.ts'

/** @throws StandInRefusal 401 */
export function authenticate(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  if (!authorization?.startsWith('Bearer ')) throw googleRefusal(401, 'required', 'Login Required.')
  const account = bearerOf('youtube', authorization, deps)
  if (!account) throw googleRefusal(401, 'authError', 'Invalid Credentials')
  return account
}

/**
 * Like `authenticate`, for everything but uploading, which only the first scope covers.
 *
 * @throws StandInRefusal 401, 403
 */
export function authenticateToManage(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  const account = authenticate(authorization, deps)
  const { scope } = account.secrets
  if (scope === undefined || scope.split(' ').some((each) => each.endsWith('/youtube.force-ssl'))) return account
  throw googleRefusal(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
}
