import * as z from 'zod'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { bodyOf } from '../kit/rest.ts'
import { callAs, type Call } from './api.ts'
import { postsOf } from './listing.ts'
import { isPostUrn } from './urn.ts'

/** A post that may have new comments. */
export interface CommentedPost {
  /** URN under which its comments are listed. */
  readonly target: string
  /** The id that publishing returns, if known. */
  readonly postId?: string
  /** Ids of the new comments and replies. Absent if it is unknown which are new. */
  readonly news?: ReadonlySet<string>
}

/** As many posts as one call of `socialMetadata` covers. */
const MOST_POSTS = 50

const post = z.object({ id: z.string().refine(isPostUrn) })
const counts = z.object({
  results: z.record(
    z.string(),
    z.object({ commentSummary: z.object({ count: z.number() }).optional().catch(undefined) }).catch({}),
  ),
})

/**
 * The newest posts of a page that have comments, new or not. The fallback for a token without the notification scope.
 *
 * @throws PlatformError
 */
export async function commentedPosts(
  { externalId, baseUrl }: PlatformAccount,
  io: PlatformIo,
): Promise<readonly CommentedPost[]> {
  const posts = await postsOf(externalId, { start: 0, count: MOST_POSTS }, baseUrl, io)
  const urns = posts.flatMap((each) => post.safeParse(each).data?.id ?? [])
  if (urns.length === 0) return []
  const call: Call = { method: 'GET', path: `/rest/socialMetadata?ids=List(${urns.map(encodeURIComponent).join(',')})` }
  const { results } = bodyOf('linkedin', { ...call, url: call.path }, await callAs(baseUrl, call, io), counts)
  return urns.filter((urn) => results[urn]?.commentSummary?.count !== 0).map((urn) => ({ target: urn, postId: urn }))
}
