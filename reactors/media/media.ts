import { deleteMedia, mediaFilesDeleted } from '../../commands/media.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { media, type MediaState } from '../../domain/media/media.ts'
import type { PartialFiles } from '../../infra/media/partial-files.ts'
import type { MediaStore } from '../../infra/media/store.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'
import { STORE_TIMEOUT_MS } from './receive-upload.ts'

/** By then, any request that was completing the upload when it was deleted has ended, and can no longer leave a file behind. */
const LAST_FILE_MS = STORE_TIMEOUT_MS + 5 * 60_000

/** Deletes uploads and relayed files that have expired, uploads that were never used, and the files of deleted ones. */
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
    const due = Date.parse(state.status === 'ready' ? state.unusedUntil : state.expiresAt)
    if (clock.now() < due) return park(due)
    const reason = state.status === 'ready' ? 'unused' : 'expired'
    await handle(deps, media, id, causedBy('delete media'), (now: MediaState) =>
      now.status === state.status ? deleteMedia(now, reason) : [],
    )
    return DONE
  }
}

const ACTOR = { kind: 'reactor', id: 'media' } as const
