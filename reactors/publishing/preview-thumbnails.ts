import type { PreviewRequest } from '../../domain/post/post-preview.ts'
import { mediaOf } from '../../domain/post/post-media.ts'
import type { MediaFacts } from '../../infra/media/media.ts'
import { brokenThumbnailRules, type TakenThumbnail } from '../../platforms/kit/media-set.ts'
import { takingFor, withCover } from '../../platforms/kit/options-for.ts'
import type { Platform } from '../../platforms/kit/platform.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { optionsOf } from './publish-job.ts'

/** What is known of each thumbnail, by its URL, or why it could not be inspected. */
export type Thumbnails = ReadonlyMap<string, MediaFacts | string>

interface Thumbnail {
  readonly url: string
  readonly taken: TakenThumbnail
}

/** The thumbnail that an account takes of a post, if the post has one. */
export function thumbnailOf(request: PreviewRequest, connector: Platform, accountId: string): Thumbnail | undefined {
  const options = optionsOf(request, connector, { platform: connector.key, accountId })
  const [only, ...more] = withCover(mediaOf(request), connector, options)
  const taken = only && takingFor(connector, options).takes[only.type]?.thumbnail
  return taken && only.thumbnailUrl !== undefined && more.length === 0 ? { url: only.thumbnailUrl, taken } : undefined
}

/** All thumbnails of a post, each with the largest size that any account takes of it. */
export function thumbnailsOf(
  request: PreviewRequest,
  platforms: readonly Platform[],
): readonly { readonly url: string; readonly maxBytes: number }[] {
  const largest = new Map<string, number>()
  for (const connector of platforms) {
    for (const accountId of request.selections[connector.key] ?? []) {
      const { url, taken } = thumbnailOf(request, connector, accountId) ?? {}
      if (url !== undefined && taken) largest.set(url, Math.max(taken.maxBytes, largest.get(url) ?? 0))
    }
  }
  return [...largest].map(([url, maxBytes]) => ({ url, maxBytes }))
}

/** Why the platform would not take it. Where it is sent later, the post is published all the same. */
export function unfitThumbnail(
  { key }: Platform,
  thumbnail: Thumbnail | undefined,
  thumbnails: Thumbnails,
  { convertsImages }: PlatformAccess,
): { readonly problems: readonly string[]; readonly warnings: readonly string[] } {
  const found = thumbnails.get(thumbnail?.url ?? '')
  if (!thumbnail || found === undefined) return { problems: [], warnings: [] }
  const broken = typeof found === 'string' ? [found] : brokenThumbnailRules(key, thumbnail.taken, found, convertsImages)
  const sentences = broken.map((sentence) => `Thumbnail: ${sentence}`)
  return thumbnail.taken.isSentLater ? { problems: [], warnings: sentences } : { problems: sentences, warnings: [] }
}
