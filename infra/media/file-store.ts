import { constants, createWriteStream, type BigIntStats } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../runtime/clock.ts'
import { deleteOldFiles } from '../runtime/old-files.ts'
import { asFileStoreError, isMissing } from './file-failure.ts'
import { isMediaName, mimeTypeOf } from './media-name.ts'
import { changedMeanwhile } from './store-error.ts'
import type { ByteSpan, MediaContent, SweptMediaStore } from './store.ts'

/** Files are spread over subfolders, so that none grows too large for the operator's tools. */
const FOLDER_CHARACTERS = 2
const DRAFT = /\.[0-9a-f-]{36}\.part$/

/** A media store in a folder. @param options.directory created if missing */
export function fileStore({
  directory,
  clock,
}: {
  readonly directory: string
  readonly clock: Clock
}): SweptMediaStore {
  return {
    put: async (name, content, signal) => {
      const path = pathOf(directory, name)
      const draft = `${path}.${crypto.randomUUID()}.part`
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await written(draft, content, signal)
        await rename(draft, path)
        // If both are names of one file, both are left (POSIX, rename).
        await rm(draft, { force: true })
        await settle(directory, dirname(path))
      } catch (error) {
        // A draft that cannot be deleted now is swept later; the caller gets the original error.
        await rm(draft, { force: true }).catch(() => undefined)
        throw asFileStoreError(error)
      }
    },
    find: async (name, signal) => {
      const path = pathOf(directory, name)
      signal.throwIfAborted()
      const stats = await statOf(path)
      if (!stats) return undefined
      const etag = etagOf(stats)
      return {
        bytes: Number(stats.size),
        mimeType: mimeTypeOf(name),
        etag,
        open: (span, reading) => opened(path, etag, span, reading),
      }
    },
    delete: async (name, signal) => {
      const path = pathOf(directory, name)
      signal.throwIfAborted()
      await rm(path, { force: true }).catch((error: unknown) => {
        throw asFileStoreError(error)
      })
    },
    sweep: async (olderThanMs) => deleteOldFiles(await draftsIn(directory), clock.now() - olderThanMs),
  }
}

/** @throws Error if it is not a media name: nothing else may become a path */
function pathOf(directory: string, name: string): string {
  if (!isMediaName(name)) throw new Error('not the name of a file in the media store')
  return join(directory, name.slice(0, FOLDER_CHARACTERS), name)
}

async function written(path: string, content: MediaContent, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (content.path === undefined)
    await pipeline(content.open(), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
  else await linked(content.path, path)
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size !== content.bytes) throw new Error(`the content has ${size} bytes, not ${content.bytes} as announced`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Gives a file a second name, or copies it where that is impossible, such as to another disk. */
async function linked(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  }
}

/** Syncs the folders, so that the file survives a power failure: its folder may be as new as the file itself. */
async function settle(directory: string, folder: string): Promise<void> {
  for (const path of [folder, directory, dirname(directory)]) {
    const handle = await open(path)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
}

function statOf(path: string): Promise<BigIntStats | undefined> {
  return stat(path, { bigint: true }).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw asFileStoreError(error)
  })
}

/** Each put creates a new file, so the inode differs even if size and time do not. */
function etagOf({ size, mtimeNs, ino }: BigIntStats): string {
  return `"${[size, mtimeNs, ino].map((part) => part.toString(36)).join('-')}"`
}

async function opened(path: string, etag: string, span: ByteSpan | undefined, signal: AbortSignal): Promise<Readable> {
  signal.throwIfAborted()
  const file = await open(path).catch((error: unknown) => {
    throw isMissing(error) ? changedMeanwhile() : asFileStoreError(error)
  })
  if (etagOf(await file.stat({ bigint: true })) !== etag) {
    await file.close()
    throw changedMeanwhile()
  }
  const content = file.createReadStream(span && { start: span.start, end: span.end - 1 })
  // The reader may not have attached its own listeners when the signal aborts; without this one the error would be thrown.
  content.on('error', () => {})
  return addAbortSignal(signal, content)
}

async function draftsIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw asFileStoreError(error)
  })
  return entries.filter((entry) => DRAFT.test(entry)).map((entry) => join(directory, entry))
}
