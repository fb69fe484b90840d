import type { SpooledMedia } from '../../infra/media/media.ts'

/**
 * The URL at which a platform that fetches only from verified domains finds the media of a post: that of the post, or one of this
 * service, for as long as the platform may take.
 *
 * @throws PlatformError
 */
export type RelayUrl = (url: string, media: SpooledMedia) => Promise<string>

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
