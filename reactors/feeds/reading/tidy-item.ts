import { fieldOf, isContainer, type FieldName } from './raw-item.ts'
import { textCollector, type TextCollector } from './tidy-text.ts'
import { fieldAttributes, xmlElement } from './tidy-writer.ts'
import type { XmlElement } from './walk-xml.ts'
import { decodeReferences } from './xml-references.ts'

/** Limits per item; fields and text beyond them are not read. */
const MAX_FIELDS = 500
const MAX_CHARACTERS = 1_000_000

/** An item being read. */
export interface TidyItem {
  open(element: XmlElement): void
  close(element: XmlElement): void
  text(raw: string, isCdata: boolean): void
  /** The fields in tidy XML, in the document's order. */
  fields(): string
}

export function tidyItem({ depth, attributes }: XmlElement): TidyItem {
  const fields: string[] = []
  let length = 0
  const add = (field: string): void => {
    fields.push(field)
    length += field.length
  }
  let current: { readonly depth: number; readonly text: TextCollector } | undefined
  const about = attributes['rdf:about']
  if (about !== undefined) add(xmlElement(fieldTag('id'), {}, decodeReferences(about)))
  return {
    open: (element) => {
      if (current) return current.text.open(element)
      const field = fieldOf(element.name, element.depth === depth + 1)
      if (field === undefined || fields.length >= MAX_FIELDS || length >= MAX_CHARACTERS) return
      if (isContainer(field)) add(xmlElement(fieldTag(field), fieldAttributes(element), ''))
      else current = { depth: element.depth, text: textCollector(fieldTag(field), element) }
    },
    close: (element) => {
      if (!current) return
      if (element.depth > current.depth) return current.text.close(element)
      add(current.text.element())
      current = undefined
    },
    text: (raw, isCdata) => current?.text.text(raw, isCdata),
    fields: () => fields.join(''),
  }
}

/** A name that rss-parser does not know: its own handling of these fields throws on odd dates and takes forever on `<<<`. */
export function fieldTag(field: FieldName): string {
  return `field:${field}`
}
