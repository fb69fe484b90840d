import { createHash } from 'node:crypto'
import type { LedgerAccount } from '../ledger.ts'

export interface User {
  readonly id: string
  readonly name: string
  readonly username: string
}

export function ownerOf({ externalId: id, label: name }: Pick<LedgerAccount, 'externalId' | 'label'>): User {
  return { id, name, username: `user${id}` }
}

/** The fan with this name, always with the same id. */
export function fanCalled(name: string): User {
  const hash = createHash('sha256').update(name).digest()
  return { id: String(hash.readBigUInt64BE() >> 4n), name, username: `fan_${hash.toString('hex').slice(0, 8)}` }
}
