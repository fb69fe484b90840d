import { trimEnd } from '../../infra/runtime/trim-end.ts'
import { graphemeLength } from '../kit/grapheme-length.ts'
import type { TextLength } from '../kit/media-set.ts'

const LINK = /https?:\/\/[^\s<>"]+/giu
const NOT_OF_THE_LINK = /^[.,;:!?)\]}'’”…]$/u
/** `@name@server`: the server is not counted, nor is it shown. */
const MENTION = /(?<![\w/@])@([\w.-]*\w)@[\p{L}\p{N}.:-]*[\p{L}\p{N}]/gu
/** A grapheme has fewer UTF-16 units than this. Longer texts are not worth counting, which is slow. */
const MOST_UNITS = 32

/** As Mastodon counts: links are as long as the server says, and of a mention the name counts alone. */
export function measuredText(text: string, warning: string, limits: { chars: number; urlChars: number }): TextLength {
  const { chars: most, urlChars } = limits
  const counted = warning + text.replaceAll(LINK, (link) => shortened(link, urlChars)).replaceAll(MENTION, '@$1')
  return { length: counted.length > most * MOST_UNITS ? counted.length : graphemeLength(counted), most }
}

function shortened(given: string, urlChars: number): string {
  const link = trimEnd(given, NOT_OF_THE_LINK)
  return 'x'.repeat(urlChars) + given.slice(link.length)
}

/** All that Mastodon itself makes of a text. Other servers format it, and other characters remain. */
const FORMATTED = /<(?!\/?(?:p|br|a|span)\b)[a-z/]/i
const BREAK = /<(?:br|\/p)\b[^<>]*>/gi
const TAG = /<[^<>]*>/g
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi
const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
])
const LAST_CODE_POINT = 0x10_ff_ff

/** The text of a post that is shown as HTML. */
export function plainText(html: string): string {
  return html
    .replaceAll(BREAK, '\n')
    .replaceAll(TAG, '')
    .replaceAll(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? entity
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : entity
    })
    .trim()
}

/** Whether the HTML may be of a text that cannot be read from it. */
export function isFormatted(html: string): boolean {
  return FORMATTED.test(html)
}

const UNSEEN = /[\s\p{C}]/gu

/** Whether two texts look alike: servers trim, compose characters, drop blank lines, and shorten mentions. */
export function areAlike(text: string, other: string): boolean {
  return essence(text) === essence(other)
}

function essence(text: string): string {
  return text.normalize('NFC').replaceAll(MENTION, '@$1').replaceAll(UNSEEN, '')
}

const LEADING_NAMES = /^(?:@\S+\s+)+/

/** A reply without the names of those whom it answers. */
export function withoutMentions(text: string): string {
  return text.replace(LEADING_NAMES, '')
}
