import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sync } from '../../../infra/postgres/embedded/binaries.ts'
import type { BackupFile } from './manifest.ts'

/** The fastest level: the service needs the CPU too. */
const LEVEL = 1

/** Writes a file of a backup to disk. @param progress called with the size of each chunk written (bytes) */
export async function writeFile(
  folder: string,
  name: string,
  content: Readable,
  progress: (bytes: number) => void,
  options: { readonly gzip?: boolean } = {},
): Promise<BackupFile> {
  const path = join(folder, name)
  const hash = createHash('sha256')
  let bytes = 0
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const through = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      progress(chunk.length)
      yield chunk
    }
  }
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  if (options.gzip) await pipeline(content, createGzip({ level: LEVEL }), through, file)
  else await pipeline(content, through, file)
  await sync(path)
  return { name, bytes, sha256: hash.digest('hex') }
}
