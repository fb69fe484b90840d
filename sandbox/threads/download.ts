import { get, type IncomingMessage } from 'node:http'
import { fileTypeFromBuffer } from 'file-type'
import type { MediaType } from '../../domain/platform.ts'

const TIMEOUT_MS = 5_000
/** As much of a file's beginning as tells its type. */
const HEAD_BYTES = 4_100

/**
 * Fetches media as Threads does. Only from this machine: the sandbox calls nobody outside, and believes of other hosts
 * that they have it.
 */
export async function download(url: string, mediaType: MediaType): Promise<'fetched' | 'broken' | 'unreachable'> {
  if (!isOfThisMachine(url)) return 'fetched'
  const head = await start(url).catch(() => undefined)
  if (!head) return 'unreachable'
  return (await fileTypeFromBuffer(head))?.mime.startsWith(`${mediaType}/`) ? 'fetched' : 'broken'
}

export function isOfThisMachine(url: string): boolean {
  return /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(url)
}

/** @returns undefined for an answer other than 200 */
async function start(url: string): Promise<Buffer | undefined> {
  const response = await answerOf(url)
  try {
    if (response.statusCode !== 200) return undefined
    let head = Buffer.alloc(0)
    for await (const chunk of response) {
      head = Buffer.concat([head, Buffer.from(chunk)])
      if (head.length >= HEAD_BYTES) break
    }
    return head
  } finally {
    response.destroy()
  }
}

function answerOf(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, timeout: TIMEOUT_MS }, resolve)
    request.on('timeout', () => request.destroy(new Error('timeout')))
    request.on('error', reject)
  })
}
