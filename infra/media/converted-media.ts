import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../runtime/clock.ts'
import { deleteOldFiles } from '../runtime/old-files.ts'
import type { Conversion } from './conversion.ts'
import type { ConversionJob, Converted, Converter } from './converter.ts'
import type { Conversion as ImageConversion } from './image-conversion.ts'
import type { VideoConversion } from './video-conversion.ts'

/** Converted images and videos, each made once. */
export interface ConvertedMedia {
  readonly convertsVideos: boolean
  /**
   * Converts an item, or copies the result of the same conversion in the same workspace.
   *
   * @param signal gives it up
   * @throws ConversionFailure
   */
  convert(job: ConversionJob, workspaceId: string | undefined, signal: AbortSignal): Promise<void>
  /** Deletes results that were not used for so long, and what a killed process has left. */
  sweep(unusedMs: number): Promise<void>
}

const ENDINGS = { image: 'jpg', video: 'mp4' } as const
/** Beyond this, those that were used longest ago are deleted. */
const KEPT_BYTES = 2_000_000_000

/**
 * @param options.directory for the results; created if missing
 * @param options.videos absent: they are not converted
 */
export function convertedMedia(options: {
  readonly directory: string
  readonly images: Converter<ImageConversion>
  readonly videos?: Converter<VideoConversion> | undefined
  readonly clock: Clock
}): ConvertedMedia {
  const { directory, images, videos, clock } = options
  const inProgress = new Map<string, Promise<string>>()

  const convert = (job: ConversionJob, workspaceId: string, signal: AbortSignal): Promise<Converted> => {
    const { conversion, ...files } = job
    if (conversion.kind === 'image') return images.convert({ ...files, conversion }, workspaceId, signal)
    if (!videos) throw new Error('videos are not converted here')
    return videos.convert({ ...files, conversion }, workspaceId, signal)
  }

  /** @returns the path of the result */
  const made = async (hash: string, job: ConversionJob, workspaceId: string, signal: AbortSignal): Promise<string> => {
    const { maxBytes, kind } = job.conversion
    // The best that can be made serves every limit that it is within.
    const best = join(directory, `${hash}.${ENDINGS[kind]}`)
    const reduced = join(directory, `${hash}-${maxBytes}.${ENDINGS[kind]}`)
    if ((await used(best, clock)) <= maxBytes) return best
    if ((await used(reduced, clock)) <= maxBytes) return reduced
    await mkdir(directory, { recursive: true, mode: 0o700 })
    // Another process may be making the same.
    const partial = `${best}.${crypto.randomUUID()}.part`
    try {
      const { isReduced } = await convert({ ...job, to: partial }, workspaceId, signal)
      const path = isReduced ? reduced : best
      await rename(partial, path)
      await deleteBeyond(KEPT_BYTES, directory)
      return path
    } finally {
      // It may be a gigabyte that ffmpeg had written before it failed.
      await rm(partial, { force: true })
    }
  }

  return {
    convertsVideos: videos !== undefined,
    convert: async (job, workspaceId = '', signal) => {
      const { maxBytes: _, ...conversion } = job.conversion
      const hash = await hashOf(job.from, { conversion, workspaceId })
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
  of: { readonly conversion: Omit<Conversion, 'maxBytes'>; readonly workspaceId: string },
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
