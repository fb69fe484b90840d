import { get, type IncomingMessage } from 'node:http'
import { fileTypeFromBuffer } from 'file-type'
import { NAMED } from './refusal.ts'

const TIMEOUT_MS = 10_000
/** By vendors. */
const MOST_BYTES = 5_000_000
const LEAST_BYTES = 10_240

/**
 * Fetches an image as Google does. Only from this machine: the sandbox calls nobody outside, and believes of other hosts
 * that they have it.
 *
 * @throws GoogleRefusal when it can't be had, or is no image for a post
 */
export async function mustBeImage(url: string): Promise<void> {
  if (!/^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(url)) return
  const content = await download(url).catch(() => undefined)
  if (!content) throw NAMED.fetching
  if (content.length < LEAST_BYTES) throw NAMED.small
  const mime = (await fileTypeFromBuffer(content))?.mime ?? ''
  if (content.length > MOST_BYTES || !['image/jpeg', 'image/png'].includes(mime)) throw NAMED.image
}

/** @returns as much as tells that it is too large; undefined for an answer other than 200 */
async function download(url: string): Promise<Buffer | undefined> {
  const response = await answerOf(url)
  try {
    if (response.statusCode !== 200) return undefined
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of response) {
      const part = Buffer.from(chunk)
      chunks.push(part)
      bytes += part.length
      if (bytes > MOST_BYTES) break
    }
    return Buffer.concat(chunks)
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
