/** An entry of a feed, from which a post is made. */
export interface FeedItem {
  /** Stable across reads: guid or id, else the link, else a hash. At most 500 characters. */
  readonly identity: string
  /** Plain text on one line, at most 300 characters; empty when the item has neither a title nor a text. */
  readonly title: string
  /** Absolute, http(s). The site's own URL when the item has none. */
  readonly link: string
  /** Absolute, http(s). */
  readonly imageUrl?: string
  /** ISO 8601 UTC with milliseconds. */
  readonly publishedAt?: string
}

/** A document as received. */
export interface FeedDocument {
  readonly blocks: readonly Uint8Array<ArrayBuffer>[]
  /** The header as sent; empty without one. */
  readonly contentType: string
  /** Where the document came from, after redirects. */
  readonly url: string
}

/** How much of a feed could be read. */
export interface FeedExtent {
  /** False when items were left out. */
  readonly isWhole: boolean
  /** Whether the document ends before its root does. */
  readonly isCutOff: boolean
}

/** What a document turned out to be. */
export type ParsedFeed =
  /** Items in the document's order; of very many, the first and the last. */
  | ({ readonly kind: 'feed'; readonly items: readonly FeedItem[] } & FeedExtent)
  /** With its feed's URL, if the page declares one. */
  | { readonly kind: 'web-page'; readonly feedUrl?: string }
  /** Other XML, or no XML at all. */
  | { readonly kind: 'something-else'; readonly root?: string }
  | { readonly kind: 'empty' | 'json' | 'too-deep' }
  /** Parsing was aborted: it took too long or too much memory, or the parser ended. */
  | { readonly kind: 'too-slow' | 'too-heavy' | 'broken-off' }

/**
 * By date if every item has one, else by position: feeds list the newest first, and items after the last known one were appended
 * since.
 */
export function oldestFirst<Item extends FeedItem>(
  items: readonly Item[],
  isKnown: (item: Item) => boolean,
): readonly Item[] {
  const end = items.findLastIndex(isKnown) + 1 || items.length
  const byPlace = [...items.slice(0, end).toReversed(), ...items.slice(end)]
  const time = ({ publishedAt }: FeedItem): number => Date.parse(publishedAt ?? '')
  if (byPlace.some((item) => Number.isNaN(time(item)))) return byPlace
  return byPlace.sort((one, other) => time(one) - time(other))
}
