import type { Pool } from 'pg'
import { Refusal } from '../../domain/core/errors.ts'
import { START, type EventLog } from '../../event-log/event-log.ts'
import { LOCKS } from '../../infra/postgres/locks.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { checkpointsIn } from '../engine/checkpoints.ts'
import { CannotApply } from '../engine/fold.ts'
import type { AnyProjection } from '../engine/projection.ts'
import type { Projector } from '../engine/projector.ts'
import { versionOf } from '../engine/version.ts'
import { besideProgress, clearBeside, indexBeside, layOutBeside } from '../engine/beside.ts'
import { createBuilder, type Builder } from './builder.ts'
import { compareTables, sumOf, type Compared, type Sum } from './compare.ts'
import { switchOver } from './switch.ts'
import type { BuildInThreads } from './threads.ts'

/** How a rebuilt table compares to the live one, in words for a reader. */
export type Verdict = 'equal' | 'different' | 'not compared: halted' | 'not compared: of another version'

/** The result for one read model. */
export interface Rebuilt extends Sum {
  readonly projection: string
  /** The number of events in the log that concern it. */
  readonly events: number
  readonly compared: Verdict
  /** Ids of rows that differ or exist in only one table: the first few. */
  readonly different: readonly string[]
  /** The table's status: `live` is in use now, `prepared` is used from the next start of this version. */
  readonly now: 'live' | 'prepared' | 'kept beside'
}

export type Stage =
  | { readonly stage: 'reading'; readonly events: number; readonly position: bigint; readonly head: bigint }
  | { readonly stage: 'going on without threads'; readonly why: string }
  | { readonly stage: 'indexing' | 'comparing' | 'switching' }

export interface RebuildDeps {
  /** Its statements may take as long as reading a whole table. */
  readonly db: Pool
  readonly log: EventLog
  /** Updates the live tables, because the service may be down. */
  readonly projector: Pick<Projector, 'catchUp'>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: (stage: Stage) => void
  /** Reads a long log in threads. Absent: this thread reads everything. */
  readonly inThreads?: BuildInThreads
}

/** Attempts, in case the live tables change in between. */
const TRIES = 50
const RETRY_DELAY_MS = 100

/**
 * Rebuilds read models from the log beside the live ones, which stay in use; compares the two and switches over. After an
 * interruption, the next call resumes.
 *
 * @param options.restart whether to start over regardless
 * @param options.replace whether to also replace tables that differ
 * @throws Refusal when another rebuild is running, or an event cannot be applied
 */
export async function rebuild(
  deps: RebuildDeps,
  projections: readonly AnyProjection[],
  options: { readonly restart?: boolean; readonly replace?: boolean },
): Promise<readonly Rebuilt[]> {
  return alone(deps, async (signal) => {
    const { db, log, progress, inThreads } = deps
    await layOutBeside(db, projections, options.restart ?? false)
    let head = await log.head()
    const standing = await besideProgress(db)
    if (projections.some(({ name }) => (standing.get(name)?.position ?? START) > head)) {
      throw new Refusal(
        'failed_precondition',
        'The earlier, interrupted rebuild is ahead of this log; start over with --restart.',
      )
    }
    let events = 0
    const builder = createBuilder({
      ...{ db, log, projections, signal },
      progress: (more, position) => {
        events += more
        if (position > head) head = position
        progress({ stage: 'reading', events, position, head })
      },
    })
    const from = builderStart(standing, projections)
    progress({ stage: 'reading', events, position: from, head })
    await inThreads?.(projections, {
      ...{ from, missing: head - from, signal },
      progress: (read, position) => {
        events = read
        if (position > head) head = position
        progress({ stage: 'reading', events, position, head })
      },
      failed: ({ message }) => progress({ stage: 'going on without threads', why: message }),
    })
    await advanced(builder, signal)
    progress({ stage: 'indexing' })
    await indexBeside(db, projections)
    const rebuilt = await settle({ ...deps, signal, builder }, projections, options.replace ?? false)
    await clearBeside(db)
    return rebuilt
  })
}

function builderStart(
  standing: Awaited<ReturnType<typeof besideProgress>>,
  projections: readonly AnyProjection[],
): bigint {
  const positions = projections.map(({ name }) => standing.get(name)?.position ?? START)
  return positions.reduce((least, position) => (position < least ? position : least), positions[0] ?? START)
}

/** Compares and switches over, again when the live tables have changed in between. */
async function settle(
  deps: RebuildDeps & { readonly builder: Builder },
  projections: readonly AnyProjection[],
  replace: boolean,
): Promise<readonly Rebuilt[]> {
  const { db, builder, clock, signal, progress } = deps
  for (let tries = 1; tries <= TRIES; tries += 1) {
    await advanced(builder, signal)
    await deps.projector.catchUp(signal)
    progress({ stage: 'comparing' })
    const live = await checkpointsIn(db, 'read')
    const ours = projections.filter((projection) => live.get(projection.name)?.version === versionOf(projection))
    const running = ours.filter(({ name }) => live.get(name)?.halted === null)
    const compared =
      running.length === 0 ? new Map<string, Compared>() : await compareTables(db, running, (to) => builder.advance(to))
    signal.throwIfAborted()
    if (compared) {
      const verdicts = new Map(projections.map(({ name }) => [name, verdictOn(name, ours, compared)]))
      const switched = ours.filter(({ name }) => verdicts.get(name) !== 'different' || replace)
      const rebuilt = await Promise.all(
        projections.map(async (projection): Promise<Rebuilt> => {
          const { name } = projection
          const sum = compared.get(name)?.next ?? (await sumOf(db, 'read_next', projection))
          const now = switched.includes(projection) ? 'live' : ours.includes(projection) ? 'kept beside' : 'prepared'
          return {
            projection: name,
            events: (await besideProgress(db)).get(name)?.events ?? 0,
            ...sum,
            compared: verdicts.get(name) ?? 'equal',
            different: compared.get(name)?.different ?? [],
            now,
          }
        }),
      )
      progress({ stage: 'switching' })
      const together = new Set(switched.filter(({ name }) => compared.has(name)).map(({ name }) => name))
      if (switched.length === 0 || (await switchOver({ db, builder, clock, signal }, switched, together)))
        return rebuilt
    }
    await clock.sleep(RETRY_DELAY_MS, signal)
  }
  throw new Refusal('failed_precondition', 'The live read models cannot keep up with the log; try again later.')
}

function verdictOn(name: string, ours: readonly AnyProjection[], compared: ReadonlyMap<string, Compared>): Verdict {
  const found = compared.get(name)
  if (!found) return ours.some((our) => our.name === name) ? 'not compared: halted' : 'not compared: of another version'
  return found.live.checksum === found.next.checksum && found.live.rows === found.next.rows ? 'equal' : 'different'
}

async function advanced(builder: Builder, signal: AbortSignal): Promise<void> {
  try {
    await builder.advance()
  } catch (error) {
    if (error instanceof CannotApply)
      throw new Refusal('failed_precondition', `${error.message}. No table was replaced.`)
    throw error
  }
  signal.throwIfAborted()
}

/** Holds the lock that excludes other rebuilds. Aborts when its connection breaks. */
async function alone<T>({ db, signal }: RebuildDeps, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const client = await db.connect()
  const lost = new AbortController()
  client.on('error', (error) => lost.abort(error))
  try {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [LOCKS.rebuild])
    if (rows[0]?.held !== true) {
      throw new Refusal(
        'failed_precondition',
        'Another rebuild is running; `fanfare projections status` shows its progress.',
      )
    }
    return await work(AbortSignal.any([signal, lost.signal]))
  } finally {
    // Closing the connection releases it too, but perhaps after the next rebuild asks for it.
    await client.query('select pg_advisory_unlock_all()').catch(() => undefined)
    client.release(true)
  }
}
