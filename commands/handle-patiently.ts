import type { DomainEvent, StreamKind } from '../domain/core/event.ts'
import { LogUnavailable } from '../event-log/event-log.ts'
import { handle, type Cause, type CommandDeps, type Handled, type Loaded } from './handle.ts'

const RETRY_DELAY_MS = 1_000

/**
 * As `handle`, for what has happened outside already: as long as the log is away it is tried again, until the signal aborts.
 *
 * @param known the stream as it was a moment ago
 * @throws Refusal what `decide` throws
 * @throws LogUnavailable once the signal has aborted
 */
export async function handlePatiently<State, Event extends DomainEvent>(
  deps: CommandDeps,
  kind: StreamKind<State, Event>,
  id: string,
  cause: Cause,
  decide: (state: State) => readonly Event[],
  signal: AbortSignal,
  known?: Loaded<State>,
): Promise<Handled<State>> {
  for (let options = known && { known }; ;) {
    try {
      return await handle(deps, kind, id, cause, decide, options)
    } catch (error) {
      if (!(error instanceof LogUnavailable) || signal.aborted) throw error
      // It may have moved on while the log was away.
      options = undefined
      await deps.clock.sleep(RETRY_DELAY_MS, signal)
    }
  }
}
