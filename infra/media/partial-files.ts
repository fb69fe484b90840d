import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../runtime/clock.ts'
import { deleteOldFiles } from '../runtime/old-files.ts'
import { fileSource } from './byte-source.ts'
import { asFileStoreError, isMissing } from './file-failure.ts'
import { mediaFacts } from './media-facts.ts'
import type { MediaFacts } from './media.ts'
import { MediaStoreError } from './store-error.ts'
import type { MediaContent } from './store.ts'

/**
 * The files of uploads that are not complete: a folder on this disk, whatever the media store is. Failures are MediaStoreErrors,
 * except those of the content that is being sent.
 */
export interface PartialFiles {
  /** How many bytes have arrived: 0 if there is no file. */
  size(id: string): Promise<number>
  /**
   * Writes from a position on. What has arrived is kept if the content breaks off. Two processes that write the same content at
   * once do no harm.
   */
  write(id: string, position: number, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>
  /** Makes what has arrived survive a power failure. */
  sync(id: string): Promise<void>
  /** @throws NotMedia */
  facts(id: string): Promise<MediaFacts>
  sha256(id: string, signal: AbortSignal): Promise<string>
  content(id: string, bytes: number): MediaContent
  /** Deleting a missing file is not an error. */
  delete(id: string): Promise<void>
  /** @throws MediaStoreError if the disk would be nearly full with so many bytes more */
  mustFit(bytes: number): Promise<void>
  /** Deletes files that nothing was added to for this long (ms). */
  sweep(olderThanMs: number): Promise<number>
}

const ID = /^med_[0-9A-Z]{26}$/
const ENDING = '.part'
/** The less often a large file is read or written, the faster. */
const BUFFERED = 1_048_576

/** @param options.directory created if missing. @param options.minFreeBytes what must stay free on its disk */
export function partialFiles({
  directory,
  clock,
  minFreeBytes,
}: {
  readonly directory: string
  readonly clock: Clock
  readonly minFreeBytes: number
}): PartialFiles {
  const pathOf = (id: string): string => {
    if (!ID.test(id)) throw new Error('not the id of an upload')
    return join(directory, `${id}${ENDING}`)
  }
  return {
    size: async (id) => {
      const stats = await stat(pathOf(id)).catch(unlessMissing)
      return stats?.size ?? 0
    },
    write: async (id, position, content, signal) => {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const file = await open(pathOf(id), constants.O_WRONLY | constants.O_CREAT, 0o600).catch(asThrown)
      let broken: unknown
      const watched = async function* (): AsyncGenerator<Uint8Array> {
        try {
          yield* content
        } catch (error) {
          broken = error
          throw error
        }
      }
      try {
        await pipeline(watched, file.createWriteStream({ start: position, highWaterMark: BUFFERED }), {
          signal,
        })
      } catch (error) {
        throw error === broken ? error : asFileStoreError(error)
      }
    },
    sync: async (id) => {
      const file = await open(pathOf(id))
      try {
        await file.sync().catch(asThrown)
      } finally {
        await file.close()
      }
    },
    facts: async (id) => {
      const file = await open(pathOf(id))
      try {
        return await mediaFacts(await fileSource(file))
      } finally {
        await file.close()
      }
    },
    sha256: async (id, signal) => {
      const file = await open(pathOf(id))
      try {
        return await hashOf(file, signal)
      } finally {
        await file.close()
      }
    },
    content: (id, bytes) => ({ bytes, open: () => createReadStream(pathOf(id)), path: pathOf(id) }),
    delete: async (id) => {
      await rm(pathOf(id), { force: true }).catch(unlessMissing)
    },
    mustFit: async (bytes) => {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const { bavail, bsize } = await statfs(directory)
      if (bavail * bsize - bytes >= minFreeBytes) return
      throw new MediaStoreError('the disk is nearly full (MEDIA_FREE_DISK_MIN)', { passes: true })
    },
    sweep: async (olderThanMs) => {
      const names = (await readdir(directory).catch(unlessMissing)) ?? []
      const paths = names.filter((name) => name.endsWith(ENDING)).map((name) => join(directory, name))
      return deleteOldFiles(paths, clock.now() - olderThanMs)
    },
  }
}

/** Reads the next part while it hashes one: half as long again as a stream would take. */
async function hashOf(file: FileHandle, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  let [next, hashed] = [Buffer.allocUnsafe(BUFFERED), Buffer.allocUnsafe(BUFFERED)]
  let reading = file.read(next, 0, BUFFERED, 0)
  for (let position = 0; ;) {
    const { bytesRead } = await reading
    if (bytesRead === 0) return hash.digest('hex')
    signal.throwIfAborted()
    position += bytesRead
    ;[next, hashed] = [hashed, next]
    reading = file.read(next, 0, BUFFERED, position)
    hash.update(hashed.subarray(0, bytesRead))
  }
}

function asThrown(error: unknown): never {
  throw asFileStoreError(error)
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw asFileStoreError(error)
}
