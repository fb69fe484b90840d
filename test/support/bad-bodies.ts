import fc from 'fast-check'

/** A body that breaks the rules of POST /posts, and the places where it does. */
export interface BadBody {
  readonly body: unknown
  /** Paths as messages spell them; a message names one of these, or something inside of it. */
  readonly wrong: readonly string[]
}

type Fields = Record<string, unknown>

const GOOD: Fields = {
  mediaUrl: 'https://example.com/a.jpg',
  mediaType: 'image',
  selections: { x: ['acc_1'], instagram: ['acc_2', 'acc_3'] },
  caption: 'Hello',
  captionOverrides: { x: 'Hello X' },
  hashtags: ['one', 'two'],
  firstComment: 'First!',
}
const REQUIRED = ['mediaUrl', 'mediaType', 'selections']

/** Without what is refused wherever it stands: the message would name that, not the field in question. */
const json = fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('__proto__'))
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const notString = json.filter((value) => typeof value !== 'string')
const notObject = json.filter((value) => !isObject(value))
const notArray = json.filter((value) => !Array.isArray(value))
const tooLong = (length: number) => fc.constantFrom('a', 'é', '"').map((letter) => letter.repeat(length + 1))
const notUrl = fc.oneof(
  fc.constantFrom(
    '',
    'example.com/a.jpg',
    '//example.com',
    'ftp://a/b',
    'javascript:alert(1)',
    'data:image/png,',
    'http://',
    'file:///etc/passwd',
    `https://a/${'b'.repeat(2000)}`,
  ),
  fc.string().filter((text) => !/^\s*https?:/i.test(text)),
)
const platform = fc.constantFrom('x', 'instagram', 'nonsense', 'constructors', '🙂')
const inherited = fc.constantFrom('constructor', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__')
const name = fc.string({ minLength: 101, maxLength: 300 })

/** One way to be wrong: sets a field, and says which place is wrong then. */
type Wrong = fc.Arbitrary<{ readonly field: string; readonly value: unknown; readonly at: string }>

const at = (field: string, value: fc.Arbitrary<unknown>, inside = ''): Wrong =>
  value.map((wrong) => ({ field, value: wrong, at: `${field}${inside}` }))

const wrongs: Wrong = fc.oneof(
  at('mediaUrl', notString),
  at('mediaUrl', notUrl),
  at(
    'mediaType',
    json.filter((value) => value !== 'image' && value !== 'video'),
  ),
  at('mediaType', fc.constantFrom('Image', 'gif', '', 'image ', 'constructor')),
  at('selections', fc.constant({})),
  at('selections', notObject),
  at('selections', fc.dictionary(platform, notArray, { minKeys: 1 })),
  at('selections', fc.dictionary(platform, fc.array(notString, { minLength: 1 }), { minKeys: 1 })),
  at('selections', fc.dictionary(platform, fc.constantFrom([''], ['a\0'], ['a'.repeat(101)]), { minKeys: 1 })),
  at('selections', fc.dictionary(inherited, fc.constant(['acc_1']), { minKeys: 1 })),
  at('selections', fc.dictionary(name, fc.constant(['acc_1']), { minKeys: 1 })),
  at('selections', fc.constant({ x: Array.from({ length: 201 }, (_, i) => `acc_${i}`) })),
  at('selections', fc.constant(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`p${i}`, ['a']])))),
  at('caption', notString),
  at('caption', tooLong(70_000)),
  at('captionOverrides', notObject),
  at('captionOverrides', fc.dictionary(platform, notString, { minKeys: 1 })),
  at('captionOverrides', fc.dictionary(inherited, fc.constant('text'), { minKeys: 1 })),
  at('hashtags', notArray),
  at('hashtags', fc.array(notString, { minLength: 1 })),
  at('hashtags', fc.constant(Array.from({ length: 101 }, () => 'tag'))),
  at(
    'hashtags',
    tooLong(200).map((tag) => ['fine', tag]),
    '[1]',
  ),
  at('firstComment', notString),
  at('firstComment', fc.constant('')),
  at('firstComment', tooLong(10_000)),
  fc
    .constantFrom('mediaUrl', 'caption', 'firstComment')
    .chain((field) => at(field, fc.constantFrom('\0', 'a\0b', 'a\ud83d', '\udc00b'))),
  fc.constantFrom(...REQUIRED).chain((field) => at(field, fc.constant(undefined))),
)

/** One to three fields wrong, the others good, some absent, with fields nobody knows between them. */
const spoiled: fc.Arbitrary<BadBody> = fc
  .record({
    broken: fc.array(wrongs, { minLength: 1, maxLength: 3 }),
    absent: fc.subarray(['caption', 'captionOverrides', 'hashtags', 'firstComment']),
    extra: fc.dictionary(
      fc.string().filter((key) => key !== '__proto__' && !Object.hasOwn(GOOD, key)),
      json,
    ),
  })
  .map(({ broken, absent, extra }) => {
    const kept = Object.entries(GOOD).filter(([field]) => !absent.includes(field))
    const last = new Map(broken.map((one) => [one.field, one]))
    const spoilt = [...last.values()].map(({ field, value }) => [field, value])
    return {
      body: Object.fromEntries([...Object.entries(extra), ...kept, ...spoilt]),
      wrong: [...last.values()].map((one) => one.at),
    }
  })

const notABody: fc.Arbitrary<BadBody> = fc.oneof(
  notObject.map((body) => ({ body, wrong: ['body'] })),
  fc
    .dictionary(
      fc.string().filter((key) => key !== '__proto__' && !REQUIRED.includes(key)),
      json,
      { maxKeys: 5 },
    )
    .map((body) => ({
      body,
      wrong: [...REQUIRED, 'caption', 'captionOverrides', 'hashtags', 'firstComment'].filter(
        (field) => REQUIRED.includes(field) || Object.hasOwn(body, field),
      ),
    })),
)

export const badPostBodies: fc.Arbitrary<BadBody> = fc.oneof(
  { weight: 5, arbitrary: spoiled },
  { weight: 1, arbitrary: notABody },
)

export const badRetryBodies: fc.Arbitrary<BadBody> = fc.oneof(
  notObject.map((body) => ({ body, wrong: ['body'] })),
  fc
    .oneof(notString, fc.constantFrom('', '\0', 'a'.repeat(101), '\ud800'))
    .map((value) => ({ body: { platform: value }, wrong: ['platform'] })),
  fc
    .dictionary(
      fc.string().filter((key) => !['__proto__', 'platform'].includes(key)),
      json,
    )
    .map((body) => ({ body, wrong: ['platform'] })),
)

/** Bytes that are no JSON object of ours at all. */
export const notJson: fc.Arbitrary<Buffer> = fc
  .oneof(
    fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .record({
        text: fc.constant(JSON.stringify(GOOD)),
        at: fc.nat(200),
        cut: fc.integer({ min: 1, max: 5 }),
        put: fc.constantFrom('', '{', '"', '\\', '\u0001', ','),
      })
      .map(({ text, at, cut, put }) => Buffer.from(text.slice(0, at) + put + text.slice(at + cut))),
  )
  .filter((bytes) => !isJson(bytes.toString()))

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Text that is unusual and allowed: every code point but U+0000. */
export const oddText = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: 'binary', maxLength }).map((text) => text.replaceAll('\0', '\u2028'))
