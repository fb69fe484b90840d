import type { Database } from '../infra/postgres/pool.ts'
import type { Signals } from '../infra/postgres/signal.ts'
import type { Clock } from '../infra/runtime/clock.ts'
import { AS_STORED, createCodec, type Codec, type StoredLog } from './codec.ts'
import type { EventLog } from './event-log.ts'
import { postgresLog } from './postgres/log.ts'
import type { EventKeys } from './sealing.ts'

interface Parts {
  readonly db: Database
  readonly signals: Signals
  readonly clock: Clock
}

/** Opens this installation's log: EventStoreDB if a URL is configured, otherwise Postgres. */
export function openLog(
  eventStoreUrl: string | undefined,
  { keys, ...parts }: Parts & { readonly keys: EventKeys },
): Promise<EventLog> {
  return open(eventStoreUrl, parts, createCodec({ keys }))
}

/** The same log, with its events as they are stored. */
export function openStoredLog(eventStoreUrl: string | undefined, parts: Parts): Promise<StoredLog> {
  return open(eventStoreUrl, parts, AS_STORED)
}

async function open(eventStoreUrl: string | undefined, { db, signals, clock }: Parts, codec: Codec): Promise<EventLog> {
  if (eventStoreUrl === undefined) return postgresLog({ db, signals, clock, codec })
  // Loaded lazily: the client takes a third of a second to load.
  const { eventStoreDbLog } = await import('./eventstoredb/log.ts')
  return eventStoreDbLog({ connectionString: eventStoreUrl, clock, codec })
}
