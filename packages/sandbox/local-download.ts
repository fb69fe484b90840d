import { get, type IncomingMessage } from 'node:http'

/** Of other machines' media the stand-ins believe that they are there: the sandbox calls nobody outside. */
export function isOfThisMachine(url: string): boolean {
  return /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(url)
}

/** The answer to a GET of this machine, redirects not followed. @param idleMs how long it may send nothing */
export function answerTo(url: string, idleMs: number, signal?: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, timeout: idleMs, ...(signal && { signal }) }, resolve)
    request.on('timeout', () => request.destroy(new Error('idle')))
    request.on('error', reject)
  })
}

const IDLE_MS = 10_000

/** A file of this machine, or as much of it as is more than `mostBytes`; undefined for an answer other than 200. */
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
