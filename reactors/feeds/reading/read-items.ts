import Parser from 'rss-parser'
import { FIELD_NAMES, rawItem, type RawItem } from './raw-item.ts'

const item = FIELD_NAMES.map((name) => [`field:${name}`, name, { keepArray: true }])

/** The items of a tidy feed. @throws what rss-parser throws when the XML is not tidy */
export async function readItems(xml: string): Promise<readonly RawItem[]> {
  const { items } = await new Parser({ customFields: { item } }).parseString(xml)
  return items.map((found) => rawItem.parse(found))
}
