import { LogUnavailable, type Delivery } from '../event-log.ts'
import { describeError } from './errors.ts'
import type { Reads } from './reads.ts'
import { openSource, type Source, type SourceOptions } from './source.ts'

export interface StoreSubscription extends Omit<SourceOptions, 'signal'> {
  readonly reads: Reads
  readonly heartbeatMs: number
  /** Ends it in peace. */
  readonly signal: AbortSignal | undefined
  /** Ends it with LogUnavailable: in peace, a consumer that subscribes again would do so for ever. */
  readonly closing: AbortSignal
}

/** Between two looks at the end of the log for the sake of a `caught-up`. */
const MARK_GAP_MS = 50

/**
 * A catch-up subscription to $all, filtered by the server, as deliveries.
 *
 * The client says `caughtUp` when the events before it are in its buffer, so it counts only once that buffer is empty.
 * Later the server says no more, so the end of the log is looked at: `caught-up` follows when all that was there has been
 * delivered, and a subscription that is owed something and stays silent has stalled.
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
  const { reads, clock, batchSize, heartbeatMs, signal } = options
  const wanted = accepts(options.categories)
  /** What was in the log at the start has been delivered; once so, there is nothing of ours up to `floor`. */
  let live = false
  let floor = head
  let owesMark = true
  /** An event that the log was seen to hold and that has not been delivered yet. */
  let target: bigint | undefined
  let lookedAt = 0

  const findTarget = async () => {
    lookedAt = clock.now()
    const seen = source.seen()
    const newest = await reads.newestAfter(live && floor > seen ? floor : seen, wanted, signal)
    if (newest.position === undefined) floor = newest.head
    target = newest.position
    return target !== undefined
  }

  /** Nothing is waiting to be delivered. True when nothing more is in the log either. */
  const hasAll = async () => {
    if (!live && source.caughtUp()) {
      live = true
      target = undefined
      return true
    }
    if (live && owesMark && target === undefined) {
      const gap = lookedAt + MARK_GAP_MS - clock.now()
      if (gap > 0 && (await source.sign(gap))) return false
      return !(await findTarget())
    }
    if (await source.sign(heartbeatMs)) return false
    if (target !== undefined)
      throw new LogUnavailable('the subscription to EventStoreDB has stalled: it does not deliver what the log holds')
    if (await findTarget()) return false
    // A server before 23.10 does not say when it has sent everything.
    live = true
    return true
  }

  while (!signal.aborted) {
    const events = source.take(batchSize)
    const reached = target !== undefined && source.seen() >= target
    if (reached) target = undefined
    if (events.length > 0) {
      owesMark = true
      yield { kind: 'events', events }
    }
    const all = reached ? live : events.length === 0 && (await hasAll())
    if (all && owesMark) {
      owesMark = false
      yield { kind: 'caught-up' }
    }
  }
}

function accepts(categories: readonly string[] | undefined): (stream: string) => boolean {
  if (!categories) return (stream) => !stream.startsWith('$')
  return (stream) => categories.some((category) => stream.startsWith(`${category}-`))
}
