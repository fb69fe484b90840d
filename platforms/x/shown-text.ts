import { links } from './links.ts'

const ESCAPED = /&(amp|lt|gt);/g
const UNESCAPED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
])
const LEADING_NAMES = /^(?:@\w+\s+)+/
/** Stands for any link: X shows its own short one. */
const SOME_LINK = '🔗'
const UNSEEN = /[^\p{L}\p{N}\p{P}\p{S}]/gu

/** A text as people see it: X escapes three characters, and puts before a reply the names of those whom it goes to. */
export function shownText(text: string, isReply: boolean): string {
  const unescaped = text.replaceAll(ESCAPED, (escaped, name: string) => UNESCAPED.get(name) ?? escaped)
  return isReply ? unescaped.replace(LEADING_NAMES, '') : unescaped
}

/** Whether a reply that X shows is of this text: X shortens links, composes characters and trims. */
export function isShownAs(text: string, shown: string): boolean {
  return essence(text) === essence(shownText(shown, true))
}

/** All that is seen, but for links and leading names. */
function essence(text: string): string {
  const own = text.normalize('NFC').trim().replace(LEADING_NAMES, '')
  let seen = ''
  let at = 0
  for (const { start, end } of links(own)) {
    seen += own.slice(at, start) + SOME_LINK
    at = end
  }
  return (seen + own.slice(at)).replaceAll(UNSEEN, '')
}
