import { createHash } from 'node:crypto'

/** A master key of 32 bytes. Its id may be stored and shown: it is cut from a hash, so it tells nothing of the key. */
export interface MasterKey {
  readonly id: string
  readonly key: Buffer
}

/** The master keys that a process has. Any of them opens; which one seals, the database says (`infra/postgres/master-key.ts`). */
export interface KeyRing {
  /** Where the keys are kept, as messages name it. */
  readonly source: string
  /** The newest first. */
  keys(): readonly MasterKey[]
  /** Looks again where the keys are kept. What it had, it keeps until the process ends. */
  reload(): Promise<void>
  /** Absent where the operator keeps the keys. */
  readonly file?: KeyFile
}

/** Where the service keeps the keys itself. One process at a time changes it. */
export interface KeyFile {
  /** Makes a key and puts it first, unless that was done and not finished. Returns once it is on the disk. */
  add(): Promise<void>
  /** Drops those that are older than a key. */
  dropBefore(id: string): Promise<void>
}

const ID_CHARACTERS = 10

export function masterKey(key: Buffer): MasterKey {
  const hash = createHash('sha256').update('fanfare master key id\n').update(key).digest('hex')
  return { id: hash.slice(0, ID_CHARACTERS), key }
}

/** The keys of a setting, which last as long as the process. */
export function fixedKeyRing(keys: readonly Buffer[], source = 'ENCRYPTION_KEY'): KeyRing {
  const known = keys.map(masterKey)
  return { source, keys: () => known, reload: async () => undefined }
}
