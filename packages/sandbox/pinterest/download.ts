import { fileTypeFromBuffer } from 'file-type'
import { isOfThisMachine, localDownload } from '../local-download.ts'

/** As much of a file's beginning as tells its type. */
const HEAD_BYTES = 4_100

/**
 * Fetches an image as Pinterest does. Only from this machine: the sandbox calls nobody outside, and believes of other
 * hosts that they have it.
 */
export async function download(url: string): Promise<'image' | 'broken' | 'unreachable'> {
  if (!isOfThisMachine(url)) return 'image'
  const head = await localDownload(url, HEAD_BYTES).catch(() => undefined)
  if (!head) return 'unreachable'
  return (await fileTypeFromBuffer(head))?.mime.startsWith('image/') ? 'image' : 'broken'
}
