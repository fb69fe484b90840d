import { createHash } from 'node:crypto'

/** A 32-byte master key. Its id may be stored and shown: it is a truncated hash, so it reveals nothing about the key. */
export interface MasterKey {
  readonly id: string
  readonly key: Buffer
}

/**
 * The master keys of a process. Any of them decrypts; the database names the one that encrypts (`infra/postgres/master-key.ts`).
 */
export interface KeyRing {
  /** Where the keys are kept, as shown in messages. */
  readonly source: string
  /** Newest first. */
  keys(): readonly MasterKey[]
  /** Reads the keys again from where they are kept. Keys already loaded stay until the process ends. */
  reload(): Promise<void>
  /** Absent if the operator manages the keys. */
  readonly file?: KeyFile
}

/** The key file that the service manages itself. Only one process may change it at a time. */
export interface KeyFile {
  /** Generates a key and puts it first, unless an unfinished rotation already did. Returns once it is on disk. */
  add(): Promise<void>
  /** Drops all keys older than this one. */
  dropBefore(id: string): Promise<void>
}

const ID_CHARACTERS = 10

export function masterKey(key: Buffer): MasterKey {
  const hash = createHash('sha256').update('fanfare master key id\n').update(key).digest('hex')
  return { id: hash.slice(0, ID_CHARACTERS), key }
}

/** Keys from a setting, fixed for the lifetime of the process. */
export function fixedKeyRing(keys: readonly Buffer[], source = 'ENCRYPTION_KEY'): KeyRing {
  const known = keys.map(masterKey)
  return { source, keys: () => known, reload: async () => undefined }
}
