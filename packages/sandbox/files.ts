import { createHash, type Hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** In bytes. Of larger uploads, only the size and the hash are known. */
const MOST_KEPT = 16 * 1024 * 1024

/** A SHA-256 of an upload, whose content is kept from then on. */
export interface FileHash {
  update(part: Uint8Array): void
  copy(): FileHash
  /** @returns hex */
  digest(): string
}

/** What was uploaded, by its SHA-256, for the pages of posts. */
export interface Files {
  /** @param isKept whether the content is kept, unless it is too large. Default: yes */
  hash(isKept?: boolean): FileHash
  has(sha256: string): boolean
  content(sha256: string): Buffer | undefined
}

/** @param dataDir an existing folder; the files are in its folder `files`. Without one they are in memory only. */
export function openFiles(dataDir?: string): Files {
  const { has, read, write } = dataDir === undefined ? inMemory() : inFolder(join(dataDir, 'files'))

  const hashing = (hash: Hash, most: number, parts: Uint8Array[], length: number): FileHash => ({
    update: (part) => {
      hash.update(part)
      length += part.length
      if (length <= most) parts.push(Buffer.from(part))
      else parts = []
    },
    copy: () => hashing(hash.copy(), most, [...parts], length),
    digest: () => {
      const sha256 = hash.digest('hex')
      if (length <= most && !has(sha256)) write(sha256, Buffer.concat(parts))
      return sha256
    },
  })
  return { hash: (isKept = true) => hashing(createHash('sha256'), isKept ? MOST_KEPT : -1, [], 0), has, content: read }
}

function inMemory() {
  const files = new Map<string, Buffer>()
  return {
    has: (name: string) => files.has(name),
    read: (name: string) => files.get(name),
    write: (name: string, content: Buffer) => void files.set(name, content),
  }
}

function inFolder(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const has = (name: string) => existsSync(join(folder, name))
  return {
    has,
    read: (name: string) => (has(name) ? readFileSync(join(folder, name)) : undefined),
    write: (name: string, content: Buffer) => {
      // A crash leaves no half of a file under its name.
      writeFileSync(join(folder, `${name}.part`), content, { mode: 0o600 })
      renameSync(join(folder, `${name}.part`), join(folder, name))
    },
  }
}
