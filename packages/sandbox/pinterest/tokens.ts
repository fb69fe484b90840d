import { isoTime } from '../../../infra/runtime/clock.ts'
import type { Grant } from '../consent.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { pinterestRefusal } from './refusal.ts'

/** Seconds: 30 and 60 days. */
export const ACCESS_LIFETIME_S = 2_592_000
export const REFRESH_LIFETIME_S = 5_184_000

/** A token contains its account and its expiry, so that a single lookup finds what to compare it with. */
function token(kind: 'pina' | 'pinr', externalId: string, lifetimeS: number, { ids, clock }: StandInDeps): string {
  const end = clock.now() + lifetimeS * 1_000
  return `${kind}_${[Buffer.from(externalId).toString('base64url'), end, ids.token()].join('.')}`
}

export function issueTokens(externalId: string, deps: StandInDeps) {
  return {
    accessToken: token('pina', externalId, ACCESS_LIFETIME_S, deps),
    refreshToken: token('pinr', externalId, REFRESH_LIFETIME_S, deps),
    expiresAt: isoTime(deps.clock.now() + ACCESS_LIFETIME_S * 1_000),
  }
}

function owner(given: string, { ledger }: StandInDeps): LedgerAccount | undefined {
  const name = given.slice('pina_'.length).split('.')[0] ?? ''
  return ledger.account('pinterest', Buffer.from(name, 'base64url').toString())
}

function hasEnded(given: string, { clock }: StandInDeps): boolean {
  return Number(given.split('.')[1]) <= clock.now()
}

/** @throws PlatformRefusal 401 code 2 */
export function authenticate(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  const given = /^Bearer ([^ ]+)$/.exec(authorization ?? '')?.[1] ?? ''
  const account = owner(given, deps)
  if (given === '' || account?.secrets['accessToken'] !== given || hasEnded(given, deps)) {
    throw pinterestRefusal(401, 2, 'Authentication failed.')
  }
  return withoutPrevious(account, deps)
}

/** @throws PlatformRefusal 403 code 29 unless the owner has granted every scope */
export function mustBeGranted({ secrets: { scope } }: LedgerAccount, scopes: readonly string[]): void {
  const missing = scopes.filter((each) => scope !== undefined && !scope.split(' ').includes(each))
  if (missing.length > 0) throw pinterestRefusal(403, 29, `Your token lacks the scope ${missing.join(', ')}.`)
}

/** The previous refresh token stays valid until the new pair is used, because the answer with the new pair may be lost. */
function withoutPrevious(account: LedgerAccount, { ledger }: StandInDeps): LedgerAccount {
  const { previousRefreshToken, ...secrets } = account.secrets
  if (previousRefreshToken === undefined) return account
  ledger.saveAccount({ ...account, secrets })
  return { ...account, secrets }
}

/** Revokes the account's access token, so that the caller must refresh. */
export function revokeAccess({ externalId }: LedgerAccount, { ledger }: StandInDeps): void {
  const account = ledger.account('pinterest', externalId)
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
export function rotate(account: LedgerAccount, used: string, deps: StandInDeps): LedgerAccount {
  return saved(account, { previousRefreshToken: used }, deps)
}

/** Gives the account a pair of tokens for the app that its owner consented to. */
export function grantTo({ account, app, scopes }: Grant, deps: StandInDeps): LedgerAccount {
  const { clientId, clientSecret } = app
  return saved(account, { clientId, clientSecret, scope: scopes.join(' ') }, deps)
}

function saved(account: LedgerAccount, more: LedgerAccount['secrets'], deps: StandInDeps): LedgerAccount {
  const secrets = { ...account.secrets, ...issueTokens(account.externalId, deps), ...more }
  deps.ledger.saveAccount({ ...account, secrets })
  return { ...account, secrets }
}
