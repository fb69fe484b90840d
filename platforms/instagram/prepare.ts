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
import { createContainer, mustHaveQuota, readContainer, type ContainerState } from './container.ts'
import { CONTAINER_LIFE_MS, handleOf, paceAt, publishedFrom, type Handle } from './handle.ts'
import { livePosts } from './media-list.ts'
import { withSession } from './session.ts'
import { meaningOf } from './trouble.ts'

type Rules = Pick<Platform, 'key' | 'takes' | 'check'>

/** Of a container that can't be looked at just now, or is not known. */
const LOOK_AGAIN_MS = { untold: 30_000, missed: 60_000 } as const
/** How often a container may not be known before it is given up. */
const MISSES = 2
/** How many more containers trouble without a known reason is worth. */
const TRIES_FOR_NO_REASON = 1

type Step =
  | Prepared
  /** The container came to nothing and surely was not published. */
  | { readonly outcome: 'start anew' }

/**
 * Makes the container and waits for Instagram to be done with it. What may have been published is only ever published
 * again as the same container, and only when that says that it was not: whether Instagram publishes one twice is not known.
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
  return {
    outcome: 'processing',
    handle: { containerId, createdAt, failures } satisfies Handle,
    lookAgainMs: paceAt(0),
  }
}

function goOn(job: PublishJob, handle: Handle, io: PlatformIo): Promise<Step> {
  return withSession(job.account, io, async (session) => {
    const state = await readContainer(handle.containerId, session, io)
    if (state.is !== 'finished') return next(state, handle, io.clock.now() - Date.parse(handle.createdAt))
    if (handle.readyAt !== undefined) return { outcome: 'ready', handle }
    const readyAt = isoTime(io.clock.now())
    const others = await livePosts(job, io.clock.now(), session, io).catch(() => [])
    return { outcome: 'ready', handle: { ...handle, readyAt, others: others.map(({ postId }) => postId) } }
  })
}

/** What a container that is not ready comes to. @throws PlatformError `permanent` when another would do no better */
function next(state: Exclude<ContainerState, { is: 'finished' }>, handle: Handle, ageMs: number): Step {
  const lookAgain = (lookAgainMs: number, more: Partial<Handle> = {}): Step => {
    return { outcome: 'processing', handle: { ...handle, ...more }, lookAgainMs }
  }
  switch (state.is) {
    case 'published':
      return { outcome: 'ready', handle: { ...handle, readyAt: isoTime(publishedFrom(handle)), published: true } }
    case 'in progress':
      if (ageMs < CONTAINER_LIFE_MS) return lookAgain(paceAt(ageMs))
      throw new PlatformError('permanent', 'Instagram has not finished processing the media within 24 hours.')
    case 'failed':
      return anew(handle, state.trouble ? meaningOf(state.trouble).again : TRIES_FOR_NO_REASON, state.why)
    case 'expired':
      return anew(handle, meaningOf('gone').again, 'Instagram let what was prepared expire.')
    case 'unreadable':
      // Once it may have been published, only time makes sure that it can't be any more.
      if (handle.readyAt !== undefined && ageMs < CONTAINER_LIFE_MS) return lookAgain(LOOK_AGAIN_MS.missed)
      return missed(handle, lookAgain)
    case 'gone':
      return missed(handle, lookAgain)
    case 'untold':
      if (ageMs < CONTAINER_LIFE_MS) return lookAgain(Math.max(paceAt(ageMs), LOOK_AGAIN_MS.untold))
      return anew(handle, meaningOf('failed').again, state.error.message)
  }
}

function missed(handle: Handle, lookAgain: (lookAgainMs: number, more: Partial<Handle>) => Step): Step {
  const misses = (handle.misses ?? 0) + 1
  if (misses <= MISSES) return lookAgain(LOOK_AGAIN_MS.missed, { misses })
  const { again, says } = meaningOf('gone')
  return anew(handle, again, `${says}.`)
}

function anew({ failures }: Handle, again: number, why: string): Step {
  if (failures < again) return { outcome: 'start anew' }
  throw new PlatformError('permanent', failures === 0 ? why : `${why} It was tried ${failures + 1} times.`)
}
