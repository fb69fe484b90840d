import type { PlatformKey } from '../../../domain/core/platform.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'

/** A token contains its account and its expiry, so that a single lookup finds what to compare it with. */
export function newToken(
  kind: string,
  externalId: string,
  endsAt: number,
  { ids }: StandInDeps,
  separator = '.',
): string {
  const owner = Buffer.from(externalId).toString('base64url')
  return `${kind}${separator}${[owner, endsAt, ids.token()].join('.')}`
}

export interface ReadToken {
  readonly kind: string
  readonly account: LedgerAccount
  /** Milliseconds since the epoch. */
  readonly endsAt: number
}

/** Decodes a token, without checking that the account still has it. */
export function readToken(
  platform: PlatformKey,
  token: string,
  { ledger }: StandInDeps,
  separator = '.',
): ReadToken | undefined {
  const at = token.indexOf(separator)
  const [owner = '', endsAt] = token.slice(at + 1).split('.')
  const account = ledger.account(platform, Buffer.from(owner, 'base64url').toString())
  return account && { kind: token.slice(0, at), account, endsAt: Number(endsAt) }
}

export function bearerIn(authorization: string | undefined): string | undefined {
  return /^Bearer ([^ ]+)$/.exec(authorization ?? '')?.[1]
}

/** Ends the access to the account for good. */
export function revokeTokens(account: LedgerAccount, { ledger }: StandInDeps): void {
  const { previousRefreshToken: _, ...secrets } = account.secrets
  ledger.saveAccount({ ...account, secrets: { ...secrets, accessToken: '', refreshToken: '' } })
}

/** Revokes the account's access token, so that the caller must refresh. */
export function revokeAccess(account: LedgerAccount, { ledger }: StandInDeps): void {
  ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken: '' } })
}
