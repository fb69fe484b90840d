import { decodedText } from './decode-text.ts'
import { feedItems } from './feed-items.ts'
import type { FeedDocument, ParsedFeed } from './feed.ts'
import { pageFeed } from './page-feed.ts'
import { readItems } from './read-items.ts'
import { outlineOf, tidyFeeds } from './tidy-feed.ts'

/** First elements of web pages that are not XML. */
const HTML_ROOTS = new Set([
  'html',
  'head',
  'body',
  'meta',
  'title',
  'script',
  'style',
  'link',
  'div',
  'p',
  'h1',
  'center',
])

/** Of a feed with more than twice as many items, this many are read from each end: new items appear at one of the two. */
const ITEMS_OF_AN_END = 1_000

/** Parses any document. The content type only determines the encoding, as servers often declare the wrong format. */
export async function parseFeed(
  { blocks, contentType, url }: FeedDocument,
  itemsOfAnEnd = ITEMS_OF_AN_END,
): Promise<ParsedFeed> {
  const text = () => decodedText(blocks, contentType)
  const start = beginning(text())
  if (start === undefined) return { kind: 'empty' }
  if (start.startsWith('{') || start.startsWith('[')) return { kind: 'json' }
  const outline = outlineOf(text(), url)
  if (outline.kind === 'too-deep') return outline
  if (outline.kind === 'feed') {
    const { format, count, outcome } = outline
    const items = feedItems({ ...outline, url })
    const isWanted = (place: number) => place < itemsOfAnEnd || place >= count - itemsOfAnEnd
    for (const xml of tidyFeeds(text(), url, { format, isWanted })) {
      items.add(await readItems(xml))
      if (items.isTooMuch()) return { kind: 'too-heavy' }
    }
    const isWhole = outcome !== 'too-deep' && count <= 2 * itemsOfAnEnd
    return { kind: 'feed', items: items.found(), isWhole, isCutOff: outcome !== 'walked' }
  }
  if (!HTML_ROOTS.has(outline.root ?? '') && !/^<!doctype\s+html/i.test(start)) return outline
  const feedUrl = pageFeed(text(), url)
  return { kind: 'web-page', ...(feedUrl !== undefined && { feedUrl }) }
}

/** Without leading white space; undefined if there is nothing else. */
function beginning(text: Iterable<string>): string | undefined {
  for (const piece of text) {
    const start = piece.trimStart()
    if (start !== '') return start
  }
  return undefined
}
