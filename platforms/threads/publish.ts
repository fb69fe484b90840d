import { z } from 'zod'
import type { PlatformIo, Published, PublishHandle, Publishing, PublishJob } from '../platform.ts'
import type { RestIo } from '../rest.ts'
import { candidates, onlyOne, unidentified } from './candidates.ts'
import { graph, type Session } from './graph.ts'
import { handleOf, type Handle } from './handle.ts'
import { permalinkOf } from './media-list.ts'
import { withSession } from './session.ts'

/** Leaves the guard's 30 s room for the permalink. */
const PUBLISH_TIMEOUT_MS = 25_000

const answer = z.object({ id: z.string().min(1) })

/**
 * Publishes the container.
 *
 * @throws PlatformError
 */
export function publish(job: PublishJob, given: PublishHandle, io: PlatformIo): Promise<Publishing> {
  const handle = handleOf(given)
  return withSession(job.account, io, async (session) => {
    const published = handle.published
      ? await knownPublished(job, handle, session, io)
      : await submitted(job, handle, session, io)
    return { outcome: 'published', published }
  })
}

async function knownPublished(job: PublishJob, handle: Handle, session: Session, io: RestIo): Promise<Published> {
  const found = await candidates(job, handle, session, io).catch(() => [])
  return onlyOne(found) ?? unidentified(handle)
}

async function submitted(job: PublishJob, handle: Handle, session: Session, io: RestIo): Promise<Published> {
  const call = {
    method: 'POST',
    path: `/${job.account.externalId}/threads_publish`,
    form: { creation_id: handle.containerId },
    effect: 'visible',
    timeoutMs: PUBLISH_TIMEOUT_MS,
  } as const
  const { id: postId } = await graph(session, call, answer, io)
  // It is out: that its address can't be read changes nothing.
  const url = await permalinkOf(postId, session, io).catch(() => undefined)
  return { postId, ...(url !== undefined && { url }) }
}
