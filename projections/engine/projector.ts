import { isUnavailable } from '../../infra/postgres/errors.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Signals } from '../../infra/postgres/signal.ts'
import { CATEGORIES } from '../../domain/log/event-kinds.ts'
import type { RecordedEvent } from '../../domain/core/event.ts'
import type { EventLog } from '../../event-log/event-log.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { applyBatch, Overtaken, PROJECTED } from './apply-batch.ts'
import { byPosition, checkpointsIn, generationsOf, type Generations, type Standing } from './checkpoints.ts'
import { CannotApply } from './fold.ts'
import type { AnyProjection } from './projection.ts'
import { recentRows } from './recent-rows.ts'
import { noteHalt } from './tables.ts'
import { untilReconnected } from './until-reconnected.ts'
import { versionOf } from './version.ts'

export interface Projector {
  /** Follows the log until the signal aborts, through outages of the log and the database. */
  run(signal: AbortSignal): Promise<void>
  /** Applies every event in the log now, then returns. */
  catchUp(signal?: AbortSignal): Promise<void>
}

const RETRY_DELAY_MS = 500
/** Events per transaction when catching up: most of a post's events then share one write of its row. */
const DEFAULT_BATCH = 5_000
/** After being overtaken, retry at once in case it was the command line, then slowly, as a standby. */
const OVERTAKEN_DELAYS_MS = [20, 20, 20, 1000]

/**
 * The loop that updates every read model. A projection that cannot apply an event is halted while the others continue: data may
 * be stale, never wrong.
 */
export function createProjector(deps: {
  readonly db: Database
  readonly log: EventLog
  readonly signals: Pick<Signals, 'on' | 'send'>
  readonly projections: readonly AnyProjection[]
  readonly clock: Clock
  readonly logger: Logger
  readonly batchSize?: number
}): Projector {
  const { db, log, signals, projections, clock, logger, batchSize = DEFAULT_BATCH } = deps
  const halted = new Set<string>()
  const recent = recentRows()
  let generations: Generations = new Map()
  let overtaken = 0

  /** The running projections by position. A table of another version belongs to another process. */
  const groups = async (): Promise<readonly Standing[]> => {
    const checkpoints = await checkpointsIn(db, 'read')
    generations = generationsOf(checkpoints)
    const standing = projections.filter(
      (projection) =>
        checkpoints.get(projection.name)?.version === versionOf(projection) && !halted.has(projection.name),
    )
    return byPosition(checkpoints, standing)
  }

  const apply = async (group: readonly AnyProjection[], from: bigint, events: readonly RecordedEvent[]) => {
    try {
      const changes = await applyBatch(db, group, { position: from, generations }, events, recent)
      overtaken = 0
      const now = clock.now()
      const channels = changes.flatMap(
        ({ projection, created, changed, gone }) =>
          projection.signals?.([...created, ...changed], gone.length, now) ?? [],
      )
      for (const channel of new Set(channels)) signals.send(channel)
    } catch (error) {
      if (error instanceof Overtaken || isUnavailable(error)) throw error
      if (group.length > 1) {
        for (const projection of group) await apply([projection], from, events)
      } else if (events.length > 1) {
        // Bisect: the rows before the event that cannot be applied are good.
        const middle = events.length >> 1
        await apply(group, from, events.slice(0, middle))
        if (!group.some(({ name }) => halted.has(name))) {
          await apply(group, events[middle - 1]?.position ?? from, events.slice(middle))
        }
      } else {
        const [name, event] = [group[0]?.name ?? '', events[0]]
        const cause = error instanceof CannotApply ? error.cause : error
        const reason = cause instanceof Error ? cause.message : String(cause)
        // Record it first: a halt known only to this process would not be visible anywhere.
        await noteHalt(db, group, `${event?.type} at position ${event?.position}: ${reason}`)
        halted.add(name)
        logger.error({ projection: name, position: String(event?.position), err: error }, 'projection halted')
      }
    }
  }

  /** Reads the checkpoints and brings lagging tables (new or rebuilt) up, until all are at the same position. */
  const level = async (): Promise<Standing | undefined> => {
    for (;;) {
      // Another process may have written, or a database crash undone the last writes.
      recent.forget()
      const [first, second] = await groups()
      if (!first || !second) return first
      await follow(first.group, first.position, { until: second.position })
    }
  }

  const follow = async (
    group: readonly AnyProjection[],
    from: bigint,
    options: { readonly until?: bigint; readonly once?: boolean; readonly signal?: AbortSignal },
  ): Promise<void> => {
    let position = from
    /** The previous batch, written while the next one is read. */
    let writing = Promise.resolve()
    const { until, once, signal } = options
    const subscription = log.subscribe(from, {
      categories: CATEGORIES,
      batchSize,
      ...(signal === undefined ? {} : { signal }),
    })
    try {
      for await (const delivery of subscription) {
        await writing
        if (group.some(({ name }) => halted.has(name))) return
        if (delivery.kind === 'caught-up') {
          if (until !== undefined)
            throw new Error('the read models are ahead of the log: they were built from another one')
          if (once) return
          continue
        }
        const events =
          until === undefined ? delivery.events : delivery.events.filter((event) => event.position <= until)
        const last = events.at(-1)
        if (last) {
          const written = String(last.position)
          writing = apply(group, position, events).then(() => signals.send(PROJECTED, written))
          // Rethrown by `await writing`, at the next delivery or at the end.
          writing.catch(() => undefined)
          position = last.position
          // When caught up, batch the events that arrive during the write.
          if (delivery.events.length < batchSize) await writing
        }
        if (until !== undefined && (position >= until || events.length < delivery.events.length)) break
      }
    } finally {
      await writing
    }
  }

  return {
    catchUp: async (signal) => {
      for (;;) {
        try {
          const before = halted.size
          const start = await level()
          if (start) await follow(start.group, start.position, { once: true, ...(signal ? { signal } : {}) })
          // A halt ends the round for every projection, so the others need another round.
          if (halted.size === before) return
        } catch (error) {
          if (!(error instanceof Overtaken)) throw error
          await clock.sleep(20, signal)
        }
      }
    },
    run: async (signal) => {
      while (!signal.aborted) {
        try {
          const start = await level()
          if (start) {
            const { group, position } = start
            await untilReconnected(signals, signal, (until) => follow(group, position, { signal: until }))
          } else await clock.sleep(RETRY_DELAY_MS, signal)
        } catch (error) {
          if (error instanceof Overtaken) {
            await clock.sleep(OVERTAKEN_DELAYS_MS[overtaken] ?? 1000, signal)
            overtaken += 1
            continue
          }
          const level = isUnavailable(error) ? 'warn' : 'error'
          logger[level]({ err: error }, 'projector interrupted; resuming where it stopped')
          await clock.sleep(RETRY_DELAY_MS, signal)
        }
      }
    },
  }
}
