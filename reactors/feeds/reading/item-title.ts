import { oneLine, plainText, shortened } from './item-text.ts'
import type { RawElement, RawItem } from './raw-item.ts'
import type { FeedFormat } from './tidy-feed.ts'

/** The first that says something. An item without a title, as of a microblog, is called by its text. */
export function titleOf({ title, otherTitle, summary, body, fullBody }: RawItem, format: FeedFormat): string {
  for (const element of [...title, ...otherTitle, ...summary, ...body, ...fullBody]) {
    const text = isLiteral(element, format) ? oneLine(element.text) : plainText(element.text)
    if (text !== '') return shortened(text)
  }
  return ''
}

/** Atom says whether its `<` is a tag (RFC 4287 §3.1.1); in RSS everybody takes it for one. */
function isLiteral({ attributes: { type = 'text' } }: RawElement, format: FeedFormat): boolean {
  return format === 'atom' && (type === 'text' || type === 'text/plain')
}
