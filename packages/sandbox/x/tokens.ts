import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount } from '../ledger.ts'
import { bearerIn } from '../oauth/token.ts'
import type { StandInDeps } from '../stand-in.ts'
import { notEnrolled, outOfScope, readOnly, unauthorized } from './refusal.ts'

/** Lifetime of an access token in seconds. */
export const LIFETIME_S = 7_200

/** A token contains its account and its expiry, so that a single lookup finds what to compare it with. */
function token(kind: 'access' | 'refresh', externalId: string, expiresAt: number, { ids }: StandInDeps): string {
  return [kind, externalId, expiresAt, ids.token()].join('.')
}

export function issueTokens(externalId: string, deps: StandInDeps): Readonly<Record<string, string>> {
  const expiresAt = deps.clock.now() + LIFETIME_S * 1_000
  return {
    accessToken: token('access', externalId, expiresAt, deps),
    refreshToken: token('refresh', externalId, 0, deps),
    expiresAt: isoTime(expiresAt),
  }
}

/** The account that a token was issued for, whether or not the token is still valid. */
export function ownerOf(given: string, { ledger }: StandInDeps): LedgerAccount | undefined {
  return ledger.account('x', given.split('.')[1] ?? '')
}

export const SCOPES = ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access']

/** An access has all scopes unless its owner consented to fewer. */
export function scopesOf({ secrets }: Pick<LedgerAccount, 'secrets'>): readonly string[] {
  return secrets['scope']?.split(' ') ?? SCOPES
}

/** @throws StandInRefusal 401, or 403 when the access lacks the scope */
export function authenticateFor(
  scope: 'media.write' | 'tweet.write',
  authorization: string | undefined,
  deps: StandInDeps,
): LedgerAccount {
  const account = authenticate(authorization, deps)
  if (!deps.ledger.isReviewed('x')) throw readOnly()
  if (!scopesOf(account).includes(scope)) throw outOfScope()
  return account
}

/** @throws StandInRefusal 401 */
export function authenticate(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  const given = bearerIn(authorization)
  const account = given === undefined ? undefined : ownerOf(given, deps)
  const alive = account?.secrets['accessToken'] === given && Number(given?.split('.')[2]) > deps.clock.now()
  if (!account || !alive) throw unauthorized()
  if (!deps.ledger.isReviewed('x') && !account.label.includes('read-only')) throw notEnrolled()
  return account
}
