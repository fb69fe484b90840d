import { Readable } from 'node:stream'
import { GenerationError } from '../../infra/ai/generation-error.ts'
import type { Clip } from '../../infra/ai/video.ts'
import type { MediaStore } from '../../infra/media/store.ts'
import { bytesSource } from '../../infra/media/byte-source.ts'
import { mediaFacts, NotMedia } from '../../infra/media/media-facts.ts'
import type { MediaFacts, MediaSource } from '../../infra/media/media.ts'

export interface KeptClip {
  readonly file: string
  readonly mimeType: string
  readonly bytes: number
  readonly durationMs?: number
}

/**
 * Puts what a provider has generated into the media store.
 *
 * @throws GenerationError, PlatformError when it is not an MP4 video, is too large or cannot be fetched
 */
export async function keepClip(
  { media, store }: { readonly media: MediaSource; readonly store: MediaStore },
  clip: Clip,
  file: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<KeptClip> {
  if ('bytes' in clip) {
    const kept = keptClip(file, await factsOf(clip.bytes))
    await keepBytes(store, clip.bytes, file, signal)
    return kept
  }
  const spooled = await media.spool(clip.url, { mediaType: 'video', maxBytes }, signal)
  try {
    const kept = keptClip(file, spooled.facts)
    await store.put(file, { bytes: kept.bytes, open: () => spooled.open() }, signal)
    return kept
  } finally {
    await spooled.dispose()
  }
}

export function keepBytes(store: MediaStore, bytes: Uint8Array, file: string, signal: AbortSignal): Promise<void> {
  return store.put(file, { bytes: bytes.length, open: () => Readable.from([Buffer.from(bytes)]) }, signal)
}

async function factsOf(bytes: Uint8Array): Promise<MediaFacts> {
  try {
    return await mediaFacts(bytesSource(bytes))
  } catch (error) {
    if (error instanceof NotMedia) throw new GenerationError('permanent', `The provider returned ${error.message}.`)
    throw error
  }
}

/** Clips are posted as they are, and every platform accepts MP4. */
function keptClip(file: string, { mimeType, bytes, durationMs }: MediaFacts): KeptClip {
  if (mimeType === 'video/mp4') return { file, mimeType, bytes, ...(durationMs !== undefined && { durationMs }) }
  throw new GenerationError('permanent', `The provider returned a file of type ${mimeType}, not an MP4 video.`)
}
