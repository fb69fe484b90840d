import { get, type IncomingMessage } from 'node:http'

/** Stand-ins assume that media on other machines exist: the sandbox makes no outside calls. */
export function isOfThisMachine(url: string): boolean {
  return /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(url)
}

/**
 * Sends a GET to this machine, without following redirects.
 *
 * @param idleMs how long the connection may be silent
 */
export function answerTo(url: string, idleMs: number, signal?: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, timeout: idleMs, ...(signal && { signal }) }, resolve)
    request.on('timeout', () => request.destroy(new Error('idle')))
    request.on('error', reject)
  })
}

const IDLE_MS = 10_000

/** Downloads a file from this machine, stopping once it exceeds `mostBytes`; undefined for any status but 200. */
export async function localDownload(url: string, mostBytes: number, signal?: AbortSignal): Promise<Buffer | undefined> {
  const response = await answerTo(url, IDLE_MS, signal)
  try {
    if (response.statusCode !== 200) return undefined
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of response) {
      const part = Buffer.from(chunk)
      chunks.push(part)
      bytes += part.length
      if (bytes > mostBytes) break
    }
    return Buffer.concat(chunks)
  } finally {
    response.destroy()
  }
}
