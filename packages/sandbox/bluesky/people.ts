import type { LedgerAccount } from '../ledger.ts'
import { handleOf } from './identity.ts'
import { didIn } from './stored-record.ts'

/** An author as the app shows them. */
export interface Person {
  readonly did: string
  readonly handle: string
  readonly displayName: string
}

/** @param uri of one of their records */
export function fanView(uri: string, name: string): Person {
  return person(didIn(uri), name)
}

export function accountView({ externalId, label }: LedgerAccount): Person {
  return person(externalId, label)
}

function person(did: string, name: string): Person {
  return { did, handle: handleOf({ externalId: did }), displayName: name.slice(0, 64) }
}
