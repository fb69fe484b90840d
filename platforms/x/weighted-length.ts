import { links } from './links.ts'

/*
 * How X counts the length of a post. Its own package, twitter-text 3.1.0, is not used: it pulls in 10 MB of old polyfills,
 * too much for the service's install, and they patch the built-in objects of the whole process.
 */

const LINK_WEIGHT = 23
/** Code points that count as 1; all others count as 2. */
const LIGHT = /[\u{0}-\u{10ff}\u{2000}-\u{200d}\u{2010}-\u{201f}\u{2032}-\u{2037}]/u
let emoji: RegExp | undefined
/** Includes sequences such as families and flags. A string, as the `v` flag is newer than the compiler's target. Made at first use: 15 ms. */
const everyEmoji = () => (emoji ??= new RegExp('\\p{RGI_Emoji}', 'gv'))
const SOME_HEAVY_CHARACTER = '字'

/** A text's length as X counts it: links as 23, emoji and most Asian characters as 2, other common characters as 1. */
export function weightedLength(text: string): number {
  const normalized = text.normalize('NFC')
  let weight = 0
  let at = 0
  for (const { start, end } of links(normalized)) {
    weight += weightWithoutLinks(normalized.slice(at, start)) + LINK_WEIGHT
    at = end
  }
  return weight + weightWithoutLinks(normalized.slice(at))
}

function weightWithoutLinks(text: string): number {
  let weight = 0
  for (const character of text.replaceAll(everyEmoji(), SOME_HEAVY_CHARACTER)) weight += LIGHT.test(character) ? 1 : 2
  return weight
}
