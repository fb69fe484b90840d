import type { DomainEvent, StreamKind } from '../domain/core/event.ts'
import { LogUnavailable } from '../event-log/event-log.ts'
import { handle, type Cause, type CommandDeps, type Handled, type Loaded } from './handle.ts'

const RETRY_DELAY_MS = 1_000

/**
 * Like `handle`, for what has already happened outside: while the log is unavailable it retries, until the signal aborts.
 *
 * @param known the stream as it was last read
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
      // The stream may have moved on while the log was unavailable.
      options = undefined
      await deps.clock.sleep(RETRY_DELAY_MS, signal)
    }
  }
}
