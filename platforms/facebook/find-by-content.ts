import type { PostType } from '../../domain/core/platform.ts'
import { theOne, unlessRefused } from '../kit/find-by-content.ts'
import type { Session } from '../meta/graph.ts'
import { asPlaced, isStory } from '../meta/placement.ts'
import { readsAs } from '../meta/same-text.ts'
import { graphTime } from '../meta/time.ts'
import {
  PlatformError,
  type OtherPosts,
  type PlatformIo,
  type Published,
  type PublishJob,
  type Search,
} from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { postAddress } from './address.ts'
import { postsSince, type Post } from './find-photo.ts'
import { LIFE_MS, paceAt } from './pace.ts'
import { withSession } from './session.ts'
import { isListed, publishedStory, storiesSince, timeOf, type Story } from './story.ts'
import { candidates, type Candidate } from './video.ts'

/** Looks for the post by its text. @throws PlatformError when looking again later may help */
export function findByContent(
  job: PublishJob,
  since: number,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Search<Published>> {
  const look = isStory(job) ? findStory : job.mediaType === 'video' ? findVideo : findInFeed
  return unlessRefused(() => withSession(job.account, io, (session) => look(job, since, session, io, others)))
}

async function findInFeed(
  job: PublishJob,
  since: number,
  session: Session,
  io: RestIo,
  others: OtherPosts | undefined,
): Promise<Search<Published>> {
  const posts = await postsSince(job.account.externalId, since, session, io)
  const isText = job.mediaType === 'text'
  const alike = (posts ?? []).filter((post) => readsAs(post.message ?? '', job.text) && mayShow(job.mediaType, post))
  const telling = {
    listed: ({ id, created_time }: Post) => ({ id, createdAt: graphTime(created_time) }),
    published: (post: Post) =>
      isText || kindsOf(post).length > 0
        ? { postId: post.id, url: postAddress(post.id, post.permalink_url) }
        : undefined,
  }
  return theOne(job, { alike, isWhole: posts !== undefined }, telling, others)
}

/** Stories have no text: none can be told from the others, but there may be none. */
async function findStory(
  job: PublishJob,
  since: number,
  session: Session,
  io: RestIo,
  others: OtherPosts | undefined,
): Promise<Search<Published>> {
  const stories = await storiesSince(job.account.externalId, since, session, io)
  const kind = job.mediaType === 'image' ? 'photo' : 'video'
  const alike = (stories ?? []).filter(({ media_type = kind }) => media_type === kind)
  const telling = {
    listed: (story: Story) => ({ id: story.post_id, createdAt: timeOf(story) }),
    published: publishedStory,
  }
  return theOne(asPlaced(job), { alike, isWhole: stories !== undefined && isListed(since, io) }, telling, others)
}

/** A video is listed as a video or as a reel, depending on how it was sent or what Facebook made of it. */
async function findVideo(
  job: PublishJob,
  since: number,
  session: Session,
  io: RestIo,
  others: OtherPosts | undefined,
): Promise<Search<Published>> {
  const videos = await candidates(job, since, session, io)
  const reels = await candidates(job, since, session, io, 'video_reels')
  const all = new Map([...(videos ?? []), ...(reels ?? [])].map((video) => [video.id, video]))
  const alike = [...all.values()].filter(({ state }) => state.is !== 'failed' && state.is !== 'expired')
  const isWhole = videos !== undefined && reels !== undefined
  const telling = {
    // No `createdAt`: it is dated by its upload, which does not indicate when it was sent.
    listed: ({ id, state }: Candidate) => [
      { id },
      ...(state.is === 'published' && state.published.postId !== id ? [{ id: state.published.postId }] : []),
    ],
    published: (video: Candidate) => publishedAs(video, io.clock.now()),
  }
  return theOne(job, { alike, isWhole }, telling, others)
}

/** @throws PlatformError while Facebook is processing it */
function publishedAs({ createdAt, state }: Candidate, now: number): Published | undefined {
  if (state.is === 'published') return state.published
  if (state.is === 'draft' || state.is === 'unreadable' || now >= createdAt + LIFE_MS) return undefined
  const retryAfterMs = paceAt(now - createdAt)
  throw new PlatformError('retryable', 'Facebook is still processing the video.', { retryAfterMs })
}

function kindsOf({ attachments }: Post): readonly string[] {
  return (attachments?.data ?? []).flatMap(({ media_type }) => media_type ?? [])
}

function mayShow(mediaType: PostType, post: Post): boolean {
  // Facebook may add a preview of a link in the text.
  const isLink = (kind: string | undefined) => kind === 'link'
  return mediaType === 'text'
    ? (post.attachments?.data ?? []).every(({ media_type }) => isLink(media_type))
    : !kindsOf(post).some((kind) => kind.startsWith('video') || isLink(kind))
}
