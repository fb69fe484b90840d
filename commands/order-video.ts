import { credits } from '../domain/video/credits.ts'
import { video } from '../domain/video/video.ts'
import type { VideoSettings } from '../domain/video/video-events.ts'
import { chargeCredits } from './credits.ts'
import { handle, load, type Cause, type CommandDeps } from './handle.ts'
import { beginVideo, requestVideo } from './video.ts'

export interface Ordered {
  /** The credits that the workspace has left. */
  readonly balance: number
  /** Log position of the video's first event. */
  readonly position: bigint | undefined
}

/**
 * Charges for a video, then starts it. Credits and video are separate streams, so the charge comes first and carries all the
 * settings: an order that cannot be paid leaves nothing behind, and a paid one survives a crash. Ordering the same video again
 * is a no-op.
 *
 * @param amount 0: nothing is charged
 * @throws Refusal resource_exhausted when the workspace has fewer credits
 */
export async function orderVideo(
  deps: CommandDeps,
  id: string,
  { settings, amount }: { readonly settings: VideoSettings; readonly amount: number },
  cause: Cause,
): Promise<Ordered> {
  const { workspaceId } = settings
  const { balance } = amount === 0 ? await load(deps.log, credits, workspaceId) : await charged()
  const begun = { ...cause, commandId: beginVideo(id) }
  const { position } = await handle(deps, video, id, begun, (state) => requestVideo(state, settings, amount))
  return { balance, position }

  async function charged() {
    const charge = { videoId: id, amount, settings }
    return (await handle(deps, credits, workspaceId, cause, (state) => chargeCredits(state, charge))).state
  }
}
