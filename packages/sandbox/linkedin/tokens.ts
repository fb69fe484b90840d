import { createHmac } from 'node:crypto'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { Grant } from '../consent.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { refuse } from './refusal.ts'
import { scopesOf } from './scopes.ts'

/** Token lifetimes in seconds: 60 days and 365 days. */
export const LIFETIME_S = { access: 5_184_000, refresh: 31_536_000 } as const
type Kind = keyof typeof LIFETIME_S

/** A token contains its account and its expiry, and is signed with the app's secret. */
function token(kind: Kind, externalId: string, endsAt: number, secret: string, { ids }: StandInDeps): string {
  const claims = [kind, Buffer.from(externalId).toString('base64url'), endsAt, ids.token()].join('.')
  return `${claims}.${signature(claims, secret)}`
}

function signature(claims: string, secret: string): string {
  return createHmac('sha256', secret).update(claims).digest('base64url')
}

export function issueTokens(externalId: string, deps: StandInDeps): Readonly<Record<string, string>> {
  const now = deps.clock.now()
  const clientSecret = deps.ids.token()
  return {
    accessToken: token('access', externalId, now + LIFETIME_S.access * 1000, clientSecret, deps),
    refreshToken: token('refresh', externalId, now + LIFETIME_S.refresh * 1000, clientSecret, deps),
    expiresAt: isoTime(now + LIFETIME_S.access * 1000),
    clientId: `app-${deps.ids.token().slice(0, 8)}`,
    clientSecret,
  }
}

interface Claims {
  readonly account: LedgerAccount
  /** Milliseconds since the epoch. */
  readonly endsAt: number
}

function claimsOf(given: string, kind: Kind, { ledger }: StandInDeps): Claims | undefined {
  const [of, id = '', endsAt, , signed] = given.split('.')
  const account = ledger.account('linkedin', Buffer.from(id, 'base64url').toString())
  const claims = given.slice(0, given.lastIndexOf('.'))
  if (!account || of !== kind || signed !== signature(claims, account.secrets['clientSecret'] ?? '')) return undefined
  return { account, endsAt: Number(endsAt) }
}

/** @throws PlatformRefusal 401 */
export function authenticate(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  const given = /^Bearer ([^ ]+)$/.exec(authorization ?? '')?.[1]
  if (given === undefined) throw refuse(401, 'EMPTY_ACCESS_TOKEN', 'Empty oauth2 access token', 65_604)
  const claims = claimsOf(given, 'access', deps)
  if (!claims) throw refuse(401, 'INVALID_ACCESS_TOKEN', 'Invalid access token', 65_600)
  if (claims.endsAt <= deps.clock.now()) {
    throw refuse(401, 'EXPIRED_ACCESS_TOKEN', 'The token used in the request has expired', 65_602)
  }
  if (claims.account.secrets['accessToken'] !== given) {
    throw refuse(401, 'REVOKED_ACCESS_TOKEN', 'The token used in the request has been revoked by the user', 65_601)
  }
  return claims.account
}

/** Revokes the account's access token, so that the caller must refresh. */
export function revokeAccess(account: LedgerAccount, { ledger }: StandInDeps): void {
  ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken: '' } })
}

/** The owner of a valid refresh token; older ones stay valid until they expire. */
export function refreshOwner(refreshToken: string, deps: StandInDeps): Claims | undefined {
  const claims = claimsOf(refreshToken, 'refresh', deps)
  return claims && claims.endsAt > deps.clock.now() ? claims : undefined
}

/** Issues new tokens and revokes the current access token. The new refresh token expires when the old one does. */
export function renew({ account, endsAt }: Claims, deps: StandInDeps): object {
  return given(account, endsAt, deps)
}

/** The first tokens after a consent: from now on the account's tokens belong to this app only. */
export function grantTo({ account, app, scopes }: Grant, deps: StandInDeps): object {
  const { clientId, clientSecret } = app
  const secrets = { ...account.secrets, clientId, clientSecret, scope: scopes.join(' ') }
  return given({ ...account, secrets }, deps.clock.now() + LIFETIME_S.refresh * 1000, deps)
}

function given({ secrets, ...account }: LedgerAccount, endsAt: number, deps: StandInDeps): object {
  const now = deps.clock.now()
  const secret = secrets['clientSecret'] ?? ''
  const accessToken = token('access', account.externalId, now + LIFETIME_S.access * 1000, secret, deps)
  const refreshToken = token('refresh', account.externalId, endsAt, secret, deps)
  deps.ledger.saveAccount({ ...account, secrets: { ...secrets, accessToken, refreshToken } })
  return {
    access_token: accessToken,
    expires_in: LIFETIME_S.access,
    refresh_token: refreshToken,
    refresh_token_expires_in: Math.floor((endsAt - now) / 1000),
    // LinkedIn returns commas, although the request uses spaces.
    scope: scopesOf({ ...account, secrets }).join(','),
  }
}
