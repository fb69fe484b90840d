import type { SpooledMedia } from '../../infra/media/media.ts'
import { PlatformError, type PlatformErrorKind } from '../kit/platform.ts'
import { send, uploadTimeoutMs, type RestCall, type RestIo } from '../kit/rest.ts'
import { retryAfterMs } from '../kit/retry-after.ts'
import type { Range } from './chunks.ts'
import type { VideoHandle } from './handle.ts'

export type PutResult =
  | { readonly step: 'taken' }
  /** The chunk certainly did not complete the video; TikTok's status says where to resume. */
  | { readonly step: 'out-of-step'; readonly error: PlatformError }
  /** The upload cannot be resumed: its URL is expired or unknown. */
  | { readonly step: 'gone'; readonly error: PlatformError }

type Meaning =
  | { readonly kind: PlatformErrorKind | 'lost' }
  | { readonly step: 'taken' }
  | { readonly step: 'out-of-step' | 'gone' }

/** By status only; the bodies are meaningless. */
const BY_STATUS: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [201, { step: 'taken' }],
  [400, { kind: 'permanent' }],
  [403, { step: 'gone' }],
  [404, { step: 'gone' }],
  [408, { kind: 'lost' }],
  [416, { step: 'out-of-step' }],
  [429, { kind: 'retryable' }],
])

/**
 * Sends one chunk; the last one makes TikTok publish the video. Sends no token: the URL is the credential.
 *
 * @throws PlatformError, `ambiguous` only for the last chunk
 */
export async function putChunk(
  { uploadUrl: url, bytes, type }: VideoHandle,
  media: SpooledMedia,
  { start, end }: Range,
  io: RestIo,
): Promise<PutResult> {
  const isLast = end === bytes
  const call: RestCall = {
    method: 'PUT',
    url,
    headers: { 'content-range': `bytes ${start}-${end - 1}/${bytes}` },
    content: { type, bytes: end - start, open: () => media.open({ start, end }) },
    timeoutMs: uploadTimeoutMs(end - start),
    effect: isLast ? 'visible' : 'hidden',
  }
  try {
    const { status, headers } = await send('tiktok', call, io)
    const meaning = meaningOf(status, isLast)
    if ('step' in meaning && meaning.step === 'taken') return { step: 'taken' }
    const message = `TikTok did not accept a part of the video (HTTP ${status}).`
    const wait = { retryAfterMs: retryAfterMs(headers['retry-after'], io.clock.now()) }
    if ('step' in meaning) return { step: meaning.step, error: new PlatformError('retryable', message, wait) }
    throw new PlatformError(kindOf(meaning.kind, isLast), message, wait)
  } catch (error) {
    // Retry an invisible chunk at once, unless TikTok asks to wait.
    const isBroken = error instanceof PlatformError && error.kind === 'retryable' && error.retryAfterMs === undefined
    if (isLast || !isBroken || io.signal.aborted) throw error
    return { step: 'out-of-step', error }
  }
}

function meaningOf(status: number, isLast: boolean): Meaning {
  // TikTok expects more, which makes no sense after the last chunk.
  if (status === 206) return { step: isLast ? 'out-of-step' : 'taken' }
  return BY_STATUS.get(status) ?? { kind: status >= 500 ? 'lost' : 'permanent' }
}

function kindOf(kind: PlatformErrorKind | 'lost', isLast: boolean): PlatformErrorKind {
  if (kind !== 'lost') return kind
  return isLast ? 'ambiguous' : 'retryable'
}
