import * as z from 'zod'
import { postsFrom } from '../meta/look.ts'
import { orOdd, withoutOdd } from '../meta/pages.ts'
import { time } from '../meta/time.ts'
import { pages } from './api.ts'
import type { Reading } from './comments.ts'
import { plainId } from '../kit/plain-id.ts'

const PAGE = 50

const media = z.object({
  id: plainId,
  timestamp: time,
  comments_count: z.number().optional().catch(undefined),
})

export interface CommentedMedia {
  readonly id: string
  /** How many comments it has; undefined if unknown. */
  readonly count: number | undefined
}

/** The account's media with comments, or with an unknown count. @throws PlatformError */
export async function* commentedMedia({
  us,
  since,
  underToken,
  io,
}: Reading): AsyncGenerator<readonly CommentedMedia[]> {
  const from = postsFrom(since)
  const query = { fields: 'id,timestamp,comments_count', since: String(from / 1000) }
  const edge = { path: `/${us.accountId}/media`, query, item: orOdd(media), limit: PAGE }
  for await (const page of pages(edge, underToken, io)) {
    const all = withoutOdd(page)
    const recent = all.filter(({ timestamp: at, comments_count: count }) => at >= from && count !== 0)
    yield recent.map(({ id, comments_count: count }) => ({ id, count }))
    const last = all.at(-1)
    // Instagram may ignore `since`.
    if (last && last.timestamp < from) return
  }
}
