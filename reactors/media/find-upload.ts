import { load, type CommandDeps } from '../../commands/handle.ts'
import { uploadedFileIn } from '../../domain/core/upload.ts'
import { media } from '../../domain/media/media.ts'
import type { FindOwnMedia } from '../../infra/media/own-media.ts'
import type { MediaStore } from '../../infra/media/store.ts'

/** Finds a workspace's uploads and pinned files by their URL, as of now: the log says whose a file is. */
export function findUpload({ log, store }: Pick<CommandDeps, 'log'> & { readonly store: MediaStore }): FindOwnMedia {
  return async (url, signal, workspaceId) => {
    const named = uploadedFileIn(url)
    if (!named) return undefined
    const state = await load(log, media, named.mediaId)
    if (state.status === 'absent' || state.file !== named.file || state.workspaceId !== workspaceId) return undefined
    if (state.status === 'uploading') return 'incomplete'
    return (['ready', 'pinned'].includes(state.status) ? await store.find(state.file, signal) : undefined) ?? 'gone'
  }
}
