import { decodeText } from './decode-text.ts'
import { feedItems } from './feed-items.ts'
import type { FeedDocument, ParsedFeed } from './feed.ts'
import { pageFeed } from './page-feed.ts'
import { readItems } from './read-items.ts'
import { tidyFeed } from './tidy-feed.ts'

/** What a page that is no XML may begin with. */
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

/** Of a feed that has more than twice as many, that many from the beginning and from the end: new items come at one of the two. */
const ITEMS_OF_AN_END = 1_000

/** Reads a document, whatever it is. Its content type says how it is encoded, not what it is: servers know no better. */
export async function parseFeed(
  { bytes, contentType, url }: FeedDocument,
  itemsOfAnEnd = ITEMS_OF_AN_END,
): Promise<ParsedFeed> {
  const text = decodeText(bytes, contentType)
  const start = text.slice(0, 1_000).trimStart()
  if (start === '' && text.trim() === '') return { kind: 'empty' }
  if (start.startsWith('{') || start.startsWith('[')) return { kind: 'json' }
  const tidy = tidyFeed(text, url, itemsOfAnEnd)
  if (tidy.kind === 'too-deep') return tidy
  if (tidy.kind === 'feed') {
    const items = feedItems(await readItems(tidy.xml), { ...tidy, url })
    return { kind: 'feed', items, isWhole: tidy.isWhole, isCutOff: tidy.isCutOff }
  }
  if (!HTML_ROOTS.has(tidy.root ?? '') && !/^<!doctype\s+html/i.test(start)) return tidy
  const feedUrl = pageFeed(text, url)
  return { kind: 'web-page', ...(feedUrl !== undefined && { feedUrl }) }
}
