import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { CATEGORIES } from '../../domain/log/event-kinds.ts'
import type { RecordedEvent } from '../../domain/core/event.ts'
import { START, type EventLog } from '../../event-log/event-log.ts'
import { threadProgram } from '../../infra/runtime/thread-program.ts'
import type { AnyProjection } from '../engine/projection.ts'
import { STOP, type Share, type ShareProgress } from './share.ts'

/**
 * Brings tables beside the live ones to where the log ends, in threads that have a share of them each. What a thread can't do,
 * it leaves as it stands, for whoever goes on from there.
 *
 * @param from where the one that is the furthest behind stands
 * @param missing of the log, in positions: where it is little, nothing is done
 * @param progress told how many events the slowest has read, and its position
 * @param failed told what one has met; the others end then, too
 */
export type BuildInThreads = (
  projections: readonly AnyProjection[],
  parts: {
    readonly from: bigint
    readonly missing: bigint
    readonly signal: AbortSignal
    readonly progress: (events: number, position: bigint) => void
    readonly failed: (error: Error) => void
  },
) => Promise<void>

/** Each reads and parses the whole log: with more of them that is most of what they do. */
export const MOST_THREADS = 4
/** Positions to read, as many as events where the log is in Postgres, from which on threads are worth their start. */
const LONG = 50_000n

/** Of the log, so many events tell what each read model has to do. */
const LOOKED_AT = 10_000

/** @param options.threads when absent, as many as there are processors but one, for the database, where the log is long */
export function buildInThreads(
  log: EventLog,
  connection: Omit<Share, 'names'>,
  options: { readonly threads?: number } = {},
): BuildInThreads {
  const { threads = Math.min(availableParallelism() - 1, MOST_THREADS) } = options
  return async (projections, { from, missing, signal, progress, failed }) => {
    if (threads < 2 || projections.length < 2 || (options.threads === undefined && missing < LONG)) return
    const shares = await sharesOf(log, projections, threads)
    const stand = new Map(shares.map((share): [Names, ShareProgress] => [share, { events: 0, position: from }]))
    const told = (share: Names, { events, position }: ShareProgress) => {
      stand.set(share, { events: (stand.get(share)?.events ?? 0) + events, position })
      const [slowest] = [...stand.values()].toSorted((one, other) => Number(one.position - other.position))
      if (slowest) progress(slowest.events, slowest.position)
    }
    const enough = new AbortController()
    const build = async (names: Names) => {
      const parts = { told: (more: ShareProgress) => told(names, more), signal, enough: enough.signal }
      const error = await buildShare({ ...connection, names }, parts)
      if (error && !enough.signal.aborted) failed(error)
      if (error) enough.abort()
      else stand.delete(names)
    }
    await Promise.all(shares.map(build))
  }
}

type Names = Share['names']

/**
 * Resolves when the thread has ended.
 *
 * @param parts.signal ends it at once
 * @param parts.enough ends it after what it is writing
 * @returns what it has met
 */
async function buildShare(
  share: Share,
  parts: {
    readonly told: (progress: ShareProgress) => void
    readonly signal: AbortSignal
    readonly enough: AbortSignal
  },
): Promise<Error | undefined> {
  const { told, signal, enough } = parts
  if (signal.aborted || enough.aborted) return undefined
  const worker = new Worker(threadProgram('share-worker', import.meta.url), { workerData: share })
  let error: Error | undefined
  worker.on('error', (met: Error) => (error = met))
  worker.on('message', told)
  const end = () => void worker.terminate()
  const stop = () => worker.postMessage(STOP)
  signal.addEventListener('abort', end, { once: true })
  enough.addEventListener('abort', stop, { once: true })
  // Not by `once` of node:events, which throws what the thread has met.
  await new Promise((resolve) => worker.once('exit', resolve))
  signal.removeEventListener('abort', end)
  enough.removeEventListener('abort', stop)
  return error
}

/** Names of read models, dealt so that about as many of the log's first events concern each share. */
async function sharesOf(
  log: EventLog,
  projections: readonly AnyProjection[],
  count: number,
): Promise<readonly Names[]> {
  const events = await firstOf(log)
  const work = projections.map((projection) => ({
    name: projection.name,
    weight: 1 + events.filter((event) => concerns(projection, event)).length,
  }))
  const shares = Array.from({ length: Math.min(count, projections.length) }, () => ({
    names: [] as string[],
    weight: 0,
  }))
  for (const { name, weight } of work.toSorted((one, other) => other.weight - one.weight)) {
    const [lightest] = shares.toSorted((one, other) => one.weight - other.weight)
    lightest?.names.push(name)
    if (lightest) lightest.weight += weight
  }
  return shares.map(({ names }) => names)
}

function concerns(projection: AnyProjection, event: RecordedEvent): boolean {
  try {
    return projection.rowIds(event).length > 0
  } catch {
    // It is told of by whoever applies it.
    return true
  }
}

async function firstOf(log: EventLog): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = []
  for await (const delivery of log.subscribe(START, { categories: CATEGORIES })) {
    if (delivery.kind === 'caught-up') break
    events.push(...delivery.events)
    if (events.length >= LOOKED_AT) break
  }
  return events
}
