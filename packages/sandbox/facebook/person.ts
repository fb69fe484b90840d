import type { LedgerAccount } from '../ledger.ts'
import { runBy } from '../meta/facebook-login.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Caller } from './tokens.ts'

/** Their app-scoped id. */
export function personOf({ externalId }: LedgerAccount): string {
  return `1${externalId}`
}

/** The Pages that the caller's token gives access to. */
export function pagesRunBy(
  { account, kind }: Pick<Caller, 'account' | 'kind'>,
  deps: StandInDeps,
): readonly LedgerAccount[] {
  return kind === 'userToken' ? runBy(account, deps) : [account]
}

/** What the person may do on the Page: in the names of the New Pages Experience, unless it is a classic Page. */
export function tasksOn({ label }: LedgerAccount): readonly string[] {
  if (label.startsWith('classic')) return ['MODERATE', 'ANALYZE', 'CREATE_CONTENT']
  const tasks = label.includes('analyst') ? ['ANALYZE'] : ['MODERATE', 'ANALYZE', 'CREATE_CONTENT', 'FACEBOOK_ACCESS']
  return tasks.map((task) => `PROFILE_PLUS_${task}`)
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
