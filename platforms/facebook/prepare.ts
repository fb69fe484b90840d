import { isoTime } from '../../infra/runtime/clock.ts'
import { eachCheckedMedia, noMedia } from '../kit/checked-media.ts'
import { isStory } from '../meta/placement.ts'
import type { Platform, PlatformIo, Prepared, PublishHandle, PublishJob } from '../kit/platform.ts'
import { fetchable } from '../kit/relay.ts'
import { prepareText } from '../kit/text-handle.ts'
import { handleOf, type Handle } from './handle.ts'
import { uploadPhoto } from './photo.ts'
import { goOnWithPhoto } from './prepare-photo.ts'
import { goOnWithReel } from './prepare-reel.ts'
import { goOnWithVideo, videoHandle } from './prepare-video.ts'
import { startReel } from './reel.ts'
import { optionsOf } from './options.ts'
import { isReel } from './rules.ts'
import { withSession } from './session.ts'
import type { Step } from './step.ts'

type Rules = Pick<Platform, 'key' | 'takes' | 'check'>

/**
 * Images are uploaded unpublished. A vertical video of at most 90 seconds becomes a reel, unless the post is placed elsewhere; it is
 * uploaded and processed unpublished, as that of a story is. Facebook fetches any other video with the visible call.
 *
 * @throws PlatformError
 */
export async function prepare(
  rules: Rules,
  job: PublishJob,
  io: PlatformIo,
  earlier: PublishHandle | undefined,
): Promise<Prepared> {
  // Wrong options are named before anything is sent.
  optionsOf(job)
  if (job.mediaType === 'text') return prepareText(rules, job, io, earlier)
  if (!earlier) return started(rules, job, 0, io)
  const step = await goOn(job, handleOf(earlier), io)
  return step.outcome === 'start over' ? started(rules, job, step.failures, io) : step
}

async function started(rules: Rules, job: PublishJob, failures: number, io: PlatformIo): Promise<Prepared> {
  const [first, ...more] = await eachCheckedMedia(rules, job, io, async (media, item) => ({
    ...{ facts: media.facts, item: await fetchable(item, media, io.relay) },
  }))
  if (!first) throw noMedia()
  const { facts } = first
  const { bytes } = facts
  return withSession(job.account, io, async (session): Promise<Prepared> => {
    if (job.mediaType === 'image') {
      const photoId = await uploadPhoto(job, first.item, session, io)
      const moreIds: string[] = []
      for (const { item } of more) moreIds.push(await uploadPhoto(job, item, session, io))
      const handle = { kind: 'photo', photoId, moreIds, createdAt: isoTime(io.clock.now()) } satisfies Handle
      return { outcome: 'ready', handle }
    }
    const relayed = first.item.url === job.mediaUrl ? {} : { mediaUrl: first.item.url }
    if (!isStory(job) && !isReel(job, facts)) {
      return { outcome: 'ready', handle: { ...(await videoHandle(job, bytes, session, io)), ...relayed } }
    }
    const begun = await startReel(job, session, io)
    const createdAt = isoTime(io.clock.now())
    const handle = { kind: 'reel', ...begun, ...relayed, bytes, createdAt, failures } satisfies Handle
    // The id is recorded before anything else is done with it.
    return { outcome: 'processing', handle, lookAgainMs: 0 }
  })
}

function goOn(job: PublishJob, handle: Handle, io: PlatformIo): Promise<Step> {
  return withSession(job.account, io, (session) => {
    switch (handle.kind) {
      case 'photo':
        return goOnWithPhoto(job, handle, session, io)
      case 'reel':
        return goOnWithReel(job, handle, session, io)
      case 'video':
        return goOnWithVideo(job, handle, session, io)
    }
  })
}
