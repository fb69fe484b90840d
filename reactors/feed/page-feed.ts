import { Parser } from 'htmlparser2'
import { absoluteUrl } from './url.ts'

/** A page's head ends long before. */
const MAX_HTML = 500_000
const MAX_DEPTH = 500
const FEED = /^application\/(rss|atom)\+xml\b/i

/** The address of the feed that a web page names as its own (`<link rel="alternate">`). */
export function pageFeed(html: string, url: string): string | undefined {
  let found: string | undefined
  let base = url
  let depth = 0
  const parser: Parser = new Parser({
    onopentag: (name, { href, rel = '', type = '' }) => {
      depth += 1
      if (name === 'base') base = absoluteUrl(href, url) ?? base
      if (name === 'link' && /\balternate\b/i.test(rel) && FEED.test(type.trim())) found = absoluteUrl(href, base)
      if (found !== undefined || depth > MAX_DEPTH) parser.pause()
    },
    onclosetag: () => {
      depth -= 1
    },
  })
  parser.end(html.slice(0, MAX_HTML))
  return found
}
