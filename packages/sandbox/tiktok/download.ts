import { createHash } from 'node:crypto'
import { fileTypeFromBuffer } from 'file-type'
import { imageSize } from 'image-size'
import { isOfThisMachine, localDownload } from '../local-download.ts'

const MAX_BYTES = 20_000_000
const TYPES: readonly string[] = ['image/jpeg', 'image/webp']

export type Downloaded =
  | { readonly mimeType: string; readonly bytes: number; readonly sha256: string }
  /** Why the post fails. */
  | { readonly fail: string }

/**
 * Whether TikTok may fetch a URL. A verified domain covers its subdomains, a verified prefix only what begins with it:
 * https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide#pull_from_url
 *
 * @param properties the domains and prefixes; undefined: this machine's hosts
 */
export function isVerified(url: string, properties: readonly string[] | undefined): boolean {
  if (!properties) return isOfThisMachine(url)
  const { hostname } = new URL(url)
  return properties.some((property) =>
    property.includes('/') ? url.startsWith(property) : hostname === property || hostname.endsWith(`.${property}`),
  )
}

/** Fetches an image as TikTok does, without following redirects, and reads its dimensions. */
export async function download(url: string, signal: AbortSignal): Promise<Downloaded> {
  const content = await localDownload(url, MAX_BYTES, signal).catch(() => undefined)
  if (!content) return { fail: 'photo_pull_failed' }
  const mimeType = (await fileTypeFromBuffer(content))?.mime ?? ''
  if (!TYPES.includes(mimeType) || content.length > MAX_BYTES) return { fail: 'file_format_check_failed' }
  const { width, height } = sizeOf(content)
  if (Math.min(width, height) > 1_080 || Math.max(width, height) > 1_920) return { fail: 'picture_size_check_failed' }
  return { mimeType, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}

function sizeOf(content: Buffer): { readonly width: number; readonly height: number } {
  try {
    return imageSize(content)
  } catch {
    // A corrupt image is reported as too large, which gets it refused.
    return { width: Infinity, height: Infinity }
  }
}
