import { Refusal } from '../../domain/core/errors.ts'
import type { MediaType } from '../../domain/core/platform.ts'
import { mediaOf, shown, type Shown } from '../../domain/post/post-media.ts'
import type { PreviewRequest } from '../../domain/post/post-preview.ts'
import { MOST_CONVERTED } from '../../infra/media/conversion.ts'
import type { MediaFacts, WantedMedia } from '../../infra/media/media.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Shares } from '../../infra/runtime/shares.ts'
import { aboutItem } from '../../platforms/kit/media-set.ts'
import { MediaTooLarge } from '../../platforms/kit/media-refusal.ts'
import { PlatformError, type Platform } from '../../platforms/kit/platform.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { thumbnailsOf, type Thumbnails } from './preview-thumbnails.ts'

/** A preview answers within one request, so media that take longer cannot be inspected. */
const MEDIA_TIMEOUT_MS = 20_000
const RETRY_AFTER_S = 5
/** Keeps media that nobody has asked to publish yet from filling the disk. */
const MEDIA_MAX_BYTES = 512_000_000

/** Of one part, of each item in order; null for one that was not fetched. */
export interface InspectedMedia {
  readonly facts: readonly (MediaFacts | null)[]
  readonly problems: readonly string[]
  /** Those of the problems that publishing, which has more time, may not have. */
  readonly unchecked: readonly string[]
}

interface Uninspected {
  /** A sentence. */
  readonly why: string
  readonly isUnchecked: boolean
}

export const NO_MEDIA: InspectedMedia = { facts: [], problems: [], unchecked: [] }

/**
 * Fetches the media of a post, and what else it shows, to look at them.
 *
 * @throws Refusal rate_limit_exceeded while the workspace has used up its share
 */
export async function inspected(
  { access, clock }: { readonly access: PlatformAccess; readonly clock: Clock },
  shares: Shares,
  request: PreviewRequest,
  platforms: readonly Platform[],
): Promise<{ readonly media: readonly InspectedMedia[]; readonly thumbnails: Thumbnails }> {
  const giveBack = shares.take(request.workspaceId)
  if (!giveBack) {
    const message = `Too many previews are fetching media. Retry in ${RETRY_AFTER_S} seconds.`
    throw new Refusal('rate_limit_exceeded', message, { retryAfterS: RETRY_AFTER_S })
  }
  const until = clock.now() + MEDIA_TIMEOUT_MS
  const inspect = async (part: Shown): Promise<InspectedMedia> => {
    const items = mediaOf(part)
    const facts: (MediaFacts | null)[] = []
    const problems: string[] = []
    const unchecked: string[] = []
    for (const [index, { url, type: mediaType }] of items.entries()) {
      const largest = Math.max(0, ...platforms.map(({ takes }) => largestOf(access, takes[mediaType], mediaType)))
      const maxBytes = Math.min(largest, MEDIA_MAX_BYTES)
      const want = { workspaceId: request.workspaceId, mediaType, maxBytes }
      const found = largest === 0 ? null : await inspectedItem(access, url, want, until - clock.now(), largest)
      const isUnfit = found !== null && 'why' in found
      facts.push(isUnfit ? null : found)
      if (!isUnfit) continue
      const sentence = aboutItem(index, items.length, found.why)
      problems.push(sentence)
      if (found.isUnchecked) unchecked.push(sentence)
    }
    return { facts, problems, unchecked }
  }
  try {
    const media: InspectedMedia[] = []
    const later = (request.chain ?? []).map((part) => shown(part.media ?? []))
    for (const part of [request, ...later]) media.push(await inspect(part))
    const thumbnails = new Map<string, MediaFacts | string>()
    for (const { url, maxBytes } of thumbnailsOf(request, platforms)) {
      const want = { workspaceId: request.workspaceId, mediaType: 'image', maxBytes } as const
      const found = await inspectedItem(access, url, want, until - clock.now(), maxBytes)
      thumbnails.set(url, 'why' in found ? found.why : found)
    }
    return { media, thumbnails }
  } finally {
    giveBack()
  }
}

function largestOf(
  { convertsImages, convertsVideos }: PlatformAccess,
  { maxBytes = 0, shape }: { readonly maxBytes?: number; readonly shape?: object } = {},
  type: MediaType,
): number {
  const isConverted = type === 'image' ? convertsImages : convertsVideos
  return isConverted && shape ? Math.max(maxBytes, MOST_CONVERTED[type]) : maxBytes
}

async function inspectedItem(
  access: PlatformAccess,
  url: string,
  want: WantedMedia,
  timeoutMs: number,
  largest: number,
): Promise<MediaFacts | Uninspected> {
  if (timeoutMs <= 0) {
    const why = `A preview checks media for at most ${MEDIA_TIMEOUT_MS / 1_000} s; this one is unchecked.`
    return { why, isUnchecked: true }
  }
  try {
    return await access.inspect(url, want, timeoutMs)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (!(error instanceof MediaTooLarge) || want.maxBytes === largest) {
      return { why: error.message, isUnchecked: error.kind !== 'permanent' }
    }
    const why = `A preview checks media of up to ${MEDIA_MAX_BYTES / 1_000_000} MB; this ${want.mediaType} is larger.`
    return { why, isUnchecked: true }
  }
}
