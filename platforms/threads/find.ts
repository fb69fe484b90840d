import { publishedFrom } from '../meta/handle.ts'
import { onlyOne, postsOf, unidentified } from '../meta/which-post.ts'
import type { Outlook, PlatformIo, PublishHandle, PublishJob } from '../kit/platform.ts'
import { readContainer } from './container.ts'
import { handleOf, paceAt, type Handle } from './handle.ts'
import { livePosts } from './post-list.ts'
import { withSession } from './session.ts'

/** A new post may take some seconds to be listed. */
const LISTED_WITHIN_MS = 120_000
const LOOK_AGAIN_MS = 10_000

/**
 * Checks the outcome of the container. It says whether it was published, but not as which post: for that, and when it does not
 * say, the list of posts is read.
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
        const found = await live().catch(() => [])
        const one = onlyOne(found)
        if (one) return { outcome: 'found', found: one }
        if (found.length === 0 && now < listedFrom(handle)) return { outcome: 'processing', lookAgainMs: LOOK_AGAIN_MS }
        return { outcome: 'found', found: unidentified(handle) }
      }
      case 'in progress':
        return { outcome: 'processing', lookAgainMs: paceAt(now - Date.parse(handle.createdAt)) }
      // In these states it was not published.
      case 'finished':
      case 'failed':
      case 'expired':
        return { outcome: 'absent' }
      case 'unreadable': {
        const one = onlyOne(await live())
        if (one) return { outcome: 'found', found: one }
        return now < listedFrom(handle) ? { outcome: 'processing', lookAgainMs: LOOK_AGAIN_MS } : { outcome: 'unknown' }
      }
      case 'unknown':
        throw state.error
    }
  })
}

/** When (ms since the epoch) anything published in the last attempt is certain to be listed. */
function listedFrom(handle: Handle): number {
  return (handle.attemptAt === undefined ? publishedFrom(handle) : Date.parse(handle.attemptAt)) + LISTED_WITHIN_MS
}
