import type { LedgerAccount } from '../ledger.ts'

export const HOST = 'mastodon.test'

/** The id that the API shows. External ids also have the host: ids are unique on one server only. */
export function idOf({ externalId }: Pick<LedgerAccount, 'externalId'>): string {
  return externalId.slice(0, externalId.lastIndexOf('@'))
}

export function externalIdOf(id: string): string {
  return `${id}@${HOST}`
}

export interface Person {
  readonly id: string
  readonly username: string
  readonly name: string
  /** ISO 8601. */
  readonly since: string
}

export function personOf(account: LedgerAccount): Person {
  return { id: idOf(account), username: usernameOf(account), name: account.label, since: account.createdAt }
}

/** Letters, digits and underscores of the label, and digits that make it unique. */
function usernameOf({ externalId, label }: LedgerAccount): string {
  const name = label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
  return `${name.slice(0, 20)}_${externalId.slice(0, 6)}`.replaceAll(/_+/g, '_').replace(/^_/, '')
}

export function profileUrl(username: string): string {
  return `https://${HOST}/@${username}`
}

/** An `Account` as the API shows it. */
export function shownPerson({ id, username, name, since }: Person, counts: object = {}): object {
  const url = profileUrl(username)
  return {
    ...{ id, username, acct: username, display_name: name, url, uri: `https://${HOST}/users/${username}` },
    ...{ created_at: since, note: '', locked: false, bot: false, group: false, fields: [], emojis: [] },
    ...counts,
  }
}
