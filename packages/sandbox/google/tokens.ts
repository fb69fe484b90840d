import type { PlatformKey } from '../../../domain/core/platform.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { Grant } from '../consent.ts'
import type { LedgerAccount } from '../ledger.ts'
import { bearerIn, newToken, readToken } from '../oauth/token.ts'
import type { StandInDeps } from '../stand-in.ts'

/** Lifetime of an access token in seconds. */
export const LIFETIME_S = 3_599

function accessToken(externalId: string, deps: StandInDeps): string {
  return newToken('ya29', externalId, deps.clock.now() + LIFETIME_S * 1_000, deps)
}

function refreshToken(externalId: string, { ids }: StandInDeps): string {
  return `1//${Buffer.from(externalId).toString('base64url')}.${ids.token()}`
}

export function issueTokens(externalId: string, deps: StandInDeps): Readonly<Record<string, string>> {
  return {
    accessToken: accessToken(externalId, deps),
    refreshToken: refreshToken(externalId, deps),
    expiresAt: isoTime(deps.clock.now() + LIFETIME_S * 1_000),
    clientId: `${deps.ids.token()}.apps.googleusercontent.com`,
    clientSecret: `GOCSPX-${deps.ids.token()}`,
  }
}

/** The account of a valid access token. */
export function bearerOf(
  platform: PlatformKey,
  authorization: string | undefined,
  deps: StandInDeps,
): LedgerAccount | undefined {
  const given = bearerIn(authorization) ?? ''
  const read = readToken(platform, given, deps)
  return read?.account.secrets['accessToken'] === given && read.endsAt > deps.clock.now() ? read.account : undefined
}

export function refreshOwner(platform: PlatformKey, given: string, { ledger }: StandInDeps): LedgerAccount | undefined {
  const owner = /^1\/\/([\w-]+)\./.exec(given)?.[1] ?? ''
  const account = ledger.account(platform, Buffer.from(owner, 'base64url').toString())
  return account?.secrets['refreshToken'] === given ? account : undefined
}

/** Gives the account a new access token. As at Google, the refresh token stays the same. */
export function renewAccess(account: LedgerAccount, deps: StandInDeps): string {
  const fresh = accessToken(account.externalId, deps)
  deps.ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken: fresh } })
  return fresh
}

/** Gives the account tokens for the app that its owner consented to; a refresh token only if requested. */
export function grantAccess({ account, app, scopes, further }: Grant, deps: StandInDeps): LedgerAccount {
  const { refreshToken: _, ...secrets } = account.secrets
  const granted = {
    ...account,
    secrets: {
      ...secrets,
      accessToken: accessToken(account.externalId, deps),
      ...(further['access_type'] === 'offline' && { refreshToken: refreshToken(account.externalId, deps) }),
      expiresAt: isoTime(deps.clock.now() + LIFETIME_S * 1_000),
      clientId: app.clientId,
      clientSecret: app.clientSecret,
      scope: scopes.join(' '),
    },
  }
  deps.ledger.saveAccount(granted)
  return granted
}
