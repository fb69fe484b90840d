import { HEAD_BYTES, imageTypeOf } from '../measure.ts'
import { download } from '../meta/download.ts'

export interface Fetched {
  /** Empty when the media is on another machine, which the sandbox does not call. */
  readonly mimeType: string
  readonly bytes: number
}

/** Fetches media as Facebook does. */
export async function fetched(url: string, maxBytes: number, signal: AbortSignal): Promise<Fetched | 'unreachable'> {
  const file = await download(url, { headBytes: HEAD_BYTES, maxBytes }, signal)
  switch (file.is) {
    case 'elsewhere':
      return { mimeType: '', bytes: 0 }
    case 'unreachable':
    case 'slow':
      return 'unreachable'
    case 'fetched':
      return { mimeType: (await imageTypeOf(file.head)) ?? 'unknown', bytes: file.bytes }
  }
}
