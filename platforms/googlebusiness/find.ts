import { theOne, unlessRefused, type Seen } from '../kit/find-by-content.ts'
import {
  PlatformError,
  type OtherPosts,
  type Outlook,
  type PlatformIo,
  type Published,
  type PublishHandle,
  type PublishJob,
  type Search,
} from '../kit/platform.ts'
import { IN_PASSING_DOUBT, withoutOthers } from '../kit/without-others.ts'
import { googleApi } from './api.ts'
import { placeOf, type Place } from './credentials.ts'
import { localPostHandle } from './handle.ts'
import { postsSince, type ListedPost } from './listing.ts'
import { LOOK_AGAIN_MS, publishedPost, REJECTED } from './local-post.ts'
import { topicOf } from './options.ts'

/** How far (ms) our clock may be ahead of Google's. */
const CLOCKS_APART_MS = 60_000
/** After this long, a post that Google is still processing counts as published: it exists and will appear. */
const PROCESSING_FOR_MS = 3 * 60_000

/** States of listed posts that are never ours: Google publishes them later or repeatedly. */
const OF_OTHERS: readonly (string | undefined)[] = ['SCHEDULED', 'RECURRING']

/**
 * Looks for a post whose answer was lost or that was not visible yet. Posts carry no marker of ours, so it is identified
 * by its text and creation time; an ambiguous match is `unknown`. Images are not compared, as Google rehosts them.
 *
 * @throws PlatformError if a later search may give an answer
 */
export async function findPost(
  job: PublishJob,
  given: PublishHandle,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Outlook> {
  const handle = localPostHandle(given)
  if (!handle) return { outcome: 'unknown' }
  const { alike, isWhole } = await postsLike(job, handle.place, Date.parse(handle.since), io)
  const { left, doubt } = await withoutOthers(alike, listed, others)
  if (left.length === 0) return { outcome: isWhole ? 'absent' : 'unknown' }
  if (doubt === 'passing') return IN_PASSING_DOUBT
  // An earlier attempt may have been rejected and the post sent again at the user's request.
  const [post, ...more] = left.filter(({ state }) => state !== 'REJECTED')
  if (!post) return isWhole ? { outcome: 'refused', error: REJECTED } : { outcome: 'unknown' }
  if (more.length > 0 || doubt !== 'none' || post.createdAt === undefined) return { outcome: 'unknown' }
  if (isOnItsWay(post, io)) return { outcome: 'processing', lookAgainMs: LOOK_AGAIN_MS }
  return { outcome: 'found', found: publishedPost(post, handle.place) }
}

/** Like `findPost`, without a handle. A rejected post is left for a person to review. @throws PlatformError as `findPost` */
export function findByContent(
  job: PublishJob,
  since: number,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Search<Published>> {
  return unlessRefused(async () => {
    const place = placeOf(await io.credentials.read())
    const published = (post: ListedPost): Published | undefined => {
      if (post.state === 'REJECTED' || post.createdAt === undefined) return undefined
      if (!isOnItsWay(post, io)) return publishedPost(post, place)
      const message = 'Google is still processing the post.'
      throw new PlatformError('retryable', message, { retryAfterMs: LOOK_AGAIN_MS })
    }
    return theOne(job, await postsLike(job, place, since, io), { listed, published }, others)
  })
}

/** The posts with the job's text. @param since ms since the epoch; the post cannot be older */
async function postsLike(
  job: PublishJob,
  { location }: Place,
  since: number,
  io: PlatformIo,
): Promise<Seen<ListedPost>> {
  const from = since - CLOCKS_APART_MS
  const listing = await postsSince(location, from, googleApi(job.account.baseUrl, io))
  const topic = topicOf(job.options)
  const alike = (listing?.posts ?? []).filter(
    ({ createdAt = Infinity, state, topicType = 'STANDARD', summary }) =>
      createdAt >= from && !OF_OTHERS.includes(state) && topicType === topic && areAlike(summary, job.text),
  )
  return { alike, isWhole: listing?.complete ?? false }
}

function listed({ name, createdAt }: ListedPost) {
  return { id: name, createdAt }
}

function isOnItsWay({ state, createdAt = 0 }: ListedPost, { clock }: PlatformIo): boolean {
  return state === 'PROCESSING' && clock.now() < createdAt + PROCESSING_FOR_MS
}

/** Google may trim a text and change its line breaks and whitespace. */
export function areAlike(text: string | undefined, other: string): boolean {
  return normal(text) === normal(other)
}

function normal(text: string | undefined): string {
  return (text ?? '').normalize('NFC').replaceAll(/\s+/gu, ' ').trim()
}
