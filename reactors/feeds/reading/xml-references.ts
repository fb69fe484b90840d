import { Parser } from 'htmlparser2'

const REFERENCE = /&(?:#\d{1,7}|#[xX][\dA-Fa-f]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/g

const known = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
])

let decoded = ''
const html = new Parser({ ontext: (text) => (decoded += text) })

/**
 * Decodes the references in XML text. Feeds also use HTML's names; any other name, e.g. of an entity that the document declares,
 * stays as written.
 */
export function decodeReferences(raw: string): string {
  return raw.includes('&') ? raw.replace(REFERENCE, decodeReference) : raw
}

function decodeReference(reference: string): string {
  const found = known.get(reference)
  if (found !== undefined) return found
  const code = codeOf(reference)
  // HTML, and so the feeds, treat 0x80 to 0x9f as windows-1252.
  if (code !== undefined && code >= 0xa0) return isCharacter(code) ? String.fromCodePoint(code) : ''
  decoded = ''
  html.parseComplete(reference)
  // HTML reads `&notit;` as `¬it;`.
  if (code === undefined && decoded.endsWith(';')) return reference
  if (code === undefined) known.set(reference, decoded)
  return decoded
}

function codeOf(reference: string): number | undefined {
  if (reference[1] !== '#') return undefined
  return /^&#[xX]/.test(reference) ? parseInt(reference.slice(3), 16) : parseInt(reference.slice(2), 10)
}

function isCharacter(code: number): boolean {
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
}
