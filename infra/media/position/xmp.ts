import type { Patch, Region } from './region.ts'

/** Larger than the history of any picture. */
const MOST_BYTES = 16_000_000
/** `exif:GPSLatitude`, `drone-dji:GpsLongtitude` and the like, as an attribute or as an element with text. */
const GPS = /(?<=\s)[\w.-]+:gps[\w.-]*\s*=\s*(?:"[^"]*"|'[^']*')|<([\w.-]+:gps[\w.-]*)(?:\s[^<>]*)?>[^<]*<\/\1\s*>/gi
const POSITION = /^[^=>]*gps[^=>]*(?:lat|lon|pos|coord)/i
const MOST_PROPERTIES = 1_000
const SPACE = 0x20

/**
 * Replaces the properties about the position in an XMP packet by spaces, which XML ignores there.
 *
 * @param pieces of the packet, in order
 */
export async function* positionInXmp(pieces: readonly Region[]): AsyncGenerator<Patch> {
  if (pieces.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) return
  const texts: string[] = []
  // Latin-1, so that characters are bytes.
  for (const piece of pieces) texts.push((await piece.read(0, piece.size)).toString('latin1'))
  const found: { readonly index: number; readonly text: string }[] = []
  for (const { index, 0: text } of texts.join('').matchAll(GPS)) {
    if (found.push({ index, text }) === MOST_PROPERTIES) break
  }
  if (!found.some(({ text }) => POSITION.test(text))) return
  for (const { index, text } of found) yield* spaces(pieces, index, index + text.length)
}

function* spaces(pieces: readonly Region[], start: number, end: number): Generator<Patch> {
  let before = 0
  for (const { offset, size } of pieces) {
    const [from, to] = [Math.max(0, start - before), Math.min(size, end - before)]
    if (from < to) yield { start: offset + from, end: offset + to, fill: SPACE }
    before += size
  }
}
