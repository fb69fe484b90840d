import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Less (bytes) is scarce: when the log cannot grow, nothing is accepted any more. */
export const SCARCE_BYTES = 1024 ** 3

/** Bytes that a folder can still take; of the closest one above it that exists. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfsAround(folder)
  return bavail * bsize
}

async function statfsAround(folder: string): Promise<StatsFs> {
  try {
    return await statfs(folder)
  } catch (error) {
    const above = dirname(folder)
    if (above === folder) throw error
    return statfsAround(above)
  }
}
