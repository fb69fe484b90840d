import type { Ids } from '../../../infra/runtime/ids.ts'
import type { LedgerAccount } from '../ledger.ts'

/** A location as the Business Information API names it, without the account. */
export const LOCATION = /^locations\/\d{1,20}$/

/** Ids as Google's: too many digits for a number to be exact. */
export function digits(ids: Ids): string {
  return `9${BigInt(`0x${ids.token().replaceAll('-', '')}`)}`.slice(0, 19)
}

export function newLocation(ids: Ids): string {
  return `locations/${digits(ids)}`
}

/** Each user reaches two accounts: a personal one without locations, and the business, which has two. */
export function accountsOf(externalId: string): readonly [personal: string, business: string] {
  const number = externalId.slice('locations/'.length)
  return [`accounts/1${number}`, `accounts/2${number}`]
}

export function locationsOf({ externalId, label }: LedgerAccount) {
  return [
    { name: `${externalId}0`, title: 'The other shop' },
    { name: externalId, title: label },
  ]
}

/** The full name of a location, as the posts have it. */
export function placeOf(externalId: string): string {
  return `${accountsOf(externalId)[1]}/${externalId}`
}
