import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { FetchedComment } from '../kit/conversation.ts'
import { orOdd, withoutOdd } from '../meta/pages.ts'
import { time } from '../meta/time.ts'
import { pages } from './api.ts'
import { author, type Reading } from './comments.ts'
import { plainId } from '../kit/plain-id.ts'

const PAGE = 50

const post = z.object({
  id: plainId,
  message: z.string().catch(''),
  created_time: time,
  from: author,
})

/** Posts of others that mention the Page. @throws PlatformError */
export async function* mentions({ pageId, since, underToken, io }: Reading): AsyncGenerator<readonly FetchedComment[]> {
  const query = { fields: 'id,message,created_time,from{id,name}' }
  const edge = { path: `/${pageId}/tagged`, query, item: orOdd(post), limit: PAGE }
  for await (const page of pages(edge, underToken, io)) {
    const posts = withoutOdd(page)
    yield posts
      .filter(({ created_time: at, from }) => at >= since && from?.id !== pageId)
      .map(({ id, message: text, created_time: at, from }) => ({
        id,
        kind: 'mention',
        author: from?.name ?? '',
        ...(from?.id !== undefined && { authorId: from.id }),
        text,
        createdAt: isoTime(at),
        references: {},
      }))
    const last = posts.at(-1)
    if (last && last.created_time < since) return
  }
}
