import type { Session } from '../meta/graph.ts'
import { isStory } from '../meta/placement.ts'
import type { OtherPosts, Outlook, PlatformIo, PublishHandle, PublishJob } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { readTextHandle } from '../kit/text-handle.ts'
import { errorOf } from './api.ts'
import { findByContent } from './find-by-content.ts'
import { findPhoto } from './find-photo.ts'
import { handleOf, type ReelHandle, type VideoHandle } from './handle.ts'
import { storyAddress } from './address.ts'
import { LIFE_MS, paceAt } from './pace.ts'
import { isListedFrom, ofEarlierCall } from './prepare-video.ts'
import { withSession } from './session.ts'
import { findStory } from './story.ts'
import { readVideo } from './video-state.ts'

/** @throws PlatformError when looking again later may help */
export function find(job: PublishJob, given: PublishHandle, io: PlatformIo, others?: OtherPosts): Promise<Outlook> {
  const text = readTextHandle(given)
  if (text) return findByContent(job, Date.parse(text.since), io, others)
  const handle = handleOf(given)
  return withSession(job.account, io, async (session): Promise<Outlook> => {
    switch (handle.kind) {
      case 'photo':
        return (await findPhoto(job, handle, session, io)).search
      case 'reel':
        return isStory(job) ? findVideoStory(job, handle, session, io) : findReel(job, handle, session, io)
      case 'video':
        return findVideo(job, handle, session, io)
    }
  })
}

async function findReel(job: PublishJob, handle: ReelHandle, session: Session, io: RestIo): Promise<Outlook> {
  const state = await readVideo(handle.videoId, job.account.externalId, session, io)
  switch (state.is) {
    case 'published':
      return { outcome: 'found', found: state.published }
    case 'publishing':
    case 'processing':
    case 'uploading':
      return stillAtIt(io.clock.now() - Date.parse(handle.createdAt))
    case 'failed':
      return { outcome: 'refused', error: state.why }
    // The publish call was not accepted: it is repeated for the same video.
    case 'empty':
    case 'uploaded':
    case 'processed':
    case 'draft':
    case 'expired':
      return { outcome: 'absent' }
    case 'unreadable':
      throw errorOf('unreadable')
  }
}

/** The list of stories comes first: what the video says of being published is documented for reels. */
async function findVideoStory(job: PublishJob, handle: ReelHandle, session: Session, io: RestIo): Promise<Outlook> {
  const { videoId: mediaId, createdAt } = handle
  const search = await findStory(job, { mediaId, createdAt }, session, io)
  if (search.outcome === 'found') return search
  const outlook = await findReel(job, handle, session, io)
  if (outlook.outcome === 'found') return { outcome: 'found', found: { postId: mediaId, url: storyAddress(mediaId) } }
  return outlook.outcome === 'absent' ? search : outlook
}

async function findVideo(job: PublishJob, handle: VideoHandle, session: Session, io: RestIo): Promise<Outlook> {
  const now = io.clock.now()
  const age = now - Date.parse(handle.readyAt)
  const found = await ofEarlierCall(job, handle, session, io)
  const [one, ...more] = found ?? []
  if (!found || more.length > 0) return { outcome: 'unknown' }
  if (!one) return now < isListedFrom(handle) ? stillAtIt(age) : { outcome: 'absent' }
  switch (one.state.is) {
    case 'published':
      return { outcome: 'found', found: one.state.published }
    case 'failed':
      return { outcome: 'refused', error: one.state.why }
    case 'draft':
      return { outcome: 'refused', error: 'Facebook keeps the video as a draft. Publish it on Facebook.' }
    case 'expired':
      return { outcome: 'refused', error: 'The video expired on Facebook.' }
    default:
      return stillAtIt(age)
  }
}

function stillAtIt(ageMs: number): Outlook {
  return ageMs < LIFE_MS ? { outcome: 'processing', lookAgainMs: paceAt(ageMs) } : { outcome: 'unknown' }
}
