import pg from 'pg'
import { atMost, type Clock } from '../runtime/clock.ts'

/**
 * "Look now" between the processes of the service, over LISTEN/NOTIFY. A signal may be lost: whoever waits for one must
 * also look from time to time.
 */
export interface Signals {
  /** Calls `listener` at each signal on the channel; returns how to stop. */
  on(channel: string, listener: (payload: string) => void): () => void
  /**
   * Tells the listeners of this process at once and those of the others soon. Of signals that follow each other quickly the
   * others may be told the last one only.
   */
  send(channel: string, payload?: string): void
  close(): Promise<void>
}

/** The payload on every channel once the connection stands (again): whatever was signalled meanwhile is lost. */
export const RECONNECTED = 'reconnected'

const RECONNECT_DELAY_MS = 500
const CONNECT_TIMEOUT_MS = 5_000
const QUERY_TIMEOUT_MS = 5_000
/** Signals of less than this time are sent together. */
const SEND_EVERY_MS = 10
/** A database that is away must not keep the process from ending. */
const CLOSE_PATIENCE_MS = 500
const NOTIFY = 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as n(channel, payload)'

/** What the connection of each process goes by in `pg_stat_activity`, before the ids of its master keys. */
export const SIGNALS = 'fanfare signals'

export function listenForSignals(options: {
  readonly connectionString: string
  /** The ids of the master keys that the process has; Postgres keeps 63 characters of the name. */
  readonly keyIds?: readonly string[]
  readonly channels: readonly string[]
  readonly clock: Clock
}): Signals {
  const { connectionString, channels, clock, keyIds = [] } = options
  const listeners = new Map(channels.map((channel) => [channel, new Set<(payload: string) => void>()]))
  const closing = new AbortController()
  let current: pg.Client | undefined
  /** By channel, what the other processes have not been told yet. */
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
      // What went out over this connection, this process has heard already.
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

  /** One at a time, and outside of every other transaction: inside one, NOTIFY makes commits queue up behind each other. */
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
