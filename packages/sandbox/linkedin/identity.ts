import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'

export const AUTHOR = /^urn:li:(?:person:[\w-]+|organization:\d+)$/

export function newOrganization(seed: string): string {
  return `urn:li:organization:${number(seed).slice(0, 9)}`
}

/** A number of 19 digits, too long for a double, like LinkedIn's. */
export function number(seed: string): string {
  const bits = BigInt(`0x${seed.replaceAll('-', '').slice(0, 16)}`)
  return String((bits % 9_000_000_000_000_000_000n) + 1_000_000_000_000_000_000n)
}

/** A member cannot read back their posts or the status of their media. */
export function isMember(author: string): boolean {
  return author.startsWith('urn:li:person:')
}

/** The id of the member who logs in: a page's token belongs to one of its administrators. */
export function memberId({ externalId }: LedgerAccount): string {
  const id = externalId.slice(externalId.lastIndexOf(':') + 1)
  return isMember(externalId) ? id : `admin-${id}`
}

/** Whether the author is the administrator behind the caller's page. */
export function isBehind(caller: LedgerAccount, author: string): boolean {
  return author === `urn:li:person:${memberId(caller)}`
}

/** The pages that the caller administers: all of them for a member, otherwise the page itself. */
export function pagesOf(caller: LedgerAccount, { ledger }: StandInDeps): readonly LedgerAccount[] {
  if (!isMember(caller.externalId)) return [caller]
  return ledger.accounts('linkedin').filter(({ externalId }) => !isMember(externalId))
}

export function administers(caller: LedgerAccount, author: string, deps: StandInDeps): boolean {
  return pagesOf(caller, deps).some(({ externalId }) => externalId === author)
}
