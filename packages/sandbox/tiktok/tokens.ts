import { isoTime } from '../../../infra/runtime/clock.ts'
import type { Grant } from '../consent.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { refusal } from './refusal.ts'

/** Seconds: 2 hours and 180 days. */
export const ACCESS_LIFETIME_S = 7_200
export const REFRESH_LIFETIME_S = 15_552_000

/** A token contains its account and its expiry, so that a single lookup finds what to compare it with. */
function token(kind: 'act' | 'rft', externalId: string, lifetimeS: number, { ids, clock }: StandInDeps): string {
  const end = clock.now() + lifetimeS * 1_000
  return [kind, Buffer.from(externalId).toString('base64url'), end, ids.token()].join('.')
}

export function issueTokens(externalId: string, deps: StandInDeps) {
  const now = deps.clock.now()
  return {
    accessToken: token('act', externalId, ACCESS_LIFETIME_S, deps),
    refreshToken: token('rft', externalId, REFRESH_LIFETIME_S, deps),
    expiresAt: isoTime(now + ACCESS_LIFETIME_S * 1_000),
    refreshExpiresAt: isoTime(now + REFRESH_LIFETIME_S * 1_000),
  }
}

function owner(given: string, { ledger }: StandInDeps): LedgerAccount | undefined {
  return ledger.account('tiktok', Buffer.from(given.split('.')[1] ?? '', 'base64url').toString())
}

function hasEnded(given: string, { clock }: StandInDeps): boolean {
  return Number(given.split('.')[2]) <= clock.now()
}

/** @throws PlatformRefusal 401 */
export function authenticate(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  const given = /^Bearer ([^ ]+)$/.exec(authorization ?? '')?.[1] ?? ''
  const account = owner(given, deps)
  if (given === '' || account?.secrets['accessToken'] !== given || hasEnded(given, deps)) {
    throw refusal('access_token_invalid', 'The access token is invalid or not found in the request.')
  }
  return withoutPrevious(account, deps)
}

/**
 * More lenient than TikTok, which revokes a replaced refresh token at once: here it is revoked when the new pair is first used,
 * so that a crash before the new pair is stored does not lock out the account.
 */
function withoutPrevious(account: LedgerAccount, { ledger }: StandInDeps): LedgerAccount {
  const { previousRefreshToken, ...secrets } = account.secrets
  if (previousRefreshToken === undefined) return account
  ledger.saveAccount({ ...account, secrets })
  return { ...account, secrets }
}

/** Revokes the account's access token, so that the caller must refresh. */
export function revokeAccess({ externalId }: LedgerAccount, { ledger }: StandInDeps): void {
  const account = ledger.account('tiktok', externalId)
  if (account) ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken: 'revoked' } })
}

/** The account of a valid refresh token. */
export function refreshOwner(given: string, deps: StandInDeps): LedgerAccount | undefined {
  const account = owner(given, deps)
  if (!account || hasEnded(given, deps)) return undefined
  const { refreshToken, previousRefreshToken } = account.secrets
  return given === refreshToken || given === previousRefreshToken ? account : undefined
}

/** Exchanges one of the account's refresh tokens for a new pair of tokens. */
export function rotate(account: LedgerAccount, used: string, deps: StandInDeps) {
  const tokens = issueTokens(account.externalId, deps)
  deps.ledger.saveAccount({ ...account, secrets: { ...account.secrets, ...tokens, previousRefreshToken: used } })
  return tokens
}

/** Gives the account tokens for the app that its owner authorized, and revokes the previous ones. */
export function grantTo({ account, app, scopes }: Grant, deps: StandInDeps) {
  const tokens = issueTokens(account.externalId, deps)
  const { clientId, clientSecret } = app
  const { previousRefreshToken: _, ...secrets } = account.secrets
  const granted = { ...secrets, ...tokens, clientId, clientSecret, scope: scopes.join(',') }
  deps.ledger.saveAccount({ ...account, secrets: granted })
  return tokens
}
