import { randomBytes } from 'node:crypto'
import type { KeyRing } from '../runtime/key-ring.ts'
import { currentKey } from './master-key.ts'
import { transaction, type Database } from './pool.ts'
import type { Vault } from './vault.ts'

/** The vault's workspace id for secrets of the installation itself. */
export const INSTALLATION = 'installation'

/**
 * The secret that the names of generated media, cursors and proofs are derived from. It is kept in the vault, so it survives a
 * rotation of the master key. On an installation that ran an earlier version, it is the master key of that time, from which all
 * of these were derived.
 *
 * @param isNew whether nothing can have been derived from a master key yet
 * @param adopt moves what that version encrypted with the master key into the vault; it may be called again
 * @throws Error if the current master key is not in the ring
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
