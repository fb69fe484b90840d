import { isoTime } from '../../system/clock.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { ThreadsRefusal } from './refusal.ts'

/** Seconds: 60 days. */
export const TOKEN_LIFETIME_S = 5_184_000
const RENEWABLE_AFTER_MS = 86_400_000

/** A token names its account and when it was issued, so that one look-up finds what it is to be compared with. */
function token(externalId: string, { ids, clock }: StandInDeps): string {
  return `TH${[Buffer.from(externalId).toString('base64url'), clock.now(), ids.token()].join('.')}`
}

export function issueTokens(externalId: string, deps: StandInDeps): { accessToken: string; expiresAt: string } {
  const expiresAt = isoTime(deps.clock.now() + TOKEN_LIFETIME_S * 1_000)
  return { accessToken: token(externalId, deps), expiresAt }
}

/** @throws ThreadsRefusal 401 code 190 */
export function authenticate(given: string, { ledger, clock }: StandInDeps): LedgerAccount {
  const name = given.slice('TH'.length).split('.')[0] ?? ''
  const account = ledger.account('threads', Buffer.from(name, 'base64url').toString())
  const { accessToken, previousAccessToken } = account?.secrets ?? {}
  if (!account || given === '' || (given !== accessToken && given !== previousAccessToken)) {
    throw new ThreadsRefusal(401, 190, 'Error validating access token: The session has been invalidated', 460)
  }
  if (issuedAt(given) + TOKEN_LIFETIME_S * 1_000 <= clock.now()) {
    throw new ThreadsRefusal(401, 190, 'Error validating access token: Session has expired', 463)
  }
  return account
}

/** What the owner would be given at a new login takes the token's place: only the control endpoint hands that out. */
export function revokeAccess({ externalId }: LedgerAccount, deps: StandInDeps): void {
  const account = deps.ledger.account('threads', externalId)
  if (account) deps.ledger.saveAccount({ ...account, secrets: issueTokens(externalId, deps) })
}

/** @throws ThreadsRefusal for a token that is less than a day old */
export function mustBeRenewable(given: string, { clock }: StandInDeps): void {
  if (clock.now() - issuedAt(given) >= RENEWABLE_AFTER_MS) return
  throw new ThreadsRefusal(400, 100, 'The access token must be at least 24 hours old to be refreshed')
}

/** Gives the account a new token. The one that was shown for it stays good until its own end. */
export function renew(account: LedgerAccount, shown: string, deps: StandInDeps): string {
  const fresh = issueTokens(account.externalId, deps)
  deps.ledger.saveAccount({ ...account, secrets: { ...fresh, previousAccessToken: shown } })
  return fresh.accessToken
}

function issuedAt(given: string): number {
  return Number(given.split('.')[1])
}
