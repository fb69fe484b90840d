import { derivedId } from '../domain/core/ids.ts'
import { credits, type CreditsState } from '../domain/video/credits.ts'
import { video } from '../domain/video/video.ts'
import type { VideoSettings } from '../domain/video/video-events.ts'
import { chargeCredits } from './credits.ts'
import { handle, load, type Cause, type CommandDeps } from './handle.ts'
import { requestVideo } from './video.ts'

export interface Ordered {
  /** The credits that the workspace has left. */
  readonly balance: number
  /** Log position of the video's first event. */
  readonly position: bigint | undefined
}

/**
 * Charges for a video, then starts it. Credits and video are separate streams, so the charge comes first: an order that cannot be
 * paid leaves nothing behind, and a crash between the two is answered by a refund (`cancelOrder`). Ordering the same video again
 * is a no-op.
 *
 * @param amount 0: nothing is charged
 * @throws Refusal resource_exhausted when the workspace has fewer credits; failed_precondition when the order was canceled
 */
export async function orderVideo(
  deps: CommandDeps,
  id: string,
  { settings, amount }: { readonly settings: VideoSettings; readonly amount: number },
  cause: Cause,
): Promise<Ordered> {
  const { workspaceId } = settings
  const { balance } = amount === 0 ? await load(deps.log, credits, workspaceId) : await charged()
  const requesting = { ...cause, commandId: derivedId('request video', cause.commandId) }
  const { position } = await handle(deps, video, id, requesting, (state) => requestVideo(state, settings, amount))
  return { balance, position }

  async function charged() {
    const charge = { workspaceId, videoId: id, amount }
    const decide = async (state: CreditsState) => {
      // The charge of a video that exists may be in a closed book. Read after the open one, an absent video has none there.
      const { status } = await load(deps.log, video, id)
      return status === 'absent' ? chargeCredits(state, charge) : []
    }
    return (await handle(deps, credits, workspaceId, cause, decide)).state
  }
}
