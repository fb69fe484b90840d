import { isoTime } from '../../infra/runtime/clock.ts'
import { checkedMedia } from '../kit/checked-media.ts'
import type { Platform, PlatformIo, Prepared, PublishHandle, PublishJob } from '../kit/platform.ts'
import type { Handle } from './handle.ts'
import { FIRST_LOOK_MS } from './pace.ts'
import type { Step } from './step.ts'

type Rules = Pick<Platform, 'key' | 'takes' | 'check'>

/** What a platform does at each end of a container's way. All throw PlatformError. */
export interface ContainerSteps<Own extends Handle> {
  readonly handleOf: (given: PublishHandle) => Own
  /** Makes a container, if the account may publish at all. */
  readonly create: (job: PublishJob, io: PlatformIo) => Promise<string>
  /** Looks how it stands. */
  readonly goOn: (job: PublishJob, handle: Own, io: PlatformIo) => Promise<Step>
}

/**
 * Makes the container and waits for Meta to be done with it. What may have been published is only ever published again as
 * the same container.
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
  const started = async (failures: number): Promise<Prepared> => {
    const media = await checkedMedia(rules, job, io)
    await media.dispose()
    const containerId = await steps.create(job, io)
    const handle = { containerId, createdAt: isoTime(io.clock.now()), failures } satisfies Handle
    return { outcome: 'processing', handle, lookAgainMs: FIRST_LOOK_MS }
  }
  if (!earlier) return started(0)
  const handle = steps.handleOf(earlier)
  const step = await steps.goOn(job, handle, io)
  return step.outcome === 'start anew' ? started(handle.failures + 1) : step
}
