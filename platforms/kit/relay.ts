import type { PostMedia } from '../../domain/post/post-media.ts'
import type { SpooledMedia } from '../../infra/media/media.ts'

/**
 * The URL at which a platform fetches the media of a post: that of the post, or one of this service, for as long as the platform may
 * take, if the media was changed, or if the platform fetches only from verified domains.
 *
 * @throws PlatformError
 */
export type RelayUrl = (url: string, media: SpooledMedia) => Promise<string>

/** An item as a platform finds it that fetches from any domain: one that was changed is served by this service. */
export async function fetchable(item: PostMedia, media: SpooledMedia, relay: RelayUrl | undefined): Promise<PostMedia> {
  return media.isChanged && relay ? { ...item, url: await relay(item.url, media) } : item
}

/**
 * Stores media from another host for a while, so that a platform can fetch it from this service.
 *
 * @param of.work what tells this work from all other
 * @returns its name in the media store
 * @throws PlatformError
 */
export type Relay = (
  of: { readonly workspaceId: string; readonly work: string },
  media: SpooledMedia,
  signal: AbortSignal,
) => Promise<string>
