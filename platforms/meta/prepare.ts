import { isoTime } from '../../infra/runtime/clock.ts'
import { checkedMedia } from '../kit/checked-media.ts'
import type { Platform, PlatformIo, Prepared, PublishHandle, PublishJob } from '../kit/platform.ts'
import type { Handle } from './handle.ts'
import { FIRST_LOOK_MS } from './pace.ts'
import type { Step } from './step.ts'

type Rules = Pick<Platform, 'key' | 'takes' | 'check'>

/** Platform-specific steps of a container's life. All throw PlatformError. */
export interface ContainerSteps<Own extends Handle> {
  readonly handleOf: (given: PublishHandle) => Own
  /** Creates a container, if the account may publish. */
  readonly create: (job: PublishJob, io: PlatformIo) => Promise<string>
  /** Checks the container. */
  readonly goOn: (job: PublishJob, handle: Own, io: PlatformIo) => Promise<Step>
}

/**
 * Creates the container and waits until Meta has processed it. Anything that may have been published is retried only with the
 * same container.
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
  return step.outcome === 'start over' ? started(handle.failures + 1) : step
}
