import { graphemeLength } from '../kit/grapheme-length.ts'
import type { TextLength } from '../kit/media-set.ts'

const MAX_GRAPHEMES = 300
const MAX_BYTES = 3000

export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}

/** By the limit that is reached first (app.bsky.feed.post: 300 graphemes, 3,000 bytes of UTF-8). */
export function measured(text: string): TextLength {
  const bytes = byteLength(text)
  // Bytes first: counting graphemes is slow, so bound the length before.
  if (bytes > MAX_BYTES) return { length: bytes, most: MAX_BYTES, unit: 'bytes' }
  return { length: graphemeLength(text), most: MAX_GRAPHEMES }
}

/** The rules that a post's text breaks. */
export function brokenTextRules(text: string): readonly string[] {
  const { length, most, unit = 'characters' } = measured(text)
  return length > most ? [`The text is too long for Bluesky: it has ${length} ${unit}, the limit is ${most}.`] : []
}
