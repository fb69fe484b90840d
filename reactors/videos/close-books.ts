import { credits, unrefunded } from '../../domain/video/credits.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { video, type VideoState } from '../../domain/video/video.ts'
import { closeBooks } from '../../commands/credits.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'

/** When to try again while too many charges are open. */
const AGAIN_MS = 3_600_000

/** Closes the books of a workspace's credits, so that its next charges do not read the earlier ones (decision 44). */
export function closeBooksReactor(deps: CommandDeps): Reactor {
  const { log, clock } = deps
  return async ({ subject: workspaceId, token }, signal) => {
    const settled = new Set<string>()
    for (const { videoId } of unrefunded(await load(log, credits, workspaceId))) {
      signal.throwIfAborted()
      if (isSettled(await load(log, video, videoId))) settled.add(videoId)
    }
    const closing = { workspaceId, isSettled: (videoId: string) => settled.has(videoId) }
    const cause = { commandId: derivedId('close books', token), actor: ACTOR, correlationId: workspaceId }
    const { state } = await handle(deps, credits, workspaceId, cause, (state) => closeBooks(state, closing))
    return state.totals.entries === 0 ? DONE : park(clock.now() + AGAIN_MS)
  }
}

const ACTOR = { kind: 'reactor', id: 'close-books' } as const

/** Whether its charge is final. */
function isSettled(state: VideoState): boolean {
  return state.status === 'ready' || (state.status === 'deleted' && state.was === 'ready')
}
