import type { Pool } from 'pg'
import { sqlState } from '../../infra/postgres/errors.ts'
import { transaction, type Database } from '../../infra/postgres/pool.ts'
import { CATEGORIES } from '../../domain/log/event-kinds.ts'
import { Refusal } from '../../domain/core/errors.ts'
import type { EventLog } from '../../event-log/event-log.ts'
import { byPosition, checkpointsIn } from '../engine/checkpoints.ts'
import { createFold, type ReadRows } from '../engine/fold.ts'
import { apart, erasedWorkspace, type AnyProjection } from '../engine/projection.ts'
import { recentRows } from '../engine/recent-rows.ts'
import { readRows } from '../engine/tables.ts'
import { writeBatch, type Step, type TableChange } from '../engine/write-batch.ts'
import { copyRows } from './copy-rows.ts'

/** Builds the tables beside the live ones from the log. */
export interface Builder {
  /**
   * Brings all tables to the current end of the log, or to `until`, the position of an event.
   *
   * @returns the position of all tables; short of `until` when the signal aborted
   */
  advance(until?: bigint, signal?: AbortSignal): Promise<bigint>
}

const AHEAD =
  'The live read models are ahead of this log: they were built from another one. Is EVENTSTORE_URL the same as at the last start?'

const UNIQUE_VIOLATION = '23505'
/** Events in memory at once: few, so that garbage collection stays cheap. */
const DEFAULT_PAGE = 1_000
/** Events per transaction: most of a post's events then share one write of its row. */
const DEFAULT_BATCH = 10_000

export function createBuilder(deps: {
  readonly db: Pool
  readonly log: EventLog
  readonly projections: readonly AnyProjection[]
  readonly signal: AbortSignal
  /** Called per batch with the number of events read and the position reached. */
  readonly progress: (events: number, position: bigint) => void
  readonly pageSize?: number
  readonly batchSize?: number
}): Builder {
  const { db, log, projections, progress, pageSize = DEFAULT_PAGE, batchSize = DEFAULT_BATCH } = deps
  const recent = recentRows()

  /** Writes each batch while the next one is read and folded. */
  const follow = async (
    group: readonly AnyProjection[],
    from: bigint,
    { until, signal }: { readonly until: bigint | undefined; readonly signal: AbortSignal },
  ) => {
    // Its own for as long as it reads: on a busy machine, a new one may take longer than a pool waits.
    const reader = await db.connect()
    let writing = Promise.resolve()
    let underWay: readonly TableChange[] = []
    const read: ReadRows = async (projection, ids) => {
      if (underWay.some((change) => change.projection === projection && hasAny(change, ids))) await writing
      return readRows(reader, 'read_next', projection, ids)
    }
    const fold = createFold(read, group, recent, 1)
    let [begun, folded, events] = [from, from, 0]
    const flush = async () => {
      if (events === 0) return
      await writing
      const changes = fold.changes()
      for (const change of changes) recent.keep(change)
      const step = { from: begun, to: folded, generations: new Map(), schema: 'read_next' } as const
      underWay = changes
      writing = store(db, group, step, changes)
      // Rethrown by the next `await writing`.
      writing.catch(() => undefined)
      progress(events, folded)
      ;[begun, events] = [folded, 0]
    }
    try {
      for await (const delivery of log.subscribe(from, { categories: CATEGORIES, batchSize: pageSize, signal })) {
        if (delivery.kind === 'caught-up') {
          if (until !== undefined && !signal.aborted) throw new Refusal('failed_precondition', AHEAD)
          break
        }
        const page = delivery.events.filter(({ position }) => until === undefined || position <= until)
        for (const part of apart(page)) {
          const isErasing = part.some((event) => erasedWorkspace(event) !== undefined)
          if (isErasing) await flush()
          await fold.take(part)
          folded = part.at(-1)?.position ?? folded
          events += part.length
          if (events >= batchSize || isErasing) await flush()
          // The rows that the next ones read must be gone.
          if (isErasing) await writing
        }
        const last = delivery.events.at(-1)?.position ?? from
        if (signal.aborted || (until !== undefined && last >= until)) break
      }
      await flush()
    } finally {
      await writing.finally(() => reader.release())
    }
  }

  return {
    advance: async (until, given) => {
      const signal = given ? AbortSignal.any([deps.signal, given]) : deps.signal
      try {
        for (;;) {
          const [first, second] = byPosition(await checkpointsIn(db, 'read_next'), projections)
          if (!first) throw new Error('nothing is being built')
          const goal = second?.position ?? until
          if (!signal.aborted && (goal === undefined || first.position < goal)) {
            await follow(first.group, first.position, { until: goal, signal })
          }
          if (!second || signal.aborted) return positionOf()
        }
      } finally {
        recent.forget()
      }
    },
  }

  async function positionOf(): Promise<bigint> {
    return byPosition(await checkpointsIn(db, 'read_next'), projections)[0]?.position ?? -1n
  }
}

function hasAny({ created, changed, gone }: TableChange, ids: readonly string[]): boolean {
  const asked = new Set(ids)
  return [created, changed].some((rows) => rows.some(({ id }) => asked.has(id))) || gone.some((id) => asked.has(id))
}

/** Writes a batch's changes and moves the checkpoints. */
async function store(
  db: Database,
  group: readonly AnyProjection[],
  step: Step,
  changes: readonly TableChange[],
): Promise<void> {
  const others = changes.map((change) => ({ ...change, created: [] }))
  try {
    await storeTogether(db, group, step, { copied: changes, upserted: others })
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    // A row that was not read, because its event creates it, exists after all.
    await storeTogether(db, group, step, { copied: [], upserted: changes })
  }
}

/** In one transaction, copies the new rows of `copied` and upserts `upserted`. */
function storeTogether(
  db: Database,
  group: readonly AnyProjection[],
  step: Step,
  { copied, upserted }: { readonly copied: readonly TableChange[]; readonly upserted: readonly TableChange[] },
): Promise<void> {
  return transaction(db, async (client) => {
    for (const { projection, created } of copied) {
      if (created.length > 0) await copyRows(client, 'read_next', projection, created)
    }
    if (!(await writeBatch(client, group, step, upserted))) throw new Error('another process is using the tables')
    await client.query(
      `update read_next.checkpoints as c set events = c.events + more.events
       from unnest($1::text[], $2::bigint[]) as more(name, events) where c.name = more.name`,
      [upserted.map(({ projection }) => projection.name), upserted.map(({ events }) => events)],
    )
  })
}
