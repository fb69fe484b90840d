import type { Database } from '../database/pool.ts'
import { isUnavailable } from '../database/errors.ts'
import type { Signals } from '../database/signal.ts'
import type { Clock } from '../system/clock.ts'
import { appendBatches } from './postgres-append.ts'
import { decodeRow, type EventRow } from './postgres-row.ts'
import { LogUnavailable, type Delivery, type EventLog, type SubscribeOptions } from './event-log.ts'

/** Signalled after every commit of events. */
export const APPENDED = 'fanfare_appended'

/** How long (ms) a reader that has everything goes without looking, should a signal be lost. */
const LOOK_EVERY_MS = 500
const DEFAULT_BATCH = 1000

const COLUMNS = 'position, stream, revision, id, type, data, metadata'

/**
 * The event log in Postgres: dense positions, appends that arrive together share one commit
 * (`database/migrations/001-log.ts`).
 */
export function postgresLog(options: {
  readonly db: Database
  readonly signals: Signals
  readonly clock: Clock
}): EventLog {
  const { db, signals, clock } = options
  const closing = new AbortController()

  const query = async (sql: string, values: unknown[]): Promise<EventRow[]> => {
    try {
      return (await db.query<EventRow>(sql, values)).rows
    } catch (error) {
      throw isUnavailable(error) ? new LogUnavailable('the event log can not be reached', { cause: error }) : error
    }
  }

  async function* subscribe(after: bigint, options: SubscribeOptions = {}): AsyncGenerator<Delivery> {
    const limit = options.batchSize ?? DEFAULT_BATCH
    const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal
    const wake = wakeUps(signals, clock, signal)
    let position = after
    let behind = true
    try {
      while (!signal.aborted) {
        wake.reset()
        const rows = await query(
          `select ${COLUMNS} from log.events where position > $1
           and ($3::text[] is null or split_part(stream, '-', 1) = any($3)) order by position limit $2`,
          [position.toString(), limit, options.categories ?? null],
        )
        const events = rows.map(decodeRow)
        const last = events.at(-1)
        if (last) {
          position = last.position
          behind = true
          yield { kind: 'events', events }
        }
        if (events.length === limit) continue
        if (behind) yield { kind: 'caught-up' }
        behind = false
        await wake.wait()
      }
    } finally {
      wake.stop()
    }
  }

  return {
    append: appendBatches(db, closing.signal),
    read: async (stream, fromRevision = 0) => {
      const rows = await query(
        `select ${COLUMNS} from log.events where stream = $1 and revision >= $2 order by revision`,
        [stream, fromRevision],
      )
      return rows.map(decodeRow)
    },
    subscribe,
    ping: async () => void (await query('select 1 from log.events limit 1', [])),
    close: async () => closing.abort(),
  }
}

/** Waits for the next signal, but never for longer than `LOOK_EVERY_MS`. A signal between look and wait is not lost. */
function wakeUps(signals: Signals, clock: Clock, signal: AbortSignal) {
  let bell = new AbortController()
  const off = signals.on(APPENDED, () => bell.abort())
  const ring = () => bell.abort()
  signal.addEventListener('abort', ring, { once: true })
  return {
    reset: () => {
      bell = new AbortController()
    },
    wait: () => clock.sleep(LOOK_EVERY_MS, bell.signal),
    stop: () => {
      off()
      signal.removeEventListener('abort', ring)
    },
  }
}
