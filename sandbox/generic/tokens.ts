import type { PlatformKey } from '../../domain/platform.ts'
import type { LedgerAccount } from '../ledger.ts'
import { SandboxRefusal } from '../refusal.ts'
import type { StandInDeps } from '../stand-in.ts'

/** Milliseconds an access token lives. */
export const ACCESS_TOKEN_LIFETIME_MS = 3_600_000

/** A token names its account and its end, so that one look-up finds what it is to be compared with. */
function token(kind: 'access' | 'refresh', externalId: string, expiresAt: number, { ids }: StandInDeps): string {
  return [kind, Buffer.from(externalId).toString('base64url'), expiresAt, ids.token()].join('.')
}

export function issueTokens(externalId: string, deps: StandInDeps): { accessToken: string; refreshToken: string } {
  return {
    accessToken: token('access', externalId, deps.clock.now() + ACCESS_TOKEN_LIFETIME_MS, deps),
    refreshToken: token('refresh', externalId, 0, deps),
  }
}

function owner(platform: PlatformKey, given: string, { ledger }: StandInDeps): LedgerAccount | undefined {
  return ledger.account(platform, Buffer.from(given.split('.')[1] ?? '', 'base64url').toString())
}

/** @throws SandboxRefusal 401 */
export function authenticate(
  platform: PlatformKey,
  authorization: string | undefined,
  deps: StandInDeps,
): LedgerAccount {
  const given = /^Bearer ([^ ]+)$/.exec(authorization ?? '')?.[1]
  if (given === undefined) {
    throw new SandboxRefusal(401, 'missing_token', 'send the access token as `Authorization: Bearer <token>`')
  }
  const account = owner(platform, given, deps)
  if (account?.secrets['accessToken'] !== given) {
    throw new SandboxRefusal(401, 'invalid_token', 'this access token is unknown, or was replaced or revoked')
  }
  if (Number(given.split('.')[2]) <= deps.clock.now()) {
    throw new SandboxRefusal(401, 'token_expired', 'this access token has expired')
  }
  return account
}

/** Makes the account's access token void, so that only a refresh helps. */
export function revokeAccess(account: LedgerAccount, { ledger }: StandInDeps): void {
  ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken: '' } })
}

/** @throws SandboxRefusal 401 when no account has this refresh token */
export function refreshOwner(platform: PlatformKey, refreshToken: string, deps: StandInDeps): LedgerAccount {
  const account = owner(platform, refreshToken, deps)
  if (account?.secrets['refreshToken'] === refreshToken) return account
  throw new SandboxRefusal(401, 'invalid_grant', 'this refresh token is unknown')
}

/** Gives the account a new access token; the one before it is void from here on. The refresh token stays. */
export function renewAccess(account: LedgerAccount, deps: StandInDeps): string {
  const { accessToken } = issueTokens(account.externalId, deps)
  deps.ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken } })
  return accessToken
}
