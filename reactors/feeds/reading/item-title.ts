import { oneLine, plainText, shortened } from './item-text.ts'
import type { RawElement, RawItem } from './raw-item.ts'
import type { FeedFormat } from './tidy-feed.ts'

/** The first non-empty text. Items without a title, as on microblogs, use their content. */
export function titleOf({ title, otherTitle, summary, body, fullBody }: RawItem, format: FeedFormat): string {
  for (const element of [...title, ...otherTitle, ...summary, ...body, ...fullBody]) {
    const text = isLiteral(element, format) ? oneLine(element.text) : plainText(element.text)
    if (text !== '') return shortened(text)
  }
  return ''
}

/** Atom declares whether `<` is markup (RFC 4287 §3.1.1); RSS readers always treat it as markup. */
function isLiteral({ attributes: { type = 'text' } }: RawElement, format: FeedFormat): boolean {
  return format === 'atom' && (type === 'text' || type === 'text/plain')
}
