import { uploadedFileIn } from '../../domain/core/upload.ts'
import { ownMediaName } from './media-url.ts'
import type { MediaStore, StoredMedia } from './store.ts'

/**
 * The file behind one of the service's own URLs: `undefined` if the URL is not ours, `gone` if the file does not exist,
 * `incomplete` if it has not been uploaded completely.
 */
export type FindOwnMedia = (
  url: string,
  signal: AbortSignal,
  workspaceId?: string,
) => Promise<StoredMedia | 'gone' | 'incomplete' | undefined>

/**
 * Finds the service's own media in the store, without HTTP: the outbound guard rightly refuses the address of a service on a
 * private network.
 *
 * @param base the service's URL, without a trailing slash
 * @param findUpload finds what a workspace has uploaded
 */
export function ownMedia(
  store: MediaStore,
  base: () => string,
  findUpload: FindOwnMedia = async () => undefined,
): FindOwnMedia {
  return async (url, signal, workspaceId) => {
    const upload = await findUpload(url, signal, workspaceId)
    if (upload !== undefined) return upload
    const name = ownMediaName(base(), url)
    if (name === undefined) return undefined
    // An upload of another workspace does not exist.
    return uploadedFileIn(url) ? 'gone' : ((await store.find(name, signal)) ?? 'gone')
  }
}
