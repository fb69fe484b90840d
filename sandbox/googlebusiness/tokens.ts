import { isoTime } from '../../system/clock.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { NAMED } from './refusal.ts'

export const LIFETIME_S = 3_599
export const SCOPE = 'https://www.googleapis.com/auth/business.manage'

/** A token names its account and its end, so that one look-up finds what it is to be compared with. */
function accessToken(externalId: string, { clock, ids }: StandInDeps): string {
  const owner = Buffer.from(externalId).toString('base64url')
  return ['ya29', owner, clock.now() + LIFETIME_S * 1_000, ids.token()].join('.')
}

export function issueTokens(externalId: string, deps: StandInDeps) {
  return {
    accessToken: accessToken(externalId, deps),
    refreshToken: `1//${Buffer.from(externalId).toString('base64url')}.${deps.ids.token()}`,
    expiresAt: isoTime(deps.clock.now() + LIFETIME_S * 1_000),
    clientId: `${deps.ids.token()}.apps.googleusercontent.com`,
    clientSecret: `GOCSPX-${deps.ids.token()}`,
  }
}

/** @throws GoogleRefusal 401 */
export function authenticate(authorization: string | undefined, { ledger, clock }: StandInDeps): LedgerAccount {
  const given = /^Bearer ([^ ]+)$/.exec(authorization ?? '')?.[1] ?? ''
  const [, owner = '', end] = given.split('.')
  const account = ledger.account('googlebusiness', Buffer.from(owner, 'base64url').toString())
  if (given === '' || account?.secrets['accessToken'] !== given || Number(end) <= clock.now()) {
    throw NAMED.unauthenticated
  }
  return account
}

/** Makes the account's access token void, so that only a refresh helps. */
export function revokeAccess(account: LedgerAccount, { ledger }: StandInDeps): void {
  ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken: '' } })
}

export function refreshOwner(refreshToken: string, { ledger }: StandInDeps): LedgerAccount | undefined {
  const owner = /^1\/\/([\w-]+)\./.exec(refreshToken)?.[1] ?? ''
  const account = ledger.account('googlebusiness', Buffer.from(owner, 'base64url').toString())
  return account?.secrets['refreshToken'] === refreshToken ? account : undefined
}

/** Gives the account a new access token. The refresh token stays, as Google has it. */
export function renewAccess(account: LedgerAccount, deps: StandInDeps): string {
  const fresh = accessToken(account.externalId, deps)
  deps.ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken: fresh } })
  return fresh
}
