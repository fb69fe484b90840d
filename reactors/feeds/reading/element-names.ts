/** Namespaces and their customary prefixes; the elements of Atom and RSS 1.0 themselves have none. */
const CUSTOMARY = new Map([
  ['http://www.w3.org/2005/atom', ''],
  ['http://purl.org/atom/ns#', ''],
  ['http://purl.org/rss/1.0', ''],
  ['http://purl.org/rss/1.0/modules/content', 'content'],
  ['http://purl.org/dc/elements/1.1', 'dc'],
  ['http://search.yahoo.com/mrss', 'media'],
  ['http://rssnamespace.org/feedburner/ext/1.0', 'feedburner'],
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf'],
])

export interface ElementNames {
  /** Registers the prefixes that an element declares. */
  declare(attributes: Readonly<Record<string, string>>): void
  /** In lower case, with the customary prefix, whichever prefix the document uses: `media:content`. */
  customary(name: string): string
}

export function elementNames(): ElementNames {
  const prefixes = new Map([['atom', '']])
  return {
    declare: (attributes) => {
      for (const [name, uri] of Object.entries(attributes)) {
        if (!name.startsWith('xmlns:')) continue
        const customary = CUSTOMARY.get(
          uri
            .trim()
            .toLowerCase()
            .replace(/^https:/, 'http:')
            .replace(/\/$/, ''),
        )
        if (customary !== undefined) prefixes.set(name.slice('xmlns:'.length).toLowerCase(), customary)
      }
    },
    customary: (name) => {
      const lower = name.toLowerCase()
      const colon = lower.indexOf(':')
      if (colon < 0) return lower
      const prefix = prefixes.get(lower.slice(0, colon)) ?? lower.slice(0, colon)
      return prefix === '' ? lower.slice(colon + 1) : `${prefix}:${lower.slice(colon + 1)}`
    },
  }
}
