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

/** The account's media with comments, or with an unknown count. @throws PlatformError */
export async function* commentedMedia({ us, since, underToken, io }: Reading): AsyncGenerator<readonly string[]> {
  const from = postsFrom(since)
  const query = { fields: 'id,timestamp,comments_count', since: String(from / 1000) }
  const edge = { path: `/${us.accountId}/media`, query, item: orOdd(media), limit: PAGE }
  for await (const page of pages(edge, underToken, io)) {
    const all = withoutOdd(page)
    yield all.filter(({ timestamp: at, comments_count: count }) => at >= from && count !== 0).map(({ id }) => id)
    const last = all.at(-1)
    // Instagram may ignore `since`.
    if (last && last.timestamp < from) return
  }
}
