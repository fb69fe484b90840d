import { load, type CommandDeps } from '../../commands/handle.ts'
import { uploadedFileIn } from '../../domain/core/upload.ts'
import { PLATFORM_NAMES } from '../../domain/core/platform.ts'
import type { PinnedMedia } from '../../domain/post/post-events.ts'
import type { PostMedia } from '../../domain/post/post-media.ts'
import { media } from '../../domain/media/media.ts'
import { mediaUrl, ownMediaName } from '../../infra/media/media-url.ts'
import type { Platform, PlatformAccount } from '../../platforms/kit/platform.ts'

/** Media for platforms that fetch it themselves. */
export interface PublicMedia {
  /**
   * The media with the URLs of the service's own at its present address, which may have changed since.
   *
   * @param pinned copies that take the place of media, where they are still kept and the platform can get them
   */
  atPresent(
    media: readonly PostMedia[],
    pinned: readonly PinnedMedia[],
    by: Pick<Platform, 'takes'>,
    account: Pick<PlatformAccount, 'baseUrl'>,
  ): Promise<readonly PostMedia[]>
  /** The URL of a file in the media store. */
  urlFor(file: string): string
  /** Whether the platform can fetch from this service. */
  isReachedBy(account: Pick<PlatformAccount, 'baseUrl'>): boolean
  /** Whether media that a platform fetches only from verified domains has to be relayed by this service. */
  mustRelay(url: string): Promise<boolean>
  /** Why the platform cannot fetch the media; undefined if it may, or if Fanfare sends it. */
  whyOutOfReach(
    platform: Pick<Platform, 'key' | 'takes'>,
    account: Pick<PlatformAccount, 'baseUrl'>,
    media: readonly PostMedia[],
  ): Promise<string | undefined>
}

/** For a service without media of its own. */
export const NO_OWN_MEDIA: PublicMedia = {
  atPresent: async (media) => media,
  urlFor: (file) => file,
  isReachedBy: () => false,
  mustRelay: async () => false,
  whyOutOfReach: async () => undefined,
}

/**
 * @param options.url the service's URL, without a trailing slash
 * @param options.isPublic whether it is one that others can reach
 * @param options.verified other URLs below which the platforms may fetch media that they fetch only from verified domains
 */
export function publicMedia({
  log,
  url,
  isPublic,
  verified = [],
}: Pick<CommandDeps, 'log'> & {
  readonly url: () => string
  readonly isPublic: boolean
  readonly verified?: readonly string[]
}): PublicMedia {
  const ownName = async (of: string): Promise<string | undefined> => {
    const upload = uploadedFileIn(of)
    if (!upload) return ownMediaName(url(), of)
    const state = await load(log, media, upload.mediaId)
    return state.status !== 'absent' && state.file === upload.file ? upload.file : undefined
  }
  // An account at another host is one of a sandbox or a proxy, which may be as near as this service.
  const isReachedBy: PublicMedia['isReachedBy'] = ({ baseUrl }) => isPublic || baseUrl !== undefined
  const isVerified = (of: string): boolean => verified.some((prefix) => of.startsWith(prefix))
  const urlOf = async (of: string): Promise<string> => {
    const name = await ownName(of)
    return name === undefined ? of : mediaUrl(url(), name)
  }
  const copyOf = async (of: string, pinned: readonly PinnedMedia[]): Promise<string | undefined> => {
    const copy = pinned.find((item) => item.url === of)
    const named = copy && 'pinnedUrl' in copy ? uploadedFileIn(copy.pinnedUrl) : undefined
    const state = named && (await load(log, media, named.mediaId))
    return state?.status === 'pinned' ? mediaUrl(url(), state.file) : undefined
  }
  return {
    atPresent: async (media, pinned, { takes }, account) => {
      const moved = async (item: PostMedia): Promise<PostMedia> => {
        const isOutOfReach = takes[item.type]?.isFetched === true && !isReachedBy(account)
        const placeOf = async (of: string) => (isOutOfReach ? undefined : await copyOf(of, pinned)) ?? (await urlOf(of))
        const { url, thumbnailUrl } = item
        const thumbnail = thumbnailUrl !== undefined && { thumbnailUrl: await placeOf(thumbnailUrl) }
        return { ...item, url: await placeOf(url), ...thumbnail }
      }
      return Promise.all(media.map(moved))
    },
    urlFor: (file) => mediaUrl(url(), file),
    isReachedBy,
    mustRelay: async (of) => isPublic && !isVerified(of) && (await ownName(of)) === undefined,
    whyOutOfReach: async ({ key, takes }, { baseUrl }, media) => {
      if (isReachedBy({ baseUrl })) return undefined
      const platform = PLATFORM_NAMES[key]
      for (const { url: of, type } of media) {
        const { isFetched = false, verifiedOnly = false } = takes[type] ?? {}
        if (!isFetched) continue
        if ((await ownName(of)) !== undefined) {
          return `${platform} fetches the ${type} from this server, which it cannot reach: set PUBLIC_URL.`
        }
        if (!verifiedOnly || isVerified(of)) continue
        return `${platform} fetches the ${type} only from a domain that you have verified there: set PUBLIC_URL to one, so that this server can pass the ${type} on, or list the URL in MEDIA_VERIFIED_URLS if it is verified.`
      }
      return undefined
    },
  }
}
