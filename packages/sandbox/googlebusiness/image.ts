import { fileTypeFromBuffer } from 'file-type'
import { isOfThisMachine, localDownload } from '../local-download.ts'
import { NAMED } from './refusal.ts'

/** Bytes, as reported by vendors. */
const MOST_BYTES = 5_000_000
const LEAST_BYTES = 10_240

/**
 * Fetches an image as Google does, but only from this machine: the sandbox makes no outside calls, and assumes that other hosts
 * have the image.
 *
 * @throws StandInRefusal when it cannot be fetched, or is not a valid image for a post
 */
export async function mustBeImage(url: string): Promise<void> {
  if (!isOfThisMachine(url)) return
  const content = await localDownload(url, MOST_BYTES).catch(() => undefined)
  if (!content) throw NAMED.fetching
  if (content.length < LEAST_BYTES) throw NAMED.small
  const mime = (await fileTypeFromBuffer(content))?.mime ?? ''
  if (content.length > MOST_BYTES || !['image/jpeg', 'image/png'].includes(mime)) throw NAMED.image
}
