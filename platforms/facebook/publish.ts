import type { Session } from '../meta/graph.ts'
import { isStory } from '../meta/placement.ts'
import type { PlatformIo, Published, PublishHandle, Publishing, PublishJob } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { readTextHandle, type TextHandle } from '../kit/text-handle.ts'
import { videoAddress } from './address.ts'
import { errorOf, is } from './api.ts'
import { findPhoto } from './find-photo.ts'
import { handleOf, type PhotoHandle, type ReelHandle, type VideoHandle } from './handle.ts'
import { createPost } from './photo.ts'
import { ofEarlierCall } from './prepare-video.ts'
import { finishReel } from './reel.ts'
import { withSession } from './session.ts'
import { publishStory } from './story.ts'
import { postVideo } from './video.ts'
import { readVideo } from './video-state.ts'

const LOOK_AGAIN_MS = 5_000
/** By then an earlier attempt's post is listed. */
const LISTED_WITHIN_MS = 60_000

/** @throws PlatformError */
export function publish(job: PublishJob, given: PublishHandle, io: PlatformIo): Promise<Publishing> {
  const text = readTextHandle(given)
  if (text) {
    return withSession(job.account, io, async (session) => published(await publishText(job, text, session, io)))
  }
  const handle = handleOf(given)
  return withSession(job.account, io, async (session) => {
    switch (handle.kind) {
      case 'photo':
        return published(handle.published ?? (await publishPhoto(job, handle, session, io)))
      case 'reel':
        if (handle.submitted) return processing()
        if (isStory(job)) return published(await publishStory(job, { ...handle, mediaId: handle.videoId }, session, io))
        return publishReel(job, handle, session, io)
      case 'video':
        return handle.published ? published(handle.published) : publishVideo(job, handle, session, io)
    }
  })
}

async function publishText(
  job: PublishJob,
  { sentBefore }: TextHandle,
  session: Session,
  io: RestIo,
): Promise<Published> {
  try {
    return await createPost(job, [], session, io)
  } catch (error) {
    // Unless there was an earlier call, the duplicate is another post.
    throw is(error, 'duplicate') && !sentBefore ? errorOf('duplicate') : error
  }
}

async function publishPhoto(job: PublishJob, handle: PhotoHandle, session: Session, io: RestIo): Promise<Published> {
  if (isStory(job)) return publishStory(job, { ...handle, mediaId: handle.photoId }, session, io)
  try {
    return await createPost(job, [handle.photoId, ...handle.moreIds], session, io)
  } catch (error) {
    if (!is(error, 'duplicate')) throw error
    const look = await findPhoto(job, handle, session, io).catch(() => undefined)
    if (look?.search.outcome === 'found') return look.search.found
    const wouldBeListed = io.clock.now() >= Date.parse(handle.createdAt) + LISTED_WITHIN_MS
    throw look?.search.outcome === 'absent' && wouldBeListed ? errorOf('duplicate') : error
  }
}

async function publishReel(
  job: PublishJob,
  { videoId }: ReelHandle,
  session: Session,
  io: RestIo,
): Promise<Publishing> {
  try {
    await finishReel(job, videoId, session, io)
  } catch (error) {
    if (!is(error, 'refused', 'duplicate')) throw error
    // The effect of a second call for the same video is not known, but the video's state is.
    const state = await readVideo(videoId, job.account.externalId, session, io).catch(() => undefined)
    if (state?.is !== 'published' && state?.is !== 'publishing') throw error
  }
  return processing()
}

async function publishVideo(job: PublishJob, handle: VideoHandle, session: Session, io: RestIo): Promise<Publishing> {
  const postId = await postVideo({ ...job, mediaUrl: handle.mediaUrl ?? job.mediaUrl }, session, io)
  const found = await ofEarlierCall(job, handle, session, io).catch(() => undefined)
  // Facebook has accepted it, so it must not be lost: it is tracked further only if it can be recognized later.
  if (found?.length === 1 && found[0]?.id === postId) return processing()
  return published({ postId, url: videoAddress(postId, job.account.externalId) })
}

function processing(): Publishing {
  return { outcome: 'processing', lookAgainMs: LOOK_AGAIN_MS }
}

function published(published: Published): Publishing {
  return { outcome: 'published', published }
}
