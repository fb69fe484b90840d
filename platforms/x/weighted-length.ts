import { links } from './links.ts'

/*
 * How X counts the length of a post. Its own package for this, twitter-text 3.1.0, brings 10 MB of old polyfills along,
 * which the service's install has no room for, and which change the built-in objects of the whole process.
 */

const LINK_WEIGHT = 23
/** Code points that count 1; all others count 2. */
const LIGHT = /[\u{0}-\u{10ff}\u{2000}-\u{200d}\u{2010}-\u{201f}\u{2032}-\u{2037}]/u
/** Sequences too, as a family or a flag; a string because the `v` flag is newer than the compiler's target. */
const EMOJI = new RegExp('\\p{RGI_Emoji}', 'gv')
const SOME_HEAVY_CHARACTER = '字'

/** The length of a post's text as X counts it: a link 23, any emoji 2, most Asian characters 2, what else is common 1. */
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
  for (const character of text.replaceAll(EMOJI, SOME_HEAVY_CHARACTER)) weight += LIGHT.test(character) ? 1 : 2
  return weight
}
