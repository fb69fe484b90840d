import { isoTime } from '../../infra/runtime/clock.ts'
import type { ContainerState } from '../meta/container.ts'
import type { Handle } from '../meta/handle.ts'
import { CONTAINER_LIFE_MS } from '../meta/pace.ts'
import type { ContainerSteps, Contents } from '../meta/prepare.ts'
import { mustHaveQuota, POSTS } from '../meta/quota.ts'
import { alreadyOut, lookAgain, missed, next, type Patience, type Step } from '../meta/step.ts'
import { PlatformError, type PlatformIo, type PublishJob } from '../kit/platform.ts'
import { api } from './api.ts'
import { createContainer, readContainer } from './container.ts'
import { AGAIN, errors } from './errors.ts'
import { handleOf, paceAt } from './handle.ts'
import { livePosts } from './media-list.ts'
import { withSession } from './session.ts'

/** How often a container may be unknown before it is given up. */
const MISSES = { times: 2, everyMs: 60_000 } as const
const GONE = errors.rows.gone.text
const PATIENCE: Patience = { name: api.name, paceAt, again: { expired: AGAIN.gone, unknown: AGAIN.failed } }

/**
 * Only the same container is published again, and only if it says that it was not: it is not known whether Instagram would
 * publish one twice.
 */
export const steps: ContainerSteps<Handle> = { handleOf, create, goOn, read, patience: PATIENCE }

function create(job: PublishJob, contents: Contents, io: PlatformIo): Promise<string> {
  return withSession(job.account, io, async (session) => {
    // Only posts count, and not the items of a carousel.
    if (!('item' in contents && contents.isChild))
      await mustHaveQuota(api, POSTS, `/${job.account.externalId}/content_publishing_limit`, session, io)
    return createContainer(job, contents, session, io)
  })
}

function read(job: PublishJob, containerId: string, io: PlatformIo): Promise<ContainerState> {
  return withSession(job.account, io, async (session) => {
    const state = await readContainer(containerId, session, io)
    const isLost = state.is === 'gone' || state.is === 'unreadable'
    return isLost ? { is: 'unknown', error: new PlatformError('retryable', `${GONE}.`) } : state
  })
}

function goOn(job: PublishJob, handle: Handle, io: PlatformIo): Promise<Step> {
  return withSession(job.account, io, async (session): Promise<Step> => {
    const state = await readContainer(handle.containerId, session, io)
    const now = io.clock.now()
    switch (state.is) {
      case 'finished': {
        if (handle.readyAt !== undefined) return { outcome: 'ready', handle }
        const others = await livePosts(job, now, session, io).catch(() => [])
        const known = others.map(({ postId }) => postId)
        return { outcome: 'ready', handle: { ...handle, readyAt: isoTime(now), others: known } }
      }
      case 'published':
        return alreadyOut(handle)
      case 'unreadable': {
        // Once it may have been published, it is given up only after it has expired.
        const alive = now - Date.parse(handle.createdAt) < CONTAINER_LIFE_MS
        if (handle.readyAt !== undefined && alive) return lookAgain(handle, MISSES.everyMs)
        return missed(handle, MISSES, AGAIN.gone, `${GONE}.`)
      }
      case 'gone':
        return missed(handle, MISSES, AGAIN.gone, `${GONE}.`)
      default:
        return next(state, handle, now, PATIENCE)
    }
  })
}
