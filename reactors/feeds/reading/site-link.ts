import { absoluteUrl } from './url.ts'
import type { XmlElement } from './walk-xml.ts'
import { decodeReferences } from './xml-references.ts'

/** Longer text is not a URL, whatever its references decode to. */
const MAX_LENGTH = 20_000
const PARENTS: ReadonlySet<string> = new Set(['channel', 'feed'])

/** Finds the site that a feed belongs to, outside of its items. */
export interface SiteLink {
  open(element: XmlElement, parent: XmlElement | undefined): void
  close(): void
  text(raw: string, isCdata: boolean): void
  found(): string | undefined
}

export function siteLink(url: string): SiteLink {
  let found: string | undefined
  let link: { readonly base: string; text: string } | undefined
  return {
    open: ({ name, attributes, base = url }, parent) => {
      const { rel = 'alternate', href } = attributes
      link = undefined
      if (found !== undefined || name !== 'link' || rel !== 'alternate' || !PARENTS.has(parent?.name ?? '')) return
      if (href === undefined) link = { base, text: '' }
      else found = absoluteUrl(decodeReferences(href), base)
    },
    close: () => {
      if (link) found = absoluteUrl(link.text, link.base)
      link = undefined
    },
    text: (raw, isCdata) => {
      if (link && link.text.length < MAX_LENGTH) link.text += isCdata ? raw : decodeReferences(raw)
    },
    found: () => found,
  }
}
