import { load, type CommandDeps } from '../../commands/handle.ts'
import { uploadedFileIn } from '../../domain/core/upload.ts'
import { PLATFORM_NAMES } from '../../domain/core/platform.ts'
import type { PostMedia } from '../../domain/post/post-media.ts'
import { media } from '../../domain/media/media.ts'
import { mediaUrl, ownMediaName } from '../../infra/media/media-url.ts'
import type { Platform, PlatformAccount } from '../../platforms/kit/platform.ts'

/** Of one post. */
type Media = readonly [PostMedia, ...PostMedia[]]

/** Media for platforms that fetch it themselves. */
export interface PublicMedia {
  /** The media with the URLs of the service's own at its present address, which may have changed since. */
  atPresent(media: Media): Promise<Media>
  /** Why the platform cannot fetch the media; undefined if it may, or if Fanfare sends it. */
  whyOutOfReach(
    platform: Pick<Platform, 'key' | 'takes'>,
    account: Pick<PlatformAccount, 'baseUrl'>,
    media: Media,
  ): Promise<string | undefined>
}

/** For a service without media of its own. */
export const NO_OWN_MEDIA: PublicMedia = { atPresent: async (media) => media, whyOutOfReach: async () => undefined }

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
  const urlOf = async (of: string): Promise<string> => {
    const name = await ownName(of)
    return name === undefined ? of : mediaUrl(url(), name)
  }
  const moved = async (item: PostMedia): Promise<PostMedia> => ({
    ...item,
    url: await urlOf(item.url),
    ...(item.thumbnailUrl !== undefined && { thumbnailUrl: await urlOf(item.thumbnailUrl) }),
  })
  return {
    atPresent: async ([first, ...more]) => [await moved(first), ...(await Promise.all(more.map(moved)))],
    whyOutOfReach: async ({ key, takes }, { baseUrl }, media) => {
      // An account at another host is one of a sandbox or a proxy, which may be as near as this service.
      if (isPublic || baseUrl !== undefined) return undefined
      for (const { url: of, type } of media) {
        if (takes[type]?.isFetched !== true || (await ownName(of)) === undefined) continue
        return `${PLATFORM_NAMES[key]} fetches the ${type} from this server, which it cannot reach: set PUBLIC_URL.`
      }
      return undefined
    },
  }
}
