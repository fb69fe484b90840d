import { links } from './links.ts'

const ESCAPED = /&(amp|lt|gt);/g
const UNESCAPED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
])
const LEADING_NAMES = /^(?:@\w+\s+)+/
/** Placeholder for any link, as X shows its own short one. */
const SOME_LINK = '🔗'
const UNSEEN = /[^\p{L}\p{N}\p{P}\p{S}]/gu

/** A text as people see it, without X's escapes for three characters and the recipients it puts before a reply. */
export function shownText(text: string, isReply: boolean): string {
  const unescaped = text.replaceAll(ESCAPED, (escaped, name: string) => UNESCAPED.get(name) ?? escaped)
  return isReply ? unescaped.replace(LEADING_NAMES, '') : unescaped
}

/** Whether a reply that X shows has this text; X shortens links, composes characters and trims. */
export function isShownAs(text: string, shown: string): boolean {
  return essence(text.trim().replace(LEADING_NAMES, '')) === essence(shownText(shown, true))
}

/** Like `isShownAs`, for a post with media: X appends a link to them to the text. */
export function isPostShownAs(text: string, shown: string): boolean {
  const [own, seen] = [essence(text), essence(shownText(shown, false))]
  return seen === own || seen === own + SOME_LINK
}

/** Whether the links of a text have these targets, in order. */
export function hasLinks(text: string, others: readonly string[]): boolean {
  const composed = text.normalize('NFC').trim()
  const own = [...links(composed)].map(({ start, end }) => composed.slice(start, end))
  return own.length === others.length && own.every((link, index) => plainLink(link) === plainLink(others[index] ?? ''))
}

/** A link without its protocol, which X adds to bare links, normalized like in a browser. */
function plainLink(link: string): string {
  const whole = /^https?:\/\//i.test(link) ? link : `http://${link}`
  if (!URL.canParse(whole)) return link
  const { host, pathname, search, hash } = new URL(whole)
  return host + pathname.replace(/\/$/, '') + search + hash
}

/** The visible characters of a text, ignoring link targets. */
function essence(text: string): string {
  const own = text.normalize('NFC').trim()
  let seen = ''
  let at = 0
  for (const { start, end } of links(own)) {
    seen += own.slice(at, start) + SOME_LINK
    at = end
  }
  return (seen + own.slice(at)).replaceAll(UNSEEN, '')
}
