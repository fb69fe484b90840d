import { isUnavailable, sqlState } from '../database/errors.ts'
import type { Database } from '../database/pool.ts'
import type { Signals } from '../database/signal.ts'
import { encoded, type EncodedEvent } from './limits.ts'
import type { Tail, TailEvent } from './postgres-tail.ts'
import { APPENDED } from './postgres.ts'
import { LogUnavailable, RevisionConflict, type Appended, type EventLog, type ExpectedRevision } from './event-log.ts'

interface Waiting {
  readonly stream: string
  readonly events: readonly EncodedEvent[]
  readonly expected: ExpectedRevision
  /** After the database has refused a batch with it: one bad append must not take its neighbours along. */
  readonly alone?: true
  resolve(appended: Appended): void
  reject(error: unknown): void
}

/**
 * What `log.append_batch` answers: the position before the batch as append 0 when it took all, else each append for which
 * it took none.
 */
interface AnswerRow {
  readonly append: string
  readonly at_revision: string
  /** Null for a stream that is elsewhere than expected. */
  readonly at_position: string | null
}

/** What became of a batch: those who have to be sent again, and how to tell the others. */
interface Outcome {
  readonly again: readonly Waiting[]
  settle(): void
}

/** Appends in one call of the database: bounds its time and memory. */
const MAX_BATCH = 512
/**
 * Appends that are worth a commit of their own while another is under way: the database then writes the ones while the
 * callers of the others make their next.
 */
const SECOND_BATCH = 32
/** Deadlock and serialization failure: the batch was rolled back whole and may be sent again. */
const TRY_AGAIN = ['40001', '40P01']
/** Parts the texts of a batch. JSON writes it as an escape, and names do not have it. */
const SEPARATOR = '\x1e'

/**
 * `EventLog.append` for Postgres. While batches are at the database the next one gathers, so that however many callers
 * there are share few commits (`docs/benchmarks.md`).
 */
export function appendBatches(deps: {
  readonly db: Database
  readonly tail: Tail
  readonly signals: Signals
  readonly closing: AbortSignal
}): EventLog['append'] {
  const { db, tail, signals, closing } = deps
  let waiting: Waiting[] = []
  let flights = 0

  const fly = async (): Promise<void> => {
    const { batch, rest } = nextBatch(waiting)
    waiting = rest
    const { again, settle } = await send(db, tail, batch)
    if (again.length > 0) waiting = [...again, ...waiting]
    // The database first, then the callers: they have work of their own.
    if (waiting.length > 0) void fly()
    else flights -= 1
    settle()
    signals.send(APPENDED)
  }

  return async (stream, events, expected) => {
    if (events.length === 0) throw new Error('an append needs at least one event')
    if (stream.includes(SEPARATOR)) throw new Error('the name of a stream has no control characters')
    if (closing.aborted) throw new LogUnavailable('the event log is closed')
    const own = encoded(events)
    return new Promise((resolve, reject) => {
      waiting.push({ stream, events: own, expected, resolve, reject })
      const enough = flights === 0 || (flights === 1 && waiting.length >= SECOND_BATCH)
      if (!enough) return
      flights += 1
      // Callers of the same turn of the event loop travel together.
      setImmediate(() => (waiting.length > 0 ? void fly() : (flights -= 1)))
    })
  }
}

/** Half of the appends, the oldest, and few of them whole; one per stream: two of one stream would each need to see the other's outcome. */
function nextBatch(waiting: readonly Waiting[]): { batch: readonly Waiting[]; rest: Waiting[] } {
  if (waiting[0]?.alone) return { batch: waiting.slice(0, 1), rest: waiting.slice(1) }
  const most = Math.min(MAX_BATCH, Math.max(SECOND_BATCH, Math.ceil(waiting.length / 2)))
  const streams = new Set<string>()
  const batch: Waiting[] = []
  const rest: Waiting[] = []
  for (const item of waiting) {
    if (batch.length < most && !item.alone && !streams.has(item.stream)) batch.push(item)
    else rest.push(item)
    streams.add(item.stream)
  }
  return { batch, rest }
}

async function send(db: Database, tail: Tail, batch: readonly Waiting[]): Promise<Outcome> {
  try {
    const answer = await callDatabase(db, batch)
    const head = answer.find(({ append }) => append === '0')
    return head ? allTaken(batch, BigInt(head.at_position ?? 0), tail) : noneTaken(batch, answer)
  } catch (error) {
    return refused(batch, error)
  }
}

async function callDatabase(db: Database, batch: readonly Waiting[]): Promise<readonly AnswerRow[]> {
  const events = batch.flatMap(({ events, expected }, index) =>
    events.map((event, offset) => ({ ...event, append: index + 1, revision: expected + 1 + offset })),
  )
  const values = [
    batch.map(({ stream }) => stream).join(SEPARATOR),
    batch.map(({ expected }) => expected),
    events.map(({ append }) => append),
    events.map(({ revision }) => revision),
    events.map(({ id }) => id),
    events.map(({ type }) => type).join(SEPARATOR),
    events.map(({ data }) => data).join(SEPARATOR),
    events.map(({ metadata }) => metadata).join(SEPARATOR),
  ]
  for (;;) {
    try {
      const query = { name: 'append', text: 'select * from log.append_batch($1, $2, $3, $4, $5, $6, $7, $8)', values }
      return (await db.query<AnswerRow>(query)).rows
    } catch (error) {
      if (!TRY_AGAIN.includes(sqlState(error) ?? '')) throw error
    }
  }
}

function allTaken(batch: readonly Waiting[], head: bigint, tail: Tail): Outcome {
  let position = head
  const recorded: TailEvent[] = []
  const results = batch.map(({ stream, events, expected }) => {
    events.forEach((event, index) => {
      position += 1n
      recorded.push({ ...event, stream, revision: expected + 1 + index, position })
    })
    return { revision: expected + events.length, position }
  })
  tail.add(recorded)
  return { again: [], settle: () => batch.forEach(({ resolve }, index) => resolve(results[index]!)) }
}

function noneTaken(batch: readonly Waiting[], answer: readonly AnswerRow[]): Outcome {
  const rows = new Map(answer.map((row) => [Number(row.append), row]))
  return {
    again: batch.filter((_, index) => !rows.has(index + 1)),
    settle: () =>
      batch.forEach(({ stream, expected, resolve, reject }, index) => {
        const row = rows.get(index + 1)
        if (!row) return
        const revision = Number(row.at_revision)
        if (row.at_position === null) reject(new RevisionConflict(stream, expected, revision))
        else resolve({ revision, position: BigInt(row.at_position) })
      }),
  }
}

function refused(batch: readonly Waiting[], error: unknown): Outcome {
  if (!isUnavailable(error) && batch.length > 1) {
    return { again: batch.map((item) => ({ ...item, alone: true })), settle: () => undefined }
  }
  const message = 'the event log can not be reached; whether it took the events is not known'
  const reason = isUnavailable(error) ? new LogUnavailable(message, { cause: error }) : error
  return { again: [], settle: () => batch.forEach(({ reject }) => reject(reason)) }
}
