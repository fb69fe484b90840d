import type { Database } from '../infra/postgres/pool.ts'
import type { Signals } from '../infra/postgres/signal.ts'
import type { Clock } from '../infra/runtime/clock.ts'
import { createCodec } from './codec.ts'
import type { EventLog } from './event-log.ts'
import { postgresLog } from './postgres/log.ts'
import type { EventKeys } from './sealing.ts'

/** Opens this installation's log: EventStoreDB if a URL is configured, otherwise Postgres. */
export async function openLog(
  eventStoreUrl: string | undefined,
  parts: { readonly db: Database; readonly signals: Signals; readonly clock: Clock; readonly keys: EventKeys },
): Promise<EventLog> {
  const { db, signals, clock, keys } = parts
  const codec = createCodec({ keys })
  if (eventStoreUrl === undefined) return postgresLog({ db, signals, clock, codec })
  // Loaded lazily: the client takes a third of a second to load.
  const { eventStoreDbLog } = await import('./eventstoredb/log.ts')
  return eventStoreDbLog({ connectionString: eventStoreUrl, clock, codec })
}
