import { submit } from '../meta/submit.ts'
import { onlyOne, postsOf, unidentified } from '../meta/which-post.ts'
import type { PlatformIo, PublishHandle, Publishing, PublishJob } from '../kit/platform.ts'
import { api } from './api.ts'
import { handleOf } from './handle.ts'
import { livePosts } from './post-list.ts'
import { withSession } from './session.ts'

/**
 * Publishes the container.
 *
 * @throws PlatformError
 */
export function publish(job: PublishJob, given: PublishHandle, io: PlatformIo): Promise<Publishing> {
  const handle = handleOf(given)
  return withSession(job.account, io, async (session) => {
    const live = () => postsOf(handle, (from) => livePosts(job, from, session, io))
    const published = handle.published
      ? (onlyOne(await live().catch(() => [])) ?? unidentified(handle))
      : await submit(api, `/${job.account.externalId}/threads_publish`, handle.containerId, session, io)
    return { outcome: 'published', published }
  })
}
