import { chmod, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { exists, isAlive, sync, workFolder, workPrefix } from '../../../infra/postgres/embedded/binaries.ts'
import { removeDataDir, stopLeftBehind } from '../../../infra/postgres/embedded/left-behind.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { closeDataFolder } from '../../../infra/runtime/data-folder.ts'
import { diskFull } from '../backup/disk-full.ts'
import { checkFiles, readManifest } from '../backup/manifest.ts'
import { holdAgain, prepare, type PrepareDeps } from './prepare.ts'
import { carryOut, inUse, ITEMS, unfinishedPlan, writePlan, type Plan, type Restored } from './swap.ts'

const WORK = 'restore'
/** The prefix of folders in `DATA_DIR` that keep the data from before a restore. */
const KEPT = 'before-restore-'

/**
 * Replaces the contents of `DATA_DIR` with a backup, keeping the old data aside, or puts back what an earlier restore kept.
 * Afterwards the service starts on hold. It may be killed anywhere and repeated.
 *
 * @throws Refusal for a damaged, unfinished or later-version backup, and while the data is in use; the data is unchanged in that
 *   case
 */
export async function restore(deps: PrepareDeps, given: string): Promise<Restored> {
  const { settings, tell } = deps
  const folder = resolve(given)
  await closeDataFolder(settings.DATA_DIR)
  const dataDir = await realpath(settings.DATA_DIR)
  const unfinished = await unfinishedPlan(dataDir)
  if (unfinished) {
    const restored = await carryOut(dataDir, unfinished)
    if (restored.folder === folder) return restored
    tell(`… finished an interrupted restore of ${restored.folder}`)
  }
  try {
    return (await isKept(dataDir, folder)) ? await putBack(deps, dataDir, folder) : await bringIn(deps, dataDir, folder)
  } catch (error) {
    if (!diskFull(error)) throw error
    const message = `The disk of ${dataDir} (DATA_DIR) is full. The data is unchanged. Free up space and restore again.`
    throw new Refusal('failed_precondition', message)
  }
}

async function bringIn(deps: PrepareDeps, dataDir: string, folder: string): Promise<Restored> {
  const { settings, clock, tell, progress } = deps
  const manifest = await readManifest(folder)
  if (manifest.key === 'environment' && settings.ENCRYPTION_KEY === undefined) {
    const message = 'The backup was made with ENCRYPTION_KEY and does not contain it. Set it, then restore again.'
    throw new Refusal('failed_precondition', message)
  }
  tell(`… checking the backup of ${manifest.createdAt}`)
  await checkFiles(folder, manifest, progress)
  await refuseUse(deps, dataDir)
  await removeAbandoned(deps, dataDir)

  const work = await workFolder(dataDir, WORK)
  try {
    // Under root, Postgres runs as another user.
    if (process.geteuid?.() === 0) await chmod(work, 0o711)
    await prepare(deps, folder, manifest, work)
    const { createdAt, log } = manifest
    const restored = { folder, createdAt, events: log?.events ?? 0, ...(log && { position: log.position }) }
    return await swap(deps, dataDir, work, restored)
  } catch (error) {
    if (!(await unfinishedPlan(dataDir))) await removeDataDir(work, clock)
    throw error
  }
}

async function putBack(deps: PrepareDeps, dataDir: string, kept: string): Promise<Restored> {
  await refuseUse(deps, dataDir)
  await refuseUse(deps, kept)
  await holdAgain(deps, kept)
  return swap(deps, dataDir, kept, { folder: kept })
}

async function swap(deps: PrepareDeps, dataDir: string, from: string, restored: Restored): Promise<Restored> {
  const there = await readdir(from)
  const plan: Plan = {
    from: basename(from),
    kept: `${KEPT}${isoTime(deps.clock.now()).replaceAll(/[:.]/g, '-')}`,
    items: ITEMS.filter((item) => there.includes(item)),
    restored,
  }
  await sync(from)
  // Checked again, because the preparation took a while.
  await refuseUse(deps, dataDir)
  await writePlan(dataDir, plan)
  return carryOut(dataDir, plan)
}

async function isKept(dataDir: string, folder: string): Promise<boolean> {
  const parent = await realpath(dirname(folder)).catch(() => undefined)
  return parent === dataDir && basename(folder).startsWith(KEPT) && (await exists(join(folder, 'postgres')))
}

/** A server left running by a killed process does not count as use. */
async function refuseUse({ clock }: PrepareDeps, dataDir: string): Promise<void> {
  const pid = await stopLeftBehind(dataDir, clock)
  if (pid !== undefined) throw inUse(dataDir, pid)
}

/** Removes what killed restores left behind. */
async function removeAbandoned({ clock }: PrepareDeps, dataDir: string): Promise<void> {
  const prefix = workPrefix(WORK)
  for (const entry of (await readdir(dataDir)).filter((name) => name.startsWith(prefix))) {
    const pid = Number(entry.slice(prefix.length).split('.')[0])
    if (!isAlive(pid)) await removeDataDir(join(dataDir, entry), clock)
  }
}
