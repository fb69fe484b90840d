import type { DomainEvent, StreamKind } from '../domain/event.ts'
import { LogUnavailable } from '../event-log/event-log.ts'
import { handle, type Cause, type CommandDeps, type Handled } from './handle.ts'

const RETRY_DELAY_MS = 1_000

/**
 * As `handle`, for what has happened outside already: as long as the log is away it is tried again, until the signal aborts.
 *
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
): Promise<Handled<State>> {
  for (;;) {
    try {
      return await handle(deps, kind, id, cause, decide)
    } catch (error) {
      if (!(error instanceof LogUnavailable) || signal.aborted) throw error
      await deps.clock.sleep(RETRY_DELAY_MS, signal)
    }
  }
}
