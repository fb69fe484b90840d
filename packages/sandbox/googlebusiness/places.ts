import type { Ids } from '../../../infra/runtime/ids.ts'
import type { LedgerAccount } from '../ledger.ts'

/** A location's name in the Business Information API, without the account. */
export const LOCATION = /^locations\/\d{1,20}$/

/** Ids like Google's: too many digits for an exact number. */
export function digits(ids: Ids): string {
  return `9${BigInt(`0x${ids.token().replaceAll('-', '')}`)}`.slice(0, 19)
}

export function newLocation(ids: Ids): string {
  return `locations/${digits(ids)}`
}

/** Each user has two accounts: a personal one without locations, and the business, which has two. */
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

/** The full name of a location, as used by the posts. */
export function placeOf(externalId: string): string {
  return `${accountsOf(externalId)[1]}/${externalId}`
}
