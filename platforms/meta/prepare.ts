import type { PostMedia } from '../../domain/post/post-media.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { eachCheckedMedia } from '../kit/checked-media.ts'
import type { Platform, PlatformIo, Prepared, PublishHandle, PublishJob } from '../kit/platform.ts'
import { fetchable } from '../kit/relay.ts'
import type { ContainerState } from './container.ts'
import type { Handle } from './handle.ts'
import { FIRST_LOOK_MS } from './pace.ts'
import { missed, next, type Patience, type Step } from './step.ts'

type Rules = Pick<Platform, 'key' | 'takes' | 'check'>

/** What a container holds: an item, on its own or of a carousel, a carousel made of the containers of its items, or text alone. */
export type Contents =
  | { readonly item: PostMedia; readonly isChild: boolean }
  | { readonly children: readonly string[] }
  | { readonly text: string }

/** Platform-specific steps of a container's life. All throw PlatformError. */
export interface ContainerSteps<Own extends Handle> {
  readonly handleOf: (given: PublishHandle) => Own
  /** Creates a container, if the account may publish. */
  readonly create: (job: PublishJob, contents: Contents, io: PlatformIo) => Promise<string>
  /** Checks the container that will be published. */
  readonly goOn: (job: PublishJob, handle: Own, io: PlatformIo) => Promise<Step>
  /** The state of the container of a carousel's item. */
  readonly read: (job: PublishJob, containerId: string, io: PlatformIo) => Promise<ContainerState>
  readonly patience: Patience
}

/** How often an item's container may be unknown before all are created again: none of it can be visible. */
const MISSES = { times: 4, everyMs: 30_000 } as const

/**
 * Creates the container and waits until Meta has processed it. Anything that may have been published is retried only with the
 * same container. For a carousel, the containers of its items come first.
 *
 * @throws PlatformError
 */
export async function prepareContainer<Own extends Handle>(
  steps: ContainerSteps<Own>,
  rules: Rules,
  job: PublishJob,
  io: PlatformIo,
  earlier: PublishHandle | undefined,
): Promise<Prepared> {
  const created = async (contents: Contents, failures: number): Promise<Handle> => {
    const containerId = await steps.create(job, contents, io)
    return { containerId, createdAt: isoTime(io.clock.now()), failures }
  }
  const started = async (failures: number): Promise<Prepared> => {
    const [first, ...more] = await eachCheckedMedia(rules, job, io, (media, item) => fetchable(item, media, io.relay))
    if (!first) return waiting(await created({ text: job.text }, failures))
    let handle = await created({ item: first, isChild: more.length > 0 }, failures)
    const children = [handle.containerId]
    for (const item of more) {
      handle = await created({ item, isChild: true }, failures)
      children.push(handle.containerId)
    }
    return waiting(more.length > 0 ? { ...handle, children } : handle)
  }
  if (!earlier) return started(0)
  const handle = steps.handleOf(earlier)
  const { children, failures } = handle
  const step = children ? await items(steps, job, handle, children, io) : await steps.goOn(job, handle, io)
  if (step === 'finished') return waiting(await created({ children: children ?? [] }, failures))
  return step.outcome === 'start over' ? started(failures + 1) : step
}

function waiting(handle: Handle): Prepared {
  return { outcome: 'processing', handle, lookAgainMs: FIRST_LOOK_MS }
}

async function items<Own extends Handle>(
  { read, patience }: ContainerSteps<Own>,
  job: PublishJob,
  handle: Handle,
  children: readonly string[],
  io: PlatformIo,
): Promise<Step | 'finished'> {
  for (const id of children) {
    const state = await read(job, id, io)
    if (state.is === 'unknown') return missed(handle, MISSES, 1, state.error.message)
    if (state.is !== 'finished' && state.is !== 'published') return next(state, handle, io.clock.now(), patience)
  }
  return 'finished'
}
