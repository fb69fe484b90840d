import { closingTag, escapeMarkup, fieldAttributes, MAX_TEXT, openingTag, xmlElement } from './tidy-writer.ts'
import type { XmlElement } from './walk-xml.ts'
import { decodeReferences } from './xml-references.ts'

/** Collects the content of one element, including tags, as text. */
export interface TextCollector {
  open(element: XmlElement): void
  close(element: XmlElement): void
  text(raw: string, isCdata: boolean): void
  /** The element with its text, in tidy XML. */
  element(): string
}

export function textCollector(tag: string, field: XmlElement): TextCollector {
  const attributes = fieldAttributes(field)
  // In XHTML content, a text's `<` is literal (RFC 4287 §3.1.1.3).
  const isXhtml = attributes['type'] === 'xhtml'
  const parts: string[] = []
  let length = 0
  let hasTags = isXhtml
  const add = (text: () => string): void => {
    if (length >= MAX_TEXT) return
    const part = text()
    length += part.length
    if (part !== '') parts.push(part)
  }
  return {
    open: (element) => {
      hasTags = true
      add(() => openingTag(element))
    },
    close: (element) => add(() => closingTag(element)),
    text: (raw, isCdata) =>
      add(() => {
        const text = isCdata ? raw.slice(0, MAX_TEXT) : decodeReferences(raw)
        return isXhtml ? escapeMarkup(text) : text
      }),
    element: () => xmlElement(tag, hasTags ? { ...attributes, type: 'html' } : attributes, parts.join('')),
  }
}
