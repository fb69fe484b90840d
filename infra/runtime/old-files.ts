import { rm, stat } from 'node:fs/promises'

/**
 * Deletes the files last modified before a time (ms since the epoch). A missing file is not an error.
 *
 * @returns how many were deleted
 */
export async function deleteOldFiles(paths: readonly string[], before: number): Promise<number> {
  const swept = await Promise.all(paths.map((path) => deletedWhenOld(path, before)))
  return swept.filter((gone) => gone).length
}

async function deletedWhenOld(path: string, before: number): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
  if (mtimeMs > before) return false
  await rm(path, { force: true })
  return true
}
