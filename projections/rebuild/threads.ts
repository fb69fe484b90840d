import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { CATEGORIES } from '../../domain/log/event-kinds.ts'
import type { RecordedEvent } from '../../domain/core/event.ts'
import { START, type EventLog } from '../../event-log/event-log.ts'
import { threadProgram } from '../../infra/runtime/thread-program.ts'
import type { AnyProjection } from '../engine/projection.ts'
import { STOP, type Share, type ShareProgress } from './share.ts'

/**
 * Brings the tables beside the live ones to the end of the log, in threads with a share of the tables each. A thread that fails
 * leaves its tables as they are, for the caller to continue from.
 *
 * @param from the position of the table that is furthest behind
 * @param missing positions left to read: if few, nothing is done
 * @param progress called with the slowest thread's events read and its position
 * @param failed called with a thread's error; the other threads then end too
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

/** Each thread reads and parses the whole log; with more threads, that is most of their work. */
export const MOST_THREADS = 4
/** Positions left to read (events, if the log is in Postgres) from which threads are worth starting. */
const LONG = 50_000n

/** The number of events sampled to estimate each read model's work. */
const LOOKED_AT = 10_000

/** @param options.threads default: one per processor except one, for the database, up to MOST_THREADS, and only for a long log */
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
    const report = (share: Names, { events, position }: ShareProgress) => {
      stand.set(share, { events: (stand.get(share)?.events ?? 0) + events, position })
      const [slowest] = [...stand.values()].toSorted((one, other) => Number(one.position - other.position))
      if (slowest) progress(slowest.events, slowest.position)
    }
    const enough = new AbortController()
    const build = async (names: Names) => {
      const parts = { report: (more: ShareProgress) => report(names, more), signal, enough: enough.signal }
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
 * @param parts.signal ends the thread at once
 * @param parts.enough ends it after the current write
 * @returns the thread's error, if any
 */
async function buildShare(
  share: Share,
  parts: {
    readonly report: (progress: ShareProgress) => void
    readonly signal: AbortSignal
    readonly enough: AbortSignal
  },
): Promise<Error | undefined> {
  const { report: report, signal, enough } = parts
  if (signal.aborted || enough.aborted) return undefined
  const worker = new Worker(threadProgram('share-worker', import.meta.url), { workerData: share })
  let error: Error | undefined
  worker.on('error', (met: Error) => (error = met))
  worker.on('message', report)
  const end = () => void worker.terminate()
  const stop = () => worker.postMessage(STOP)
  signal.addEventListener('abort', end, { once: true })
  enough.addEventListener('abort', stop, { once: true })
  // Not `once` of node:events, which would throw the thread's error.
  await new Promise((resolve) => worker.once('exit', resolve))
  signal.removeEventListener('abort', end)
  enough.removeEventListener('abort', stop)
  return error
}

/** Divides read models so that about as many of the log's first events concern each share. */
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
    // Reported when the event is applied.
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
