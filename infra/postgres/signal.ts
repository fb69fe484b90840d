import pg from 'pg'
import { atMost, type Clock } from '../runtime/clock.ts'

/**
 * "Look now" signals between the processes of the service, over LISTEN/NOTIFY. A signal may be lost, so listeners must also poll
 * from time to time.
 */
export interface Signals {
  /** Calls `listener` for each signal on the channel; returns a function that stops it. */
  on(channel: string, listener: (payload: string) => void): () => void
  /**
   * Notifies the listeners of this process immediately and those of the others soon. If signals follow each other quickly, other
   * processes may receive only the last one.
   */
  send(channel: string, payload?: string): void
  close(): Promise<void>
}

/** Sent on every channel after each (re)connect: signals sent before that are lost. */
export const RECONNECTED = 'reconnected'

const RECONNECT_DELAY_MS = 500
const CONNECT_TIMEOUT_MS = 5_000
const QUERY_TIMEOUT_MS = 5_000
/** Signals within this interval are sent together. */
const SEND_EVERY_MS = 10
/** An unreachable database must not keep the process from exiting. */
const CLOSE_PATIENCE_MS = 500
const NOTIFY = 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as n(channel, payload)'

/** The name of each process's connection in `pg_stat_activity`, followed by the ids of its master keys. */
export const SIGNALS = 'fanfare signals'

export function listenForSignals(options: {
  readonly connectionString: string
  /** The ids of the process's master keys; Postgres keeps 63 characters of the name. */
  readonly keyIds?: readonly string[]
  readonly channels: readonly string[]
  readonly clock: Clock
}): Signals {
  const { connectionString, channels, clock, keyIds = [] } = options
  const listeners = new Map(channels.map((channel) => [channel, new Set<(payload: string) => void>()]))
  const closing = new AbortController()
  let current: pg.Client | undefined
  /** Payloads not yet sent to the other processes, by channel. */
  const outgoing = new Map<string, string>()
  let sending: Promise<void> | undefined

  const emit = (channel: string, payload: string) => listeners.get(channel)?.forEach((listener) => listener(payload))

  const connected = async () => {
    const client = new pg.Client({
      connectionString,
      application_name: `${SIGNALS} ${keyIds.join(',')}`.trimEnd(),
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
    })
    current = client
    const ended = new Promise<void>((resolve) => {
      client.once('end', resolve)
      client.on('error', () => resolve())
    })
    client.on('notification', ({ channel, payload, processId }) => {
      // This process has already handled what it sent itself.
      if (processId !== ownProcessId(client)) emit(channel, payload ?? '')
    })
    try {
      await client.connect()
      for (const channel of channels) await client.query(`listen ${channel}`)
      channels.forEach((channel) => emit(channel, RECONNECTED))
      await ended
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  const run = async () => {
    while (!closing.signal.aborted) {
      await connected().catch(() => undefined)
      await clock.sleep(RECONNECT_DELAY_MS, closing.signal)
    }
  }
  const running = run()

  /** One at a time, and outside any other transaction: inside one, NOTIFY makes commits queue up behind each other. */
  const tellOthers = async () => {
    while (outgoing.size > 0) {
      const batch = [...outgoing]
      outgoing.clear()
      const values = [batch.map(([channel]) => channel), batch.map(([, payload]) => payload)]
      await current?.query({ name: 'notify', text: NOTIFY, values }).catch(() => undefined)
      await clock.sleep(SEND_EVERY_MS, closing.signal)
    }
    sending = undefined
  }

  return {
    on: (channel, listener) => {
      const set = listeners.get(channel)
      if (!set) throw new Error(`no such channel: ${channel}`)
      set.add(listener)
      return () => set.delete(listener)
    },
    send: (channel, payload = '') => {
      emit(channel, payload)
      outgoing.set(channel, payload)
      sending ??= tellOthers()
    },
    close: async () => {
      closing.abort()
      const ended = async () => {
        await sending
        await current?.end().catch(() => undefined)
        await running
      }
      await atMost(clock, CLOSE_PATIENCE_MS, ended())
    },
  }
}

function ownProcessId(client: pg.Client): number | undefined {
  return (client as { readonly processID?: number }).processID
}
