import { join } from 'node:path'
import type { Pool } from 'pg'
import { adoptSealedAnswers } from '../../api/http/idempotency.ts'
import type { CommandDeps } from '../../commands/handle.ts'
import { derivationSecret } from '../../infra/postgres/derivation-secret.ts'
import { createErasableKeys } from '../../event-log/postgres/erasable-keys.ts'
import { createEventKeys } from '../../event-log/postgres/event-keys.ts'
import { startEmbeddedPostgres } from '../../infra/postgres/embedded.ts'
import { exists } from '../../infra/postgres/embedded/binaries.ts'
import { isUnavailable, LOCK_NOT_AVAILABLE, sqlState } from '../../infra/postgres/errors.ts'
import { migrate } from '../../infra/postgres/migrate.ts'
import { createPasswords, type Passwords } from '../../infra/postgres/passwords.ts'
import { openPool, WHOLE_TABLE_MS } from '../../infra/postgres/pool.ts'
import { listenForSignals, type Signals } from '../../infra/postgres/signal.ts'
import { createVault, type Vault } from '../../infra/postgres/vault.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { START } from '../../event-log/event-log.ts'
import { openLog } from '../../event-log/open-log.ts'
import { partialFiles, type PartialFiles } from '../../infra/media/partial-files.ts'
import { ownMedia } from '../../infra/media/own-media.ts'
import type { SweptMediaStore } from '../../infra/media/store.ts'
import { guardedHttp } from '../../infra/http/guarded-http.ts'
import type { Http } from '../../infra/http/http.ts'
import { mediaSource, type MediaSpool } from '../../platforms/kit/media-spool.ts'
import { outboundPolicy, type OutboundPolicy } from '../../infra/http/outbound-guard.ts'
import { costsOf } from '../../platforms/kit/costs.ts'
import { platforms } from '../../platforms/registry.ts'
import { spoolRoom } from '../../platforms/kit/spool-room.ts'
import { createMediaRoom, type MediaRoom } from '../../commands/media-room.ts'
import { keptMedia } from '../../projections/models/kept-media.ts'
import { createCeilings, type Ceilings } from '../../projections/models/ceilings.ts'
import { projections } from '../../projections/models/index.ts'
import type { AnyProjection } from '../../projections/engine/projection.ts'
import { createProjector, type Projector } from '../../projections/engine/projector.ts'
import { watchSeen, type Seen } from '../../projections/engine/seen.ts'
import { layOutTables } from '../../projections/engine/tables.ts'
import { monthCosts } from '../../reactors/accounts/month-costs.ts'
import { findUpload } from '../../reactors/media/find-upload.ts'
import { createPauses } from '../../reactors/platform-calls/pauses.ts'
import { publicMedia } from '../../reactors/platform-calls/public-media.ts'
import { platformAccess, type PlatformAccess } from '../../reactors/platform-calls/platform-access.ts'
import { ROWS_PER_SLOT } from '../../reactors/runtime/pools.ts'
import { systemClock, type Clock } from '../../infra/runtime/clock.ts'
import { closeDataFolder, restoreMark } from '../../infra/runtime/data-folder.ts'
import { keyRingOf } from '../../infra/runtime/encryption-key.ts'
import { randomIds, type Ids } from '../../infra/runtime/ids.ts'
import type { KeyRing } from '../../infra/runtime/key-ring.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { serviceUrl, SettingsError, type Settings } from '../../infra/runtime/settings.ts'
import { NO_TELEMETRY, type Telemetry } from '../telemetry/telemetry.ts'
import { CHANNELS } from './channels.ts'
import { ownAppsOf, pricesOf, sandboxUrlOf, versionsOf } from './platform-settings.ts'
import { groupRolesOf } from './group-roles.ts'
import { openConverters, openMediaStore, USER_AGENT } from './media.ts'
import { treeOnDemand, type LogTree } from './log-tree.ts'

/** How long (ms) a start waits for servers that are unreachable or go away during it. */
const START_PATIENCE_MS = 120_000
export /** Everything that the service and the command line share. */
interface Core extends CommandDeps {
  readonly settings: Settings
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** How to reach the database. */
  readonly connectionString: string
  readonly db: Pool
  /** For whole-table work: its statements may take hours. */
  readonly wholeTables: Pool
  readonly signals: Signals
  readonly vault: Vault
  readonly erasableKeys: ReturnType<typeof createErasableKeys>
  /** Opened on the first call. */
  tree(): Promise<LogTree>
  readonly passwords: Passwords
  readonly ring: KeyRing
  /**
   * The secret that outlives the master key, loaded or created on the first call. @throws Error if no key of the ring decrypts it
   */
  derivationSecret(): Promise<Buffer>
  readonly projector: Projector
  readonly seen: Seen
  readonly ceilings: Ceilings
  readonly mediaRoom: MediaRoom
  readonly http: Http
  /** Where `http` may connect to. */
  readonly policy: OutboundPolicy
  readonly media: MediaSpool
  /** The service's URL, without a trailing slash. If the system picks the port, it is known once the API listens. */
  readonly reachedAt: { url: string }
  /** Media generated by the service. */
  readonly mediaStore: SweptMediaStore
  /** Uploads that are not complete. */
  readonly partialFiles: PartialFiles
  readonly access: PlatformAccess
  readonly telemetry: Telemetry
  /** Connection pools for Postgres, by purpose. */
  readonly pools: Readonly<Record<string, Pool>>
  /** Closes all connections, and stops the embedded server unless another process of the service is using it. */
  close(): Promise<void>
}

/**
 * Assembles all parts; the only place that does. `progress` receives plain-language messages about slow steps.
 *
 * @param options.laidOut the read models whose tables are migrated to this version; pass none to inspect them, or to prepare
 *   others alongside
 */
export async function openCore(
  settings: Settings,
  logger: Logger,
  progress: (message: string) => void,
  options: { readonly laidOut?: readonly AnyProjection[]; readonly telemetry?: Telemetry } = {},
): Promise<Core> {
  const { laidOut = projections, telemetry = NO_TELEMETRY } = options
  const clock = systemClock
  const ids = randomIds(clock.now)
  const { DATA_DIR: dataDir, DATABASE_URL, EVENTSTORE_URL } = settings
  // Before anything is opened that would have to be closed again.
  const [policy, apps] = [outboundPolicyOf(settings), ownAppsOf(settings)]
  groupRolesOf(settings)
  const costs = costsOf(platforms, pricesOf(settings), sandboxUrlOf(settings))

  await closeDataFolder(dataDir)
  await refuseHalfRestored(dataDir)
  const embedded = DATABASE_URL ? undefined : await startEmbeddedPostgres({ dataDir, log: progress, clock })
  const connectionString = DATABASE_URL ?? embedded?.connectionString ?? ''
  await whenReachable(() => migrate(connectionString), clock, progress)

  const onError = (error: Error) => logger.warn({ err: error }, 'a database connection was lost; replacing it')
  const db = openPool(connectionString, { max: 16, name: 'fanfare', onError })
  // A separate pool, so that a request waiting for a connection never delays the log.
  const logPool = openPool(connectionString, { max: 4, name: 'fanfare log', onError })
  const renewalPool = openPool(connectionString, { max: 8, name: 'fanfare token renewal', onError })
  const wholeTables = openPool(connectionString, {
    ...{ max: 8, name: 'fanfare rebuild', onError },
    queryTimeoutMs: WHOLE_TABLE_MS,
  })
  const ring = await keyRingOf(settings, dataDir)
  const keyIds = ring.keys().map(({ id }) => id)
  const signals = listenForSignals({ connectionString, channels: CHANNELS, clock, keyIds })
  const vault = createVault(db, ring, renewalPool)
  const keys = createEventKeys({ db: logPool, vault, now: clock.now })
  const bareLog = await openLog(EVENTSTORE_URL, { db: logPool, signals, clock, keys })
  if (EVENTSTORE_URL) await whenReachable(() => bareLog.ping(), clock, progress)
  const log = telemetry.log(bareLog)
  const tree = treeOnDemand(EVENTSTORE_URL, { db: logPool, signals, clock }, { db, vault, keys, now: clock.now })

  const fresh = await whenReachable(() => layOutTables(db, laidOut), clock, progress)
  if (fresh.length > 0) logger.debug({ projections: fresh }, 'building read models from the log')
  const http = guardedHttp({ policy, clock, userAgent: USER_AGENT, maxConnectionsPerOrigin: connectionsFor(settings) })
  const kept = openMediaStore(settings, clock, telemetry)
  const reachedAt = { url: serviceUrl(settings) }
  const own = ownMedia(kept.store, () => reachedAt.url, findUpload({ log, store: kept.store }))
  const converters = openConverters(settings, clock)
  const media = mediaSource({
    http: telemetry.http(http, 'media'),
    clock,
    directory: join(dataDir, 'media-in-transit'),
    room: spoolRoom({
      directory: dataDir,
      maxBytes: settings.MEDIA_IN_TRANSIT_MAX,
      minFreeBytes: settings.MEDIA_FREE_DISK_MIN,
    }),
    own,
    keepsPosition: settings.KEEP_MEDIA_POSITION === 'on',
    converted: converters.media,
  })
  const seen = watchSeen({ db, signals, clock })
  const pauses = createPauses({
    ...{ maintenance: settings.MAINTENANCE_WINDOWS, budgets: settings.budgets },
    ...{ costsOf: costs, monthCosts: monthCosts({ db, costsOf: costs }), clock },
  })

  return {
    settings,
    clock,
    ids,
    logger,
    connectionString,
    db,
    wholeTables,
    log,
    signals,
    vault,
    erasableKeys: createErasableKeys({ db, vault }),
    tree: tree.open,
    passwords: createPasswords(db),
    ring,
    derivationSecret: () =>
      derivationSecret(
        { db, vault, ring },
        async () => (await bareLog.head()) === START,
        (master) => adoptSealedAnswers(db, vault, ids, master),
      ),
    projector: createProjector({
      ...{ db, signals, projections, clock, logger },
      log: telemetry.reading(log, 'projector'),
    }),
    seen,
    ceilings: createCeilings(db, settings),
    mediaRoom: createMediaRoom({
      ...{ log, clock, maxBytes: settings.MEDIA_STORE_MAX },
      keptMedia: (workspaceId) => keptMedia(db, workspaceId, clock.now()),
    }),
    http,
    policy,
    media,
    reachedAt,
    mediaStore: kept.store,
    partialFiles: partialFiles({
      ...{ directory: join(dataDir, 'uploads'), clock, minFreeBytes: settings.MEDIA_FREE_DISK_MIN },
    }),
    access: telemetry.access(
      platformAccess({
        platforms,
        versions: versionsOf(settings),
        costsOf: costs,
        pauses,
        apps,
        vault,
        http,
        media,
        publicMedia: publicMedia({
          ...{ log, url: () => reachedAt.url, isPublic: settings.PUBLIC_URL !== undefined },
          verified: settings.MEDIA_VERIFIED_URLS,
        }),
        clock,
      }),
    ),
    telemetry,
    pools: { service: db, log: logPool, renewal: renewalPool },
    close: async () => {
      seen.close()
      converters.close()
      await Promise.all([log.close(), tree.close()])
      await signals.close()
      await http.close()
      await kept.close()
      await Promise.all([db.end(), logPool.end(), renewalPool.end(), wholeTables.end()])
      await embedded?.stop()
    },
  }
}

/** @throws Refusal if a restore was interrupted and half of the data is still from before it */
export async function refuseHalfRestored(dataDir: string): Promise<void> {
  if (!(await exists(restoreMark(dataDir)))) return
  throw new Refusal(
    'failed_precondition',
    `A restore into ${dataDir} is running or was interrupted. To finish it, run the same fanfare restore <folder> again.`,
  )
}

/** One per running row, and as many again for requests: waiting for a connection means waiting for other workspaces. */
function connectionsFor({ WORKER_CONCURRENCY }: Settings): number {
  return 2 * ROWS_PER_SLOT * WORKER_CONCURRENCY
}

function outboundPolicyOf({ OUTBOUND_ALLOW, SANDBOX, SANDBOX_PORT }: Settings): OutboundPolicy {
  // Port 0 is one that only the running service knows.
  const isAtPort = SANDBOX !== 'off' && SANDBOX_PORT !== 0
  try {
    return outboundPolicy(OUTBOUND_ALLOW, isAtPort ? [{ host: '127.0.0.1', port: SANDBOX_PORT }] : [])
  } catch (error) {
    throw new SettingsError([`OUTBOUND_ALLOW: ${error instanceof Error ? error.message : ''}`])
  }
}

/**
 * Runs a step of the start, and retries while a server it needs is unreachable, or a table is locked.
 *
 * @param work may run any number of times
 * @param progress called once, with a plain-language message, when it starts to wait
 * @throws what `work` throws for another reason, or once the time is up
 */
export async function whenReachable<T>(
  work: () => Promise<T>,
  clock: Clock,
  progress: (message: string) => void,
): Promise<T> {
  // Starts at the first failure: long work may hit its first one late.
  let deadline: number | undefined
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const isLocked = sqlState(error) === LOCK_NOT_AVAILABLE
      const passes = isLocked || isUnavailable(error)
      if (!passes || (deadline !== undefined && clock.now() > deadline)) throw error
      if (deadline === undefined) {
        deadline = clock.now() + START_PATIENCE_MS
        const reason = isLocked ? 'another transaction to release a table' : 'a server that cannot be reached'
        progress(`waiting for ${reason}: ${error instanceof Error ? error.message : ''}`)
      }
      await clock.sleep(1_000)
    }
  }
}
