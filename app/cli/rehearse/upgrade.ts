import { join } from 'node:path'
import type { Pool } from 'pg'
import type { RecordedEvent } from '../../../domain/core/event.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import type { EventLog } from '../../../event-log/event-log.ts'
import { openLog } from '../../../event-log/open-log.ts'
import { APPENDED } from '../../../event-log/postgres/append.ts'
import { createEventKeys } from '../../../event-log/postgres/event-keys.ts'
import { withCopies } from '../../../infra/postgres/dump.ts'
import { startEmbeddedPostgres } from '../../../infra/postgres/embedded.ts'
import { exists } from '../../../infra/postgres/embedded/binaries.ts'
import { findCluster } from '../../../infra/postgres/embedded/cluster.ts'
import { LEVEL, migrate, MIGRATIONS, migrationsUpTo } from '../../../infra/postgres/migrate.ts'
import { openPool, WHOLE_TABLE_MS } from '../../../infra/postgres/pool.ts'
import { listenForSignals } from '../../../infra/postgres/signal.ts'
import { createVault } from '../../../infra/postgres/vault.ts'
import type { Clock } from '../../../infra/runtime/clock.ts'
import { keyRingOf } from '../../../infra/runtime/encryption-key.ts'
import { freeBytes, SCARCE_BYTES } from '../../../infra/runtime/free-space.ts'
import { packageVersion } from '../../../infra/runtime/package-root.ts'
import type { Settings } from '../../../infra/runtime/settings.ts'
import { projections } from '../../../projections/models/index.ts'
import type { AnyProjection } from '../../../projections/engine/projection.ts'
import { rehearseRebuild, type Rehearsed } from '../../../projections/rebuild/rehearse.ts'
import { refuseHalfRestored } from '../../wiring/core.ts'
import { KEY } from '../backup/backup.ts'
import { diskFull } from '../backup/disk-full.ts'
import type { ProgressBar } from '../progress-bar.ts'
import { changedWork, dueWork, type ChangedWork, type DueWork } from './agenda.ts'
import { copyDatabase } from './copy-database.ts'
import { withScratchDatabase } from './scratch-database.ts'

const MB = 1e6
const MOST_NAMED = 10

export interface UnreadableEvent {
  readonly position: string
  readonly stream: string
  readonly type: string
  readonly reason: string
}

export interface Rehearsal {
  readonly version: string
  /** Whether there is nothing to look into before the upgrade. */
  readonly asExpected: boolean
  readonly copied: { readonly megabytes: number; readonly seconds: number }
  /** Those that a start would run, with their time on the copy. */
  readonly migrations: readonly { readonly name: string; readonly seconds: number }[]
  readonly rebuilt: { readonly events: number; readonly seconds: number }
  readonly readModels: readonly Rehearsed[]
  readonly unreadable: { readonly events: number; readonly first: readonly UnreadableEvent[] }
  readonly due: DueWork
  /** Absent if the live agenda has halted or does not exist. */
  readonly changedWork?: ChangedWork
}

export interface RehearsalDeps {
  readonly settings: Settings
  readonly clock: Clock
  /** Called with plain-language messages about slow steps. */
  readonly tell: (message: string) => void
  readonly bar: ProgressBar
  readonly signal: AbortSignal
  /** Bytes that a folder can take. */
  readonly freeBytes?: typeof freeBytes
  readonly projections?: readonly AnyProjection[]
}

/**
 * Starts this version on a copy of the database, without the parts that act: it migrates the copy, rebuilds the read models from
 * the log and compares them with the live ones. The live database is only read, and no one outside is called.
 *
 * @throws Refusal if there is nothing to rehearse, no room for the copy, or a step fails
 */
export async function rehearseUpgrade(deps: RehearsalDeps): Promise<Rehearsal> {
  const { settings, clock, tell } = deps
  const { DATA_DIR: dataDir, DATABASE_URL, ENCRYPTION_KEY } = settings
  await refuseHalfRestored(dataDir)
  const cluster = DATABASE_URL === undefined ? await findCluster(dataDir) : undefined
  if (DATABASE_URL === undefined && !cluster) {
    throw refusal(`There is nothing to rehearse: ${dataDir} (DATA_DIR) has no database.`)
  }
  // Otherwise, one would be created.
  if (!ENCRYPTION_KEY && !(await exists(join(dataDir, KEY)))) {
    throw refusal(`${join(dataDir, KEY)} is missing: without it, the log cannot be read. Put it back.`)
  }
  const log = (message: string) => tell(`… ${message}`)
  const embedded = cluster && (await startEmbeddedPostgres({ dataDir, log, clock }))
  const connectionString = DATABASE_URL ?? embedded?.connectionString ?? ''
  try {
    await checkRoom(deps, connectionString, cluster?.folder)
    return await withScratchDatabase(connectionString, clock, (copy) => onCopy(deps, connectionString, copy))
  } catch (error) {
    if (deps.signal.aborted) throw refusal('Stopped. Nothing is left of the rehearsal.')
    throw diskFull(error) ? refusal('The disk is full: the copy does not fit. Nothing is left of it.') : error
  } finally {
    await embedded?.stop()
  }
}

/** @param folder of the embedded Postgres; the disk of another server cannot be seen */
async function checkRoom(
  { tell, freeBytes: free = freeBytes }: RehearsalDeps,
  connectionString: string,
  folder: string | undefined,
): Promise<void> {
  const { rows } = await withCopies(connectionString, (client) =>
    client.query<{ bytes: string }>(
      `select pg_database_size(current_database()) + coalesce(sum(pg_total_relation_size(c.oid)), 0) as bytes
       from pg_class c join pg_namespace n on n.oid = relnamespace where relkind = 'r' and nspname = 'read'`,
    ),
  )
  const needed = Number(rows[0]?.bytes)
  tell(`The copy needs up to ${megabytes(needed)} MB on the server of the database.`)
  if (folder === undefined) return
  const left = await free(folder)
  if (left - needed >= SCARCE_BYTES) return
  throw refusal(
    `The disk has no room for the copy: ${megabytes(left)} MB are free, and ${megabytes(needed + SCARCE_BYTES)} are needed, with 1 GiB to spare for the service.`,
  )
}

async function onCopy(deps: RehearsalDeps, live: string, copy: string): Promise<Rehearsal> {
  const { clock, bar, signal } = deps
  const timed = async <T>(work: () => Promise<T>) => {
    const began = clock.now()
    const result = await work()
    return { result, seconds: Math.round((clock.now() - began) / 100) / 10 }
  }
  let bytes = 0
  const progress = (copied: number) => {
    if (Math.floor(copied / MB) > Math.floor(bytes / MB)) bar.tell(`${megabytes(copied)} MB copied`)
    bytes = copied
  }
  const { result: level, seconds } = await timed(() => copyDatabase(live, copy, { signal, progress }))
  const migrations: { name: string; seconds: number }[] = []
  for (const { name } of MIGRATIONS.slice(migrationsUpTo(level).length)) {
    signal.throwIfAborted()
    bar.tell(`running the migration ${name}`)
    const ran = await timed(() => migrateTo(copy, name))
    migrations.push({ name, seconds: ran.seconds })
  }
  const { result: rebuilt, seconds: rebuildSeconds } = await timed(() => rebuildOn(deps, copy))
  const { events, ...found } = rebuilt
  return {
    version: packageVersion(),
    asExpected: isAsExpected(found),
    copied: { megabytes: megabytes(bytes), seconds },
    migrations,
    rebuilt: { events, seconds: rebuildSeconds },
    ...found,
  }
}

async function migrateTo(copy: string, name: string): Promise<void> {
  try {
    await migrate(copy, name === LEVEL ? MIGRATIONS : migrationsUpTo(name))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refusal('failed_precondition', `The migration ${name} fails on the copy: ${reason}`)
  }
}

type Found = Pick<Rehearsal, 'readModels' | 'unreadable' | 'due' | 'changedWork'>

async function rebuildOn(
  { settings, clock, bar, signal, projections: rebuilt = projections }: RehearsalDeps,
  copy: string,
): Promise<Found & { readonly events: number }> {
  const onError = () => undefined
  const db: Pool = openPool(copy, { max: 8, name: 'fanfare rehearsal', onError, queryTimeoutMs: WHOLE_TABLE_MS })
  const signals = listenForSignals({ connectionString: copy, channels: [APPENDED], clock })
  try {
    const vault = createVault(db, await keyRingOf(settings, settings.DATA_DIR))
    const keys = createEventKeys({ db, vault, now: clock.now })
    const bare = await openLog(settings.EVENTSTORE_URL, { db, signals, clock, keys })
    const { log, unreadable } = noting(bare)
    try {
      const head = await bare.head()
      let events = 0
      const found: { changedWork?: ChangedWork } = {}
      const readModels = await rehearseRebuild(
        {
          ...{ db, log, signal },
          progress: (more, position) => {
            events += more
            bar.show(Number(position + 1n), Number(head + 1n), events)
          },
          comparing: async (names) => {
            bar.tell('comparing with the live read models')
            if (names.has('agenda')) found.changedWork = await changedWork(db, clock.now())
          },
        },
        rebuilt,
      )
      const unread = [...unreadable.values()]
      return {
        ...{ readModels, events, ...found },
        unreadable: { events: unread.length, first: unread.slice(0, MOST_NAMED) },
        due: await dueWork(db, clock.now()),
      }
    } finally {
      await bare.close()
    }
  } finally {
    bar.end()
    await signals.close()
    await db.end()
  }
}

/** A log that remembers which events could not be read, by position: some are read more than once. */
function noting(log: EventLog): { readonly log: EventLog; readonly unreadable: ReadonlyMap<bigint, UnreadableEvent> } {
  const unreadable = new Map<bigint, UnreadableEvent>()
  const note = ({ position, stream, type, unreadable: why }: RecordedEvent) => {
    if (why) unreadable.set(position, { position: String(position), stream, type, reason: why.reason })
  }
  const subscribe: EventLog['subscribe'] = async function* (after, options) {
    for await (const delivery of log.subscribe(after, options)) {
      if (delivery.kind === 'events') delivery.events.forEach(note)
      yield delivery
    }
  }
  return { log: { ...log, subscribe }, unreadable }
}

function isAsExpected({ readModels, unreadable, changedWork: changed }: Found): boolean {
  const isSound = readModels.every(({ compared, halts }) => compared !== 'different' && halts === undefined)
  return isSound && unreadable.events === 0 && (!changed || changed.added.rows + changed.lost.rows === 0)
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / MB)
}

function refusal(message: string): Refusal {
  return new Refusal('failed_precondition', message)
}
