import { isoTime } from '../../system/clock.ts'
import { checkedMedia } from '../checked-media.ts'
import {
  PlatformError,
  type Platform,
  type PlatformIo,
  type Prepared,
  type PublishHandle,
  type PublishJob,
} from '../platform.ts'
import { candidates } from './candidates.ts'
import { createContainer, mustHaveQuota, readContainer, type ContainerState } from './container.ts'
import { CONTAINER_LIFE_MS, handleOf, paceAt, publishedFrom, type Handle } from './handle.ts'
import { livePosts } from './media-list.ts'
import { withSession } from './session.ts'
import { meaningOf } from './trouble.ts'

type Rules = Pick<Platform, 'key' | 'takes' | 'check'>

/** From the first finding that it is finished: published at once, a container is often not known yet. */
const SETTLE_MS = 2_000
/** Of a container that can't be looked at just now, or is not known. */
const LOOK_AGAIN_MS = { untold: 30_000, missed: 10_000 } as const
/** How often a container may not be known before it is given up. */
const MISSES = 4

const SEVERAL =
  'Threads no longer shows what was prepared, and has several posts that may be it. Look at the profile before posting again.'

type Step =
  | Prepared
  /** The container came to nothing and surely was not published. */
  | { readonly outcome: 'start anew' }

/**
 * Makes the container and waits for Threads to be done with it. The handle is the container: what may have been
 * published is only ever published again as the same one, which Threads does once.
 *
 * @throws PlatformError
 */
export async function prepare(
  rules: Rules,
  job: PublishJob,
  io: PlatformIo,
  earlier: PublishHandle | undefined,
): Promise<Prepared> {
  if (!earlier) return started(rules, job, 0, io)
  const handle = handleOf(earlier)
  const step = await goOn(job, handle, io)
  return step.outcome === 'start anew' ? started(rules, job, handle.failures + 1, io) : step
}

async function started(rules: Rules, job: PublishJob, failures: number, io: PlatformIo): Promise<Prepared> {
  const media = await checkedMedia(rules, job, io)
  await media.dispose()
  const containerId = await withSession(job.account, io, async (session) => {
    await mustHaveQuota(job.account.externalId, session, io)
    return createContainer(job, session, io)
  })
  const createdAt = isoTime(io.clock.now())
  const handle: Handle = { containerId, createdAt, failures }
  return { outcome: 'processing', handle, lookAgainMs: paceAt(0) }
}

function goOn(job: PublishJob, handle: Handle, io: PlatformIo): Promise<Step> {
  return withSession(job.account, io, async (session): Promise<Step> => {
    const state = await readContainer(handle.containerId, session, io)
    const now = io.clock.now()
    if (state.is === 'finished') {
      if (handle.readyAt !== undefined) return settled(handle, Date.parse(handle.readyAt), now)
      const others = await livePosts(job, now, session, io).catch(() => [])
      const ready = { ...handle, readyAt: isoTime(now), others: others.map(({ postId }) => postId) }
      return settled(ready, now, now)
    }
    if (state.is === 'published') return alreadyOut(handle)
    // What becomes unreadable once it could be published may be out: the list is asked before another is made.
    if (state.is === 'unreadable' && handle.readyAt !== undefined) {
      const found = await candidates(job, handle, session, io)
      if (found.length === 1) return alreadyOut(handle)
      if (found.length > 1) throw new PlatformError('permanent', SEVERAL)
    }
    return next(state, handle, now - Date.parse(handle.createdAt))
  })
}

function settled(handle: Handle, readyAt: number, now: number): Step {
  const left = readyAt + SETTLE_MS - now
  if (left > 0) return { outcome: 'processing', handle, lookAgainMs: left }
  return { outcome: 'ready', handle: { ...handle, attemptAt: isoTime(now) } }
}

function alreadyOut(handle: Handle): Step {
  return { outcome: 'ready', handle: { ...handle, readyAt: isoTime(publishedFrom(handle)), published: true } }
}

/** What a container that is not ready comes to. @throws PlatformError `permanent` when another would do no better */
function next(state: Exclude<ContainerState, { is: 'finished' | 'published' }>, handle: Handle, ageMs: number): Step {
  const lookAgain = (lookAgainMs: number, more: Partial<Handle> = {}): Step => {
    return { outcome: 'processing', handle: { ...handle, ...more }, lookAgainMs }
  }
  switch (state.is) {
    case 'in progress':
      if (ageMs < CONTAINER_LIFE_MS) return lookAgain(paceAt(ageMs))
      throw new PlatformError('permanent', 'Threads has not finished processing the media within 24 hours.')
    case 'failed':
      return anew(handle, meaningOf(state.trouble).again, state.why)
    case 'expired':
      return anew(handle, meaningOf('failed').again, 'Threads let what was prepared expire.')
    case 'unreadable': {
      const misses = (handle.misses ?? 0) + 1
      if (misses <= MISSES) return lookAgain(LOOK_AGAIN_MS.missed, { misses })
      return anew(handle, meaningOf('gone').again, state.error.message)
    }
    case 'untold':
      if (ageMs < CONTAINER_LIFE_MS) return lookAgain(Math.max(paceAt(ageMs), LOOK_AGAIN_MS.untold))
      return anew(handle, meaningOf('failed').again, state.error.message)
  }
}

function anew({ failures }: Handle, again: number, why: string): Step {
  if (failures < again) return { outcome: 'start anew' }
  throw new PlatformError('permanent', failures === 0 ? why : `${why} It was tried ${failures + 1} times.`)
}
