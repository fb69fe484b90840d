import pg from 'pg'
import type { Clock } from '../../../infra/runtime/clock.ts'
import { freeBytes, SCARCE_BYTES } from '../../../infra/runtime/free-space.ts'
import type { Settings } from '../../../infra/runtime/settings.ts'
import { fault, ok, reasonOf, type Finding } from './finding.ts'

/** Longer than a healthy server takes to answer (ms). */
const PATIENCE_MS = 5_000
/** The oldest versions that the service is tested with, or that have the features it uses. */
const LEAST = { node: [20, 18], postgres: [15, 0], nats: [2, 9] } as const
/** The limit in docs/operations.md (ms). */
const CLOCK_TOLERANCE_MS = 3_000

/** Checks what the service runs on before using any of it: each server over its own connection. */
export function examineServers(settings: Settings, clock: Clock): Promise<readonly Finding[]> {
  const { DATABASE_URL, EVENTSTORE_URL, NATS_URL, DATA_DIR } = settings
  return Promise.all([
    nodeVersion(),
    room(DATA_DIR),
    ...(DATABASE_URL === undefined ? [] : [postgres(DATABASE_URL, clock)]),
    ...(EVENTSTORE_URL === undefined ? [] : [eventStore(EVENTSTORE_URL, clock)]),
    ...(NATS_URL === undefined ? [] : [nats(NATS_URL)]),
  ])
}

async function nodeVersion(): Promise<Finding> {
  const { node } = process.versions
  if (isAtLeast(node, LEAST.node)) return ok('node', `Node.js ${node}`)
  return fault('node', `Node.js ${node} is too old`, `Install Node.js ${LEAST.node.join('.')} or later.`)
}

async function room(dataDir: string): Promise<Finding> {
  const free = await freeBytes(dataDir)
  const said = `${Math.floor(free / 1024 ** 2)} MB free for DATA_DIR (${dataDir})`
  if (free >= SCARCE_BYTES) return ok('disk', said)
  return {
    check: 'disk',
    level: 'warning',
    finding: said,
    remedy: 'Free up space: no posts can be accepted when the log cannot grow.',
  }
}

async function postgres(connectionString: string, clock: Clock): Promise<Finding> {
  const remedy = 'Check that the server in DATABASE_URL is running, and that host, port, user and password are correct.'
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS })
  // Errors surface in the awaited calls.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const before = clock.now()
    const { rows } = await client.query<{ version: string; now: number; syncs: string }>(
      `select current_setting('server_version') as version, current_setting('fsync') as syncs,
         extract(epoch from clock_timestamp())::float8 * 1000 as now`,
    )
    const after = clock.now()
    const { version = '', now = after, syncs } = rows[0] ?? {}
    if (!isAtLeast(version, LEAST.postgres)) {
      return fault('postgres', `Postgres ${version} is too old`, `Upgrade to Postgres ${LEAST.postgres[0]} or later.`)
    }
    if (syncs === 'off') {
      return fault('postgres', 'fsync is off: a power failure can lose posts', 'Set fsync = on in postgresql.conf.')
    }
    const apartMs = Math.max(0, before - now, now - after)
    if (apartMs > CLOCK_TOLERANCE_MS) {
      const finding = `the clocks of this computer and Postgres are ${Math.round(apartMs / 1000)} s apart`
      return fault('clock', finding, 'Synchronize both with NTP: posts are published by these clocks.')
    }
    return ok('postgres', `Postgres ${version}, its clock is in sync`)
  } catch (error) {
    return fault('postgres', `not reachable: ${reasonOf(error)}`, remedy)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function eventStore(connectionString: string, clock: Clock): Promise<Finding> {
  const { eventStoreDbLog } = await import('../../../event-log/eventstoredb/log.ts')
  const log = eventStoreDbLog({ connectionString, clock, readTimeoutMs: PATIENCE_MS })
  try {
    await log.ping()
    return ok('eventstoredb', 'EventStoreDB responds')
  } catch (error) {
    const remedy = 'Check that the server in EVENTSTORE_URL is running, and that its user may read $all.'
    return fault('eventstoredb', `not reachable: ${reasonOf(error)}`, remedy)
  } finally {
    await log.close()
  }
}

async function nats(servers: string[]): Promise<Finding> {
  try {
    // Bundled, a CommonJS package that is loaded on demand has only its default export.
    const { default: library } = await import('nats')
    const connection = await library.connect({
      servers,
      timeout: PATIENCE_MS,
      reconnect: false,
      name: 'fanfare doctor',
    })
    const { version = '', jetstream } = connection.info ?? {}
    await connection.close()
    if (!isAtLeast(version, LEAST.nats)) {
      return fault('nats', `NATS ${version} is too old`, `Upgrade to NATS ${LEAST.nats.join('.')} or later.`)
    }
    if (!jetstream) return fault('nats', 'NATS runs without JetStream', 'Start nats-server with --jetstream.')
    return ok('nats', `NATS ${version}, with JetStream`)
  } catch (error) {
    const remedy =
      'Check that the server in NATS_URL is running. Until then, each process takes its own work; nothing is lost.'
    return { check: 'nats', level: 'warning', finding: `not reachable: ${reasonOf(error)}`, remedy }
  }
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ofMajor = 0, ofMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  return ofMajor > major || (ofMajor === major && ofMinor >= minor)
}
