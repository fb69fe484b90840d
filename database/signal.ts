import pg from 'pg'
import type { Clock } from '../system/clock.ts'

/**
 * "Look now" between the processes of the service, over LISTEN/NOTIFY. A signal may be lost: whoever waits for one must
 * also look from time to time.
 */
export interface Signals {
  /** Calls `listener` at each signal on the channel; returns how to stop. */
  on(channel: string, listener: (payload: string) => void): () => void
  close(): Promise<void>
}

const RECONNECT_DELAY_MS = 500

export function listenForSignals(options: {
  readonly connectionString: string
  readonly channels: readonly string[]
  readonly clock: Clock
}): Signals {
  const { connectionString, channels, clock } = options
  const listeners = new Map(channels.map((channel) => [channel, new Set<(payload: string) => void>()]))
  const closing = new AbortController()
  let current: pg.Client | undefined

  const emit = (channel: string, payload: string) => listeners.get(channel)?.forEach((listener) => listener(payload))

  const connected = async () => {
    const client = new pg.Client({ connectionString, application_name: 'fanfare signals', keepAlive: true })
    current = client
    const ended = new Promise<void>((resolve) => {
      client.once('end', resolve)
      client.on('error', () => resolve())
    })
    client.on('notification', ({ channel, payload }) => emit(channel, payload ?? ''))
    try {
      await client.connect()
      for (const channel of channels) await client.query(`listen ${channel}`)
      // Whatever was signalled while nobody listened is made up for by one look.
      channels.forEach((channel) => emit(channel, ''))
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

  return {
    on: (channel, listener) => {
      const set = listeners.get(channel)
      if (!set) throw new Error(`no such channel: ${channel}`)
      set.add(listener)
      return () => set.delete(listener)
    },
    close: async () => {
      closing.abort()
      await current?.end().catch(() => undefined)
      await running
    },
  }
}
