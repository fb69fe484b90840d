import { submit } from '../meta/submit.ts'
import { onlyOne, postsOf, unidentified } from '../meta/which-post.ts'
import type { PlatformIo, Published, PublishHandle, Publishing, PublishJob } from '../kit/platform.ts'
import { api } from './api.ts'
import { handleOf } from './handle.ts'
import { livePosts } from './post-list.ts'
import { withSession } from './session.ts'

/**
 * Publishes the container.
 *
 * @throws PlatformError
 */
export async function publish(job: PublishJob, given: PublishHandle, io: PlatformIo): Promise<Publishing> {
  return { outcome: 'published', published: await published(job, given, io) }
}

/** @throws PlatformError */
export function published(job: PublishJob, given: PublishHandle, io: PlatformIo): Promise<Published> {
  const handle = handleOf(given)
  return withSession(job.account, io, async (session) => {
    const live = () => postsOf(handle, (from) => livePosts(job, from, session, io))
    return handle.published
      ? (onlyOne(await live().catch(() => [])) ?? unidentified(handle))
      : submit(api, `/${job.account.externalId}/threads_publish`, handle.containerId, session, io)
  })
}
