import { setImmediate as nextTurn } from 'node:timers/promises'
import { EventStoreDBClient } from '@eventstore/db-client'
import type { Clock } from '../../infra/runtime/clock.ts'
import { within } from '../within.ts'

const RELEASE_MS = 1_000

/** @throws Error that explains what is wrong with the connection string without repeating it: it contains a password */
export function connectToStore(connectionString: string): EventStoreDBClient {
  if (/[?&]throwOnAppendFailure=false/i.test(connectionString)) {
    // With it, the client reports every conflict as revision 1.
    throw new Error('the EventStoreDB connection string must not set throwOnAppendFailure=false')
  }
  try {
    return EventStoreDBClient.connectionString(withEveryServer(connectionString))
  } catch {
    throw new Error('the EventStoreDB connection string is not valid: expected esdb://user:password@host:2113?tls=true')
  }
}

/**
 * The client asks only the first server of `esdb+discover://a,b,c` for the others, and finds none while that one is down. It asks
 * each of `esdb://a,b,c`.
 */
export function withEveryServer(connectionString: string): string {
  return connectionString.replace(/^esdb\+discover:(?=\/\/[^/?]*,)/, 'esdb:')
}

/** Closes the client's connection and ends its streams, within a second and without an error. */
export async function releaseClient(client: EventStoreDBClient, clock: Clock): Promise<void> {
  // `dispose` alone leaves the channel open, so pending calls could still be sent. This is the only access to it.
  client['getChannel']().then(
    (channel) => channel.close(),
    () => undefined,
  )
  // `dispose` misses a stream that is just being created.
  await nextTurn()
  await within(clock, RELEASE_MS, 'closing the connection', client.dispose()).catch(() => undefined)
}
