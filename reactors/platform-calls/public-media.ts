import { load, type CommandDeps } from '../../commands/handle.ts'
import { uploadedFileIn } from '../../domain/core/upload.ts'
import { PLATFORM_NAMES, type MediaType } from '../../domain/core/platform.ts'
import { media } from '../../domain/media/media.ts'
import { mediaUrl, ownMediaName } from '../../infra/media/media-url.ts'
import type { Platform, PlatformAccount } from '../../platforms/kit/platform.ts'

/** Media for platforms that fetch it themselves. */
export interface PublicMedia {
  /** The URL of the service's own media at its present address, which may have changed since; any other URL as it is. */
  urlOf(url: string): Promise<string>
  /** Why the platform cannot fetch the media; undefined if it may, or if Fanfare sends it. */
  whyOutOfReach(
    platform: Pick<Platform, 'key' | 'takes'>,
    account: Pick<PlatformAccount, 'baseUrl'>,
    post: { readonly mediaUrl: string; readonly mediaType: MediaType },
  ): Promise<string | undefined>
}

/** For a service without media of its own. */
export const NO_OWN_MEDIA: PublicMedia = { urlOf: async (url) => url, whyOutOfReach: async () => undefined }

/**
 * @param options.url the service's URL, without a trailing slash
 * @param options.isPublic whether it is one that others can reach
 */
export function publicMedia({
  log,
  url,
  isPublic,
}: Pick<CommandDeps, 'log'> & { readonly url: () => string; readonly isPublic: boolean }): PublicMedia {
  const ownName = async (of: string): Promise<string | undefined> => {
    const upload = uploadedFileIn(of)
    if (!upload) return ownMediaName(url(), of)
    const state = await load(log, media, upload.mediaId)
    return state.status !== 'absent' && state.file === upload.file ? upload.file : undefined
  }
  return {
    urlOf: async (of) => {
      const name = await ownName(of)
      return name === undefined ? of : mediaUrl(url(), name)
    },
    whyOutOfReach: async ({ key, takes }, { baseUrl }, post) => {
      // An account at another host is one of a sandbox or a proxy, which may be as near as this service.
      const isSent = takes[post.mediaType]?.isFetched !== true
      if (isSent || isPublic || baseUrl !== undefined || (await ownName(post.mediaUrl)) === undefined) return undefined
      return `${PLATFORM_NAMES[key]} fetches the ${post.mediaType} from this server, which it cannot reach: set PUBLIC_URL.`
    },
  }
}
