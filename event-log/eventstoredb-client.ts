import { setImmediate as nextTurn } from 'node:timers/promises'
import { EventStoreDBClient } from '@eventstore/db-client'
import type { Clock } from '../system/clock.ts'
import { within } from './within.ts'

const RELEASE_MS = 1_000

/** @throws Error saying what is wrong with the connection string, without repeating it: it holds a password */
export function connectToStore(connectionString: string): EventStoreDBClient {
  if (/[?&]throwOnAppendFailure=false/i.test(connectionString)) {
    // Then the client reports every conflict as revision 1.
    throw new Error('the EventStoreDB connection string must not set throwOnAppendFailure=false')
  }
  try {
    return EventStoreDBClient.connectionString(connectionString)
  } catch {
    throw new Error('the EventStoreDB connection string is not valid: expected esdb://user:password@host:2113?tls=true')
  }
}

/**
 * Ends the client's streams and closes its connection, within a second and without an error.
 *
 * @param closesItself whether the client has already dropped its channel
 */
export async function releaseClient(client: EventStoreDBClient, clock: Clock, closesItself = false): Promise<void> {
  // Twice, as a stream that is just being made is not yet known to the first.
  const disposed = client.dispose().then(nextTurn).then(client.dispose)
  await within(clock, RELEASE_MS, 'closing the connection', disposed).catch(() => undefined)
  if (closesItself) return
  // `dispose` leaves the channel open, and only this way leads to it.
  client['getChannel']().then(
    (channel) => channel.close(),
    () => undefined,
  )
}
