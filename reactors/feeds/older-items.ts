import type { Seeding } from '../../domain/feed/rss-feed.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { SeenItem } from './feed-items.ts'

const DAY_MS = 86_400_000

/** What the first check of a feed records for later ones. @param askedAt time of the request, ms since the epoch */
export function seedingOf(items: readonly SeenItem[], isWhole: boolean, askedAt: number): Seeding {
  const newest = newestDate(items, askedAt)
  return { items: items.length, isWhole, ...(newest !== undefined && { newestAt: isoTime(newest) }) }
}

function newestDate(items: readonly SeenItem[], askedAt: number): number | undefined {
  // An empty feed may fill up with old items. Use the start of the day, as a date without a time means that.
  if (items.length === 0) return askedAt - (askedAt % DAY_MS)
  const dates = items.flatMap(({ publishedAt }) => publishedAt ?? []).map((date) => Date.parse(date))
  // A date in the future would make everything published before it count as older.
  const past = dates.filter((date) => date <= askedAt)
  if (past.length > 0) return Math.max(...past)
  return dates.length > 0 ? askedAt : undefined
}

/**
 * Items that are new in a feed, but were or could have been there when it was added: they move up when others are deleted. Their
 * dates decide or, without one, their position: new items appear at the beginning or the end of a document, while the unread part
 * of a long one lies between items that were read.
 *
 * @param items in the document's order
 * @param isKnown whether an item was seen before, under this id or another
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

/** How much later one date is than another. Exactly midnight means a date without a time, so any time of that day. */
function leadOf(date: number, other: number): number {
  const unit = date % DAY_MS === 0 || other % DAY_MS === 0 ? DAY_MS : 1
  return Math.floor(date / unit) - Math.floor(other / unit)
}
