import type { Grant } from '../consent.ts'
import type { LedgerAccount, LedgerApp } from '../ledger.ts'
import { graphRefusal } from '../meta/refusal.ts'
import { EXPIRED, newToken, readToken } from '../meta/token.ts'
import type { StandInDeps } from '../stand-in.ts'
import { issueTokens, type Caller } from './tokens.ts'

/*
 * The person behind the Pages. Each Page has its own until somebody authorizes an app: that person then manages all Pages, and is
 * identified by the token of the Page they logged in as.
 */

/** Their app-scoped id. */
export function personOf({ externalId }: LedgerAccount): string {
  return `1${externalId}`
}

const SHORT_PREFIX = 'EAAS'

/** A short-lived token for the person who logs in, with the scopes they granted. */
export function shortLivedToken({ account, app, scopes }: Grant, deps: StandInDeps): string {
  const token = newToken(SHORT_PREFIX, account.externalId, deps)
  const login = { shortLivedToken: token, shortLivedFor: app.clientId, scopes: scopes.join(',') }
  deps.ledger.saveAccount({ ...account, secrets: { ...account.secrets, ...login } })
  return token
}

/** @throws StandInRefusal */
export function shortLivedOwner(
  token: string,
  { clientId }: LedgerApp,
  lifetimeMs: number,
  deps: StandInDeps,
): LedgerAccount {
  const read = readToken('facebook', token, deps)
  const { shortLivedToken, shortLivedFor } = read?.account.secrets ?? {}
  if (!read || shortLivedToken !== token || shortLivedFor !== clientId) {
    throw graphRefusal({ code: 190, message: 'Invalid OAuth access token - Cannot parse access token' })
  }
  if (read.issuedAt + lifetimeMs <= deps.clock.now()) throw graphRefusal(EXPIRED)
  return read.account
}

/** Gives the person a long-lived token. From now on, all tokens of the Pages it gives access to belong to the app. */
export function letIn({ externalId, secrets }: LedgerAccount, deps: StandInDeps): string {
  const { ledger } = deps
  const { userToken } = issueTokens(externalId, deps)
  const { clientId = '', clientSecret = '' } = ledger.app('facebook', secrets['shortLivedFor'] ?? '') ?? {}
  for (const page of ledger.accounts('facebook')) {
    const token = page.externalId === externalId ? { userToken } : { sharedUserToken: userToken }
    ledger.saveAccount({ ...page, secrets: { ...page.secrets, ...token, clientId, clientSecret } })
  }
  return userToken
}

/** The Pages that the caller's token gives access to. */
export function pagesRunBy(
  { account, kind }: Pick<Caller, 'account' | 'kind'>,
  { ledger }: StandInDeps,
): readonly LedgerAccount[] {
  const { userToken } = account.secrets
  const others = ledger.accounts('facebook').filter(({ secrets }) => secrets['sharedUserToken'] === userToken)
  return kind === 'userToken' ? [account, ...others] : [account]
}

/** What the person may do on the Page: in the names of the New Pages Experience, unless it is a classic Page. */
export function tasksOn({ label }: LedgerAccount): readonly string[] {
  if (label.startsWith('classic')) return ['MODERATE', 'ANALYZE', 'CREATE_CONTENT']
  const tasks = label.includes('analyst') ? ['ANALYZE'] : ['MODERATE', 'ANALYZE', 'CREATE_CONTENT', 'FACEBOOK_ACCESS']
  return tasks.map((task) => `PROFILE_PLUS_${task}`)
}

/** How the person's business portfolio has the Page; undefined for a Page on which the person has a role. */
export function portfolioEdgeOf({ label }: LedgerAccount): 'owned_pages' | 'client_pages' | undefined {
  if (label.startsWith('portfolio')) return 'owned_pages'
  return label.startsWith('client') ? 'client_pages' : undefined
}

/** Whether the person may use a Page of the portfolio. */
export function isAssigned({ label }: LedgerAccount): boolean {
  return !label.includes('unassigned')
}

/** The business portfolio of the person. */
export function portfolioOf({ externalId }: LedgerAccount): string {
  return `9${externalId}`
}

/** The permissions that the person granted. */
export function grantedBy({ account: { secrets } }: Caller, all: readonly string[]): readonly string[] {
  return secrets['scopes']?.split(',') ?? all
}

/** Granted and declined permissions. */
export function permissionsOf(caller: Caller, all: readonly string[]): readonly object[] {
  const granted = grantedBy(caller, all)
  return all.map((permission) => ({ permission, status: granted.includes(permission) ? 'granted' : 'declined' }))
}
