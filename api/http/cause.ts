import { derivedId } from '../../domain/core/ids.ts'
import type { Cause } from '../../commands/handle.ts'
import type { RouteRequest } from './route.ts'

/** The caller is the actor; a repeat with the same `Idempotency-Key` is the same command. */
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
