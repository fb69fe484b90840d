import type { Pool } from 'pg'
import type { EventLog } from '../../event-log/event-log.ts'
import { besideProgress, layOutBeside } from '../engine/beside.ts'
import { byPosition, checkpointsIn, type Checkpoint } from '../engine/checkpoints.ts'
import { CannotApply } from '../engine/fold.ts'
import type { AnyProjection } from '../engine/projection.ts'
import { versionOf } from '../engine/version.ts'
import { createBuilder } from './builder.ts'
import { compareTables, sumOf } from './compare.ts'
import { compareDefinitions, type Redefined } from './compare-definitions.ts'

/** What a start of this version would make of one read model. */
export interface Rehearsed {
  readonly projection: string
  /**
   * `redefined`: this version defines it differently, and rebuilds it at its start; `new`: it has no such table yet; `halted`:
   * the live table is, or that of this version would be.
   */
  readonly compared: 'equal' | 'different' | 'redefined' | 'new' | 'halted'
  /** The number of events in the log that concern it. */
  readonly events: number
  /** Rows of the live table. */
  readonly liveRows?: number
  /** Rows of the table of this version, at the same event. */
  readonly rows: number
  /** Ids of rows that differ or exist in only one table, though both versions define it alike: the first few. */
  readonly different?: readonly string[]
  readonly redefined?: Redefined
  /** Why this version cannot apply an event. */
  readonly halts?: string
}

/**
 * Builds all read models of this version from the log, beside a copy of the live ones, and compares them at the event at which
 * the live ones are. Unlike a start, it goes on from one that cannot apply an event without it.
 *
 * @param deps.db has the copy in the schema `read`
 * @param deps.comparing called when the tables beside the live ones with these names are at the same event
 */
export async function rehearseRebuild(
  deps: {
    readonly db: Pool
    readonly log: EventLog
    readonly signal: AbortSignal
    readonly progress: (events: number, position: bigint) => void
    readonly comparing: (names: ReadonlySet<string>) => Promise<void>
  },
  projections: readonly AnyProjection[],
): Promise<readonly Rehearsed[]> {
  const { db, signal } = deps
  const halts = new Map<string, string>()
  const advance = async (until?: bigint): Promise<bigint> => {
    for (;;) {
      const going = projections.filter(({ name }) => !halts.has(name))
      try {
        const reached = await createBuilder({ ...deps, projections: going }).advance(until)
        signal.throwIfAborted()
        return reached
      } catch (error) {
        if (!(error instanceof CannotApply) || going.length === 1) throw error
        halts.set(error.projection, error.message)
      }
    }
  }
  await layOutBeside(db, projections, true)
  const live = await checkpointsIn(db, 'read')
  const found = new Map<string, Omit<Rehearsed, 'events'>>()
  for (const { position, group } of byPosition(live, projections)) {
    await advance(position)
    const there = group.filter(({ name }) => !halts.has(name))
    await deps.comparing(new Set(there.map(({ name }) => name)))
    for (const one of await compareAt(deps, there, { live, position })) found.set(one.projection, one)
  }
  await advance()
  const beside = await besideProgress(db)
  return Promise.all(
    projections.map(async (projection): Promise<Rehearsed> => {
      const { name } = projection
      const halt = halts.get(name)
      const rows = async () => (await sumOf(db, 'read_next', projection)).rows
      const one = found.get(name) ?? { projection: name, compared: halt ? 'halted' : 'new', rows: await rows() }
      return { ...one, events: beside.get(name)?.events ?? 0, ...(halt !== undefined && { halts: halt }) }
    }),
  )
}

async function compareAt(
  { db }: { readonly db: Pool },
  group: readonly AnyProjection[],
  at: { readonly live: ReadonlyMap<string, Checkpoint>; readonly position: bigint },
): Promise<readonly Omit<Rehearsed, 'events'>[]> {
  const isHalted = ({ name }: AnyProjection) => at.live.get(name)?.halted != null
  const isAlike = (projection: AnyProjection) => at.live.get(projection.name)?.version === versionOf(projection)
  const running = group.filter((projection) => !isHalted(projection))
  const alike = running.filter(isAlike)
  const compared = alike.length === 0 ? undefined : await compareTables(db, alike, async () => at.position)
  const found = [...(compared ?? [])].map(([projection, { live, next, different }]) => {
    const isEqual = live.checksum === next.checksum && live.rows === next.rows
    const rows = { liveRows: live.rows, rows: next.rows }
    return { projection, compared: isEqual ? ('equal' as const) : ('different' as const), ...rows, different }
  })
  const redefined = running.filter((projection) => !isAlike(projection))
  const others = redefined.map(async (projection) => ({
    ...{ projection: projection.name, compared: 'redefined' as const },
    ...(await compareDefinitions(db, projection)),
  }))
  const halted = group.filter(isHalted).map(async (projection) => {
    const { rows } = await sumOf(db, 'read_next', projection)
    return { projection: projection.name, compared: 'halted' as const, rows }
  })
  return [...found, ...(await Promise.all([...others, ...halted]))]
}
