import { Refusal } from '../../domain/core/errors.ts'
import type { SmallImage } from '../../domain/media/small-image.ts'
import { CONVERTED_MAX_BYTES } from '../../infra/media/image-conversion.ts'
import { mediaFor } from '../../infra/media/media.ts'
import { wanted } from '../../platforms/kit/checked-media.ts'
import { takingFor } from '../../platforms/kit/options-for.ts'
import { PlatformError } from '../../platforms/kit/platform.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { createShares } from '../../infra/runtime/shares.ts'

/** Of the longer side, in pixels. */
const LONGER = 640
const MAX_BYTES = 300_000
const TIMEOUT_MS = 20_000
/** How many a process has under way: a workspace's share is a page of them. They are converted one at a time. */
const AT_ONCE = 32
const RETRY_AFTER_S = 5

/** Made with the conversion that publishing uses, so that margins and cut edges are those of the post. Each is made once, like those. */
export function createSmallImages({ access }: { readonly access: PlatformAccess }): SmallImage {
  const shares = createShares(AT_ONCE)
  return async ({ workspaceId, url, platform, options }) => {
    const giveBack = shares.take(workspaceId)
    if (!giveBack) {
      const message = `Too many images are being made. Retry in ${RETRY_AFTER_S} seconds.`
      throw new Refusal('rate_limit_exceeded', message, { retryAfterS: RETRY_AFTER_S })
    }
    try {
      return await access.connecting(TIMEOUT_MS, async ({ media, signal }) => {
        const { shape: ofPlatform } = platform
          ? wanted(takingFor(access.platform(platform), options), { options }, 'image')
          : {}
        const { image = {}, by = 'pad' } = ofPlatform && 'image' in ofPlatform ? ofPlatform : {}
        const shape = { image: { ...image, types: ['image/jpeg'], maxBytes: MAX_BYTES, longer: LONGER }, by } as const
        const want = { mediaType: 'image', maxBytes: CONVERTED_MAX_BYTES, shape, keepsPosition: true } as const
        const spooled = await mediaFor(media, workspaceId).spool(url, want, signal)
        try {
          const { mimeType, bytes } = spooled.facts
          // Without a converter it is as it was.
          if (bytes > MAX_BYTES) throw new PlatformError('permanent', 'The image is too large to show.')
          return { mimeType, bytes: await spooled.bytes() }
        } finally {
          await spooled.dispose()
        }
      })
    } catch (error) {
      throw error instanceof PlatformError ? new Refusal('failed_precondition', error.message) : error
    } finally {
      giveBack()
    }
  }
}
