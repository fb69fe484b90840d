import { isoTime } from '../../infra/runtime/clock.ts'
import type { Session } from '../meta/graph.ts'
import { isStory } from '../meta/placement.ts'
import { inVain } from '../meta/step.ts'
import { PlatformError, type PublishJob } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import type { ReelHandle } from './handle.ts'
import { LIFE_MS, paceAt } from './pace.ts'
import { transferReel } from './reel.ts'
import type { Step } from './step.ts'
import { findStory } from './story.ts'
import { readVideo } from './video-state.ts'

/** Maximum number of further uploads after failures that may be transient. */
const MORE_UPLOADS = 2
/** It is not documented whether Facebook processes a video before the publish call: it is not awaited longer than this. */
const PROCESSING_BEGINS_MS = 60_000
/** A video that was accepted, and of which nothing exists after this time, did not arrive. */
const ARRIVES_MS = 600_000

/**
 * Has Facebook fetch the video, and waits until it is processed. Anything that may have been published is retried only with the
 * same video.
 *
 * @throws PlatformError
 */
export async function goOnWithReel(job: PublishJob, handle: ReelHandle, session: Session, io: RestIo): Promise<Step> {
  if (handle.ready && isStory(job)) {
    const search = await findStory(job, { ...handle, mediaId: handle.videoId }, session, io)
    if (search.outcome === 'found') return { outcome: 'ready', handle: { ...handle, submitted: true } }
  }
  const now = io.clock.now()
  const state = await readVideo(handle.videoId, job.account.externalId, session, io)
  const age = now - Date.parse(handle.uploadedAt ?? handle.createdAt)
  const lookAgain = (): Step => {
    if (age < LIFE_MS) return { outcome: 'processing', handle, lookAgainMs: paceAt(age) }
    throw new PlatformError('permanent', 'Facebook did not finish processing the video within 24 hours.')
  }
  switch (state.is) {
    case 'published':
    case 'publishing':
      return { outcome: 'ready', handle: { ...handle, ready: true, submitted: true } }
    case 'processed':
    case 'draft':
      return { outcome: 'ready', handle: { ...handle, ready: true } }
    case 'uploaded':
      return age < PROCESSING_BEGINS_MS ? lookAgain() : { outcome: 'ready', handle: { ...handle, ready: true } }
    case 'processing':
      return lookAgain()
    case 'uploading':
      return handle.uploadedAt === undefined ? transferred(job, handle, session, io) : lookAgain()
    case 'empty':
      if (handle.uploadedAt === undefined) return transferred(job, handle, session, io)
      return age < ARRIVES_MS ? lookAgain() : startOver(handle, 'Facebook accepted the video but no longer has it.')
    case 'failed':
      if (state.worthAnother) return startOver(handle, state.why)
      throw new PlatformError('permanent', state.why)
    case 'expired':
      return startOver(handle, 'The video expired on Facebook.')
    case 'unreadable':
      // Once it may have been published, it is not replaced.
      if (handle.ready || age < ARRIVES_MS) return lookAgain()
      return startOver(handle, 'Facebook no longer has the video.')
  }
}

async function transferred(job: PublishJob, handle: ReelHandle, session: Session, io: RestIo): Promise<Step> {
  const transfer = await transferReel(handle.mediaUrl ?? job.mediaUrl, handle, session, io)
  if (transfer.outcome === 'failed') return startOver(handle, transfer.why)
  const uploadedAt = isoTime(io.clock.now())
  return { outcome: 'processing', handle: { ...handle, uploadedAt }, lookAgainMs: paceAt(0) }
}

function startOver({ failures }: ReelHandle, why: string): Step {
  if (failures < MORE_UPLOADS) return { outcome: 'start over', failures: failures + 1 }
  throw new PlatformError('permanent', inVain(why, failures + 1))
}
