import { PlatformError } from '../platform.ts'

const MAX_GRAPHEMES = 300
const MAX_BYTES = 3000

const segmenter = new Intl.Segmenter()

/** Characters as a reader counts them: a family emoji is one. */
export function graphemeLength(text: string): number {
  let length = 0
  for (const _ of segmenter.segment(text)) length++
  return length
}

export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

/**
 * The limits of a post's text (app.bsky.feed.post: 300 graphemes, 3,000 bytes of UTF-8).
 *
 * @throws PlatformError `permanent`, naming the limit and the value
 */
export function checkText(text: string): void {
  const bytes = byteLength(text)
  // Bytes first: counting the graphemes of a text of any length is slow.
  if (bytes > MAX_BYTES) throw tooLong('bytes', MAX_BYTES, bytes)
  const graphemes = graphemeLength(text)
  if (graphemes > MAX_GRAPHEMES) throw tooLong('characters', MAX_GRAPHEMES, graphemes)
}

function tooLong(unit: string, limit: number, value: number): PlatformError {
  return new PlatformError(
    'permanent',
    `The text is too long for Bluesky: it has ${value} ${unit}, the limit is ${limit}.`,
  )
}
