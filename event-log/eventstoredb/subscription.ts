import type { RecordedEvent } from '../../domain/core/event.ts'
import type { Codec, StoredEvent } from '../codec.ts'
import { LogUnavailable, type Delivery } from '../event-log.ts'
import { describeError } from './errors.ts'
import type { Reads } from './reads.ts'
import { openSource, type Source, type SourceOptions } from './source.ts'

export interface StoreSubscription extends Omit<SourceOptions, 'signal'> {
  readonly reads: Reads
  readonly codec: Codec
  readonly heartbeatMs: number
  readonly gatherMs: number
  /** Ends the subscription without an error. */
  readonly signal: AbortSignal | undefined
  /** Ends it with LogUnavailable: without an error, a consumer that resubscribes would loop forever. */
  readonly closing: AbortSignal
}

/**
 * A catch-up subscription to $all, filtered by the server, as deliveries.
 *
 * The client emits `caughtUp` when the events before it are in its buffer, so it counts only once that buffer is empty. A
 * subscription that stays silent with an event undelivered has stalled.
 */
export async function* subscribeToStore(options: StoreSubscription): AsyncGenerator<Delivery> {
  const { closing, reads } = options
  const signal = options.signal ? AbortSignal.any([options.signal, closing]) : closing
  let source: Source | undefined
  try {
    if (!signal.aborted) {
      const head = await reads.head(signal)
      source = openSource({ ...options, signal })
      yield* deliveries(source, head, { ...options, signal })
    }
  } catch (error) {
    if (!signal.aborted) throw describeError('the subscription to EventStoreDB', error)
  } finally {
    source?.close()
  }
  if (closing.aborted && !options.signal?.aborted) throw new LogUnavailable('the event log is closed')
}

async function* deliveries(
  source: Source,
  head: bigint,
  options: StoreSubscription & { readonly signal: AbortSignal },
): AsyncGenerator<Delivery> {
  const { reads, codec, batchSize, heartbeatMs, gatherMs, signal } = options
  const wanted = accepts(options.categories)
  let isLive = false
  /** Up to here, no wanted event is left undelivered. */
  let floor = -1n
  /** Position of an event known to be in the log but not delivered yet. */
  let target: bigint | undefined

  /** Called when nothing is waiting to be delivered. True when the reader has everything for the first time. */
  const becomesLive = async () => {
    if (!isLive && source.caughtUp()) {
      floor = head
      return true
    }
    if (await source.sign(heartbeatMs)) return false
    if (target !== undefined)
      throw new LogUnavailable(
        'the subscription to EventStoreDB has stalled: it does not deliver events that are in the log',
      )
    const seen = source.seen()
    const newest = await reads.newestAfter(floor > seen ? floor : seen, wanted, signal)
    target = newest.position
    if (target !== undefined) return false
    floor = newest.head
    // Servers before 23.10 do not report when they have sent everything.
    return !isLive
  }

  /** A reader that is catching up gets full batches, because it pays for each. */
  const arrived = async () => {
    const stored = [...source.take(batchSize)]
    const isPartial = () => stored.length > 0 && stored.length < batchSize
    while (!isLive && isPartial() && !source.isDone() && (await source.sign(gatherMs))) {
      stored.push(...source.take(batchSize - stored.length))
    }
    return stored
  }

  while (!signal.aborted) {
    const { events, failure } = await decoded(codec, await arrived())
    if (target !== undefined && source.seen() >= target) target = undefined
    if (events.length > 0) yield { kind: 'events', events }
    if (failure) throw failure
    if (events.length === 0 && (await becomesLive())) {
      isLive = true
      const seen = source.seen()
      yield { kind: 'caught-up', position: floor > seen ? floor : seen }
    }
  }
}

/** The events before the first that cannot be decoded: the reader gets them, and then the failure. */
async function decoded(
  codec: Codec,
  stored: readonly StoredEvent[],
): Promise<{ readonly events: readonly RecordedEvent[]; readonly failure?: unknown }> {
  const events: RecordedEvent[] = []
  try {
    for (const event of await codec.open(stored)) events.push(codec.decode(event))
  } catch (failure) {
    return { events, failure }
  }
  return { events }
}

function accepts(categories: readonly string[] | undefined): (stream: string) => boolean {
  if (!categories) return (stream) => !stream.startsWith('$')
  return (stream) => categories.some((category) => stream.startsWith(`${category}-`))
}
