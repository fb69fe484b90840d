const ITEMS = [
  {
    slug: 'first-light',
    title: 'First light over the ridge',
    text: 'Up at four, coffee in a flask, and the whole valley to ourselves. Worth every step.',
    publishedAt: '2026-01-12T07:30:00Z',
  },
  {
    slug: 'golden-hour',
    title: 'Five minutes of golden hour',
    text: 'The light changes faster than you can pack a bag. Here is what we kept from it.',
    publishedAt: '2026-01-19T16:45:00Z',
  },
  {
    slug: 'what-we-carry',
    title: 'What we carry, and what we leave at home',
    text: 'A short list for long days: water, layers, a map that needs no battery & good company.',
    publishedAt: '2026-01-26T12:00:00Z',
  },
]

/**
 * An RSS 2.0 feed with Media RSS, newest item first.
 *
 * @param imageBytes size of `/media/sample.jpg`
 */
export function sampleFeed(url: string, imageBytes: number): string {
  const image = `${url}/media/sample.jpg`
  const items = ITEMS.toReversed().map(
    ({ slug, title, text, publishedAt }) => `
    <item>
      <title>${escaped(title)}</title>
      <link>${url}/#${slug}</link>
      <guid isPermaLink="false">fanfare-sandbox-${slug}</guid>
      <pubDate>${new Date(publishedAt).toUTCString()}</pubDate>
      <description>${escaped(text)}</description>
      <enclosure url="${image}" length="${imageBytes}" type="image/jpeg"/>
      <media:content url="${image}" medium="image" type="image/jpeg" width="1080" height="1080"/>
    </item>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
  <channel>
    <title>Notes from the ridge</title>
    <link>${url}/</link>
    <description>A sample feed for trying out Fanfare</description>
    <language>en</language>
    <atom:link href="${url}/feed.xml" rel="self" type="application/rss+xml"/>${items.join('')}
  </channel>
</rss>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
