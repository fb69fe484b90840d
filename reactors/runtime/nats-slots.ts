import { setMaxListeners } from 'node:events'
import {
  AckPolicy,
  connect,
  DiscardPolicy,
  nanos,
  RetentionPolicy,
  StorageType,
  type ConsumerMessages,
  type NatsConnection,
} from 'nats'
import * as z from 'zod'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { WorkerSlots, LocalSlots } from './worker-slots.ts'
import type { LeasedRow, Leases } from './leases.ts'
import { ofPools, POOLS, WORK, type Pool, type PoolSizes } from './pools.ts'

const STREAM = 'FANFARE_WORK'
const SUBJECTS = 'fanfare.work'
const PUBLISH_TIMEOUT_MS = 1_000
const RETRY_DELAY_MS = 1_000
const ALONE_MS = 1_000
/** Delay before a row is offered again if its workspace has used up its share of this process's worker slots. */
const OVER_SHARE_MS = 1_000

const subjectOf = (pool: Pool) => `${SUBJECTS}.${pool}`
const consumerOf = (pool: Pool) => `workers-${pool}`
/** Hints in flight per worker slot: those that a busy process leaves are soon taken by another. */
const HINTS_PER_SLOT = 4

/** A hint: this row was leased under this token. It is trusted only for where to look. */
const hintSchema = z.object({ id: z.string(), token: z.string(), workspace: z.string() })

/** The worker slots of all worker processes, reached over NATS JetStream; only this process's when NATS is unavailable. */
export interface NatsSlots extends WorkerSlots {
  connected(): boolean
  close(): Promise<void>
}

/**
 * Distributes leased rows to the worker processes as hints. A hint may be lost, late or duplicated: taking over the lease
 * decides, and a row whose hint was lost is due again when its lease ends, or at once if the connection was lost.
 *
 * Limits retention, never work-queue: nats-server 2.9 and 2.10 lose work-queue messages on a kill (nats-server #6778, #6882). No
 * delayed redelivery: it blocks the messages behind it (#6093); a late row is due again on the agenda.
 */
export async function natsSlots(options: {
  readonly servers: string[]
  readonly local: LocalSlots
  readonly leases: Leases
  readonly clock: Clock
  readonly logger: Logger
  readonly sizes: PoolSizes
  readonly signal: AbortSignal
}): Promise<NatsSlots> {
  const { servers, local, leases, clock, logger, signal, sizes } = options
  // Every pool listens, and waits for more than one thing: Node.js would take that for a leak.
  setMaxListeners(0, signal)
  const connection = await connect({
    servers,
    name: 'fanfare',
    // The default gives up for good after some 20 seconds of downtime (nats.node #173).
    maxReconnectAttempts: -1,
    waitOnFirstConnect: true,
    reconnectTimeWait: 500,
    timeout: 5_000,
  })
  let isConnected = true
  /** Until then (ms) this process works alone: JetStream does not answer, or is being set up again. */
  let aloneUntil = 0
  const isUsable = () => isConnected && clock.now() >= aloneUntil
  // Not awaited: the iteration outlives the connection.
  void watch(connection, (state) => {
    isConnected = state
    // A killed server loses what it had not written.
    if (state) leases.suspectLost(clock.now())
  })

  const taken = async (data: Uint8Array): Promise<void> => {
    const hint = hintSchema.safeParse(JSON.parse(new TextDecoder().decode(data)))
    if (!hint.success) return
    const row = await leases.take(hint.data, clock.now())
    if (!row) return
    if (local.hasShare(row)) await local.give(row)
    // Do not wait: the hints behind it may belong to other workspaces.
    else await leases.park(row, clock.now() + OVER_SHARE_MS)
  }

  /** Runs the row here; without a free worker slot, it is due again at once. */
  const giveOwn = async (row: LeasedRow): Promise<void> => {
    const own = await leases.take(row, clock.now())
    if (!own) return
    if (local.capacity()[WORK[own.kind].pool].free > 0) await local.give(own)
    else await leases.park(own, clock.now())
  }

  const consume = async (pool: Pool) => {
    while (!signal.aborted) {
      let messages: ConsumerMessages | undefined
      const stop = () => messages?.stop()
      signal.addEventListener('abort', stop, { once: true })
      try {
        await ensureStream(connection)
        const consumer = await connection.jetstream().consumers.get(STREAM, consumerOf(pool))
        // One at a time, acknowledged once a worker slot is free: a busy process leaves hints to the others.
        messages = await consumer.consume({ max_messages: 1 })
        for await (const message of messages) {
          while (local.capacity()[pool].free <= 0 && !signal.aborted) await clock.sleep(10, signal)
          // Leave it to another process.
          if (signal.aborted) break
          await taken(message.data).catch((error: unknown) =>
            logger.warn({ err: error }, 'a hint could not be followed'),
          )
          message.ack()
        }
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, 'hints interrupted; working without them until they resume')
      }
      signal.removeEventListener('abort', stop)
      await clock.sleep(RETRY_DELAY_MS, signal)
    }
  }
  const consuming = Promise.all(POOLS.map(consume))
  const windows = ofPools((pool) => ({ free: HINTS_PER_SLOT * sizes[pool], most: HINTS_PER_SLOT * sizes[pool] }))

  return {
    connected: () => isConnected,
    capacity: () => (isUsable() ? windows : local.capacity()),
    give: async (row) => {
      const { pool } = WORK[row.kind]
      // This process leased the row, so it needs nobody's hint to start.
      if (local.capacity()[pool].free > 0 && local.hasShare(row)) return local.give(row)
      if (isUsable()) {
        const subject = subjectOf(pool)
        const hint = new TextEncoder().encode(
          JSON.stringify({ id: row.id, token: row.token, workspace: row.workspace }),
        )
        try {
          await connection.jetstream().publish(subject, hint, { timeout: PUBLISH_TIMEOUT_MS, msgID: row.token })
          leases.handedOn(row)
          return
        } catch {
          aloneUntil = clock.now() + ALONE_MS
        }
      }
      // Degraded, not stopped. If the hint was published after all, taking over the lease decides.
      await giveOwn(row).catch(() => undefined)
    },
    onFree: (listener) => local.onFree(listener),
    idle: () => local.idle(),
    close: async () => {
      await connection.close()
      await consuming
    },
  }
}

async function watch(connection: NatsConnection, set: (connected: boolean) => void): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') set(false)
    if (status.type === 'reconnect') set(true)
  }
}

/** Idempotent: also recreates a stream whose store was wiped. */
async function ensureStream(connection: NatsConnection): Promise<void> {
  const manager = await connection.jetstreamManager()
  await manager.streams.add({
    name: STREAM,
    subjects: [`${SUBJECTS}.*`],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: nanos(3_600_000),
    max_msgs: 100_000,
  })
  for (const pool of POOLS) {
    await manager.consumers.add(STREAM, {
      durable_name: consumerOf(pool),
      filter_subject: subjectOf(pool),
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(30_000),
      max_ack_pending: 1_000,
      max_deliver: -1,
    })
  }
}
