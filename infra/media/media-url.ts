import { isMediaName } from './media-name.ts'

export const MEDIA_PATH = '/media'

/** Where everybody may fetch a file. @param base where the service is reached, without a slash at its end */
export function mediaUrl(base: string, name: string): string {
  return `${base}${MEDIA_PATH}/${name}`
}

/** The name of the file that a URL leads to, when it is one of ours; a query or a fragment changes nothing. */
export function ownMediaName(base: string, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const folder = new URL(mediaUrl(base, ''))
  const { origin, pathname } = new URL(url)
  if (origin !== folder.origin || !pathname.startsWith(folder.pathname)) return undefined
  const name = pathname.slice(folder.pathname.length)
  return isMediaName(name) ? name : undefined
}
