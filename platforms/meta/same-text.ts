/** What nobody sees: joiners, marks of direction, variants of an emoji. */
const UNSEEN = /[\p{Cf}\u{fe00}-\u{fe0f}]/gu

/** Whether two texts read the same. Meta trims what it is given, and may space or compose it otherwise. */
export function readsAs(one: string, other: string): boolean {
  return read(one) === read(other)
}

function read(text: string): string {
  return text.normalize('NFC').replaceAll(UNSEEN, '').replaceAll(/\s+/g, ' ').trim()
}
