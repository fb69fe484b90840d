import type { Seeding } from '../../domain/feed/rss-feed.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { SeenItem } from './feed-items.ts'

const DAY_MS = 86_400_000

/** What the first check of a feed leaves for the later ones to know. @param askedAt when it asked for it, ms since the epoch */
export function seedingOf(items: readonly SeenItem[], isWhole: boolean, askedAt: number): Seeding {
  const newest = newestDate(items, askedAt)
  return { items: items.length, isWhole, ...(newest !== undefined && { newestAt: isoTime(newest) }) }
}

function newestDate(items: readonly SeenItem[], askedAt: number): number | undefined {
  // What an empty feed fills up with may be old. A date of the day alone is that of its start.
  if (items.length === 0) return askedAt - (askedAt % DAY_MS)
  const dates = items.flatMap(({ publishedAt }) => publishedAt ?? []).map((date) => Date.parse(date))
  // One ahead of its time would make all that comes until then older.
  const past = dates.filter((date) => date <= askedAt)
  if (past.length > 0) return Math.max(...past)
  return dates.length > 0 ? askedAt : undefined
}

/**
 * The items that a feed has only now come out with, but had when it was added, or could have had: they move up when others
 * are deleted. Their dates tell, and without one their place: what is new comes at the beginning or at the end of a document,
 * what could not be read of a long one lies between the items that were.
 *
 * @param items in the document's order
 * @param isKnown whether an item was met before, under this name or another
 */
export function olderItems(
  items: readonly SeenItem[],
  isKnown: (item: SeenItem) => boolean,
  { newestAt, isWhole }: Seeding,
): ReadonlySet<SeenItem> {
  const [first, last] = [items.findIndex(isKnown), items.findLastIndex(isKnown)]
  const older = items.filter((item, place) => {
    if (isKnown(item)) return false
    const ahead = leadOf(Date.parse(item.publishedAt ?? ''), Date.parse(newestAt ?? ''))
    if (ahead !== 0 && !Number.isNaN(ahead)) return ahead < 0
    return !isWhole && first < place && place < last
  })
  return new Set(older)
}

/** How much later a date is than another. Midnight sharp is the day alone, and may be any time of it. */
function leadOf(date: number, other: number): number {
  const unit = date % DAY_MS === 0 || other % DAY_MS === 0 ? DAY_MS : 1
  return Math.floor(date / unit) - Math.floor(other / unit)
}
