import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fixedKeyRing, masterKey, type KeyRing, type MasterKey } from './key-ring.ts'
import type { Settings } from './settings.ts'

/** The keys from the settings, or else from the data folder. */
export async function keyRingOf({ ENCRYPTION_KEY: keys }: Settings, dataDir: string): Promise<KeyRing> {
  return keys ? fixedKeyRing(keys.map((key) => Buffer.from(key, 'base64'))) : ownKeyRing(dataDir)
}

/**
 * The keys of the embedded default, kept in `DATA_DIR`, readable only by their owner, one per line, newest first. The first is
 * generated at first start. Two processes that start at once get the same key, and a killed process never leaves a partial one.
 */
export async function ownKeyRing(dataDir: string): Promise<KeyRing> {
  const path = join(dataDir, 'encryption.key')
  if ((await readFile(path, 'utf8').catch(() => undefined)) === undefined) await makeFirst(dataDir, path)
  let known = await read(path)
  return {
    source: path,
    keys: () => known,
    reload: async () => {
      const found = await read(path)
      // A row read before another process dropped its key must still be decryptable.
      known = [...found, ...known.filter(({ id }) => !found.some((key) => key.id === id))]
    },
    file: {
      add: async () => {
        const found = await read(path)
        known = found.length > 1 ? found : [masterKey(randomBytes(32)), ...found]
        if (known !== found) await replace(path, known)
      },
      dropBefore: async (id) => {
        const found = await read(path)
        known = found.slice(0, found.findIndex((key) => key.id === id) + 1)
        if (known.length > 0 && known.length < found.length) await replace(path, known)
      },
    },
  }
}

async function makeFirst(dataDir: string, path: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const draft = `${path}.${process.pid}`
  await write(draft, [masterKey(randomBytes(32))])
  // Unlike a rename, a link never replaces what another process created first.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
}

/** Atomic: the file is never missing or partial. The draft always has the same name, so a kill leaves no stray copies of keys. */
async function replace(path: string, keys: readonly MasterKey[]): Promise<void> {
  const draft = `${path}.next`
  const { uid, gid } = await stat(path)
  await write(draft, keys, uid === process.geteuid?.() ? undefined : { uid, gid })
  await rename(draft, path)
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** @param owner when run as root, the file keeps its owner, or the service could not read it */
async function write(
  path: string,
  keys: readonly MasterKey[],
  owner?: { readonly uid: number; readonly gid: number },
): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(keys.map(({ key }) => `${key.toString('base64')}\n`).join(''))
    if (owner) await file.chown(owner.uid, owner.gid)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function read(path: string): Promise<readonly MasterKey[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '')
  const keys = lines.map((line) => Buffer.from(line, 'base64'))
  const wrong = keys.findIndex((key) => key.length !== 32)
  if (wrong >= 0 || keys.length === 0) {
    const where = keys.length > 1 ? `line ${wrong + 1} of ${path}` : path
    throw new Error(`${where} does not contain a 32-byte key; restore it from a backup`)
  }
  return keys.map(masterKey)
}
