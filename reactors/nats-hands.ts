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
import { z } from 'zod'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import type { Hands } from './hands.ts'
import type { Leases } from './leases.ts'

const STREAM = 'FANFARE_WORK'
const SUBJECT = 'fanfare.work'
const CONSUMER = 'workers'
const PUBLISH_TIMEOUT_MS = 1_000
const RETRY_DELAY_MS = 1_000

/** A hint: this row was leased under this token. Nothing is believed of it but where to look. */
const hintSchema = z.object({ id: z.string(), token: z.string() })

/** Hands of every worker process, reached over NATS JetStream; when NATS is away, the hands of this process. */
export interface NatsHands extends Hands {
  connected(): boolean
  close(): Promise<void>
}

/**
 * Spreads leased rows over the worker processes as hints. A hint may be lost, come late or come twice: taking the lease
 * over decides, and a row whose hint vanished is due again when its lease ends.
 *
 * Limits retention, never work-queue: nats-server 2.9 and 2.10 lose work-queue messages on a kill (nats-server #6778,
 * #6882). No delayed redelivery: it blocks the messages behind it (#6093); what is late is due again on the agenda.
 */
export async function natsHands(options: {
  readonly url: string
  readonly local: Hands
  readonly leases: Leases
  readonly clock: Clock
  readonly logger: Logger
  readonly window: number
  readonly signal: AbortSignal
}): Promise<NatsHands> {
  const { url, local, leases, clock, logger, signal, window } = options
  const connection = await connect({
    servers: url,
    name: 'fanfare',
    // The default gives up for good after some 20 seconds of downtime (nats.node #173).
    maxReconnectAttempts: -1,
    waitOnFirstConnect: true,
    reconnectTimeWait: 500,
    timeout: 5_000,
  })
  let isConnected = true
  // Its iteration outlives the connection, so nobody waits for its end.
  void watch(connection, (state) => (isConnected = state))

  const taken = async (data: Uint8Array): Promise<void> => {
    const hint = hintSchema.safeParse(JSON.parse(new TextDecoder().decode(data)))
    if (!hint.success) return
    const row = await leases.take(hint.data.id, hint.data.token, clock.now())
    if (row) await local.give(row)
  }

  const consume = async () => {
    while (!signal.aborted) {
      let messages: ConsumerMessages | undefined
      const stop = () => messages?.stop()
      signal.addEventListener('abort', stop, { once: true })
      try {
        await ensureStream(connection)
        const consumer = await connection.jetstream().consumers.get(STREAM, CONSUMER)
        // One at a time, acknowledged once a hand is free: a busy process leaves hints to the others.
        messages = await consumer.consume({ max_messages: 1 })
        for await (const message of messages) {
          while (local.free() <= 0 && !signal.aborted) await clock.sleep(10, signal)
          await taken(message.data).catch((error: unknown) =>
            logger.warn({ err: error }, 'a hint could not be followed'),
          )
          message.ack()
        }
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, 'hints are interrupted; working without them meanwhile')
      }
      signal.removeEventListener('abort', stop)
      await clock.sleep(RETRY_DELAY_MS, signal)
    }
  }
  const consuming = consume()

  return {
    connected: () => isConnected,
    free: () => (isConnected ? window : local.free()),
    maxLeased: window,
    give: async (row) => {
      const hint = new TextEncoder().encode(JSON.stringify({ id: row.id, token: row.token }))
      try {
        if (!isConnected) throw new Error('NATS is away')
        await connection.jetstream().publish(SUBJECT, hint, { timeout: PUBLISH_TIMEOUT_MS, msgID: row.token })
      } catch {
        // Degraded, not stopped. Should the hint have gone out after all, taking the lease over decides.
        const own = await leases.take(row.id, row.token, clock.now()).catch(() => undefined)
        if (own) await local.give(own)
      }
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

/** Idempotent: also brings back a stream whose store was wiped. */
async function ensureStream(connection: NatsConnection): Promise<void> {
  const manager = await connection.jetstreamManager()
  await manager.streams.add({
    name: STREAM,
    subjects: [SUBJECT],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: nanos(3_600_000),
    max_msgs: 100_000,
  })
  await manager.consumers.add(STREAM, {
    durable_name: CONSUMER,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(30_000),
    max_ack_pending: 1_000,
    max_deliver: -1,
  })
}
