import type { OtherPosts, Outlook, PlatformIo, PublishHandle, PublishJob } from '../platform.ts'
import { IN_PASSING_DOUBT, withoutOthers } from '../without-others.ts'
import { googleApi } from './api.ts'
import { localPostHandle } from './handle.ts'
import { postsSince } from './listing.ts'
import { LOOK_AGAIN_MS, publishedPost, REJECTED } from './local-post.ts'

/** Milliseconds that our clock may be ahead of Google's. */
const CLOCKS_APART_MS = 60_000
/** From then on a post that Google still processes counts as published: it exists, and will show. */
const PROCESSING_FOR_MS = 3 * 60_000

/** What the list has beside posts of ours: those that Google itself is to publish later, or again. */
const OF_OTHERS: readonly (string | undefined)[] = ['SCHEDULED', 'RECURRING']

/**
 * Looks for a post whose answer was lost, or that was not visible yet. Posts carry nothing of ours, so it is told by its
 * text and by when it was made: one that fits is it, and where it is not clear, nothing is believed. Images are not
 * compared: Google has them at addresses of its own.
 *
 * @throws PlatformError when looking again later may tell
 */
export async function findPost(
  job: PublishJob,
  given: PublishHandle,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Outlook> {
  const handle = localPostHandle(given)
  if (!handle) return { outcome: 'unknown' }
  const since = Date.parse(handle.since) - CLOCKS_APART_MS
  const listing = await postsSince(handle.place.location, since, googleApi(job.account.baseUrl, io))
  if (!listing) return { outcome: 'unknown' }

  const alike = listing.posts.filter(
    ({ createdAt = Infinity, state, topicType = 'STANDARD', summary }) =>
      createdAt >= since && !OF_OTHERS.includes(state) && topicType === 'STANDARD' && areAlike(summary, job.text),
  )
  const listed = ({ name, createdAt }: (typeof alike)[number]) => ({ id: name, createdAt })
  const { left, doubt } = await withoutOthers(alike, listed, others)
  if (left.length === 0) return { outcome: listing.complete ? 'absent' : 'unknown' }
  if (doubt === 'passing') return IN_PASSING_DOUBT
  // An earlier attempt may have been rejected, and the post sent again by the user's wish.
  const [post, ...more] = left.filter(({ state }) => state !== 'REJECTED')
  if (!post) return listing.complete ? { outcome: 'refused', error: REJECTED } : { outcome: 'unknown' }
  if (more.length > 0 || doubt !== 'none' || post.createdAt === undefined) return { outcome: 'unknown' }
  if (post.state === 'PROCESSING' && io.clock.now() < post.createdAt + PROCESSING_FOR_MS) {
    return { outcome: 'processing', lookAgainMs: LOOK_AGAIN_MS }
  }
  return { outcome: 'found', found: publishedPost(post, handle.place) }
}

/** Google may trim a text, and change its line ends and white space. */
export function areAlike(text: string | undefined, other: string): boolean {
  return normal(text) === normal(other)
}

function normal(text: string | undefined): string {
  return (text ?? '').normalize('NFC').replaceAll(/\s+/gu, ' ').trim()
}
