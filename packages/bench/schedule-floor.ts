import type { RecordedEvent } from '../../domain/core/event.ts'
import { NO_STREAM, type EventLog } from '../../event-log/event-log.ts'
import type { PoolSizes } from '../../reactors/runtime/pools.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { atMoments, hands } from './pace.ts'

/** The appends of a post's life, the first of which scheduled it. */
export type Life = readonly (readonly RecordedEvent[])[]

/** The floor for firing posts: it repeats the appends that the service made, knowing all of them beforehand. */
export interface ScheduleFloor {
  /**
   * All posts at once, with the service's worker slots for firing and for publishing. In ms, until the last step of each kind.
   */
  burst(lives: readonly Life[], sizes: PoolSizes): Promise<{ readonly queuedMs: number; readonly startedMs: number }>
  /**
   * Each at its moment (ms since the epoch).
   *
   * @returns how many ms late each one was
   */
  paced(lives: readonly Life[], moments: readonly number[]): Promise<readonly number[]>
}

export async function livesOf(log: EventLog, streams: readonly string[]): Promise<readonly Life[]> {
  return Promise.all(streams.map(async (stream) => appendsOf(await log.read(stream))))
}

/** The events of one decision were appended together. */
function appendsOf(events: readonly RecordedEvent[]): Life {
  const causes = [...new Set(events.map(({ metadata }) => metadata.causationId))]
  return causes.map((cause) => events.filter(({ metadata }) => metadata.causationId === cause))
}

/** Repeats an append in another log. */
export async function repeated(log: EventLog, append: readonly RecordedEvent[]): Promise<void> {
  const [first] = append
  if (first) await log.append(first.stream, append, first.revision === 0 ? NO_STREAM : first.revision - 1)
}

/** @param log not the one that the lives come from */
export function scheduleFloor(log: EventLog, clock: Clock): ScheduleFloor {
  const repeat = (append: readonly RecordedEvent[]) => repeated(log, append)
  const recordMetrics = (lives: readonly Life[]) => Promise.all(lives.map(([scheduled = []]) => repeat(scheduled)))

  return {
    burst: async (lives, { schedule, publish }) => {
      await recordMetrics(lives)
      const [firing, publishing] = [hands(schedule), hands(publish)]
      const start = performance.now()
      let [queuedMs, startedMs] = [0, 0]
      const goOut = async ([, queued = [], started = [], ...others]: Life) => {
        await firing(() => repeat(queued))
        queuedMs = performance.now() - start
        await publishing(async () => {
          await repeat(started)
          startedMs = performance.now() - start
          for (const append of others) await repeat(append)
        })
      }
      await Promise.all(lives.map(goOut))
      return { queuedMs, startedMs }
    },
    paced: async (lives, moments) => {
      await recordMetrics(lives)
      return atMoments(clock, moments, async (index) => {
        const [, queued = []] = lives[index] ?? []
        await repeat(queued)
        return clock.now() - (moments[index] ?? NaN)
      })
    },
  }
}
