import type { MediaFacts, SpooledMedia } from '../../infra/media/media.ts'
import { tooLarge } from './media-refusal.ts'
import { PlatformError, type Platform, type PlatformIo, type PublishJob } from './platform.ts'

type Rules = Pick<Platform, 'key' | 'takes' | 'check'>
type Content = Pick<PublishJob, 'text' | 'mediaType'>

/** Every platform rule that a post breaks, as sentences. @param facts absent until the media is fetched */
export function brokenRules(platform: Rules, post: Content, facts?: MediaFacts): readonly string[] {
  const taken = platform.takes[post.mediaType]
  if (!taken) return [`${platform.key} does not support ${post.mediaType} posts.`]
  const size = facts && facts.bytes > taken.maxBytes ? [tooLarge(post.mediaType, facts.bytes, taken.maxBytes)] : []
  return [...size.map(({ message }) => message), ...platform.check(post, facts)]
}

/**
 * Checks a post's text, fetches its media and checks that too, all by the platform's rules.
 *
 * @throws PlatformError `permanent`, naming every broken rule
 */
export async function checkedMedia(
  platform: Rules,
  job: PublishJob,
  io: Pick<PlatformIo, 'media' | 'signal'>,
): Promise<SpooledMedia> {
  const { mediaType } = job
  refuse(brokenRules(platform, job))
  const maxBytes = platform.takes[mediaType]?.maxBytes ?? 0
  const media = await io.media.spool(job.mediaUrl, { mediaType, maxBytes }, io.signal)
  try {
    refuse(brokenRules(platform, job, media.facts))
    return media
  } catch (error) {
    await media.dispose()
    throw error
  }
}

function refuse(broken: readonly string[]): void {
  if (broken.length > 0) throw new PlatformError('permanent', broken.join(' '))
}
