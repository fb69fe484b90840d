import { createHash } from 'node:crypto'

const LINK =
  /https?:\/\/\S*[\w/=#&-]|(?<![\w@.-])(?:[a-z0-9-]+\.)+(?:com|org|net|io|de|uk|jp)\b(?:\/(?:\S*[\w/=#&-])?)?/gi
const LIGHT = /[\u{0}-\u{10ff}\u{2000}-\u{200d}\u{2010}-\u{201f}\u{2032}-\u{2037}]/u
const CASHTAG = /(?<!\S)\$[a-z]{1,6}(?![\w$])/gi

/** X's length of a post. Only common bare domains are recognized: enough to refuse what is clearly too long. */
export function weight(text: string): number {
  const short = text.normalize('NFC').replaceAll(LINK, 'x'.repeat(23))
  const emojis = new RegExp('\\p{RGI_Emoji}', 'gv')
  return [...short.replaceAll(emojis, '字')].reduce((sum, character) => sum + (LIGHT.test(character) ? 1 : 2), 0)
}

export function cashtags(text: string): number {
  return text.match(CASHTAG)?.length ?? 0
}

/** A link as X shows it, and its target. */
export interface ShortLink {
  readonly url: string
  readonly expanded_url: string
  readonly media_key?: string
}

/** A text as X returns it: normalized, trimmed, with shortened links, and escaped. */
export function handedOut(text: string): string {
  return composed(text)
    .replaceAll(LINK, (link) => shortLink(link))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** The links of a text. */
export function linksOf(text: string): readonly ShortLink[] {
  return [...composed(text).matchAll(LINK)].map(([link]) => ({
    url: shortLink(link),
    expanded_url: /^https?:/i.test(link) ? link : `http://${link}`,
  }))
}

export function shortLink(link: string): string {
  return `https://t.co/${createHash('sha256').update(link).digest('hex').slice(0, 10)}`
}

function composed(text: string): string {
  return text.normalize('NFC').trim()
}
