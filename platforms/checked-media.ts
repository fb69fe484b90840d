import type { SpooledMedia } from './media.ts'
import { PlatformError, type Platform, type PlatformIo, type PublishJob } from './platform.ts'

/**
 * The media of a post, fetched and found to keep the platform's rules, as its text does.
 *
 * @throws PlatformError `permanent` naming every rule that is broken
 */
export async function checkedMedia(
  platform: Pick<Platform, 'key' | 'takes' | 'check'>,
  job: PublishJob,
  io: Pick<PlatformIo, 'media' | 'signal'>,
): Promise<SpooledMedia> {
  const { mediaType } = job
  const taken = platform.takes[mediaType]
  if (!taken) throw new PlatformError('permanent', `${platform.key} takes no ${mediaType}.`)
  refuseBroken(platform.check(job, undefined))
  const media = await io.media.spool(job.mediaUrl, { mediaType, maxBytes: taken.maxBytes }, io.signal)
  try {
    refuseBroken(platform.check(job, media.facts))
    return media
  } catch (error) {
    await media.dispose()
    throw error
  }
}

function refuseBroken(rules: readonly string[]): void {
  if (rules.length > 0) throw new PlatformError('permanent', rules.join(' '))
}
