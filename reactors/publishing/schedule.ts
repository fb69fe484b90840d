import { isQueued, post } from '../../domain/post/post.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { fireSchedule } from '../../commands/fire-schedule.ts'
import { handle, type CommandDeps } from '../../commands/handle.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'

/** Fires scheduled posts. Only the log decides whether a post is canceled, postponed or fired. */
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
    // Postponed meanwhile, or leased by a process whose clock is ahead. One that awaits approval is due again with it.
    const waits = !isQueued(state) && state.status === 'pending' && state.approval?.status !== 'held'
    return waits ? park(Date.parse(state.due.dueAt)) : DONE
  }
}
