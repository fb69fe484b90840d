import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../runtime/clock.ts'
import { deleteOldFiles } from '../runtime/old-files.ts'
import type { Conversion } from './image-conversion.ts'
import type { ConversionJob, ImageConverter } from './image-converter.ts'

/** Converted images, each made once. */
export interface ConvertedImages {
  /**
   * Converts an image, or copies the result of the same conversion in the same workspace.
   *
   * @param signal as of `ImageConverter`
   * @throws ConversionFailure
   */
  convert(job: ConversionJob, workspaceId: string | undefined, signal: AbortSignal): Promise<void>
  /** Deletes results that were not used for so long, and what a killed process has left. */
  sweep(unusedMs: number): Promise<void>
}

/** Beyond this, those that were used longest ago are deleted. */
const KEPT_BYTES = 500_000_000

/** @param options.directory for the results; created if missing */
export function convertedImages(options: {
  readonly directory: string
  readonly converter: ImageConverter
  readonly clock: Clock
}): ConvertedImages {
  const { directory, converter, clock } = options
  const inProgress = new Map<string, Promise<string>>()

  /** @returns the path of the result */
  const made = async (hash: string, job: ConversionJob, workspaceId: string, signal: AbortSignal): Promise<string> => {
    const { maxBytes } = job.conversion
    // The best that can be made serves every limit that it is within.
    const best = join(directory, `${hash}.jpg`)
    const reduced = join(directory, `${hash}-${maxBytes}.jpg`)
    if ((await used(best, clock)) <= maxBytes) return best
    if ((await used(reduced, clock)) <= maxBytes) return reduced
    await mkdir(directory, { recursive: true, mode: 0o700 })
    // Another process may be making the same.
    const partial = `${best}.${crypto.randomUUID()}.part`
    const { isReduced } = await converter.convert({ ...job, to: partial }, workspaceId, signal)
    const path = isReduced ? reduced : best
    await rename(partial, path)
    await deleteBeyond(KEPT_BYTES, directory)
    return path
  }

  return {
    convert: async (job, workspaceId = '', signal) => {
      const hash = await hashOf(job.from, { size: job.conversion.size, workspaceId })
      const make = () => made(hash, job, workspaceId, signal)
      const current = inProgress.get(hash)?.then(make, make) ?? make()
      inProgress.set(hash, current)
      try {
        await copyFile(await current, job.to)
      } finally {
        if (inProgress.get(hash) === current) inProgress.delete(hash)
      }
    },
    sweep: async (unusedMs) => {
      const files = await filesIn(directory)
      await deleteOldFiles(
        files.map(({ path }) => path),
        clock.now() - unusedMs,
      )
    },
  }
}

async function hashOf(
  path: string,
  of: { readonly size: Conversion['size']; readonly workspaceId: string },
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(of))
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Notes that a file was used. @returns its size; infinite if there is none */
async function used(path: string, clock: Clock): Promise<number> {
  const now = clock.now() / 1_000
  try {
    await utimes(path, now, now)
    return (await stat(path)).size
  } catch {
    return Infinity
  }
}

/** Deletes those that were used longest ago. */
async function deleteBeyond(bytes: number, directory: string): Promise<void> {
  let kept = 0
  for (const { path, size } of (await filesIn(directory)).toSorted((a, b) => b.usedAt - a.usedAt)) {
    kept += size
    if (kept > bytes) await rm(path, { force: true })
  }
}

/** None if there is no such folder. */
async function filesIn(directory: string) {
  const names = await readdir(directory).catch(() => [])
  const files = names.map(async (name) => {
    const path = join(directory, name)
    // Another process may have deleted it.
    const found = await stat(path).catch(() => undefined)
    return { path, size: found?.size ?? 0, usedAt: found?.mtimeMs ?? 0 }
  })
  return Promise.all(files)
}
