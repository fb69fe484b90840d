import { ownMediaName } from './media-url.ts'
import type { MediaStore, StoredMedia } from './store.ts'

/** What is behind a URL of the service's own: `undefined` when it is none, `gone` when there is no file. */
export type FindOwnMedia = (url: string, signal: AbortSignal) => Promise<StoredMedia | 'gone' | undefined>

/**
 * Finds the service's own media in the store, without HTTP: the outbound guard refuses the address of a service that is
 * reached on a private network, and has to.
 *
 * @param base where the service is reached, without a slash at its end
 */
export function ownMedia(store: MediaStore, base: () => string): FindOwnMedia {
  return async (url, signal) => {
    const name = ownMediaName(base(), url)
    return name === undefined ? undefined : ((await store.find(name, signal)) ?? 'gone')
  }
}
