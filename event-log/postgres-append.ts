import { isUnavailable, sqlState } from '../database/errors.ts'
import type { Database } from '../database/pool.ts'
import type { NewEvent } from '../domain/event.ts'
import { checkSizes } from './limits.ts'
import { APPENDED } from './postgres.ts'
import { LogUnavailable, RevisionConflict, type Appended, type EventLog, type ExpectedRevision } from './event-log.ts'

interface Waiting {
  readonly stream: string
  readonly events: readonly NewEvent[]
  readonly expected: ExpectedRevision
  resolve(appended: Appended): void
  reject(error: unknown): void
}

interface OutcomeRow {
  readonly item: string
  readonly outcome: 'appended' | 'repeated' | 'conflict'
  readonly stream_revision: string
  readonly log_position: string | null
}

/** Appends in one call of the database: bounds its time and memory. */
const MAX_BATCH = 512
/** Deadlock and serialization failure: the batch was rolled back whole and may be sent again. */
const TRY_AGAIN = ['40001', '40P01']

/**
 * `EventLog.append` for Postgres. While one batch is at the database the next gathers, so that however many callers there
 * are share one commit (measured: 3-4 times bare insert-and-commit at 64 callers).
 */
export function appendBatches(db: Database, closing: AbortSignal): EventLog['append'] {
  let waiting: Waiting[] = []
  let running = false
  let signalling = false

  const run = async () => {
    while (waiting.length > 0) {
      const { batch, rest } = nextBatch(waiting)
      waiting = rest
      await send(db, batch)
      signal()
    }
    running = false
  }

  /** After the commit and not waited for: inside it, NOTIFY would make commits queue up behind each other. */
  const signal = () => {
    if (signalling) return
    signalling = true
    db.query(`notify ${APPENDED}`)
      .catch(() => undefined)
      .finally(() => (signalling = false))
  }

  return (stream, events, expected) => {
    if (events.length === 0) return Promise.reject(new Error('an append needs at least one event'))
    if (closing.aborted) return Promise.reject(new LogUnavailable('the event log is closed'))
    return new Promise((resolve, reject) => {
      checkSizes(events)
      waiting.push({ stream, events, expected, resolve, reject })
      // Callers of the same turn of the event loop travel together.
      if (!running) {
        running = true
        setImmediate(() => void run())
      }
    })
  }
}

/** The oldest appends, one per stream: two of one stream would each need to see the other's outcome. */
function nextBatch(waiting: readonly Waiting[]): { batch: Waiting[]; rest: Waiting[] } {
  const streams = new Set<string>()
  const batch: Waiting[] = []
  const rest: Waiting[] = []
  for (const item of waiting) {
    if (batch.length < MAX_BATCH && !streams.has(item.stream)) batch.push(item)
    else rest.push(item)
    streams.add(item.stream)
  }
  return { batch, rest }
}

async function send(db: Database, batch: readonly Waiting[]): Promise<void> {
  try {
    const rows = await callDatabase(db, batch)
    for (const row of rows) settle(batch[Number(row.item) - 1], row)
  } catch (error) {
    if (isUnavailable(error)) {
      const message = 'the event log can not be reached; whether it took the events is not known'
      batch.forEach((item) => item.reject(new LogUnavailable(message, { cause: error })))
    } else if (batch.length === 1) {
      batch.forEach((item) => item.reject(error))
    } else {
      // One append that the database refuses must not take its neighbours along.
      for (const item of batch) await send(db, [item])
    }
  }
}

async function callDatabase(db: Database, batch: readonly Waiting[]): Promise<readonly OutcomeRow[]> {
  const events = batch.flatMap((item, index) => item.events.map((event) => ({ event, item: index + 1 })))
  const values = [
    batch.map((item) => item.stream),
    batch.map((item) => item.expected),
    events.map(({ item }) => item),
    events.map(({ event }) => event.id),
    events.map(({ event }) => event.type),
    events.map(({ event }) => JSON.stringify(event.data)),
    events.map(({ event }) => JSON.stringify(event.metadata)),
  ]
  for (;;) {
    try {
      const query = { name: 'append', text: 'select * from log.append_batch($1, $2, $3, $4, $5, $6, $7)', values }
      return (await db.query<OutcomeRow>(query)).rows
    } catch (error) {
      if (!TRY_AGAIN.includes(sqlState(error) ?? '')) throw error
    }
  }
}

function settle(item: Waiting | undefined, row: OutcomeRow): void {
  const revision = Number(row.stream_revision)
  if (row.outcome === 'conflict' || row.log_position === null) {
    item?.reject(new RevisionConflict(item.stream, item.expected, revision))
  } else {
    item?.resolve({ revision, position: BigInt(row.log_position) })
  }
}
