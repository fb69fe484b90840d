import { link, lstat, mkdir, open, readdir, readFile, realpath, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { hasCode, sync } from '../../../infra/postgres/embedded/binaries.ts'
import { findPostmaster } from '../../../infra/postgres/embedded/server.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { restoreMark } from '../../../infra/runtime/data-folder.ts'

/*
 * Data prepared in a folder of `DATA_DIR` replaces the existing data:
 *
 * 1. `restore.json` says what to move. From here on no process of the service starts (`app/wiring/core.ts`).
 * 2. For each item still in the new folder: the existing one is moved aside, then the new one into its place.
 * 3. `log-head.json` is moved aside: it describes the previous log.
 * 4. `restore.json` is removed.
 *
 * All moves are renames. Interrupted before 1, the data is unchanged; after 4, it is the new data; in between, repeating the
 * steps completes them: an item that has left the new folder is in its place.
 */

const LOG_HEAD = 'log-head.json'
const DATABASE = 'postgres'
/** What a restore replaces. The sandbox represents the outside world, so it stays. */
export const ITEMS = [DATABASE, 'postgres.password', 'encryption.key', 'media'] as const

const restoredSchema = z.object({
  /** The full path of what was restored. */
  folder: z.string(),
  /** When the backup was made, ISO 8601 UTC; absent if data from before a restore was put back. */
  createdAt: z.string().optional(),
  events: z.number().optional(),
  /** The position of the last event. */
  position: z.string().optional(),
  /** Where the previous data is; absent if there was none. */
  kept: z.string().optional(),
})
const planSchema = z.object({
  /** Names of folders in `DATA_DIR`. */
  from: z.string(),
  kept: z.string(),
  items: z.array(z.enum(ITEMS)).readonly(),
  restored: restoredSchema,
})

export type Restored = Readonly<z.infer<typeof restoredSchema>>
export type Plan = z.infer<typeof planSchema>

/** The plan of a restore that was interrupted between its first and last rename. */
export async function unfinishedPlan(dataDir: string): Promise<Plan | undefined> {
  const text = await readFile(restoreMark(dataDir), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
  return text === undefined ? undefined : planSchema.parse(JSON.parse(text))
}

/** @throws Refusal if another restore was faster */
export async function writePlan(dataDir: string, plan: Plan): Promise<void> {
  const draft = join(dataDir, plan.from, 'restore.json')
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify(plan))
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, restoreMark(dataDir))
  } catch (error) {
    if (hasCode(error, 'EEXIST'))
      throw new Refusal('failed_precondition', 'Another restore is running. Wait until it finishes.')
    throw error
  } finally {
    await rm(draft, { force: true })
  }
  await sync(dataDir)
}

/**
 * Executes a plan, from wherever it was interrupted.
 *
 * @param move lets tests interrupt it
 * @throws Refusal if a server was started on the data meanwhile; everything is unchanged then
 */
export async function carryOut(dataDir: string, plan: Plan, move: typeof rename = rename): Promise<Restored> {
  const [from, kept] = [join(dataDir, plan.from), join(dataDir, plan.kept)]
  // Under root, Postgres runs as another user.
  await mkdir(kept, { recursive: true, mode: process.geteuid?.() === 0 ? 0o711 : 0o700 })
  const setAside = async (item: string) => {
    if (!(await isThere(join(dataDir, item)))) return
    if (await isThere(join(kept, item)))
      throw new Error(`${join(dataDir, item)} was created during the restore; move it away.`)
    await move(join(dataDir, item), join(kept, item))
  }
  for (const item of plan.items) {
    if (!(await isThere(join(from, item)))) continue
    await setAside(item)
    if (item === DATABASE) await refuseUsed(dataDir, kept, move)
    await move(join(from, item), join(dataDir, item))
  }
  await setAside(LOG_HEAD)
  for (const folder of [from, kept, dataDir]) await sync(folder)
  await rm(restoreMark(dataDir))
  await sync(dataDir)

  for (const file of [`${DATABASE}.log`, LOG_HEAD]) await rm(join(from, file), { force: true })
  await rmdir(from).catch(() => undefined)
  if ((await readdir(kept)).length > 0) return { ...plan.restored, kept }
  await rmdir(kept)
  return plan.restored
}

/** A server that was started at the last moment has moved along with the folder. */
async function refuseUsed(dataDir: string, kept: string, move: typeof rename): Promise<void> {
  const aside = join(kept, DATABASE)
  const data = await realpath(aside).catch(() => undefined)
  const server = data === undefined ? undefined : await findPostmaster(data)
  if (!server) return
  await move(aside, join(dataDir, DATABASE))
  await rm(restoreMark(dataDir))
  throw inUse(dataDir, server.pid)
}

export function inUse(dataDir: string, pid: number): Refusal {
  return new Refusal(
    'failed_precondition',
    `${dataDir} is in use: Postgres runs on it as process ${pid}. Stop every Fanfare process that uses it (pgrep -af 'fanfare|cli/main.js' lists them), then restore again.`,
  )
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return false
      throw error
    },
  )
}
