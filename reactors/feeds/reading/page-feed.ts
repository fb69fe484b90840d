import { Parser } from 'htmlparser2'
import { absoluteUrl } from './url.ts'

/** A page's head ends well before this. */
const MAX_HTML = 500_000
const MAX_DEPTH = 500
const FEED = /^application\/(rss|atom)\+xml\b/i

/** The URL of the feed that a web page declares (`<link rel="alternate">`). */
export function pageFeed(html: Iterable<string>, url: string): string | undefined {
  let found: string | undefined
  let base = url
  let depth = 0
  let isOver = false
  const parser: Parser = new Parser({
    onopentag: (name, { href, rel = '', type = '' }) => {
      depth += 1
      if (name === 'base') base = absoluteUrl(href, url) ?? base
      if (name === 'link' && /\balternate\b/i.test(rel) && FEED.test(type.trim())) found = absoluteUrl(href, base)
      isOver = found !== undefined || depth > MAX_DEPTH
      if (isOver) parser.pause()
    },
    onclosetag: () => {
      depth -= 1
    },
  })
  let seen = 0
  for (const text of html) {
    if (isOver || seen >= MAX_HTML) break
    seen += text.length
    parser.write(text)
  }
  return found
}
