import {
  PlatformError,
  type OtherPosts,
  type Outlook,
  type PlatformIo,
  type Publishing,
  type PublishHandle,
  type PublishJob,
} from '../kit/platform.ts'
import { IN_PASSING_DOUBT, withoutOthers } from '../kit/without-others.ts'
import { tiktokApi, type Api } from './api.ts'
import { photoHandle, type PhotoHandle } from './handle.ts'
import { addressOf, CLOCKS_APART_MS, isAlike, postsSince, type Listed } from './listing.ts'
import { lookAgain, outcomeOf, patiently, type Known } from './outcome.ts'
import { standingOf } from './status.ts'

/** How long (ms) to search for a photo whose id is unknown. */
const SEARCH_FOR_MS = 10 * 60_000

/** Determines the outcome of a photo: by its id if known, otherwise by searching the account's public posts. */
export async function findPhoto(
  job: PublishJob,
  given: PublishHandle,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Outlook> {
  const handle = photoHandle(given)
  if (!handle) return { outcome: 'unknown' }
  const api = tiktokApi(job.account, io)
  const { taken } = handle
  return taken
    ? look({ ...handle, publishId: taken.publishId, startedAt: taken.at }, api, io)
    : search(job, handle, api, io, others)
}

async function look(known: Known & Pick<PhotoHandle, 'isForInbox'>, api: Api, io: PlatformIo): Promise<Outlook> {
  const now = io.clock.now()
  const outcome = await patiently(known.startedAt, now, async (): Promise<Publishing | Outlook> => {
    const standing = await standingOf(known, api)
    if (standing.step !== 'failed') return outcomeOf(standing, known, 'image', now)
    const { kind, message } = standing.error
    // A temporary failure is as good as never sent.
    return kind === 'retryable' ? { outcome: 'absent' } : { outcome: 'refused', error: message }
  })
  return outcome.outcome === 'published' ? { outcome: 'found', found: outcome.published } : outcome
}

/** TikTok lists only public posts and does not document whether that includes photos, so a missing one proves nothing. */
async function search(
  job: PublishJob,
  handle: PhotoHandle,
  api: Api,
  io: PlatformIo,
  others: OtherPosts | undefined,
): Promise<Outlook> {
  if (!handle.isPublic) return { outcome: 'unknown' }
  const since = Date.parse(handle.startedAt) - CLOCKS_APART_MS
  const posts = await postsSince(since, api).catch(noneWhenRefused)
  if (!posts) return { outcome: 'unknown' }
  const alike = posts.filter((each) => isAlike(each, job))
  // A photo's creation time depends on when TikTok fetched it, so it cannot identify the post.
  const { left, doubt } = await withoutOthers(alike, ({ id }) => ({ id }), others)
  const [post, ...more] = left
  const now = io.clock.now()
  if (post && more.length === 0 && doubt === 'none') return found(post, handle, now)
  if (doubt === 'passing') return IN_PASSING_DOUBT
  const waiting = !post && now < Date.parse(handle.startedAt) + SEARCH_FOR_MS
  return waiting ? lookAgain(handle.startedAt, now) : { outcome: 'unknown' }
}

/** A token without the scope for lists still works for everything else. */
function noneWhenRefused(error: unknown): undefined {
  if (error instanceof PlatformError && error.kind !== 'retryable') return undefined
  throw error
}

function found(post: Listed, handle: PhotoHandle, now: number): Outlook {
  const { id } = post
  const outcome = outcomeOf(
    { step: 'complete', postId: id, isInInbox: false },
    { ...handle, publishId: id },
    'image',
    now,
  )
  if (outcome.outcome !== 'published') return outcome
  return { outcome: 'found', found: { ...outcome.published, ...addressOf(post) } }
}
