import { isUnavailable, sqlState } from '../../infra/postgres/errors.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Signals } from '../../infra/postgres/signal.ts'
import type { Codec } from '../codec.ts'
import { encoded, type EncodedEvent } from '../limits.ts'
import type { Tail, TailEvent } from './tail.ts'
import { LogUnavailable, RevisionConflict, type Appended, type EventLog, type ExpectedRevision } from '../event-log.ts'

/** Sent as a signal after every commit of events, with the highest position that this process has written. */
export const APPENDED = 'fanfare_appended'

interface Waiting {
  readonly stream: string
  readonly events: readonly EncodedEvent[]
  readonly expected: ExpectedRevision
  resolve(appended: Appended): void
  reject(error: unknown): void
}

/**
 * A row returned by `log.append_batch`: append 0 with the position before the batch if it wrote everything; otherwise it wrote
 * nothing, and returns a row for each append that conflicts or was done before.
 */
interface AnswerRow {
  readonly append: string
  readonly at_revision: string
  /** Null on a conflict. */
  readonly at_position: string | null
}

/** Resolves or rejects a caller's append. */
type Settle = () => void

/** The most appends and bytes of events per database call, to bound its time and memory. */
const MAX_BATCH = 512
const MAX_BATCH_BYTES = 8 * 1024 * 1024
/**
 * Waiting appends that justify a second commit while one is in progress: the database then writes one batch while the callers
 * of the other prepare their next appends.
 */
const SECOND_BATCH = 32
/** Serialization failure and deadlock: the whole batch was rolled back and can be sent again. */
const TRY_AGAIN = ['40001', '40P01']
/** Separates the texts of a batch. JSON escapes it, and names do not contain it. */
const SEPARATOR = '\x1e'

/**
 * `EventLog.append` for Postgres. While batches are in flight, the next one accumulates, so that any number of callers share
 * few commits (`docs/benchmarks.md`).
 */
export function appendBatches(deps: {
  readonly db: Database
  readonly tail: Tail
  readonly signals: Signals
  readonly codec: Codec
  readonly closing: AbortSignal
}): EventLog['append'] {
  const { db, tail, signals, codec, closing } = deps
  let waiting: Waiting[] = []
  let flights = 0

  const fly = async (): Promise<void> => {
    const { batch, rest } = nextBatch(waiting)
    waiting = rest
    const settles = await send(db, tail, batch)
    // Start the next batch before settling the callers, who have work of their own.
    if (waiting.length > 0) void fly()
    else flights -= 1
    for (const settle of settles) settle()
    signals.send(APPENDED, String(tail.newest()))
  }

  return async (stream, events, expected) => {
    if (events.length === 0) throw new Error('an append needs at least one event')
    if (stream.includes(SEPARATOR)) throw new Error('the name of a stream must not contain control characters')
    if (closing.aborted) throw new LogUnavailable('the event log is closed')
    const own = encoded(await codec.encode(stream, events, expected))
    return new Promise((resolve, reject) => {
      waiting.push({ stream, events: own, expected, resolve, reject })
      const enough = flights === 0 || (flights === 1 && waiting.length >= SECOND_BATCH)
      if (!enough) return
      flights += 1
      // Batch the callers of the same event loop turn.
      setImmediate(() => (waiting.length > 0 ? void fly() : (flights -= 1)))
    })
  }
}

/** Takes the older half of the appends, or all if there are few. One per stream: two would each depend on the other's outcome. */
function nextBatch(waiting: readonly Waiting[]): { batch: readonly Waiting[]; rest: Waiting[] } {
  const most = Math.min(MAX_BATCH, Math.max(SECOND_BATCH, Math.ceil(waiting.length / 2)))
  const streams = new Set<string>()
  const batch: Waiting[] = []
  const rest: Waiting[] = []
  let bytes = 0
  for (const item of waiting) {
    const size = sizeOf(item.events)
    const fits = batch.length === 0 || (batch.length < most && bytes + size <= MAX_BATCH_BYTES)
    if (fits && !streams.has(item.stream)) {
      batch.push(item)
      bytes += size
    } else {
      rest.push(item)
    }
    streams.add(item.stream)
  }
  return { batch, rest }
}

/**
 * Sends until each append of the batch has an outcome. The database writes everything, or reports which appends it did not
 * write.
 */
async function send(db: Database, tail: Tail, batch: readonly Waiting[]): Promise<readonly Settle[]> {
  const settles: Settle[] = []
  let left = batch
  while (left.length > 0) {
    try {
      const answer = await callDatabase(db, left)
      const head = answer.find(({ append }) => append === '0')
      if (head) return [...settles, allTaken(left, BigInt(head.at_position ?? 0), tail)]
      settles.push(noneTaken(left, answer))
      const refused = new Set(answer.map(({ append }) => Number(append)))
      left = left.filter((_, index) => !refused.has(index + 1))
    } catch (error) {
      return [...settles, ...(await failed(db, tail, left, error))]
    }
  }
  return settles
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

function allTaken(batch: readonly Waiting[], head: bigint, tail: Tail): Settle {
  let position = head
  const recorded: TailEvent[] = []
  const results = batch.map(({ stream, events, expected, resolve }): Settle => {
    events.forEach((event, index) => {
      position += 1n
      recorded.push({ ...event, stream, revision: expected + 1 + index, position })
    })
    const result = { revision: expected + events.length, position }
    return () => resolve(result)
  })
  tail.add(recorded)
  return () => results.forEach((settle) => settle())
}

function noneTaken(batch: readonly Waiting[], answer: readonly AnswerRow[]): Settle {
  return () => {
    for (const { append, at_revision, at_position } of answer) {
      const item = batch[Number(append) - 1]
      const revision = Number(at_revision)
      if (at_position !== null) item?.resolve({ revision, position: BigInt(at_position) })
      else item?.reject(new RevisionConflict(item.stream, item.expected, revision))
    }
  }
}

async function failed(db: Database, tail: Tail, batch: readonly Waiting[], error: unknown): Promise<readonly Settle[]> {
  if (!isUnavailable(error) && batch.length > 1) {
    // One append that the database rejects must not fail the others in its batch.
    const alone: (readonly Settle[])[] = []
    for (const item of batch) alone.push(await send(db, tail, [item]))
    return alone.flat()
  }
  const message = 'the event log cannot be reached; it is unknown whether it stored the events'
  const reason = isUnavailable(error) ? new LogUnavailable(message, { cause: error }) : error
  return [() => batch.forEach(({ reject }) => reject(reason))]
}

function sizeOf(events: readonly EncodedEvent[]): number {
  return events.reduce((sum, { bytes }) => sum + bytes, 0)
}
