import { chmod, mkdir, open, readdir, readFile, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { ClientBase } from 'pg'
import { copyOut, logOf, sequencesOf, tablesOf, takeSnapshot, withCopies } from '../../../infra/postgres/dump.ts'
import { startEmbeddedPostgres } from '../../../infra/postgres/embedded.ts'
import { hasCode, sync } from '../../../infra/postgres/embedded/binaries.ts'
import { findCluster } from '../../../infra/postgres/embedded/cluster.ts'
import { levelOf } from '../../../infra/postgres/migrate.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { refuseHalfRestored } from '../../wiring/core.ts'
import { isMediaName } from '../../../infra/media/media-name.ts'
import { isoTime, type Clock } from '../../../infra/runtime/clock.ts'
import { packageVersion } from '../../../infra/runtime/package-root.ts'
import type { Settings } from '../../../infra/runtime/settings.ts'
import { diskFull } from './disk-full.ts'
import { hasManifest, writeManifest, type BackupFile, type Manifest } from './manifest.ts'
import { writeFile } from './write-file.ts'

export const KEY = 'encryption.key'
/** How many times the key file may change while a snapshot is taken. */
const MOST_KEY_CHANGES = 5

export interface BackedUp {
  /** The full path. */
  readonly folder: string
  readonly createdAt: string
  readonly bytes: number
  readonly files: number
  readonly events: number
  /** The position of the last event; absent if the log is empty. */
  readonly position?: string
  /** Generated media. */
  readonly media: number | 'bucket'
  readonly key: Manifest['key']
}

export interface BackupDeps {
  readonly settings: Settings
  readonly clock: Clock
  /** Called with plain-language messages about slow steps. */
  readonly tell: (message: string) => void
  /** Called with the number of bytes written. */
  readonly progress: (bytes: number) => void
}

/**
 * Writes everything that the service must not lose to a folder, as of a single moment, whether or not it is running. It changes
 * nothing in the service: no migration runs, and no read model table is created.
 *
 * @throws Refusal if there is nothing to back up, the folder is not empty, or its disk is full; nothing is kept in that case
 */
export async function backUp(deps: BackupDeps, given: string): Promise<BackedUp> {
  const { settings, clock, tell } = deps
  const folder = resolve(given)
  const dataDir = settings.DATA_DIR
  await refuseHalfRestored(dataDir)
  if (!(await findCluster(dataDir))) {
    throw new Refusal(
      'failed_precondition',
      `There is nothing to back up: ${resolve(dataDir)} (DATA_DIR) has no database.`,
    )
  }
  const isNew = await claim(folder)
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log: (message) => tell(`… ${message}`), clock })
    try {
      return await withCopies(postgres.connectionString, (client) => fromSnapshot(deps, client, folder))
    } finally {
      await postgres.stop()
    }
  } catch (error) {
    await clear(folder, isNew).catch(() => undefined)
    throw diskFull(error) ? new Refusal('failed_precondition', fullMessage(folder)) : error
  }
}

function fullMessage(folder: string): string {
  return `The disk is full: the backup does not fit in ${folder}, and nothing was kept. Free up space, or choose another folder.`
}

/** Creates the folder, or accepts an empty one. @returns whether it was created */
async function claim(folder: string): Promise<boolean> {
  if ((await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined) return true
  const entries = await readdir(folder)
  if (entries.length > 0) {
    const what = (await hasManifest(folder))
      ? 'already contains a backup'
      : 'is not empty, and contains no finished backup'
    throw new Refusal('failed_precondition', `${folder} ${what}. Give a folder that is empty or does not exist.`)
  }
  // A folder of another user, such as a mounted disk, stays as it is; the files are private in any case.
  await chmod(folder, 0o700).catch(() => undefined)
  return false
}

async function clear(folder: string, isNew: boolean): Promise<void> {
  for (const entry of await readdir(folder)) await rm(join(folder, entry), { recursive: true, force: true })
  if (isNew) await rmdir(folder)
}

async function fromSnapshot(deps: BackupDeps, client: ClientBase, folder: string): Promise<BackedUp> {
  const { settings, clock } = deps
  let total = 0
  const progress = (bytes: number) => deps.progress((total += bytes))
  const key = await keyAtSnapshot(settings, client)
  const createdAt = isoTime(clock.now())
  const level = await levelOf(client)
  if (level === undefined)
    throw new Refusal('failed_precondition', 'There is nothing to back up: the service has not run yet.')

  const log = await logOf(client)
  const sequences = await sequencesOf(client)
  const files: BackupFile[] = []
  for (const table of await tablesOf(client)) {
    const name = `tables/${table.schema}.${table.name}.gz`
    let file: BackupFile | undefined
    const drain = async (rows: Readable) => {
      file = await writeFile(folder, name, rows, progress, { gzip: true })
    }
    const rows = await copyOut(client, table, drain)
    if (file) files.push({ ...file, table: { ...table, rows } })
  }
  if (key) files.push(await writeFile(folder, KEY, Readable.from([key]), progress))
  // After the snapshot, so that everything it refers to is there, except what has been deleted since.
  const media = settings.media.kind === 'files' ? await copyMedia(settings.DATA_DIR, folder, progress) : undefined
  files.push(...(media ?? []))
  for (const path of new Set(files.map(({ name }) => join(folder, dirname(name))))) await sync(path)

  const about = { key: key ? ('included' as const) : ('environment' as const), createdAt }
  await writeManifest(folder, {
    ...{ fanfare: packageVersion(), level, log: log ?? null, media: media ? 'included' : 'bucket', sequences, files },
    ...about,
  })
  await sync(folder)
  await sync(dirname(folder))
  return {
    folder,
    ...about,
    ...{ bytes: total, files: files.length, events: log?.events ?? 0 },
    ...(log && { position: log.position }),
    media: media ? media.length : 'bucket',
  }
}

/** The key that decrypts the snapshot's secrets: its file is the same before and after the snapshot is taken. */
async function keyAtSnapshot({ ENCRYPTION_KEY, DATA_DIR }: Settings, client: ClientBase): Promise<Buffer | undefined> {
  if (ENCRYPTION_KEY !== undefined) {
    await takeSnapshot(client)
    return undefined
  }
  const path = join(DATA_DIR, KEY)
  for (let change = 0; change < MOST_KEY_CHANGES; change += 1) {
    const before = await keyOf(path)
    await takeSnapshot(client)
    if (before.equals(await keyOf(path))) return before
    await client.query('rollback')
  }
  throw new Refusal('failed_precondition', `${path} keeps changing. Back up again when the key no longer changes.`)
}

async function keyOf(path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error
    throw new Refusal(
      'failed_precondition',
      `${path} is missing: without it, the credentials cannot be decrypted. Put it back, or set ENCRYPTION_KEY.`,
    )
  })
}

/** A file under its final name is complete. One that is deleted during the copy is not needed. */
async function copyMedia(
  dataDir: string,
  folder: string,
  progress: (bytes: number) => void,
): Promise<readonly BackupFile[]> {
  const directory = join(dataDir, 'media')
  const entries = await unlessGone(readdir(directory, { recursive: true }))
  const copied: BackupFile[] = []
  for (const entry of (entries ?? []).filter((path) => isMediaName(basename(path))).toSorted()) {
    const source = await unlessGone(open(join(directory, entry)))
    if (!source) continue
    copied.push(await writeFile(folder, `media/${entry}`, source.createReadStream(), progress))
  }
  return copied
}

async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
}
