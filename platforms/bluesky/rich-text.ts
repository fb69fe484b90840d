import { createRequire } from 'node:module'
import * as z from 'zod'
import { trimEnd } from '../../infra/runtime/trim-end.ts'
import { byteLength } from './text.ts'

const FACET = 'app.bsky.richtext.facet'

/** A clickable range of the text, in UTF-8 bytes, end exclusive. */
export interface Span {
  readonly byteStart: number
  readonly byteEnd: number
}

/** A feature detected in a text. A mention is still an unresolved handle. */
export type Detected = Span &
  (
    | { readonly kind: 'mention'; readonly handle: string }
    | { readonly kind: 'link'; readonly uri: string }
    | { readonly kind: 'tag'; readonly tag: string }
  )

export interface Facet {
  readonly index: Span
  readonly features: readonly Readonly<Record<string, string>>[]
}

// The regular expressions of the reference client (@atproto/api, rich-text/util.ts), to detect the same as the app.
const MENTION = /(?:^|\s|\()@([a-zA-Z0-9.-]+)\b/g
const LINK = /(?:^|\s|\()((?:https?:\/\/\S+)|(?:(?<domain>[a-z][a-z0-9]*(?:\.[a-z0-9]+)+)\S*))/gim
const NO_TAG = '\\s\\u00AD\\u2060\\u200A\\u200B\\u200C\\u200D\\u20e2'
const TAG = new RegExp(`(^|\\s)[#＃]((?!\\ufe0f)[^${NO_TAG}]*[^\\d\\p{P}${NO_TAG}]+[^${NO_TAG}]*)`, 'gu')
const CASHTAG = /(^|\s|\()\$([A-Za-z][A-Za-z0-9]{0,4})(?=\s|$|[.,;:!?)"'\u2019])/gu

/** The lexicons' `uri` string format; a link that violates it gets the whole post rejected. */
const URI = /^\w+:(?:\/\/)?[^\s/]\S*$/

// The package is a single JSON file; importing JSON still warns on Node 20.
const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(
  z.array(z.string()).parse(createRequire(import.meta.url)('tlds')),
)

/** Links, hashtags, cashtags and mentions as the official client detects them, in text order. */
export function detect(text: string): readonly Detected[] {
  const span = (start: number, length: number): Span => ({
    byteStart: byteLength(text.slice(0, start)),
    byteEnd: byteLength(text.slice(0, start + length)),
  })
  const found = [...mentions(text, span), ...links(text, span), ...tags(text, span), ...cashtags(text, span)]
  return found.sort((a, b) => a.byteStart - b.byteStart)
}

/**
 * The facets of a record.
 *
 * @param resolve gives the DID of a handle; a mention without one stays plain text
 */
export async function facetsOf(
  text: string,
  resolve: (handle: string) => Promise<string | undefined>,
): Promise<readonly Facet[]> {
  const detected = detect(text)
  const handles = new Set(detected.flatMap((found) => (found.kind === 'mention' ? [found.handle] : [])))
  const dids = new Map(await Promise.all([...handles].map(async (handle) => [handle, await resolve(handle)] as const)))
  return detected.flatMap((found): Facet[] => {
    const index = { byteStart: found.byteStart, byteEnd: found.byteEnd }
    switch (found.kind) {
      case 'link':
        return [{ index, features: [{ $type: `${FACET}#link`, uri: found.uri }] }]
      case 'tag':
        return [{ index, features: [{ $type: `${FACET}#tag`, tag: found.tag }] }]
      case 'mention': {
        const did = dids.get(found.handle)
        return did === undefined ? [] : [{ index, features: [{ $type: `${FACET}#mention`, did }] }]
      }
    }
  })
}

type ToSpan = (start: number, length: number) => Span

function* mentions(text: string, span: ToSpan): Iterable<Detected> {
  for (const match of text.matchAll(MENTION)) {
    const handle = match[1] ?? ''
    if (!isDomain(handle) && !handle.endsWith('.test')) continue
    yield { kind: 'mention', handle, ...span(text.indexOf(handle, match.index) - 1, handle.length + 1) }
  }
}

function* links(text: string, span: ToSpan): Iterable<Detected> {
  for (const match of text.matchAll(LINK)) {
    const written = match[1] ?? ''
    const isUrl = written.startsWith('http')
    if (!isUrl && !isDomain(match.groups?.['domain'] ?? '')) continue
    const shown = withoutTrailing(written)
    const uri = isUrl ? shown : `https://${shown}`
    if (!URI.test(uri)) continue
    yield { kind: 'link', uri, ...span(text.indexOf(written, match.index), shown.length) }
  }
}

function* tags(text: string, span: ToSpan): Iterable<Detected> {
  for (const match of text.matchAll(TAG)) {
    const tag = trimEnd((match[2] ?? '').trim(), /^\p{P}$/u)
    if (tag.length === 0 || tag.length > 64) continue
    yield { kind: 'tag', tag, ...span(match.index + (match[1] ?? '').length, tag.length + 1) }
  }
}

function* cashtags(text: string, span: ToSpan): Iterable<Detected> {
  for (const match of text.matchAll(CASHTAG)) {
    const ticker = match[2] ?? ''
    yield {
      kind: 'tag',
      tag: `$${ticker.toUpperCase()}`,
      ...span(match.index + (match[1] ?? '').length, ticker.length + 1),
    }
  }
}

/** Strips sentence punctuation, and a closing parenthesis that was opened before the link. */
function withoutTrailing(link: string): string {
  const unpunctuated = link.replace(/[.,;:!?]$/, '')
  return unpunctuated.endsWith(')') && !unpunctuated.includes('(') ? unpunctuated.slice(0, -1) : unpunctuated
}

function isDomain(name: string): boolean {
  const dot = name.lastIndexOf('.')
  return dot !== -1 && TOP_LEVEL_DOMAINS.has(name.slice(dot + 1))
}
