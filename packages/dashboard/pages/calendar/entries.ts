import { answered, api } from '../../client/client.ts'
import type { Page, Post, ScheduledPost } from '../../client/types.ts'
import { addDays, startOf } from '../../parts/time.ts'

const PAGE = 100
/** After this many pages, the calendar says that there is more. */
const MOST_PAGES = 10

export interface Entries {
  readonly scheduled: readonly ScheduledPost[]
  readonly sent: readonly Post[]
  readonly isCut: boolean
}

/** Scheduled and published posts between two days, both inclusive, in the user's zone. */
export async function readEntries(first: string, last: string): Promise<Entries> {
  const from = startOf(first).toISOString()
  const until = startOf(addDays(last, 1)).toISOString()
  const [scheduled, sent] = await Promise.all([
    readUntil(
      (cursor) => answered(api.GET('/scheduled-posts', { params: { query: pageOf(cursor) } })),
      (page) => page.scheduledPosts,
      ({ scheduledAtUtc }) => scheduledAtUtc >= until,
    ),
    readUntil(
      (cursor) => answered(api.GET('/posts', { params: { query: pageOf(cursor) } })),
      (page) => page.posts,
      ({ createdAt }) => createdAt < from,
    ),
  ])
  return {
    scheduled: scheduled.items.filter(({ scheduledAtUtc: at }) => at >= from && at < until),
    sent: sent.items.filter(({ createdAt: at }) => at >= from && at < until),
    isCut: scheduled.isCut || sent.isCut,
  }
}

function pageOf(cursor: string | undefined) {
  return cursor === undefined ? { limit: PAGE } : { limit: PAGE, cursor }
}

/** Reads a list in order until it passes the end. */
async function readUntil<P extends Page, Item>(
  read: (cursor: string | undefined) => Promise<P>,
  itemsOf: (page: P) => readonly Item[],
  isBeyond: (item: Item) => boolean,
): Promise<{ readonly items: readonly Item[]; readonly isCut: boolean }> {
  const items: Item[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await read(cursor)
    items.push(...itemsOf(page))
    const last = items.at(-1)
    if (page.nextCursor === null || (last !== undefined && isBeyond(last))) return { items, isCut: false }
    cursor = page.nextCursor
  }
  return { items, isCut: true }
}
