import { createRequire } from 'node:module'
import t from 'tap'
import fc from 'fast-check'
import { weightedLength } from '../platforms/x/weighted-length.ts'

/*
 * X's own package, as the judge of how we count. In a file of its own: it brings polyfills that change the built-in objects
 * of whoever loads it.
 */
const { parseTweet, extractUrlsWithIndices } = createRequire(import.meta.url)('twitter-text') as {
  readonly parseTweet: (text: string) => { readonly weightedLength: number }
  readonly extractUrlsWithIndices: (
    text: string,
  ) => readonly { readonly url: string; readonly indices: readonly [number, number] }[]
}

const WORDS = [
  'a',
  'Hello',
  'naïve',
  'Straße',
  'привет',
  '東京',
  'はい',
  '안녕',
  'مرحبا',
  'שלום',
  'नमस्ते',
  'e\u0301',
  '…',
  '—',
  '“q”',
]
// None that is newer than the package, which is of 2020.
const EMOJI = ['😀', '👍🏽', '❤️', '👨‍👩‍👧‍👦', '🏳️‍🌈', '🇩🇪', '1️⃣', '☕', '✌🏿', '©️', '™']
const LINKS = [
  'https://example.com',
  'http://example.com/a/b?c=d&e=f#g',
  'example.com',
  'www.example.co.uk/path_(x)',
  'https://例え.jp/テスト',
  'https://example.com/ünï',
  'HTTPS://EXAMPLE.COM',
  'example.com:8080/x',
  'https://sub.domain.example.org/?q=1.',
  'nolink.notatld',
  'http://localhost',
  'a.b',
]
const MARKS = [
  '.',
  ',',
  '!',
  '?',
  ':',
  ';',
  '(',
  ')',
  '@user',
  '#tag',
  '$ABC',
  '/',
  '-',
  '_',
  '\n',
  '\t',
  '  ',
  '&',
  '%',
  '@',
  '#',
]
const text = fc
  .array(fc.tuple(fc.constantFrom(...WORDS, ...EMOJI, ...LINKS, ...MARKS), fc.constantFrom('', ' ', ' ', '\n')), {
    maxLength: 30,
  })
  .map((parts) => parts.flat().join(''))

/**
 * The package looks a link up by its domain's text and takes an earlier occurrence that is no link, as in
 * `example.com1️⃣example.com/x`, for it. The range it then names is longer than the link, so it counts other characters.
 */
const misplacesALink = (text: string) =>
  extractUrlsWithIndices(text.normalize('NFC')).some(({ url, indices: [start, end] }) => url.length !== end - start)

t.test('a text has the length that X’s own package gives it', async () => {
  fc.assert(
    fc.property(text, (text) => {
      fc.pre(!misplacesALink(text))
      return weightedLength(text) === parseTweet(text).weightedLength
    }),
    { numRuns: 20_000 },
  )
})

t.test('a link counts where it stands, not at an earlier occurrence of its domain', async (t) => {
  const text = 'example.com1️⃣example.com:8080/x'
  t.ok(misplacesALink(text), 'the package is wrong here')
  t.equal(weightedLength(text), 'example.com'.length + 2 + 23)
})
