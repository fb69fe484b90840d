import { isQueued, post } from '../../domain/post/post.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { fireSchedule } from '../../commands/fire-schedule.ts'
import { handle, type CommandDeps } from '../../commands/handle.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'

/** Lets scheduled posts go out. Whether one is cancelled, put off or fired is decided by the log alone. */
export function scheduleReactor(deps: CommandDeps & { readonly graceMs: number }): Reactor {
  return async ({ subject, token }) => {
    const cause = {
      commandId: derivedId(token, 'fire'),
      actor: { kind: 'reactor', id: 'schedule' },
      correlationId: subject,
    } as const
    const { state } = await handle(deps, post, subject, cause, (state) =>
      fireSchedule(state, deps.clock.now(), deps.graceMs),
    )
    // Put off meanwhile, or leased by a clock that is ahead of this one.
    const waits = !isQueued(state) && state.status === 'pending'
    return waits ? park(Date.parse(state.due.dueAt)) : DONE
  }
}
