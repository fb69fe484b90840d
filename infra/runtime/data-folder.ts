import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The subfolders that the service itself creates; Postgres protects its own. */
const OWN_FOLDERS = ['converted-images', 'media', 'media-in-transit', 'sandbox']

/**
 * Creates the data folder, or restricts an existing one: no other user may read it. If root owns it, others may enter but not
 * list it, because Postgres then runs as another user with a folder of its own inside.
 */
export async function closeDataFolder(folder: string): Promise<void> {
  const mode = process.geteuid?.() === 0 ? 0o711 : 0o700
  if ((await mkdir(folder, { recursive: true, mode })) !== undefined) return
  await close(folder, mode)
  for (const name of OWN_FOLDERS) await close(join(folder, name), 0o700)
}

/** A file that exists while a restore replaces the contents of the folder (`app/cli/restore/swap.ts`). */
export function restoreMark(folder: string): string {
  return join(folder, 'restore.json')
}

/** Only removes permissions, never adds any. Folders of other users are left alone. */
async function close(folder: string, mode: number): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (!found || found.uid !== process.geteuid?.() || (found.mode & 0o777 & ~mode) === 0) return
  await chmod(folder, found.mode & mode)
}
