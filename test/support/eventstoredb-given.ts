import type { Test } from 'tap'
import type { EventLog } from '../../event-log/event-log.ts'
import { eventStoreDbLog } from '../../event-log/eventstoredb/log.ts'
import { eventStoreDbStandIn, type EventStoreDbStandIn, type StandInOptions } from './eventstoredb-stand-in.ts'
import { expiringClock, type ExpiringClock } from './expiring-clock.ts'

/** Longer than any test takes: they pass when the test says so. All different, to tell them apart. */
export const APPEND_MS = 600_001
export const READ_MS = 600_002
export const HEARTBEAT_MS = 600_003

export interface Given {
  readonly server: EventStoreDbStandIn
  readonly log: EventLog
  readonly clock: ExpiringClock
}

/** A stand-in and a log on it. */
export async function given(
  t: Test,
  { gatherMs, ...options }: StandInOptions & { readonly gatherMs?: number } = {},
): Promise<Given> {
  const server = await eventStoreDbStandIn(options)
  const clock = expiringClock()
  const log = eventStoreDbLog({
    connectionString: server.connectionString,
    clock,
    appendTimeoutMs: APPEND_MS,
    readTimeoutMs: READ_MS,
    heartbeatMs: HEARTBEAT_MS,
    ...(gatherMs !== undefined && { gatherMs }),
  })
  t.teardown(async () => {
    await log.close()
    await server.close()
  })
  return { server, log, clock }
}
