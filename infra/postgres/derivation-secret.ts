import { randomBytes } from 'node:crypto'
import type { KeyRing } from '../runtime/key-ring.ts'
import { currentKey } from './master-key.ts'
import { transaction, type Database } from './pool.ts'
import type { Vault } from './vault.ts'

/** Of the installation itself: what is of no workspace lies in the vault under this name. */
export const INSTALLATION = 'installation'

/**
 * What the names of made media, cursors and proofs follow from. It lies in the vault, so it stays what it is when the master
 * key changes. Where an earlier version has run, it is the master key of then, from which all of these followed.
 *
 * @param isNew whether nothing can follow from a master key yet
 * @param adopt brings what that version has sealed with the master key into the vault; it may be called again
 * @throws Error when the master key is not the one that seals
 */
export async function derivationSecret(
  { db, vault, ring }: { readonly db: Database; readonly vault: Vault; readonly ring: KeyRing },
  isNew: () => Promise<boolean>,
  adopt: (master: Buffer) => Promise<void>,
): Promise<Buffer> {
  const found = await vault.find(INSTALLATION)
  if (found) return secretOf(found)
  const { key } = await transaction(db, (client) => currentKey(client, ring))
  const isFirst = await isNew()
  if (!isFirst) await adopt(key)
  const secret = isFirst ? randomBytes(32) : key
  return secretOf(await vault.add(INSTALLATION, INSTALLATION, { derivation: secret.toString('base64') }))
}

function secretOf({ derivation = '' }: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(derivation, 'base64')
}
