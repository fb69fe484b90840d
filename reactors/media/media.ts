import { deleteMedia, mediaFilesDeleted } from '../../commands/media.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { RETRIED_WITHIN_MS } from '../../domain/media/kept-media.ts'
import { media, type MediaState, type PinnedFile } from '../../domain/media/media.ts'
import { isQueued, post } from '../../domain/post/post.ts'
import type { PartialFiles } from '../../infra/media/partial-files.ts'
import type { MediaStore } from '../../infra/media/store.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'
import { STORE_TIMEOUT_MS } from './receive-upload.ts'

/** By then, any request that was completing the upload when it was deleted has ended, and can no longer leave a file behind. */
const LAST_FILE_MS = STORE_TIMEOUT_MS + 5 * 60_000

/** How often it is checked whether a post still needs the copies of its media (ms). */
const PIN_CHECKED_MS = 86_400_000

/**
 * Deletes uploads and relayed files that have expired, uploads that were never used, pinned files that no post needs any longer, and
 * the files of deleted ones.
 */
export function mediaReactor(
  deps: CommandDeps & { readonly store: MediaStore; readonly files: PartialFiles },
): Reactor {
  const { log, clock, store, files } = deps
  return async ({ subject: id, token }, signal) => {
    const state = await load(log, media, id)
    const causedBy = (step: string) => ({ commandId: derivedId(step, token), actor: ACTOR, correlationId: id })
    if (state.status === 'absent') return DONE
    if (state.status === 'deleted') {
      await store.delete(state.file, signal)
      await files.delete(id)
      const surely = Date.parse(state.deletedAt) + LAST_FILE_MS
      if (clock.now() < surely) return park(surely)
      await handle(deps, media, id, causedBy('files deleted'), mediaFilesDeleted)
      return DONE
    }
    if (state.status === 'pinned') {
      if (await isNeeded(deps, state)) return park(clock.now() + PIN_CHECKED_MS)
      await handle(deps, media, id, causedBy('delete media'), (now) => deleteMedia(now, 'expired'))
      return DONE
    }
    const due = Date.parse(state.status === 'ready' ? state.unusedUntil : state.expiresAt)
    if (clock.now() < due) return park(due)
    if (state.status === 'ready' && state.keep) return DONE
    const reason = state.status === 'ready' ? 'unused' : 'expired'
    await handle(deps, media, id, causedBy('delete media'), (now: MediaState) =>
      now.status === state.status ? deleteMedia(now, reason) : [],
    )
    return DONE
  }
}

async function isNeeded({ log, clock }: CommandDeps, { postId }: PinnedFile): Promise<boolean> {
  const state = await load(log, post, postId)
  if (!isQueued(state)) return state.status === 'pending'
  if (state.status === 'processing') return true
  const hasFailed = [...state.targets.values()].some((target) => target.state.step === 'failed')
  return hasFailed && clock.now() < Date.parse(state.dueAt) + RETRIED_WITHIN_MS
}

const ACTOR = { kind: 'reactor', id: 'media' } as const
