import { feedDate } from './feed-date.ts'
import type { FeedItem } from './feed.ts'
import { identityOf } from './item-identity.ts'
import { imageOf } from './item-image.ts'
import { linkOf } from './item-link.ts'
import { titleOf } from './item-title.ts'
import type { RawItem } from './raw-item.ts'
import type { FeedFormat } from './tidy-feed.ts'

export interface FeedFacts {
  readonly format: FeedFormat
  /** URL of the document. */
  readonly url: string
  /** The page that the feed belongs to. */
  readonly site: string | undefined
}

/** Limit on the characters of all items of a feed. Real feeds have about 300 per item. */
const MAX_CHARACTERS = 2_000_000

export interface FeedItems {
  add(raw: readonly RawItem[]): void
  /** Whether the items exceed the limit. */
  isTooMuch(): boolean
  /** In the document's order. Of items with the same identity the first counts; empty items are dropped. */
  found(): readonly FeedItem[]
}

export function feedItems(facts: FeedFacts): FeedItems {
  const items = new Map<string, FeedItem>()
  let characters = 0
  return {
    add: (raw) => {
      for (const one of raw) {
        const item = feedItem(one, facts)
        if (!item || items.has(item.identity)) continue
        // Copy, because a substring keeps the whole string in memory.
        items.set(item.identity, structuredClone(item))
        characters += item.identity.length + item.title.length + item.link.length + (item.imageUrl?.length ?? 0)
      }
    },
    isTooMuch: () => characters > MAX_CHARACTERS,
    found: () => [...items.values()],
  }
}

function feedItem(raw: RawItem, { format, url, site }: FeedFacts): FeedItem | undefined {
  const base = site ?? url
  const title = titleOf(raw, format)
  const link = linkOf(raw, base)
  const content = [...raw.fullBody, ...raw.body, ...raw.summary].map(({ text }) => text).join('\n')
  const identity = identityOf({ ids: raw.id.map(({ text }) => text), link, title, content })
  if (identity === undefined) return undefined
  const imageUrl = imageOf(raw, base)
  const publishedAt = publishedAtOf(raw)
  return {
    identity,
    title,
    link: link ?? base,
    ...(imageUrl !== undefined && { imageUrl }),
    ...(publishedAt !== undefined && { publishedAt }),
  }
}

/** The first valid date; update dates count only without a publication date. */
function publishedAtOf({ published, updated }: RawItem): string | undefined {
  for (const { text } of [...published, ...updated]) {
    const date = feedDate(text)
    if (date !== undefined) return date
  }
  return undefined
}
