/** One entry of a feed: what a post is made of. */
export interface FeedItem {
  /** The same at every reading: guid or id, else the link, else a hash. At most 500 characters. */
  readonly identity: string
  /** Plain text on one line, at most 300 characters; empty when the item has neither a title nor a text. */
  readonly title: string
  /** Absolute, http(s). The site's own address when the item has none. */
  readonly link: string
  /** Absolute, http(s). */
  readonly imageUrl?: string
  /** ISO 8601 UTC with milliseconds. */
  readonly publishedAt?: string
}

/** A document as it was received. */
export interface FeedDocument {
  readonly blocks: readonly Uint8Array<ArrayBuffer>[]
  /** The header as sent; empty without one. */
  readonly contentType: string
  /** Where the document came from, after redirects. */
  readonly url: string
}

/** How much of a feed there was to be read. */
export interface FeedExtent {
  /** False when items were left out. */
  readonly isWhole: boolean
  /** Whether the document ends before its root does. */
  readonly isCutOff: boolean
}

/** What a document turned out to be. */
export type ParsedFeed =
  /** With the items in the document's order, of very many the first and the last. */
  | ({ readonly kind: 'feed'; readonly items: readonly FeedItem[] } & FeedExtent)
  /** With the address of its feed, if the page names one. */
  | { readonly kind: 'web-page'; readonly feedUrl?: string }
  /** XML of another sort, or no XML at all. */
  | { readonly kind: 'something-else'; readonly root?: string }
  | { readonly kind: 'empty' | 'json' | 'too-deep' }
  /** It was given up: for its time, its memory, or because the parser ended under it. */
  | { readonly kind: 'too-slow' | 'too-heavy' | 'broken-off' }

/**
 * By date where every item has one, else by place: feeds put the newest first, and what follows the last item that is known
 * was put there since.
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
