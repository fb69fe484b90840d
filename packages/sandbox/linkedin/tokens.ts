import { createHmac } from 'node:crypto'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { Grant } from '../consent.ts'
import type { LedgerAccount } from '../ledger.ts'
import { bearerIn, newToken, readToken, type ReadToken } from '../oauth/token.ts'
import type { StandInDeps } from '../stand-in.ts'
import { refuse } from './refusal.ts'
import { memberId } from './identity.ts'
import { getsRefreshTokens } from './products.ts'
import { scopesOf } from './scopes.ts'

/** Token lifetimes in seconds: 60 days and 365 days. */
export const LIFETIME_S = { access: 5_184_000, refresh: 31_536_000 } as const
type Kind = keyof typeof LIFETIME_S

/** Tokens are signed with the app's secret: older refresh tokens stay valid, although only the latest is stored. */
function token(kind: Kind, externalId: string, endsAt: number, secret: string, deps: StandInDeps): string {
  const claims = newToken(kind, externalId, endsAt, deps)
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

function claimsOf(given: string, kind: Kind, deps: StandInDeps): ReadToken | undefined {
  const read = readToken('linkedin', given, deps)
  const at = given.lastIndexOf('.')
  const isSigned = given.slice(at + 1) === signature(given.slice(0, at), read?.account.secrets['clientSecret'] ?? '')
  return read?.kind === kind && isSigned ? read : undefined
}

/** @throws StandInRefusal 401 */
export function authenticate(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  const given = bearerIn(authorization)
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

/** The owner of a valid refresh token; older ones stay valid until they expire. */
export function refreshOwner(refreshToken: string, deps: StandInDeps): LedgerAccount | undefined {
  const claims = claimsOf(refreshToken, 'refresh', deps)
  return claims && claims.endsAt > deps.clock.now() ? claims.account : undefined
}

/** Issues new tokens and revokes the current access token. The new refresh token expires when the old one does. */
export function renew(account: LedgerAccount, refreshToken: string, deps: StandInDeps): object {
  return given(account, readToken('linkedin', refreshToken, deps)?.endsAt ?? 0, deps)
}

/** The first tokens after a consent: from now on the account's tokens belong to this app only. */
export function grantTo({ account: shown, app, scopes }: Grant, deps: StandInDeps): object {
  const { clientId, clientSecret } = app
  const account = getsRefreshTokens(app) ? shown : memberBehind(shown, deps)
  const secrets = { ...account.secrets, clientId, clientSecret, scope: scopes.join(' ') }
  const { refresh_token, refresh_token_expires_in, ...tokens } = given(
    { ...account, secrets },
    deps.clock.now() + LIFETIME_S.refresh * 1000,
    deps,
  )
  return getsRefreshTokens(app) ? { ...tokens, refresh_token, refresh_token_expires_in } : tokens
}

/** Who logs in with a page is its administrator. An app that is for members only gives them tokens of their own. */
function memberBehind(account: LedgerAccount, { ledger }: StandInDeps): LedgerAccount {
  const externalId = `urn:li:person:${memberId(account)}`
  const known = ledger.account('linkedin', externalId)
  return known ?? { ...account, externalId, label: `Administrator of ${account.label}`, secrets: {} }
}

function given({ secrets, ...account }: LedgerAccount, endsAt: number, deps: StandInDeps) {
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
