import * as z from 'zod'

/** Maps elements, by customary name, to fields. */
const FIELDS = new Map<string, FieldName>([
  ['title', 'title'],
  ['media:title', 'otherTitle'],
  ['dc:title', 'otherTitle'],
  ['guid', 'id'],
  ['id', 'id'],
  ['link', 'link'],
  ['atom:link', 'link'],
  ['feedburner:origlink', 'originalLink'],
  ['pubdate', 'published'],
  ['published', 'published'],
  ['atom:published', 'published'],
  ['dc:date', 'published'],
  ['issued', 'published'],
  ['created', 'updated'],
  ['updated', 'updated'],
  ['atom:updated', 'updated'],
  ['modified', 'updated'],
  ['content:encoded', 'fullBody'],
  ['content', 'body'],
  ['description', 'summary'],
  ['summary', 'summary'],
  ['enclosure', 'enclosure'],
  ['media:content', 'media'],
  ['media:thumbnail', 'thumbnail'],
])

/** Their text is ignored, but their children are read. */
const CONTAINERS: ReadonlySet<FieldName> = new Set(['enclosure', 'media', 'thumbnail'])

const element = z
  .union([z.string(), z.object({ _: z.string().optional(), $: z.record(z.string(), z.string()).optional() })])
  .transform((value) =>
    typeof value === 'string' ? { text: value, attributes: {} } : { text: value._ ?? '', attributes: value.$ ?? {} },
  )
const elements = z.array(element).default([])

/** An item as rss-parser returns it, with one list of elements per field. */
export const rawItem = z.object({
  title: elements,
  otherTitle: elements,
  id: elements,
  link: elements,
  originalLink: elements,
  published: elements,
  updated: elements,
  fullBody: elements,
  body: elements,
  summary: elements,
  enclosure: elements,
  media: elements,
  thumbnail: elements,
})
export type RawItem = z.infer<typeof rawItem>
export type FieldName = keyof RawItem

export interface RawElement {
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
}

export const FIELD_NAMES = Object.keys(rawItem.shape)

/** Maps an element to a field by its customary name. Media RSS may be at any depth, all else must be a direct child. */
export function fieldOf(name: string, isOwnChild: boolean): FieldName | undefined {
  return isOwnChild || name.startsWith('media:') ? FIELDS.get(name) : undefined
}

export function isContainer(field: FieldName): boolean {
  return CONTAINERS.has(field)
}
