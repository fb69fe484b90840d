import type { QueryConfig } from 'pg'
import type { Database } from '../../infra/postgres/pool.ts'
import { isUnavailable } from '../../infra/postgres/errors.ts'
import { gather } from '../../infra/postgres/gather.ts'
import type { Signals } from '../../infra/postgres/signal.ts'
import { parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { appendBatches } from './append.ts'
import { createCodec, type Codec } from '../codec.ts'
import { knownHead } from './head.ts'
import { storedIn, type EventRow } from './row.ts'
import { createTail } from './tail.ts'
import { LogUnavailable, START, type Delivery, type EventLog, type From, type SubscribeOptions } from '../event-log.ts'

const DEFAULT_BATCH = 1000

const COLUMNS = 'position, stream, revision, id, type, data, metadata'

/** Not prepared: a plan made while the log is short would scan all of it once it is long. */
const STREAMS = `select e.* from unnest($1::text[], $2::bigint[], $3::text[]) with ordinality as asked(stream, revision, last_of, n)
  cross join lateral (
    select coalesce(asked.revision, (
      select revision from log.events where stream = asked.stream and type = asked.last_of order by revision desc limit 1
    ), 0) as first
  ) begin
  cross join lateral (
    select asked.n, ${COLUMNS} from log.events
    where stream = asked.stream and revision >= begin.first order by revision
  ) e`
/**
 * Prepared. Reads all categories: the planner cannot tell how few events a category filter drops, and would sort the whole log
 * for each page.
 */
const PAGE = {
  name: 'page',
  text: `select ${COLUMNS} from log.events where position > $1 order by position limit $2`,
}

/** The most streams read in one query. */
const MOST_STREAMS = 128

interface Asked {
  readonly stream: string
  readonly from: From
}

interface Page {
  readonly events: readonly RecordedEvent[]
  /** Whether there is more; `no` as of the time of reading. */
  readonly more: 'likely' | 'unknown' | 'no'
}

/**
 * The event log in Postgres. Positions are dense, and appends that arrive together share one commit
 * (`infra/postgres/migrations/001-log.ts`).
 */
export function postgresLog(options: {
  readonly db: Database
  readonly signals: Signals
  readonly clock: Clock
  readonly codec?: Codec
}): EventLog {
  const { db, signals, clock, codec = createCodec() } = options
  const closing = new AbortController()
  const tail = createTail(codec)
  const decode = async (rows: readonly EventRow[]) => (await codec.open(rows.map(storedIn))).map(codec.decode)

  const query = async <Row extends EventRow>(statement: QueryConfig, values: unknown[]): Promise<Row[]> => {
    if (closing.signal.aborted) throw closed()
    try {
      return (await db.query<Row>({ ...statement, values })).rows
    } catch (error) {
      throw isUnavailable(error) ? new LogUnavailable('the event log cannot be reached', { cause: error }) : error
    }
  }

  const pageAfter = async (position: bigint, limit: number): Promise<Page> => {
    const newest = await tail.after(position, limit)
    // Only the database knows whether another process has appended more.
    if (newest.length > 0) return { events: newest, more: 'unknown' }
    const rows = await query(PAGE, [position.toString(), limit])
    return { events: await decode(rows), more: rows.length === limit ? 'likely' : 'no' }
  }

  const readStreams = async (asked: readonly Asked[]): Promise<readonly EventRow[][]> => {
    const values = [
      asked.map(({ stream }) => stream),
      asked.map(({ from }) => (typeof from === 'number' ? from : null)),
      asked.map(({ from }) => (typeof from === 'number' ? null : from.lastOf)),
    ]
    const found: EventRow[][] = asked.map(() => [])
    for (const row of await query<EventRow & { readonly n: string }>({ text: STREAMS }, values)) {
      found[Number(row.n) - 1]?.push(row)
    }
    return found
  }
  const readStream = gather(readStreams, MOST_STREAMS)

  async function* subscribe(after: bigint, options: SubscribeOptions = {}): AsyncGenerator<Delivery> {
    const limit = options.batchSize ?? DEFAULT_BATCH
    const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal
    const head = knownHead(signals, clock, signal)
    const wanted = options.categories && new Set(options.categories)
    const isWanted = ({ stream }: RecordedEvent) => wanted?.has(parseStreamName(stream).category) ?? true
    let position = after
    let behind = true
    /** The next page of a reader that is far behind, fetched while it processes this one. */
    let ahead: Promise<Page> | undefined
    try {
      while (!signal.aborted) {
        const asked = head.asking()
        const early = ahead
        const page = await (early ?? pageAfter(position, limit))
        position = page.events.at(-1)?.position ?? position
        ahead = page.more === 'likely' ? pageAfter(position, limit) : undefined
        // Rethrown when it is awaited.
        ahead?.catch(() => undefined)
        const events = page.events.filter(isWanted)
        if (events.length > 0) yield { kind: 'events', events }
        // An early page reflects the log when it was requested.
        if (early) continue
        if (page.more === 'no') head.confirm(asked, position)
        if (page.more === 'likely' || !head.isReached(position)) continue
        if (behind) yield { kind: 'caught-up', position }
        behind = false
        await head.waitBeyond(position)
      }
      // Ending without an error would make a reader that resubscribes loop forever.
      if (closing.signal.aborted && !options.signal?.aborted) throw closed()
    } finally {
      head.close()
    }
  }

  return {
    append: appendBatches({ db, tail, signals, codec, closing: closing.signal }),
    read: async (stream, from = 0) => decode(await readStream({ stream, from })),
    subscribe,
    head: async () => {
      const [last] = await query({ text: `select ${COLUMNS} from log.events order by position desc limit 1` }, [])
      return last === undefined ? START : BigInt(last.position)
    },
    ping: async () => void (await query({ text: 'select 1 from log.events limit 1' }, [])),
    close: async () => closing.abort(),
  }
}

function closed(): LogUnavailable {
  return new LogUnavailable('the event log is closed')
}
