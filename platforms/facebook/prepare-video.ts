import { isoTime } from '../../infra/runtime/clock.ts'
import type { Session } from '../meta/graph.ts'
import { PlatformError, type PublishJob } from '../kit/platform.ts'
import { uploadTimeoutMs, type RestIo } from '../kit/rest.ts'
import type { VideoHandle } from './handle.ts'
import { paceAt } from './pace.ts'
import type { Step } from './step.ts'
import { candidates, type Candidate } from './video.ts'

/** Records existing look-alike videos, so that none is mistaken for this post. @throws PlatformError */
export async function videoHandle(job: PublishJob, bytes: number, session: Session, io: RestIo): Promise<VideoHandle> {
  const now = io.clock.now()
  const others = (await candidates(job, now, session, io)) ?? []
  return { kind: 'video', bytes, readyAt: isoTime(now), others: others.map(({ id }) => id) }
}

/**
 * Videos that an earlier call may have created.
 *
 * @returns undefined when that cannot be determined
 * @throws PlatformError
 */
export async function ofEarlierCall(
  job: PublishJob,
  { readyAt, others }: VideoHandle,
  session: Session,
  io: RestIo,
): Promise<readonly Candidate[] | undefined> {
  const found = await candidates(job, Date.parse(readyAt), session, io)
  return found?.filter(({ id }) => !others.includes(id))
}

/** When (ms since the epoch) a video that Facebook accepted is certain to be listed, however slow the fetch was. */
export function isListedFrom({ readyAt, bytes }: VideoHandle): number {
  return Date.parse(readyAt) + 900_000 + uploadTimeoutMs(bytes)
}

/**
 * Continues with the one video that an earlier call may have created; otherwise the post is ready to be sent again. Reached only
 * after a definite refusal, a search that found nothing, or a user's retry of an unknown outcome.
 *
 * @throws PlatformError
 */
export async function goOnWithVideo(job: PublishJob, handle: VideoHandle, session: Session, io: RestIo): Promise<Step> {
  const found = await ofEarlierCall(job, handle, session, io)
  const [one, ...more] = found ?? []
  if (!one || more.length > 0) {
    // The file that this service served may be gone by now.
    if (handle.mediaUrl !== undefined) return { outcome: 'start over', failures: 0 }
    return { outcome: 'ready', handle: await videoHandle(job, handle.bytes, session, io) }
  }
  switch (one.state.is) {
    case 'published':
      return { outcome: 'ready', handle: { ...handle, published: one.state.published } }
    case 'failed':
      throw new PlatformError('permanent', one.state.why)
    default:
      return { outcome: 'processing', handle, lookAgainMs: paceAt(io.clock.now() - Date.parse(handle.readyAt)) }
  }
}
