import * as z from 'zod'
import { ifAllowed, postsFrom } from '../meta/look.ts'
import { orOdd, withoutOdd, type UnderToken } from '../meta/pages.ts'
import { time } from '../meta/time.ts'
import type { RestIo } from '../kit/rest.ts'
import { api, pages } from './api.ts'
import { plainId } from '../kit/plain-id.ts'

const PAGE = 50
const COUNT = 'comments.limit(0).summary(true)'

const counted = {
  id: plainId,
  created_time: time,
  comments: z
    .object({ summary: z.object({ total_count: z.number() }) })
    .optional()
    .catch(undefined),
}
const post = z.object(counted)
const reel = z.object({ ...counted, post_id: plainId.optional().catch(undefined) })
type Counted = z.infer<typeof post>

export interface CommentedPost {
  /** The object whose comments are listed. */
  readonly target: string
  /** The id that publishing returned. */
  readonly postId: string
}

/**
 * The Page's posts and reels that have comments: not all reels are listed as posts.
 *
 * @param since ms since the epoch, of the comments
 * @throws PlatformError
 */
export async function* commentedPosts(
  pageId: string,
  since: number,
  underToken: UnderToken,
  io: RestIo,
): AsyncGenerator<readonly CommentedPost[]> {
  const from = postsFrom(since)
  const known = new Set<string>()
  for await (const page of listed({ path: `/${pageId}/published_posts`, item: post }, from, underToken, io)) {
    for (const { id } of page) known.add(id)
    yield page.map(({ id }) => ({ target: id, postId: id }))
  }
  const reels = listed({ path: `/${pageId}/video_reels`, item: reel, more: 'post_id' }, from, underToken, io)
  for await (const page of ifAllowed(api, reels)) {
    yield page
      .map(({ id, post_id: postId }) => ({ target: id, postId: postId === undefined ? id : wholeId(postId, pageId) }))
      .filter(({ postId }) => !known.has(postId))
  }
}

/** Items with comments, or with an unknown count. */
async function* listed<Item extends Counted>(
  { path, item, more }: { readonly path: string; readonly item: z.ZodType<Item>; readonly more?: string },
  from: number,
  underToken: UnderToken,
  io: RestIo,
): AsyncGenerator<readonly Item[]> {
  const fields = ['id', 'created_time', more, COUNT].filter((field) => field !== undefined).join()
  const edge = { path, query: { fields }, item: orOdd(item), limit: PAGE }
  for await (const page of pages(edge, underToken, io)) {
    const items = withoutOdd(page)
    yield items.filter(({ created_time: at, comments }) => at >= from && comments?.summary.total_count !== 0)
    const last = items.at(-1)
    if (last && last.created_time < from) return
  }
}

/** Facebook may return a reel's post id without the Page's part. */
function wholeId(postId: string, pageId: string): string {
  return postId.includes('_') ? postId : `${pageId}_${postId}`
}
