import { bearerOf } from '../google/tokens.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { googleRefusal } from './refusal.ts'

/** @throws StandInRefusal 401 */
function authenticate(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  if (!authorization?.startsWith('Bearer ')) throw googleRefusal(401, 'required', 'Login Required.')
  const account = bearerOf('youtube', authorization, deps)
  if (!account) throw googleRefusal(401, 'authError', 'Invalid Credentials')
  return account
}

/**
 * For uploads.
 *
 * @throws StandInRefusal 401, 403
 */
export function authenticateToUpload(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  return authenticateFor(['youtube', 'youtube.force-ssl', 'youtube.upload'], authorization, deps)
}

/**
 * For reading the channel and its videos.
 *
 * @throws StandInRefusal 401, 403
 */
export function authenticateToRead(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  return authenticateFor(['youtube', 'youtube.force-ssl', 'youtube.readonly'], authorization, deps)
}

/**
 * For deleting a video, and for playlists.
 *
 * @throws StandInRefusal 401, 403
 */
export function authenticateToChange(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  return authenticateFor(['youtube', 'youtube.force-ssl'], authorization, deps)
}

/**
 * For comments.
 *
 * @throws StandInRefusal 401, 403
 */
export function authenticateToManage(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  return authenticateFor(['youtube.force-ssl'], authorization, deps)
}

function authenticateFor(
  scopes: readonly string[],
  authorization: string | undefined,
  deps: StandInDeps,
): LedgerAccount {
  const account = authenticate(authorization, deps)
  const granted = account.secrets['scope']?.split(' ').map((each) => each.slice(each.lastIndexOf('/') + 1))
  if (!granted || granted.some((each) => scopes.includes(each))) return account
  throw googleRefusal(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
}
