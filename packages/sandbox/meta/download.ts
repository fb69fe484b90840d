import type { IncomingMessage } from 'node:http'
import { answerTo, isOfThisMachine } from '../local-download.ts'

const IDLE_MS = 5_000
const MAX_REDIRECTS = 3

export type Download =
  | {
      readonly is: 'fetched'
      readonly head: Buffer
      /** Size of the whole file, or a number beyond the limit. */
      readonly bytes: number
    }
  | { readonly is: 'unreachable' | 'slow' }
  /** On another machine: the sandbox makes no outside calls, and assumes that the file exists. */
  | { readonly is: 'elsewhere' }

/**
 * Fetches media as Meta does.
 *
 * @param want how many leading bytes to return, and after how many to stop
 */
export async function download(
  url: string,
  want: { readonly headBytes: number; readonly maxBytes: number },
  signal: AbortSignal,
  redirects = 0,
): Promise<Download> {
  if (!isOfThisMachine(url)) return { is: 'elsewhere' }
  try {
    const response = await answerTo(url, IDLE_MS, signal)
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return { is: 'fetched', ...(await measured(response, want)) }
    response.destroy()
    const isRedirect = statusCode >= 300 && statusCode <= 399 && headers.location !== undefined
    if (!isRedirect || redirects === MAX_REDIRECTS) return { is: 'unreachable' }
    return await download(new URL(headers.location ?? '', url).href, want, signal, redirects + 1)
  } catch (error) {
    return { is: error instanceof Error && error.message === 'idle' ? 'slow' : 'unreachable' }
  }
}

async function measured(
  response: IncomingMessage,
  { headBytes, maxBytes }: { readonly headBytes: number; readonly maxBytes: number },
): Promise<{ head: Buffer; bytes: number }> {
  let head = Buffer.alloc(0)
  let bytes = 0
  for await (const chunk of response) {
    const part: Buffer = chunk
    bytes += part.length
    if (head.length < headBytes) head = Buffer.concat([head, part.subarray(0, headBytes - head.length)])
    if (bytes > maxBytes) break
  }
  return { head, bytes }
}
