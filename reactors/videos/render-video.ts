import { chargeOf, credits } from '../../domain/video/credits.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { isLive, video, type DeletedVideo } from '../../domain/video/video.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { Superseded } from '../../commands/superseded.ts'
import { nextPart } from '../../commands/render.ts'
import { cancelOrder, videoFilesDeleted } from '../../commands/video.ts'
import { DONE, park, type Reactor, type WorkResult } from '../runtime/reactor.ts'
import { partWork, type PartDeps } from './part-work.ts'
import { BEGIN_TIMEOUT_MS, LOOK_TIMEOUT_MS, renderPart, type Decide, type StepDeps } from './render-part.ts'
import { filesOf } from './video-files.ts'

export type RenderVideoDeps = CommandDeps & PartDeps & Omit<StepDeps, 'signal'>

/** By then, any worker that was active when a video was deleted has ended, and can no longer leave a file behind. */
const LAST_FILE_MS = BEGIN_TIMEOUT_MS + LOOK_TIMEOUT_MS

/**
 * Generates a video part by part, in order. Each part is requested from a provider once: the intent is recorded first, and the
 * job's handle before anything waits for the job. A part that may have been started, and cannot be requested again for free,
 * fails.
 */
export function renderVideoReactor(deps: RenderVideoDeps): Reactor {
  return async ({ subject: id, part: chargedTo, token }, signal) => {
    const state = await load(deps.log, video, id)
    if (state.status === 'deleted') return deleteFiles(deps, id, state, signal)
    if (state.status === 'absent') return cancelCharged(deps, id, chargedTo)
    if (isLive(state) && state.mediaExpiredAt !== undefined) {
      return deleteFiles(deps, id, { parts: [...state.parts.keys()], deletedAt: state.mediaExpiredAt }, signal)
    }
    const next = nextPart(state)
    if (!next) return DONE
    const decide: Decide = async (step, decision) => {
      const cause = { commandId: derivedId(token, step), actor: ACTOR, correlationId: id }
      return (await handle(deps, video, id, cause, decision)).state
    }
    try {
      return await renderPart({ ...deps, signal }, decide, partWork(deps, id, state, next[0]), next)
    } catch (error) {
      // Deleted meanwhile, or another worker has the part: nothing left to do.
      if (error instanceof Superseded) return DONE
      throw error
    }
  }
}

const ACTOR = { kind: 'reactor', id: 'render-video' } as const

/** The process that made the charge crashed before it requested the video. */
async function cancelCharged(deps: RenderVideoDeps, id: string, workspaceId: string): Promise<WorkResult> {
  const charge = chargeOf(await load(deps.log, credits, workspaceId), id)
  if (!charge || charge.isRefunded) return DONE
  const cause = { commandId: derivedId('cancel order', id), actor: ACTOR, correlationId: id }
  await handle(deps, video, id, cause, (state) => cancelOrder(state, workspaceId, charge.amount))
  return DONE
}

async function deleteFiles(
  deps: RenderVideoDeps,
  id: string,
  { parts, deletedAt }: Pick<DeletedVideo, 'parts' | 'deletedAt'>,
  signal: AbortSignal,
): Promise<WorkResult> {
  const { store, secret, clock } = deps
  for (const file of parts.flatMap((part) => filesOf(secret, id, part))) await store.delete(file, signal)
  const surely = Date.parse(deletedAt) + LAST_FILE_MS
  if (clock.now() < surely) return park(surely)
  const cause = { commandId: derivedId('delete files', id, deletedAt), actor: ACTOR, correlationId: id }
  await handle(deps, video, id, cause, videoFilesDeleted)
  return DONE
}
