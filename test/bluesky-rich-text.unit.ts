import { RichText } from '@atproto/api'
import fc from 'fast-check'
import t from 'tap'
import { detect, facetsOf, type Detected } from '../platforms/bluesky/rich-text.ts'
import { brokenTextRules } from '../platforms/bluesky/text.ts'
import { graphemeLength } from '../platforms/kit/grapheme-length.ts'
import { tidFor } from '../platforms/bluesky/tid.ts'

interface Comparable {
  readonly byteStart: number
  readonly byteEnd: number
  readonly feature: string
}

/** Of the `uri` string format: the reference client also makes links that its own server refuses. */
const VALID_URI = /^\w+:(?:\/\/)?[^\s/][^\s]*$/

function byReferenceClient(text: string): readonly Comparable[] {
  const richText = new RichText({ text })
  richText.detectFacetsWithoutResolution()
  return (richText.facets ?? []).flatMap(({ index: { byteStart, byteEnd }, features: [feature] }) => {
    const { $type, did, uri, tag } = Object(feature)
    if (uri !== undefined && !VALID_URI.test(uri)) return []
    return [{ byteStart, byteEnd, feature: `${$type.split('#')[1]} ${did ?? uri ?? tag}` }]
  })
}

function byConnector(text: string): readonly Comparable[] {
  const value = (found: Detected): string => {
    if (found.kind === 'mention') return found.handle
    return found.kind === 'link' ? found.uri : found.tag
  }
  return detect(text).map((found) => {
    const { byteStart, byteEnd, kind } = found
    return { byteStart, byteEnd, feature: `${kind} ${value(found)}` }
  })
}

const starts = [' #', ' @', '\n#', ' https://', '(https://', ' $', ' example.com', ' @alice.test', ' #tag']
const marks = [...' \n()#＃@$.,!"\u2019\u200d\ufe0f\u00ad']
const words =
  'https:// http:// HTTPS:// http example.com bsky.social a.b.co.uk alice.test x.notatld München 日本 рф TSLA brk 2026 a_b-c /path?q=1&r=(2)'
const clusters = ['👨‍👩‍👧‍👦', '🇩🇪', 'é', 'e\u0301', '👍🏽', '\ud83d']
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...starts) },
  { weight: 3, arbitrary: fc.constantFrom(...marks) },
  { weight: 3, arbitrary: fc.constantFrom(...words.split(' ')) },
  { weight: 1, arbitrary: fc.constantFrom(...clusters) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
)
const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))

t.test('links, hashtags, cashtags and mentions are found as the reference client finds them', (t) => {
  let found = 0
  fc.assert(
    fc.property(text, (text) => {
      const expected = byReferenceClient(text)
      found += expected.length
      return JSON.stringify(byConnector(text)) === JSON.stringify(expected)
    }),
    { numRuns: 5_000 },
  )
  t.ok(found > 3_000, `${found} facets were compared`)
  t.end()
})

t.test('characters are counted as the reference client counts them', (t) => {
  const counted = fc.property(text, (text) => graphemeLength(text) === new RichText({ text }).graphemeLength)
  t.doesNotThrow(() => fc.assert(counted, { numRuns: 1_000 }))
  t.end()
})

t.test('a text reads as its author means it', (t) => {
  const cases: readonly (readonly [text: string, features: readonly string[]])[] = [
    ['plain words, no more', []],
    ['see https://example.com/a?b=c.', ['link https://example.com/a?b=c']],
    ['see (https://example.com/a)', ['link https://example.com/a']],
    ['wiki https://en.wikipedia.org/wiki/A_(b)', ['link https://en.wikipedia.org/wiki/A_(b)']],
    ['go to example.com now', ['link https://example.com']],
    ['no domain: readme.notatld', []],
    ['an e-mail is no mention: a@example.com', []],
    [
      '@alice.bsky.social says #hello, #2026 and #2026goals',
      ['mention alice.bsky.social', 'tag hello', 'tag 2026goals'],
    ],
    ['$tsla up', ['tag $TSLA']],
    ['http:///nowhere is refused by servers', []],
  ]
  for (const [text, features] of cases) {
    t.same(
      byConnector(text).map(({ feature }) => feature),
      features,
      text,
    )
  }
  t.end()
})

t.test('offsets are bytes of UTF-8, and a mention of an unknown handle stays plain text', async (t) => {
  const asked: string[] = []
  const facets = await facetsOf('👍🏽 @known.test @gone.test @known.test #ü', async (handle) => {
    asked.push(handle)
    return handle === 'known.test' ? 'did:plc:known' : undefined
  })
  const mention = { $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:known' }
  t.same(facets, [
    { index: { byteStart: 9, byteEnd: 20 }, features: [mention] },
    { index: { byteStart: 32, byteEnd: 43 }, features: [mention] },
    { index: { byteStart: 44, byteEnd: 47 }, features: [{ $type: 'app.bsky.richtext.facet#tag', tag: 'ü' }] },
  ])
  t.same(asked, ['known.test', 'gone.test'], 'each handle is looked up once')
})

t.test('a text over a limit breaks a rule that names the limit and the value', async (t) => {
  t.same(brokenTextRules('a'.repeat(300)), [])
  t.same(brokenTextRules('👍🏽'.repeat(300)), [], '300 characters of 8 bytes')
  t.match(brokenTextRules('a'.repeat(301)), [/301 characters.*300/])
  t.match(brokenTextRules('👨‍👩‍👧‍👦'.repeat(121)), [/3025 bytes.*3000/])
})

t.test('a record key is a TID of the time of its post, and the same each time', (t) => {
  const at = '2026-11-21T10:00:00.123Z'
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      const tid = tidFor(one, at)
      t.match(tid, /^[234567a-j][234567a-z]{12}$/)
      t.equal(timestampOf(tid) / 1000n, BigInt(Date.parse(at)))
      t.equal(tidFor(one, at), tid)
      t.ok(tid < tidFor(other, '2026-11-21T10:00:00.124Z'), 'sorts before a later post')
    }),
    { numRuns: 50 },
  )
  t.end()
})

t.test('posts of one millisecond get record keys of their own', (t) => {
  const tids = Array.from({ length: 1_000 }, (_, number) => tidFor(`post ${number}`, '2026-11-21T10:00:00.123Z'))
  t.ok(new Set(tids).size >= 998, `${new Set(tids).size} different keys`)
  t.end()
})

/** Microseconds since the Unix epoch, by the definition of a TID. */
function timestampOf(tid: string): bigint {
  const digits = [...tid].map((letter) => BigInt('234567abcdefghijklmnopqrstuvwxyz'.indexOf(letter)))
  return digits.reduce((value, digit) => (value << 5n) | digit, 0n) >> 10n
}
