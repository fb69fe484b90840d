import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import { fileTypeFromBuffer } from 'file-type'
import { imageSize } from 'image-size'
import type { MediaType } from '../../domain/platform.ts'

/** Subcodes of what Instagram finds wrong with media. */
export const UNFETCHABLE = 2207052
const TOO_SLOW = 2207003
const IMAGE_TOO_LARGE = 2207004
const IMAGE_FORMAT = 2207005
const IMAGE_RATIO = 2207009
const VIDEO_FORMAT = 2207026

const MAX_BYTES = { image: 8_000_000, video: 300_000_000 } as const
const VIDEO_TYPES: readonly (string | undefined)[] = ['video/mp4', 'video/quicktime']
/** As much as tells what it is: of an image its size too. */
const HEAD_BYTES = 200_000
const IDLE_MS = 5_000
const MAX_REDIRECTS = 3

/**
 * Fetches media as Instagram does, by itself, and looks at them.
 *
 * @returns the subcode of what is wrong with them
 */
export async function faultOf(url: string, mediaType: MediaType, signal: AbortSignal): Promise<number | undefined> {
  try {
    const response = await opened(url, signal)
    const { head, bytes } = await measured(response, MAX_BYTES[mediaType])
    return mediaType === 'image' ? await imageFault(head, bytes) : await videoFault(head, bytes)
  } catch (error) {
    return error instanceof Error && error.message === 'idle' ? TOO_SLOW : UNFETCHABLE
  }
}

async function opened(url: string, signal: AbortSignal, redirects = 0): Promise<IncomingMessage> {
  const get = url.startsWith('https:') ? getHttps : getHttp
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = get(url, { signal, timeout: IDLE_MS, agent: false }, resolve)
    request.on('timeout', () => request.destroy(new Error('idle')))
    request.on('error', reject)
  })
  const { statusCode = 0, headers } = response
  if (statusCode === 200) return response
  response.destroy()
  if (statusCode < 300 || statusCode > 399 || headers.location === undefined || redirects === MAX_REDIRECTS) {
    throw new Error(`answered ${statusCode}`)
  }
  return opened(new URL(headers.location, url).href, signal, redirects + 1)
}

async function measured(response: IncomingMessage, maxBytes: number): Promise<{ head: Buffer; bytes: number }> {
  let head = Buffer.alloc(0)
  let bytes = 0
  for await (const chunk of response) {
    const part: Buffer = chunk
    bytes += part.length
    if (bytes > maxBytes) break
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, part.subarray(0, HEAD_BYTES - head.length)])
  }
  return { head, bytes }
}

async function imageFault(head: Buffer, bytes: number): Promise<number | undefined> {
  if (bytes > MAX_BYTES.image) return IMAGE_TOO_LARGE
  if ((await fileTypeFromBuffer(head))?.mime !== 'image/jpeg') return IMAGE_FORMAT
  const { width, height } = imageSize(new Uint8Array(head))
  const ratio = width / height
  return ratio < 0.8 || ratio >= 1.915 ? IMAGE_RATIO : undefined
}

async function videoFault(head: Buffer, bytes: number): Promise<number | undefined> {
  if (bytes > MAX_BYTES.video || !VIDEO_TYPES.includes((await fileTypeFromBuffer(head))?.mime)) return VIDEO_FORMAT
  return undefined
}
