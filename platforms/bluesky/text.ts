const MAX_GRAPHEMES = 300
const MAX_BYTES = 3000

/** Characters as a reader counts them: a family emoji counts as one. */
export function graphemeLength(text: string): number {
  let length = 0
  for (const _ of new Intl.Segmenter().segment(text)) length++
  return length
}

export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

/** The rules that a post's text breaks (app.bsky.feed.post: 300 graphemes, 3,000 bytes of UTF-8). */
export function brokenTextRules(text: string): readonly string[] {
  const bytes = byteLength(text)
  // Bytes first: counting graphemes is slow, so bound the length before.
  if (bytes > MAX_BYTES) return [tooLong('bytes', MAX_BYTES, bytes)]
  const graphemes = graphemeLength(text)
  return graphemes > MAX_GRAPHEMES ? [tooLong('characters', MAX_GRAPHEMES, graphemes)] : []
}

function tooLong(unit: string, limit: number, value: number): string {
  return `The text is too long for Bluesky: it has ${value} ${unit}, the limit is ${limit}.`
}
