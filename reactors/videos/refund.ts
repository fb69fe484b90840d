import { credits } from '../../domain/video/credits.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { video } from '../../domain/video/video.ts'
import { refundCredits } from '../../commands/credits.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { DONE, type Reactor } from '../runtime/reactor.ts'

/** Refunds the charge of a video that failed or was canceled: once, however often this runs. */
export function refundReactor(deps: CommandDeps): Reactor {
  return async ({ subject: videoId, part: workspaceId }) => {
    const state = await load(deps.log, video, videoId)
    const status = state.status === 'deleted' ? state.was : state.status
    const commandId = derivedId('refund', videoId)
    const cause = { commandId, actor: { kind: 'reactor', id: 'refund' }, correlationId: videoId } as const
    const hasFailed = status === 'failed' || status === 'absent'
    const refund = { workspaceId, videoId, cause: hasFailed ? 'failed' : 'deleted' } as const
    await handle(deps, credits, workspaceId, cause, (state) => refundCredits(state, refund))
    return DONE
  }
}
