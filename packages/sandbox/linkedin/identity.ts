import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'

export const AUTHOR = /^urn:li:(?:person:[\w-]+|organization:\d+)$/

export function newOrganization(seed: string): string {
  return `urn:li:organization:${number(seed).slice(0, 9)}`
}

/** A number of 19 digits, too long for a double, as LinkedIn's are. */
export function number(seed: string): string {
  const bits = BigInt(`0x${seed.replaceAll('-', '').slice(0, 16)}`)
  return String((bits % 9_000_000_000_000_000_000n) + 1_000_000_000_000_000_000n)
}

/** A member may not read back what they posted, nor how far their media are. */
export function isMember(author: string): boolean {
  return author.startsWith('urn:li:person:')
}

/** The id of the member who logs in: a page's token is of one of its administrators. */
export function memberId({ externalId }: LedgerAccount): string {
  const id = externalId.slice(externalId.lastIndexOf(':') + 1)
  return isMember(externalId) ? id : `admin-${id}`
}

/** Whether a page's administrator is meant. */
export function isBehind(caller: LedgerAccount, author: string): boolean {
  return author === `urn:li:person:${memberId(caller)}`
}

/** The pages that the member who logs in is administrator of: of all, or of the one whose token it is. */
export function pagesOf(caller: LedgerAccount, { ledger }: StandInDeps): readonly LedgerAccount[] {
  if (!isMember(caller.externalId)) return [caller]
  return ledger.accounts('linkedin').filter(({ externalId }) => !isMember(externalId))
}

export function administers(caller: LedgerAccount, author: string, deps: StandInDeps): boolean {
  return pagesOf(caller, deps).some(({ externalId }) => externalId === author)
}
