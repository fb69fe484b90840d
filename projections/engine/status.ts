import type { Database } from '../../infra/postgres/pool.ts'
import { CATEGORIES } from '../../domain/log/event-kinds.ts'
import { START, type EventLog } from '../../event-log/event-log.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { checkpointsIn } from './checkpoints.ts'
import type { AnyProjection } from './projection.ts'
import { besideProgress, type BesideProgress } from './beside.ts'
import { versionOf } from './version.ts'

/** The status of one read model. */
export interface ProjectionStatus {
  readonly projection: string
  /** `other`: the table belongs to another version of the service. */
  readonly version: 'current' | 'other' | 'none'
  /** Position of the last event applied. */
  readonly position: string
  /** Events not applied yet; capped at MOST_COUNTED. */
  readonly behind: number
  /** Age of the oldest of them. */
  readonly lagMs: number
  /** Why it is halted. */
  readonly halted: string | null
  /** Progress of the table being built beside it, as a share of the log from 0 to 1. */
  readonly rebuilt: number | null
}

export interface ReadModelStatus {
  /** The position of the last event. */
  readonly head: string
  readonly projections: readonly ProjectionStatus[]
}

/** Counting stops at this many events. */
export const MOST_COUNTED = 10_000

/** The positions of the read models, and the progress of a rebuild. */
export async function statusOf(
  { db, log, clock }: { readonly db: Database; readonly log: EventLog; readonly clock: Clock },
  projections: readonly AnyProjection[],
): Promise<ReadModelStatus> {
  const head = await log.head()
  const live = await checkpointsIn(db, 'read')
  const beside = await besideProgress(db)
  const positions = new Set(projections.map(({ name }) => live.get(name)?.position ?? START))
  const lags = new Map<bigint, Lag>()
  for (const position of positions) lags.set(position, await lagAfter(log, position, head))
  return {
    head: String(head),
    projections: projections.map((projection): ProjectionStatus => {
      const checkpoint = live.get(projection.name)
      const position = checkpoint?.position ?? START
      const { behind, oldest } = lags.get(position) ?? NONE
      return {
        projection: projection.name,
        version: checkpoint ? (checkpoint.version === versionOf(projection) ? 'current' : 'other') : 'none',
        position: String(position),
        behind,
        lagMs: oldest === undefined ? 0 : Math.max(0, clock.now() - oldest),
        halted: checkpoint?.halted ?? null,
        rebuilt: shareOf(beside.get(projection.name), head),
      }
    }),
  }
}

interface Lag {
  readonly behind: number
  /** Time of the first of them (Unix ms). */
  readonly oldest: number | undefined
}
const NONE: Lag = { behind: 0, oldest: undefined }

async function lagAfter(log: EventLog, position: bigint, head: bigint): Promise<Lag> {
  if (position >= head) return NONE
  let { behind, oldest } = NONE
  for await (const delivery of log.subscribe(position, { categories: CATEGORIES })) {
    if (delivery.kind === 'caught-up') break
    oldest ??= Date.parse(delivery.events[0]?.metadata.at ?? '')
    behind += delivery.events.length
    if (behind >= MOST_COUNTED) break
  }
  return { behind: Math.min(behind, MOST_COUNTED), oldest }
}

function shareOf(progress: BesideProgress | undefined, head: bigint): number | null {
  if (!progress) return null
  if (head < 0n || progress.position >= head) return 1
  return Number(progress.position + 1n) / Number(head + 1n)
}
