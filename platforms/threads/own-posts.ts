import * as z from 'zod'
import { postsFrom } from '../meta/look.ts'
import { orOdd, withoutOdd, type UnderToken } from '../meta/pages.ts'
import { time } from '../meta/time.ts'
import type { RestIo } from '../kit/rest.ts'
import { pages } from './api.ts'
import { plainId } from '../kit/plain-id.ts'

const PAGE = 100
/** Threads accepts no time before its launch. */
const FIRST_MS = 1_688_540_400_000

const post = z.object({
  id: plainId,
  timestamp: time,
  username: z.string().optional().catch(undefined),
  has_replies: z.boolean().optional().catch(undefined),
})
export type ListedPost = z.infer<typeof post>

/** Whose posts to read, and since when (ms since the epoch). */
export interface Reading {
  readonly accountId: string
  readonly since: number
  readonly underToken: UnderToken
  readonly io: RestIo
}

/** The account's posts, newest first, with or without replies. @throws PlatformError */
export async function* ownPosts({ accountId, since, underToken, io }: Reading): AsyncGenerator<readonly ListedPost[]> {
  const from = Math.max(FIRST_MS, postsFrom(since))
  const query = { fields: 'id,timestamp,username,has_replies', since: String(from / 1000) }
  const edge = { path: `/${accountId}/threads`, query, item: orOdd(post), limit: PAGE }
  for await (const page of pages(edge, underToken, io)) {
    const posts = withoutOdd(page)
    yield posts.filter(({ timestamp: at }) => at >= from)
    const last = posts.at(-1)
    if (last && last.timestamp < from) return
  }
}
