import { z } from 'zod'
import type { Outlook, PlatformIo, Published, PublishHandle, Publishing, PublishJob } from '../platform.ts'
import { PlatformError } from '../platform.ts'
import type { RestIo } from '../rest.ts'
import { readContainer } from './container.ts'
import { graph, type Session } from './graph.ts'
import { CONTAINER_LIFE_MS, handleOf, paceAt, publishedFrom, type Handle } from './handle.ts'
import { livePosts, permalinkOf } from './media-list.ts'
import { withSession } from './session.ts'

/** Leaves the guard's 30 s room for the permalink. */
const PUBLISH_TIMEOUT_MS = 25_000
/** A new post may take some seconds to be listed. */
const LISTED_WITHIN_MS = 120_000
const LOOK_AGAIN_MS = 5_000

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
      ? ((await identified(job, handle, session, io)) ?? unidentified(handle))
      : await submitted(job, handle, session, io)
    return { outcome: 'published', published }
  })
}

async function submitted(job: PublishJob, handle: Handle, session: Session, io: RestIo): Promise<Published> {
  const call = {
    method: 'POST',
    path: `/${job.account.externalId}/media_publish`,
    form: { creation_id: handle.containerId },
    effect: 'visible',
    timeoutMs: PUBLISH_TIMEOUT_MS,
  } as const
  const { id: postId } = await graph(session, call, answer, io)
  // It is out: that its address can't be read changes nothing.
  const url = await permalinkOf(postId, session, io).catch(() => undefined)
  return { postId, ...(url !== undefined && { url }) }
}

/**
 * Asks the container what became of it. It tells whether it was published, but not as which media.
 *
 * @throws PlatformError when looking again later may tell
 */
export function find(job: PublishJob, given: PublishHandle, io: PlatformIo): Promise<Outlook> {
  const handle = handleOf(given)
  const now = io.clock.now()
  return withSession(job.account, io, async (session): Promise<Outlook> => {
    const state = await readContainer(handle.containerId, session, io)
    switch (state.is) {
      case 'published': {
        const published = await identified(job, handle, session, io)
        if (published) return { outcome: 'found', found: published }
        const listedYet = now >= publishedFrom(handle) + LISTED_WITHIN_MS
        return listedYet
          ? { outcome: 'found', found: unidentified(handle) }
          : { outcome: 'processing', lookAgainMs: LOOK_AGAIN_MS }
      }
      case 'in progress':
        return { outcome: 'processing', lookAgainMs: paceAt(now - Date.parse(handle.createdAt)) }
      // These exclude that it was published.
      case 'finished':
      case 'failed':
      case 'expired':
        return { outcome: 'absent' }
      case 'gone':
      case 'unreadable': {
        const [found, ...more] = await candidates(job, handle, session, io)
        if (found && more.length === 0) return { outcome: 'found', found }
        // It may become readable again as long as it lives.
        if (now >= Date.parse(handle.createdAt) + CONTAINER_LIFE_MS) return { outcome: 'unknown' }
        throw new PlatformError('retryable', 'Instagram does not show what became of the post.')
      }
      case 'untold':
        throw state.error
    }
  })
}

/** The media that the container became, when exactly one can be it. */
async function identified(
  job: PublishJob,
  handle: Handle,
  session: Session,
  io: RestIo,
): Promise<Published | undefined> {
  const found = await candidates(job, handle, session, io).catch(() => [])
  return found.length === 1 ? found[0] : undefined
}

async function candidates(
  job: PublishJob,
  handle: Handle,
  session: Session,
  io: RestIo,
): Promise<readonly Published[]> {
  const live = await livePosts(job, publishedFrom(handle), session, io)
  return live.filter(({ postId }) => !handle.others?.includes(postId))
}

/** It is out for sure, as which media nobody can tell. */
function unidentified({ containerId }: Handle): Published {
  return { postId: containerId }
}
