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
  /** Of the document. */
  readonly url: string
  /** The page that it is the feed of. */
  readonly site: string | undefined
}

/** The items in the document's order. Of those with one identity the first counts, and what says nothing is none. */
export function feedItems(raw: readonly RawItem[], facts: FeedFacts): readonly FeedItem[] {
  const items = new Map<string, FeedItem>()
  for (const item of raw.map((one) => feedItem(one, facts))) {
    if (item && !items.has(item.identity)) items.set(item.identity, item)
  }
  return [...items.values()]
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

/** The first that can be read; when it was changed counts where nothing says when it came out. */
function publishedAtOf({ published, updated }: RawItem): string | undefined {
  for (const { text } of [...published, ...updated]) {
    const date = feedDate(text)
    if (date !== undefined) return date
  }
  return undefined
}
