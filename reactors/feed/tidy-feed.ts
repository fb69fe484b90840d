import type { FeedExtent } from './feed.ts'
import { siteLink } from './site-link.ts'
import { tidyItem, type TidyItem } from './tidy-item.ts'
import { walkXml } from './walk-xml.ts'

export type FeedFormat = 'rss' | 'atom'

export type TidyFeed =
  | ({
      readonly kind: 'feed'
      readonly format: FeedFormat
      readonly site: string | undefined
      readonly xml: string
    } & FeedExtent)
  | { readonly kind: 'something-else'; readonly root?: string }
  | { readonly kind: 'too-deep' }

const FORMATS = new Map<string, FeedFormat>([
  ['rss', 'rss'],
  ['rdf:rdf', 'rss'],
  ['feed', 'atom'],
])
const ITEM = { rss: 'item', atom: 'entry' } as const

/**
 * Rewrites a feed so that a strict reader can read it: at most so many items of each end, and of those what is needed.
 * Many a feed has something that XML refuses (the names that HTML has for characters, tags left open), and what else a
 * document may hold (thousands of items, bombs) ends here.
 *
 * @param url of the document
 */
export function tidyFeed(text: string, url: string, itemsOfAnEnd: number): TidyFeed {
  const items = itemsOfBothEnds(itemsOfAnEnd)
  const site = siteLink(url)
  let root: string | undefined
  let format: FeedFormat | undefined
  let item: (TidyItem & { readonly depth: number }) | undefined
  const finishItem = (): void => {
    if (item) items.add(item.fields())
    item = undefined
  }
  const outcome = walkXml(text, url, {
    open: (element, parent) => {
      root ??= element.name
      format ??= FORMATS.get(root)
      if (!format) return
      if (element.name === ITEM[format]) {
        // One that was left open ends where the next begins.
        finishItem()
        item = { depth: element.depth, ...tidyItem(element) }
      } else (item ?? site).open(element, parent)
    },
    close: (element) => {
      if (item && element.depth > item.depth) item.close(element)
      else if (item) finishItem()
      else site.close()
    },
    text: (raw, isCdata) => (item ?? site).text(raw, isCdata),
    isDone: () => root !== undefined && !format,
  })
  const { count, all } = items.found()
  // What comes before the damage can be read.
  if (outcome === 'too-deep' && count === 0) return { kind: 'too-deep' }
  if (!format) return { kind: 'something-else', ...(root !== undefined && { root }) }
  const extent = { isWhole: outcome !== 'too-deep' && all.length === count, isCutOff: outcome !== 'walked' }
  return { kind: 'feed', format, site: site.found(), xml: document(format, all), ...extent }
}

function itemsOfBothEnds(most: number) {
  const first: string[] = []
  let last: string[] = []
  let count = 0
  return {
    add: (item: string): void => {
      count += 1
      if (first.length < most) return void first.push(item)
      last.push(item)
      // Now and then: dropping one at a time would move all others each time.
      if (last.length === 2 * most) last = last.slice(-most)
    },
    /** In the document's order; `count` is of all. */
    found: () => ({ count, all: [...first, ...last.slice(-most)] }),
  }
}

function document(format: FeedFormat, items: readonly string[]): string {
  const all = items.map((fields) => `<${ITEM[format]}>${fields}</${ITEM[format]}>`).join('')
  // An empty element would be nothing at all to rss-parser.
  return format === 'atom'
    ? `<feed><title/>${all}</feed>`
    : `<rss version="2.0"><channel><title/>${all}</channel></rss>`
}
