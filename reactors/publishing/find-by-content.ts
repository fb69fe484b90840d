import type { OtherPosts, Platform, Published, PublishJob, Search } from '../../platforms/kit/platform.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { answerOf, type Answer } from '../platform-calls/platform-failure.ts'

/** Several pages of a list may have to be read. */
const TIMEOUT_MS = 60_000

/**
 * Looks for a post by its content.
 *
 * @param since ms since the epoch: it cannot have been published before
 * @returns undefined where the platform cannot be searched by content
 */
export async function findByContent(
  work: {
    readonly access: PlatformAccess
    readonly logger: Logger
    readonly platform: Platform
    readonly job: PublishJob
    readonly others: OtherPosts
    readonly signal: AbortSignal
    onFailure: Parameters<typeof answerOf>[0]['onFailure']
  },
  since: number,
): Promise<Answer<Search<Published>> | undefined> {
  const { access, platform, job, others, signal } = work
  if (!platform.findByContent) return undefined
  return answerOf(work, () =>
    access.run(job.account, TIMEOUT_MS, signal, async (io) => {
      const search = await platform.findByContent?.(job, since, io, others)
      return search ?? { outcome: 'unknown' }
    }),
  )
}
