/** Invisible characters: joiners, direction marks, variation selectors of emoji. */
const UNSEEN = /[\p{Cf}\u{fe00}-\u{fe0f}]/gu

/** Whether two texts read the same. Meta trims text, and may change its whitespace and normalization. */
export function readsAs(one: string, other: string): boolean {
  return read(one) === read(other)
}

function read(text: string): string {
  return text.normalize('NFC').replaceAll(UNSEEN, '').replaceAll(/\s+/g, ' ').trim()
}
