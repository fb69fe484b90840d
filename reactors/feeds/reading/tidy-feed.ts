import { siteLink } from './site-link.ts'
import { tidyItem, type TidyItem } from './tidy-item.ts'
import { walkXml, type XmlElement, type XmlVisitor, type XmlWalk } from './walk-xml.ts'

export type FeedFormat = 'rss' | 'atom'

export type FeedOutline =
  | {
      readonly kind: 'feed'
      readonly format: FeedFormat
      /** The page that the feed belongs to. */
      readonly site: string | undefined
      /** Number of items. */
      readonly count: number
      readonly outcome: ReturnType<XmlWalk['outcome']>
    }
  | { readonly kind: 'something-else'; readonly root?: string }
  | { readonly kind: 'too-deep' }

const FORMATS = new Map<string, FeedFormat>([
  ['rss', 'rss'],
  ['rdf:rdf', 'rss'],
  ['feed', 'atom'],
])
const ITEM = { rss: 'item', atom: 'entry' } as const
/** Characters of items per batch. */
const BATCH = 200_000

/**
 * Determines what a document is, and reads what lies outside of its items.
 *
 * @param url of the document
 */
export function outlineOf(text: Iterable<string>, url: string): FeedOutline {
  const site = siteLink(url)
  let root: string | undefined
  let count = 0
  const visitor = feedVisitor({
    ...site,
    root: (name) => (root = name),
    item: () => undefined,
    end: () => (count += 1),
  })
  const walk = walkXml(url, visitor)
  for (const piece of text) {
    if (walk.isOver()) break
    walk.write(piece)
  }
  const format = FORMATS.get(root ?? '')
  const outcome = walk.outcome()
  // Items before the damage can still be read.
  if (outcome === 'too-deep' && count === 0) return { kind: 'too-deep' }
  if (!format) return { kind: 'something-else', ...(root !== undefined && { root }) }
  return { kind: 'feed', format, site: site.found(), count, outcome }
}

/**
 * Rewrites a feed for a strict parser, as several small feeds with the wanted items and only the fields needed. Many feeds
 * contain what XML rejects (HTML's entity names, unclosed tags). Whatever else a document may contain (thousands of items, bombs)
 * is dropped here.
 *
 * @param isWanted by an item's position in the document
 */
export function* tidyFeeds(
  text: Iterable<string>,
  url: string,
  { format, isWanted }: { readonly format: FeedFormat; readonly isWanted: (place: number) => boolean },
): Generator<string> {
  let place = 0
  let length = 0
  const items: string[] = []
  const walk = walkXml(
    url,
    feedVisitor({
      item: (element) => (isWanted(place) ? tidyItem(element) : undefined),
      end: (item) => {
        place += 1
        if (!item) return
        items.push(item.fields())
        length += items.at(-1)?.length ?? 0
      },
    }),
  )
  for (const piece of text) {
    if (walk.isOver()) break
    walk.write(piece)
    if (length < BATCH) continue
    length = 0
    yield document(format, items.splice(0))
  }
  if (items.length > 0) yield document(format, items)
}

interface FeedParts extends Partial<Pick<XmlVisitor, 'open' | 'text'>> {
  close?(): void
  /** @param name of the document's first element */
  root?(name: string): void
  /** An item begins. @returns the collector of its content, if the item is wanted */
  item(element: XmlElement): TidyItem | undefined
  /** An item has ended. */
  end(item: TidyItem | undefined): void
}

/** Separates items from what surrounds them. */
function feedVisitor(parts: FeedParts): XmlVisitor {
  let format: FeedFormat | undefined
  let isRoot = true
  let item: { readonly depth: number; readonly tidy: TidyItem | undefined } | undefined
  const finishItem = (): void => {
    if (item) parts.end(item.tidy)
    item = undefined
  }
  return {
    open: (element, parent) => {
      if (isRoot) {
        isRoot = false
        parts.root?.(element.name)
        format = FORMATS.get(element.name)
      }
      if (!format) return
      if (element.name === ITEM[format]) {
        // An unclosed item ends where the next begins.
        finishItem()
        item = { depth: element.depth, tidy: parts.item(element) }
      } else if (item) item.tidy?.open(element)
      else parts.open?.(element, parent)
    },
    close: (element) => {
      if (item && element.depth > item.depth) item.tidy?.close(element)
      else if (item) finishItem()
      else parts.close?.()
    },
    text: (raw, isCdata) => {
      if (item) item.tidy?.text(raw, isCdata)
      else parts.text?.(raw, isCdata)
    },
    isDone: () => !isRoot && !format,
  }
}

function document(format: FeedFormat, items: readonly string[]): string {
  const all = items.map((fields) => `<${ITEM[format]}>${fields}</${ITEM[format]}>`).join('')
  // The title is needed: rss-parser ignores an empty element.
  return format === 'atom'
    ? `<feed><title/>${all}</feed>`
    : `<rss version="2.0"><channel><title/>${all}</channel></rss>`
}
