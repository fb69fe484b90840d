import { isOfThisMachine, localDownload } from '../local-download.ts'
import { HEAD_BYTES, imageTypeOf } from '../measure.ts'

/**
 * Fetches an image as Pinterest does, but only from this machine: the sandbox makes no outside calls, and assumes that other
 * hosts have the image.
 */
export async function download(url: string): Promise<'image' | 'broken' | 'unreachable'> {
  if (!isOfThisMachine(url)) return 'image'
  const head = await localDownload(url, HEAD_BYTES).catch(() => undefined)
  if (!head) return 'unreachable'
  return (await imageTypeOf(head))?.startsWith('image/') ? 'image' : 'broken'
}
