import { t } from '@lingui/core/macro'
import { answered, api } from '../../client/client.ts'
import type { Page, Post, PostsQuery, Rule, ScheduledPost } from '../../client/types.ts'
import { addDays, dayOf, startOf } from '../../parts/time.ts'
import { statusOf, type EntryStatus } from './status.tsx'

const PAGE = 100
/** After this many pages, the calendar says that there is more. */
const MOST_PAGES = 10
const DAY_MS = 86_400_000
const OF_POSTS: readonly string[] = ['processing', 'published', 'partially_failed', 'publish_failed']

/** A post, or the coming turn of a recycling rule. */
export interface CalendarEntry {
  readonly id: string
  readonly at: string
  readonly status: EntryStatus
  readonly caption: string
  readonly platforms: readonly string[]
  readonly image?: string
  readonly author?: string
  /** Where it leads. */
  readonly to: string
  /** One that can still be moved. */
  readonly scheduled?: ScheduledPost
}

export interface Entries {
  /** Earliest first. */
  readonly items: readonly CalendarEntry[]
  readonly isCut: boolean
}

export interface Filters {
  readonly platform: string
  readonly account: string
  readonly status: string
  readonly author: string
}

/** Scheduled and published posts between two days, both inclusive, in the user's zone. */
export async function readEntries(first: string, last: string, filters: Filters): Promise<Entries> {
  const { platform, account: accountId, status, author } = filters
  const between = { from: startOf(first).toISOString(), to: startOf(addDays(last, 1)).toISOString() }
  const query = {
    ...between,
    limit: PAGE,
    ...(platform && { platform: platform as NonNullable<PostsQuery['platform']> }),
    ...(accountId && { accountId }),
    ...(author && { author }),
  }
  const isOfPosts = OF_POSTS.includes(status)
  const ofStatus = isOfPosts ? { status: status as NonNullable<PostsQuery['status']> } : {}
  const [scheduled, posts, rules] = await Promise.all([
    isOfPosts
      ? NONE
      : readAll(
          (cursor) => answered(api.GET('/scheduled-posts', { params: { query: { ...query, ...cursor } } })),
          (page) => page.scheduledPosts,
        ),
    status === '' || isOfPosts
      ? readAll(
          (cursor) => answered(api.GET('/posts', { params: { query: { ...query, ...ofStatus, ...cursor } } })),
          (page) => page.posts,
        )
      : NONE,
    status === '' && author === ''
      ? answered(api.GET('/recycling-rules', { params: { query: { limit: PAGE } } })).then((page) => page.rules)
      : [],
  ])
  const items = [
    ...scheduled.items.map((post) => ({ ...entryOf(post), at: post.scheduledAtUtc, scheduled: post })),
    ...posts.items.map((post) => ({ ...entryOf(post), at: post.createdAt })),
  ].filter((entry) => status === '' || entry.status === status)
  const turns = rules.flatMap((rule) => turnsOf(rule, between, filters))
  return {
    items: [...items, ...turns].toSorted((a, b) => (a.at < b.at ? -1 : 1)),
    isCut: scheduled.isCut || posts.isCut,
  }
}

/** By day in the user's zone. */
export function groupedByDay(items: readonly CalendarEntry[]): ReadonlyMap<string, readonly CalendarEntry[]> {
  const days = new Map<string, CalendarEntry[]>()
  for (const item of items) {
    const day = dayOf(item.at)
    const others = days.get(day)
    if (others) others.push(item)
    else days.set(day, [item])
  }
  return days
}

const NONE = { items: [], isCut: false }

async function readAll<P extends Page, Item>(
  read: (cursor: { readonly cursor?: string }) => Promise<P>,
  itemsOf: (page: P) => readonly Item[],
): Promise<{ readonly items: readonly Item[]; readonly isCut: boolean }> {
  const items: Item[] = []
  let cursor: { readonly cursor?: string } = {}
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await read(cursor)
    items.push(...itemsOf(page))
    if (page.nextCursor === null) return { items, isCut: false }
    cursor = { cursor: page.nextCursor }
  }
  return { items, isCut: true }
}

function entryOf(post: Post | ScheduledPost): Omit<CalendarEntry, 'at'> {
  const { id, caption, selections, mediaType, mediaUrl, author } = post
  const shown = caption || t`No caption`
  return {
    id,
    status: statusOf(post),
    caption: isDemo(post) ? t`Demo: ${shown}` : shown,
    platforms: Object.keys(selections),
    ...(mediaType === 'image' && { image: mediaUrl }),
    ...(author && { author: author.name }),
    to: `/posts/${id}`,
  }
}

function isDemo(post: Post | ScheduledPost): boolean {
  return 'origin' in post && post.origin === 'demo'
}

/** When a rule will have its post published again. */
function turnsOf(
  { id, sourcePostId, selections, intervalDays, active, nextRecycleAt }: Rule,
  { from, to }: { readonly from: string; readonly to: string },
  { platform, account }: Filters,
): readonly CalendarEntry[] {
  const isMeant =
    (platform === '' || platform in selections) &&
    (account === '' || Object.values(selections).some((accounts) => accounts.includes(account)))
  if (!active || !nextRecycleAt || !isMeant) return []
  const turns: CalendarEntry[] = []
  const platforms = Object.keys(selections)
  for (let at = Date.parse(nextRecycleAt); at < Date.parse(to); at += intervalDays * DAY_MS) {
    if (at < Date.parse(from)) continue
    const turn = { id: `${id} ${at}`, at: new Date(at).toISOString(), status: 'recycling', caption: t`Repost` } as const
    turns.push({ ...turn, platforms, to: `/posts/${sourcePostId}` })
  }
  return turns
}
