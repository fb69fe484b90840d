import { ownMediaName } from './media-url.ts'
import type { MediaStore, StoredMedia } from './store.ts'

/** The file behind one of the service's own URLs: `undefined` if the URL is not ours, `gone` if the file does not exist. */
export type FindOwnMedia = (url: string, signal: AbortSignal) => Promise<StoredMedia | 'gone' | undefined>

/**
 * Finds the service's own media in the store, without HTTP: the outbound guard rightly refuses the address of a service on a
 * private network.
 *
 * @param base the service's URL, without a trailing slash
 */
export function ownMedia(store: MediaStore, base: () => string): FindOwnMedia {
  return async (url, signal) => {
    const name = ownMediaName(base(), url)
    return name === undefined ? undefined : ((await store.find(name, signal)) ?? 'gone')
  }
}
