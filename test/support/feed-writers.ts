import fc from 'fast-check'
import type { FeedItem } from '../../reactors/feeds/reading/feed.ts'

const word = fc.stringMatching(/^[\p{L}\p{N}&<>"'´…😀.,!?-]{1,12}$/u)
const line = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '))
const address = fc
  .webUrl({ withQueryParameters: true, validSchemes: ['http', 'https'] })
  .map((url) => new URL(url).href)
const time = fc
  .integer({ min: Date.UTC(1970, 0, 1) / 1000, max: Date.UTC(2049, 0, 1) / 1000 })
  .map((seconds) => new Date(seconds * 1000).toISOString())

/** An item that both sorts of feeds can say. */
export const feedContent: fc.Arbitrary<FeedItem> = fc.record(
  { identity: line, title: line, link: address, imageUrl: address, publishedAt: time },
  { requiredKeys: ['identity', 'title', 'link'], noNullPrototype: true },
)

/** RSS 2.0: titles are HTML inside of XML. */
export function rssOf(items: readonly FeedItem[]): string {
  const all = items.map(({ identity, title, link, imageUrl, publishedAt }) => {
    const image = imageUrl === undefined ? '' : `<enclosure url="${escaped(imageUrl)}" type="image/png"/>`
    const date = publishedAt === undefined ? '' : `<pubDate>${new Date(publishedAt).toUTCString()}</pubDate>`
    const guid = `<guid isPermaLink="false">${escaped(identity)}</guid>`
    return `<item><title>${escaped(escaped(title))}</title><link>${escaped(link)}</link>${guid}${image}${date}</item>`
  })
  return `<rss version="2.0"><channel>${all.join('\n')}</channel></rss>`
}

/** RFC 4287: titles are text. */
export function atomOf(items: readonly FeedItem[]): string {
  const all = items.map(({ identity, title, link, imageUrl, publishedAt }) => {
    const image = imageUrl === undefined ? '' : `<link rel="enclosure" type="image/png" href="${escaped(imageUrl)}"/>`
    const date = publishedAt === undefined ? '' : `<updated>${publishedAt}</updated>`
    const id = `<id>${escaped(identity)}</id>`
    return `<entry><title>${escaped(title)}</title><link href="${escaped(link)}"/>${id}${image}${date}</entry>`
  })
  return `<feed xmlns="http://www.w3.org/2005/Atom">${all.join('\n')}</feed>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
