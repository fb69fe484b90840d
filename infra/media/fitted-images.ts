import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../runtime/clock.ts'
import type { ImageFit } from './image-fit.ts'
import type { FitJob, ImageFitter } from './image-fitter.ts'

/** Converted images, each made once. */
export interface FittedImages {
  /**
   * Converts an image, or copies the result of the same conversion in the same workspace.
   *
   * @throws FitFailure
   */
  fit(job: FitJob, workspaceId: string | undefined): Promise<void>
}

/** Beyond this, those that were used longest ago are deleted. */
const KEPT_BYTES = 500_000_000

/** @param options.directory for the results; created if missing */
export function fittedImages(options: {
  readonly directory: string
  readonly fitter: ImageFitter
  readonly clock: Clock
}): FittedImages {
  const { directory, fitter, clock } = options
  const inProgress = new Map<string, Promise<string>>()

  /** @returns the path of the result */
  const made = async (hash: string, job: FitJob, workspaceId: string | undefined): Promise<string> => {
    const { maxBytes } = job.fit
    // The best that can be made serves every limit that it is within.
    const best = join(directory, `${hash}.jpg`)
    const reduced = join(directory, `${hash}-${maxBytes}.jpg`)
    if ((await used(best, clock)) <= maxBytes) return best
    if ((await used(reduced, clock)) <= maxBytes) return reduced
    await mkdir(directory, { recursive: true, mode: 0o700 })
    // Another process may be making the same.
    const partial = `${best}.${crypto.randomUUID()}.part`
    const { isReduced } = await fitter.fit({ ...job, to: partial }, workspaceId)
    const path = isReduced ? reduced : best
    await rename(partial, path)
    await deleteOldest(directory)
    return path
  }

  return {
    fit: async (job, workspaceId) => {
      const hash = await hashOf(job.from, { size: job.fit.size, workspaceId })
      const make = () => made(hash, job, workspaceId)
      const current = inProgress.get(hash)?.then(make, make) ?? make()
      inProgress.set(hash, current)
      try {
        await copyFile(await current, job.to)
      } finally {
        if (inProgress.get(hash) === current) inProgress.delete(hash)
      }
    },
  }
}

async function hashOf(
  path: string,
  of: { readonly size: ImageFit['size']; readonly workspaceId: string | undefined },
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

async function deleteOldest(directory: string): Promise<void> {
  const names = await readdir(directory)
  const files = await Promise.all(
    names.map(async (name) => ({ path: join(directory, name), ...(await seen(directory, name)) })),
  )
  let bytes = 0
  for (const { path, size } of files.toSorted((a, b) => b.usedAt - a.usedAt)) {
    bytes += size
    if (bytes > KEPT_BYTES) await rm(path, { force: true })
  }
}

/** Another process may have deleted it. */
async function seen(directory: string, name: string) {
  const found = await stat(join(directory, name)).catch(() => undefined)
  return { size: found?.size ?? 0, usedAt: found?.mtimeMs ?? 0 }
}
