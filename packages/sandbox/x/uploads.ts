import { createHash } from 'node:crypto'
import { fileTypeFromBuffer } from 'file-type'
import type { MediaType } from '../../../domain/core/platform.ts'
import type { FileHash } from '../files.ts'
import type { LedgerMedia } from '../ledger.ts'
import { HEAD_BYTES } from '../measure.ts'
import type { StandInDeps } from '../stand-in.ts'
import { madeAt } from './ids.ts'
import { invalid, notFound } from './refusal.ts'

/** Of posts; X has others for direct messages and subtitles. */
export const CATEGORIES = ['tweet_image', 'tweet_gif', 'tweet_video', 'amplify_video'] as const
export type Category = (typeof CATEGORIES)[number]

/** An upload in parts. It and its processing state are lost with the process: the caller then has to start over. */
export interface PartialUpload {
  readonly id: string
  readonly accountId: string
  readonly category: Category
  readonly mimeType: string
  readonly totalBytes: number
  readonly hash: FileHash
  /** SHA-256 of each part, to distinguish a repeated part from a different one with the same number. */
  readonly parts: string[]
  head: Buffer
  tail: Buffer
  bytes: number
  /** Set when the upload is complete. */
  processing?: { looksLeft: number; readonly error?: string }
}

export const LIFETIME_S = 86_400
/** Looks for which media are processed, unless they ask for another number. */
const USUAL_LOOKS = 1
const TAIL_BYTES = 200
const TYPES: Readonly<
  Record<Category, { readonly mediaType: MediaType; readonly prefix: string; readonly types: RegExp }>
> = {
  tweet_image: { mediaType: 'image', prefix: '3', types: /^image\/(jpeg|png|gif|webp)$/ },
  tweet_gif: { mediaType: 'image', prefix: '16', types: /^image\/gif$/ },
  tweet_video: { mediaType: 'video', prefix: '7', types: /^video\/(mp4|quicktime)$/ },
  amplify_video: { mediaType: 'video', prefix: '13', types: /^video\/(mp4|quicktime)$/ },
}

/** The directive at the end of a media file: `sandbox=processing:5`. See the head of `x.ts`. */
export function directiveIn(tail: Buffer): { readonly name: string; readonly value: string } | undefined {
  const match = /sandbox=([a-z-]+)(?::(\w+))?/.exec(tail.toString('latin1'))
  return match ? { name: match[1] ?? '', value: match[2] ?? '' } : undefined
}

export function mediaKey(id: string, category: Category): string {
  return `${TYPES[category].prefix}_${id}`
}

/** The category that X assumes if none is given. */
export function categoryOf(mimeType: string): Category | undefined {
  const order = ['tweet_gif', 'tweet_image', 'tweet_video'] as const
  return order.find((category) => takesType(category, mimeType))
}

export function takesType(category: Category, mimeType: string): boolean {
  return TYPES[category].types.test(mimeType)
}

/** @throws StandInRefusal 400 when the part is out of order, exceeds the size, or differs from the one sent before under this number */
export function append(upload: PartialUpload, index: number, part: Buffer): void {
  const sha256 = createHash('sha256').update(part).digest('hex')
  const known = upload.parts[index]
  if (known !== undefined) {
    if (known === sha256) return
    throw invalid('segment_index', 'another part came under this index before')
  }
  if (index !== upload.parts.length) throw invalid('segment_index', `expected ${upload.parts.length}, got ${index}`)
  if (upload.bytes + part.length > upload.totalBytes) throw invalid('media', 'more bytes than total_bytes')
  upload.parts.push(sha256)
  upload.hash.update(part)
  upload.bytes += part.length
  if (upload.head.length < HEAD_BYTES) upload.head = Buffer.concat([upload.head, part.subarray(0, HEAD_BYTES)])
  upload.tail = Buffer.concat([upload.tail, part.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES)
}

/**
 * Completes the upload and starts processing.
 *
 * @throws StandInRefusal 400 when bytes are missing
 */
export async function finish(upload: PartialUpload): Promise<void> {
  if (upload.bytes !== upload.totalBytes) {
    throw invalid('media_id', `total_bytes is ${upload.totalBytes}, ${upload.bytes} were sent`)
  }
  const mimeType = (await fileTypeFromBuffer(upload.head))?.mime ?? 'unknown'
  const directive = directiveIn(upload.tail)
  const error =
    directive?.name === 'error' ? directive.value : mimeType === upload.mimeType ? undefined : 'InvalidMedia'
  const looksLeft = directive?.name === 'processing' ? Number(directive.value) : USUAL_LOOKS
  upload.processing ??= { looksLeft, ...(error !== undefined && { error }) }
}

export function ledgerMedia(
  upload: Pick<PartialUpload, 'id' | 'accountId' | 'category' | 'mimeType' | 'bytes'>,
  sha256: string,
): LedgerMedia {
  const { id, accountId, category, mimeType, bytes } = upload
  return {
    id,
    platform: 'x',
    accountId,
    mediaType: TYPES[category].mediaType,
    mimeType,
    bytes,
    sha256,
  }
}

/**
 * Finished media of an account that have not expired.
 *
 * @throws StandInRefusal 404
 */
export function aliveMedia(id: string, accountId: string, { ledger, clock }: StandInDeps): LedgerMedia {
  const media = /^\d{1,19}$/.test(id) ? ledger.media('x', id) : undefined
  const alive = media !== undefined && madeAt(id) + LIFETIME_S * 1_000 > clock.now()
  if (!alive || media.accountId !== accountId) throw notFound(`Could not find media with media_id: [${id}].`)
  return media
}

export function keyOf({ id, mediaType, mimeType }: LedgerMedia): string {
  return mediaKey(id, mediaType === 'video' ? 'tweet_video' : mimeType === 'image/gif' ? 'tweet_gif' : 'tweet_image')
}
