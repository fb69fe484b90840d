import { absoluteUrl } from './url.ts'
import type { XmlElement } from './walk-xml.ts'
import { decodeReferences } from './xml-references.ts'

type Attributes = XmlElement['attributes']

/** Characters kept of one element; an image beyond them is not found. */
export const MAX_TEXT = 500_000
const MAX_ATTRIBUTE = 4_096
const KEPT = ['href', 'ispermalink', 'medium', 'rel', 'type', 'url']
const KEPT_OF_IMAGE = ['src', 'width', 'height']
/** XML 1.0 §2.2 */
const ILLEGAL = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

/** An element that every XML parser accepts. */
export function xmlElement(tag: string, attributes: Attributes, text: string): string {
  const legal = text.slice(0, MAX_TEXT).replace(ILLEGAL, '').replaceAll(']]>', ']]]]><![CDATA[>')
  return `<${tag}${written(attributes)}><![CDATA[${legal}]]></${tag}>`
}

/** The attributes that matter for a field, including its base. */
export function fieldAttributes({ attributes, base }: XmlElement): Attributes {
  return { ...kept(attributes, KEPT), ...(base !== undefined && { base }) }
}

/** The opening tag of an element within a text, as HTML; empty where HTML has no such element. */
export function openingTag({ name, attributes, base }: XmlElement): string {
  const tag = htmlName(name)
  if (tag !== 'img') return tag === '' ? '' : `<${tag}>`
  const { src, ...size } = kept(attributes, KEPT_OF_IMAGE)
  const absolute = base === undefined ? undefined : absoluteUrl(src, base)
  return `<img${written({ ...size, ...(src !== undefined && { src: absolute ?? src }) })}>`
}

export function closingTag({ name }: XmlElement): string {
  const tag = htmlName(name)
  return tag === '' ? '' : `</${tag}>`
}

export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function htmlName(name: string): string {
  const local = name.slice(name.indexOf(':') + 1)
  return /^[a-z][a-z\d]{0,30}$/.test(local) ? local : ''
}

function kept(attributes: Attributes, names: readonly string[]): Attributes {
  const wanted = Object.entries(attributes).filter(
    ([name, { length }]) => names.includes(name.toLowerCase()) && length <= MAX_ATTRIBUTE,
  )
  return Object.fromEntries(wanted.map(([name, value]) => [name.toLowerCase(), decodeReferences(value)]))
}

function written(attributes: Attributes): string {
  const all = Object.entries(attributes)
  return all.map(([name, value]) => ` ${name}="${escapeMarkup(value.replace(ILLEGAL, ''))}"`).join('')
}
