import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Of what the service itself puts into its data folder; Postgres sees to its own. */
const OWN_FOLDERS = ['media', 'media-in-transit', 'sandbox']

/**
 * Makes the data folder, or closes one that is there: nobody else may look into it. Root's may be entered, though not listed:
 * Postgres runs as another user there, and has its own folder in it.
 */
export async function closeDataFolder(folder: string): Promise<void> {
  const mode = process.geteuid?.() === 0 ? 0o711 : 0o700
  if ((await mkdir(folder, { recursive: true, mode })) !== undefined) return
  await close(folder, mode)
  for (const name of OWN_FOLDERS) await close(join(folder, name), 0o700)
}

/** A file that is there while a restore puts other data in the place of what the folder holds (`app/cli/restore/swap.ts`). */
export function restoreMark(folder: string): string {
  return join(folder, 'restore.json')
}

/** Takes rights away and gives none. What belongs to somebody else is theirs to close. */
async function close(folder: string, mode: number): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (!found || found.uid !== process.geteuid?.() || (found.mode & 0o777 & ~mode) === 0) return
  await chmod(folder, found.mode & mode)
}
