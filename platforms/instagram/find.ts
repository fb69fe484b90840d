import { publishedFrom } from '../meta/handle.ts'
import { CONTAINER_LIFE_MS } from '../meta/pace.ts'
import { onlyOne, postsOf, unidentified } from '../meta/which-post.ts'
import { PlatformError, type Outlook, type PlatformIo, type PublishHandle, type PublishJob } from '../kit/platform.ts'
import { readContainer } from './container.ts'
import { handleOf, paceAt } from './handle.ts'
import { livePosts } from './media-list.ts'
import { withSession } from './session.ts'

/** A new post may take some seconds to be listed. */
const LISTED_WITHIN_MS = 120_000
const LOOK_AGAIN_MS = 5_000

/**
 * Checks the outcome of the container. It says whether it was published, but not as which media.
 *
 * @throws PlatformError when looking again later may help
 */
export function find(job: PublishJob, given: PublishHandle, io: PlatformIo): Promise<Outlook> {
  const handle = handleOf(given)
  const now = io.clock.now()
  return withSession(job.account, io, async (session): Promise<Outlook> => {
    const live = () => postsOf(handle, (from) => livePosts(job, from, session, io))
    const state = await readContainer(handle.containerId, session, io)
    switch (state.is) {
      case 'published': {
        const found = onlyOne(await live().catch(() => []))
        if (found) return { outcome: 'found', found }
        const listedYet = now >= publishedFrom(handle) + LISTED_WITHIN_MS
        return listedYet
          ? { outcome: 'found', found: unidentified(handle) }
          : { outcome: 'processing', lookAgainMs: LOOK_AGAIN_MS }
      }
      case 'in progress':
        return { outcome: 'processing', lookAgainMs: paceAt(now - Date.parse(handle.createdAt)) }
      // In these states it was not published.
      case 'finished':
      case 'failed':
      case 'expired':
        return { outcome: 'absent' }
      case 'gone':
      case 'unreadable': {
        const found = onlyOne(await live())
        if (found) return { outcome: 'found', found }
        // It may become readable again until it expires.
        if (now >= Date.parse(handle.createdAt) + CONTAINER_LIFE_MS) return { outcome: 'unknown' }
        throw new PlatformError('retryable', 'Instagram does not show whether the post was published.')
      }
      case 'unknown':
        throw state.error
    }
  })
}
