import type { RawElement, RawItem } from './raw-item.ts'
import { absoluteUrl } from './url.ts'

/**
 * An item's link: the one that FeedBurner replaced, else its own, else a guid that is a link (RSS 2.0, "guid").
 *
 * @param base for elements without their own
 */
export function linkOf({ originalLink, link, id }: RawItem, base: string): string | undefined {
  const candidates = [
    ...originalLink.map((element) => absolute(element, element.text, base)),
    ...link.filter(isAlternate).map((element) => absolute(element, element.attributes['href'] ?? element.text, base)),
    ...id.filter(isPermaLink).map((element) => absolute(element, element.text, base)),
  ]
  return candidates.find((url) => url !== undefined)
}

/** Resolves an element's URL against its own base, else `base`. */
export function absolute({ attributes }: RawElement, value: string | undefined, base: string): string | undefined {
  return absoluteUrl(value, attributes['base'] ?? base)
}

function isAlternate({ attributes: { rel = 'alternate' } }: RawElement): boolean {
  return rel === 'alternate'
}

function isPermaLink({ text, attributes }: RawElement): boolean {
  return attributes['ispermalink'] !== 'false' && /^\s*https?:\/\//i.test(text)
}
