import type { PlatformKey } from '../../../domain/core/platform.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'

/** Milliseconds. A user token can be renewed from its second day on. */
export const TOKEN_LIFETIME_MS = 60 * 86_400_000
const RENEWABLE_AFTER_MS = 86_400_000

export const EXPIRED = {
  code: 190,
  subcode: 463,
  message: 'Error validating access token: Session has expired',
} as const

/** A token contains its account and its time of issue, so that a single lookup finds what to compare it with. */
export function newToken(prefix: string, externalId: string, { ids, clock }: StandInDeps): string {
  return [prefix, Buffer.from(externalId).toString('base64url'), clock.now(), ids.token()].join('.')
}

export interface ReadToken {
  readonly prefix: string
  readonly account: LedgerAccount
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
}

/** Decodes a token, without checking that it is still the account's current one. */
export function readToken(platform: PlatformKey, token: string, { ledger }: StandInDeps): ReadToken | undefined {
  const [prefix = '', owner = '', issuedAt = ''] = token.split('.')
  const account = ledger.account(platform, Buffer.from(owner, 'base64url').toString())
  return account && /^\d+$/.test(issuedAt) ? { prefix, account, issuedAt: Number(issuedAt) } : undefined
}

export function isOver({ issuedAt }: { readonly issuedAt: number }, { clock }: StandInDeps): boolean {
  return issuedAt + TOKEN_LIFETIME_MS <= clock.now()
}

export function isRenewable({ issuedAt }: { readonly issuedAt: number }, { clock }: StandInDeps): boolean {
  return clock.now() - issuedAt >= RENEWABLE_AFTER_MS
}

/** The answer to a renewal. */
export function renewedBody(token: string): object {
  return { access_token: token, token_type: 'bearer', expires_in: TOKEN_LIFETIME_MS / 1_000 }
}
