import { handle, type Handled } from '../../commands/handle.ts'
import type { DomainEvent, StreamKind } from '../../domain/core/event.ts'
import { causeOf } from '../http/cause.ts'
import type { RouteRequest } from '../http/route.ts'
import type { Services } from './services.ts'

/** Runs a request's decision on one stream, and returns once the read models show the result. */
export function decider<State, Event extends DomainEvent>(
  services: Pick<Services, 'log' | 'clock' | 'seen'>,
  kind: StreamKind<State, Event>,
) {
  return async (
    request: RouteRequest<unknown, unknown, unknown>,
    id: string,
    decide: (state: State) => readonly Event[],
    options?: { readonly expectNew?: boolean },
  ): Promise<State> => {
    const handled: Handled<State> = await handle(services, kind, id, causeOf(request, id), decide, options)
    if (handled.position !== undefined) await services.seen.waitFor(handled.position)
    return handled.state
  }
}
