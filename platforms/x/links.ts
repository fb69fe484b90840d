import { createRequire } from 'node:module'
import * as z from 'zod'

/** A range of the text, in UTF-16 units, end exclusive. */
export interface Link {
  readonly start: number
  readonly end: number
}

// What X considers a link, based on its package twitter-text 3.1.0 (see weighted-length.ts). Unlike that package, this
// bounds the length and number of labels as DNS does, so that no text takes long to scan.
const SPACES = '\\t-\\r \\x85\\xa0\\u1680\\u180e\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const DIRECTION_MARKS = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
const NO_CHARACTERS = '\\ufeff\\ufffe\\uffff'
const LATIN =
  'À-ÖØ-öø-ɏ\\u0253\\u0254\\u0256\\u0257\\u0259\\u025b\\u0263\\u0268\\u026f\\u0272\\u0289\\u028b\\u02bb\\u0300-\\u036fḀ-ỿ'
const NOT_IN_NAMES = `!'#%&()*+,\\\\./:;<=>?@\\[\\]^{|}~$${SPACES}${DIRECTION_MARKS}${NO_CHARACTERS}`

// The package is a single JSON file; importing JSON still warns on Node 20.
const TOP_LEVEL_DOMAINS = z.array(z.string()).parse(createRequire(import.meta.url)('tlds'))
const TOP_LEVEL = `(?:(?:${[...TOP_LEVEL_DOMAINS, 'onion'].join('|')})(?![0-9a-zA-Z@+-])|xn--[-0-9a-z]+)`
const SUBDOMAIN = `(?![-_])[^${NOT_IN_NAMES}]{1,63}(?<![-_])\\.`
const NAME = `(?!-)[^${NOT_IN_NAMES}_]{1,63}(?<!-)\\.`
const DOMAIN = `(?:${SUBDOMAIN}){0,125}${NAME}${TOP_LEVEL}`

const IN_PATH = `[a-z\\u0400-\\u04ff0-9!*';:=+,.$/%#\\[\\]\\-–_~@|&${LATIN}]`
const PARENTHESES = `\\((?:${IN_PATH}+|${IN_PATH}*\\(${IN_PATH}+\\)${IN_PATH}*)\\)`
const PATH = `/(?:(?:${IN_PATH}|${PARENTHESES})*(?:[+\\-a-z\\u0400-\\u04ff0-9=_#/${LATIN}]|${PARENTHESES}))?`
const QUERY = `\\?[a-z0-9!?*'@();:&=+$/%#\\[\\]\\-_.,~|]*[a-z0-9\\-_&=#/]`

const LINK = new RegExp(
  `([^A-Za-z0-9@＠$#＃${NO_CHARACTERS}]|^)(https?://)?(${DOMAIN})(?::[0-9]+)?(${PATH})?(?:${QUERY})?`,
  'gi',
)
const ASCII_DOMAIN = new RegExp(`(?:[-a-z0-9${LATIN}]{1,63}\\.){1,126}${TOP_LEVEL}`, 'gi')

/** X treats longer links as plain text. */
const MAX_LINK_LENGTH = 4096

/** The links of a text, in order: with a protocol or, if ASCII, without one (`example.com/news`). */
export function* links(text: string): Generator<Link> {
  for (const match of text.matchAll(LINK)) {
    const [whole, before = '', protocol, domain = '', path] = match
    const start = match.index + before.length
    const end = match.index + whole.length
    if (end - start > MAX_LINK_LENGTH) continue
    if (protocol !== undefined) yield { start, end }
    else if (!/[-_./]/.test(before)) yield* bareLinks(domain, start, path === undefined ? undefined : end)
  }
}

/** In a domain like `詳細はexample.com` only `example.com` is a link. A path or query belongs to the last one. */
function* bareLinks(domain: string, offset: number, end: number | undefined): Generator<Link> {
  const found = [...domain.matchAll(ASCII_DOMAIN)].map((match) => ({
    start: offset + match.index,
    end: offset + match.index + match[0].length,
  }))
  const last = found.at(-1)
  yield* found.slice(0, -1)
  if (last) yield end === undefined ? last : { start: last.start, end }
}
