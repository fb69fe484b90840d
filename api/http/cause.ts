import { derivedId } from '../../domain/core/ids.ts'
import type { Cause } from '../../commands/handle.ts'
import type { RouteRequest } from './route.ts'

/** Whoever holds the key, or is signed in, asked for it; a repeat under one `Idempotency-Key` is the same command. */
export function causeOf(
  { work, caller, requestId }: RouteRequest<unknown, unknown, unknown>,
  correlationId: string,
): Cause {
  return {
    commandId: derivedId('request', work),
    actor: caller.actor,
    correlationId,
    requestId,
  }
}
