import { isMediaName } from './media-name.ts'

export const MEDIA_PATH = '/media'

/** The public URL of a file. @param base the service's URL, without a trailing slash */
export function mediaUrl(base: string, name: string): string {
  return `${base}${MEDIA_PATH}/${name}`
}

/** Where a small copy of a file is, beside it. */
export function thumbnailPath(name: string): string {
  return `${name}/thumbnail`
}

/** The file name behind a URL, if the URL is one of ours; query and fragment are ignored. */
export function ownMediaName(base: string, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const folder = new URL(mediaUrl(base, ''))
  const { origin, pathname } = new URL(url)
  if (origin !== folder.origin || !pathname.startsWith(folder.pathname)) return undefined
  const name = pathname.slice(folder.pathname.length)
  return isMediaName(name) ? name : undefined
}
