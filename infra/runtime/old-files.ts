import { rm, stat } from 'node:fs/promises'

/**
 * Deletes those of the files that were last written to before a time (ms since the epoch). What is gone already, or goes
 * meanwhile, is no failure.
 *
 * @returns how many there were
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
