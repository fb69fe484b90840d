import { createReadStream } from 'node:fs'
import { chmod, copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { copyIn, setSequence, tablesOf, withCopies } from '../../../infra/postgres/dump.ts'
import { startEmbeddedPostgres } from '../../../infra/postgres/embedded.ts'
import { sync } from '../../../infra/postgres/embedded/binaries.ts'
import { isKnownLevel, levelOf, migrate, migrationsUpTo } from '../../../infra/postgres/migrate.ts'
import { openPool } from '../../../infra/postgres/pool.ts'
import { holdForRestore } from '../../../infra/postgres/restores.ts'
import { createVault } from '../../../infra/postgres/vault.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import type { Clock } from '../../../infra/runtime/clock.ts'
import { keyRingOf } from '../../../infra/runtime/encryption-key.ts'
import type { Settings } from '../../../infra/runtime/settings.ts'
import type { BackupFile, Manifest } from '../backup/manifest.ts'

export interface PrepareDeps {
  readonly settings: Settings
  readonly clock: Clock
  /** Called with plain-language messages about slow steps. */
  readonly tell: (message: string) => void
  /** Called with the number of bytes of the backup read. */
  readonly progress: (bytes: number) => void
}

/** Builds a data folder from a verified backup, in an empty folder. Its database is on hold. */
export async function prepare(deps: PrepareDeps, backup: string, manifest: Manifest, dataDir: string): Promise<void> {
  const { settings, tell } = deps
  let read = 0
  const progress = (bytes: number) => deps.progress((read += bytes))
  const [rows, files] = [
    manifest.files.filter(({ table }) => table !== undefined),
    manifest.files.filter(({ table }) => table === undefined),
  ]
  if (manifest.media === 'included') await mkdir(join(dataDir, 'media'), { mode: 0o700 })
  for (const file of files) {
    await copy(join(backup, file.name), join(dataDir, file.name))
    progress(file.bytes)
  }
  await withServer(deps, dataDir, async (connectionString) => {
    await migrate(connectionString, migrationsUpTo(manifest.level))
    await withCopies(connectionString, async (client) => {
      for (const file of await inOrder(client, rows)) await loadRows(client, backup, file, progress)
      for (const sequence of manifest.sequences) await setSequence(client, sequence)
    })
    await migrate(connectionString)
    tell('… checking that the encryption key decrypts the credentials')
    await withPool(connectionString, async (pool) => {
      await checkKey(pool, settings, dataDir)
      await holdForRestore(pool, deps.clock.now())
    })
  })
}

/** Makes data from before a restore start on hold: its log does not have what was sent since. */
export async function holdAgain(deps: PrepareDeps, dataDir: string): Promise<void> {
  await withServer(deps, dataDir, (connectionString) =>
    withPool(connectionString, async (pool) => {
      const level = await levelOf(pool)
      // A database of a later version already has everything that a hold needs.
      if (level === undefined || isKnownLevel(level)) await migrate(connectionString)
      await holdForRestore(pool, deps.clock.now())
    }),
  )
}

async function withServer(
  { clock, tell }: PrepareDeps,
  dataDir: string,
  work: (connectionString: string) => Promise<void>,
): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: (message) => tell(`… ${message}`), clock })
  try {
    await work(postgres.connectionString)
  } finally {
    await postgres.stop()
  }
}

async function withPool(connectionString: string, work: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const pool = openPool(connectionString, { max: 2, name: 'fanfare restore', onError: () => undefined })
  try {
    await work(pool)
  } finally {
    await pool.end()
  }
}

/** Rows are loaded after those that they reference. */
async function inOrder(client: pg.ClientBase, files: readonly BackupFile[]): Promise<readonly BackupFile[]> {
  const names = (await tablesOf(client)).map(({ schema, name }) => `${schema}.${name}`)
  const place = ({ table }: BackupFile) => names.indexOf(`${table?.schema}.${table?.name}`)
  return files.toSorted((one, other) => place(one) - place(other))
}

async function loadRows(
  client: pg.ClientBase,
  backup: string,
  { name, table }: BackupFile,
  progress: (bytes: number) => void,
): Promise<void> {
  if (!table) return
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      progress(chunk.length)
      yield chunk
    }
  }
  const pour = (into: Writable) => pipeline(createReadStream(join(backup, name)), counted, createGunzip(), into)
  const rows = await copyIn(client, table, pour)
  if (rows === table.rows) return
  throw new Refusal('failed_precondition', `${name} has ${rows} rows instead of ${table.rows}. Use another backup.`)
}

/** One secret of each workspace shows whether its data key can be unwrapped. */
async function checkKey(pool: pg.Pool, settings: Settings, dataDir: string): Promise<void> {
  const { ENCRYPTION_KEY } = settings
  const vault = createVault(pool, await keyRingOf(settings, dataDir))
  const { rows } = await pool.query<{ id: string }>('select min(id) as id from service.secrets group by workspace_id')
  for (const { id } of rows) {
    await vault.find(id).catch(() => {
      const [which, remedy] =
        ENCRYPTION_KEY === undefined
          ? ['the encryption.key in it', 'Use another backup']
          : ['ENCRYPTION_KEY', 'Set it to its value at the time of the backup']
      throw new Refusal(
        'failed_precondition',
        `The credentials in the backup cannot be decrypted with ${which}. ${remedy}, then restore again.`,
      )
    })
  }
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await copyFile(from, to)
  await chmod(to, 0o600)
  await sync(to)
  await sync(dirname(to))
}
