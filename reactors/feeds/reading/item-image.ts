import { firstImage } from './first-image.ts'
import { absolute } from './item-link.ts'
import type { RawElement, RawItem } from './raw-item.ts'
import { absoluteUrl } from './url.ts'

const EXTENSION = /\.(avif|bmp|gif|heic|jpe?g|png|tiff?|webp)$/i

/**
 * An item's image by api-spec "Image selection": an enclosure, else Media RSS, else the first in its full text.
 *
 * @param base for elements without their own
 */
export function imageOf(item: RawItem, base: string): string | undefined {
  const enclosures = [...item.enclosure, ...item.link.filter(({ attributes }) => attributes['rel'] === 'enclosure')]
  return (
    firstOf(enclosures.map((element) => imageFile(element, base))) ??
    firstOf(item.media.map((element) => mediaImage(element, base))) ??
    firstOf(item.thumbnail.map((element) => absolute(element, element.attributes['url'], base))) ??
    firstOf(
      [...item.fullBody, ...item.body, ...item.summary].map(({ text, attributes }) => {
        return firstImage(text, (src) => absoluteUrl(src, attributes['base'] ?? base))
      }),
    )
  )
}

/** Accepts a file by its type or, without one, by its extension. */
function imageFile(element: RawElement, base: string): string | undefined {
  const { type = '', url, href } = element.attributes
  const address = absolute(element, url ?? href, base)
  if (address === undefined) return undefined
  return (type.trim() === '' ? hasExtension(address) : /^\s*image\b/i.test(type)) ? address : undefined
}

function mediaImage(element: RawElement, base: string): string | undefined {
  const { medium, url } = element.attributes
  const address = absolute(element, url, base)
  // WordPress.com lists the author's avatar before the images.
  if (address === undefined || /(^|\.)gravatar\.com$/.test(new URL(address).hostname)) return undefined
  if (medium === undefined) return imageFile(element, base)
  return medium.trim().toLowerCase() === 'image' ? address : undefined
}

function hasExtension(address: string): boolean {
  return EXTENSION.test(new URL(address).pathname)
}

function firstOf(urls: Iterable<string | undefined>): string | undefined {
  for (const url of urls) if (url !== undefined) return url
  return undefined
}
