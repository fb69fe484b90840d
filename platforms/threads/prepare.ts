import { isoTime } from '../../infra/runtime/clock.ts'
import type { ContainerState } from '../meta/container.ts'
import type { ContainerSteps, Contents } from '../meta/prepare.ts'
import { mustHaveQuota, POSTS, REPLIES } from '../meta/quota.ts'
import { alreadyOut, lookAgain, missed, next, type Patience, type Step } from '../meta/step.ts'
import { postsOf } from '../meta/which-post.ts'
import { PlatformError, type PlatformIo, type PublishJob } from '../kit/platform.ts'
import { api, is } from './api.ts'
import { createContainer, readContainer } from './container.ts'
import { AGAIN } from './errors.ts'
import { handleOf, paceAt, type Handle } from './handle.ts'
import { livePosts } from './post-list.ts'
import { withSession } from './session.ts'

/** Delay after a container is first seen finished: published immediately, it is often unknown. */
const SETTLE_MS = 2_000
/** How often a container may be unknown before it is given up. */
const MISSES = { times: 4, everyMs: 10_000 } as const
const PATIENCE: Patience = { name: api.name, paceAt, again: { expired: AGAIN.failed, unknown: AGAIN.failed } }

const SEVERAL =
  'Threads no longer shows the prepared post, and several published posts may be it. Check the profile before you post again.'

/** Only the same container is published again: Threads publishes one only once. */
export const steps: ContainerSteps<Handle> = {
  handleOf,
  create: (job, contents, io) =>
    create(job, contents, io).catch((error: unknown) => {
      throw job.inReplyTo ? ofPart(error) : error
    }),
  goOn,
  read,
  patience: PATIENCE,
}

/** Says why a part of a chain cannot be a reply. The account can still publish other posts. */
function ofPart(cause: unknown): unknown {
  if (is(cause, 'permission', 'permission or failure', 'unapproved')) {
    const message = `A chain needs the permission threads_manage_replies. Connect the account again, and allow replies. ${cause.message}`
    return new PlatformError('permanent', message, { cause })
  }
  if (is(cause, 'gone'))
    return new PlatformError('permanent', 'Threads could not find the part before this one.', { cause })
  return cause
}

/** @throws PlatformError */
export function create(job: PublishJob, contents: Contents, io: PlatformIo): Promise<string> {
  return withSession(job.account, io, async (session) => {
    // The items of a carousel do not count.
    if (!('item' in contents && contents.isChild)) {
      const path = `/${job.account.externalId}/threads_publishing_limit`
      await (job.inReplyTo
        ? mustHaveQuota(api, REPLIES, path, session, io)
        : mustHaveQuota(api, POSTS, path, session, io))
    }
    return createContainer(job, contents, session, io)
  })
}

function read(job: PublishJob, containerId: string, io: PlatformIo): Promise<ContainerState> {
  return withSession(job.account, io, async (session) => {
    const state = await readContainer(containerId, session, io)
    return state.is === 'unreadable' ? { is: 'unknown', error: state.error } : state
  })
}

function goOn(job: PublishJob, handle: Handle, io: PlatformIo): Promise<Step> {
  return withSession(job.account, io, async (session): Promise<Step> => {
    const state = await readContainer(handle.containerId, session, io)
    const now = io.clock.now()
    switch (state.is) {
      case 'finished': {
        if (handle.readyAt !== undefined) return settled(handle, Date.parse(handle.readyAt), now)
        const others = await livePosts(job, now, session, io).catch(() => [])
        const known = others.map(({ postId }) => postId)
        return settled({ ...handle, readyAt: isoTime(now), others: known }, now, now)
      }
      case 'published':
        return alreadyOut(handle)
      case 'unreadable': {
        // A container that becomes unreadable once it could be published may be live: the list is read before another is
        // created.
        const live = () => postsOf(handle, (from) => livePosts(job, from, session, io))
        const found = handle.readyAt === undefined ? [] : await live()
        if (found.length === 1) return alreadyOut(handle)
        if (found.length > 1) throw new PlatformError('permanent', SEVERAL)
        return missed(handle, MISSES, AGAIN.gone, state.error.message)
      }
      default:
        return next(state, handle, now, PATIENCE)
    }
  })
}

function settled(handle: Handle, readyAt: number, now: number): Step {
  const left = readyAt + SETTLE_MS - now
  if (left > 0) return lookAgain(handle, left)
  return { outcome: 'ready', handle: { ...handle, attemptAt: isoTime(now) } }
}
