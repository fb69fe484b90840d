import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The key of the embedded default: made at first start and kept, readable by its owner alone, in `DATA_DIR`. Two processes
 * that start at once get the same one, and a process killed half-way leaves no half key.
 */
export async function ownEncryptionKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'encryption.key')
  const existing = await readFile(path, 'utf8').catch(() => undefined)
  if (existing !== undefined) return decode(existing, path)
  await mkdir(dataDir, { recursive: true })
  const draft = `${path}.${process.pid}`
  const file = await open(draft, 'w', 0o600)
  await file.writeFile(`${randomBytes(32).toString('base64')}\n`)
  await file.sync()
  await file.close()
  // Unlike a rename, a link never replaces what another process was faster to make.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return decode(await readFile(path, 'utf8'), path)
}

function decode(text: string, path: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) throw new Error(`${path} does not hold a key of 32 bytes; restore it from a backup`)
  return key
}
