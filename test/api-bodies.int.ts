import fc from 'fast-check'
import t from 'tap'
import * as z from 'zod'
import { givenApi, type ApiWorld } from './support/api.ts'
import { badPostBodies, badRetryBodies, notJson, oddText, type BadBody } from './support/bad-bodies.ts'
import { givenProcess } from './support/world.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const detail = z.object({ path: z.string(), message: z.string() })
const good = { mediaUrl: 'https://example.com/a.jpg', mediaType: 'image', selections: { x: ['acc_1'] } }

async function eventCount({ world }: ApiWorld): Promise<number> {
  const { rows } = await world.db.query<{ count: string }>('select count(*) from log.events')
  return Number(rows[0]?.count)
}

/** Whether the message begins with a wrong place or something inside of it. */
function names(message: string, wrong: readonly string[]): boolean {
  return wrong.some((place) => message.startsWith(place) && /^([.[: ]|$)/.test(message.slice(place.length)))
}

t.test('given bodies that are wrong in one way', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`
  const whole = JSON.stringify(good)
  const withField = (field: string) => `${whole.slice(0, -1)},${field}}`
  const cases: Readonly<Record<string, { payload?: string | Buffer; type?: string; message: RegExp }>> = {
    'no body at all': { message: /^body is required$/ },
    'an empty body': { payload: '', type: 'application/json', message: /^body is required$/ },
    'blanks only': { payload: ' \n', type: 'application/json', message: /^the body is not JSON/ },
    'half a body': { payload: '{"mediaUrl":', type: 'application/json', message: /^the body is not JSON/ },
    'two bodies': { payload: `${whole}${whole}`, type: 'application/json', message: /^the body is not JSON/ },
    'a comment': { payload: `/* */${whole}`, type: 'application/json', message: /^the body is not JSON/ },
    'a number that is none': {
      payload: withField('"a":NaN'),
      type: 'application/json',
      message: /^the body is not JSON/,
    },
    'no content type': { payload: whole, message: /^send the body as Content-Type: application\/json$/ },
    'a form': { payload: 'mediaUrl=a', type: 'application/x-www-form-urlencoded', message: /^send the body as/ },
    'plain text': { payload: whole, type: 'text/plain', message: /^send the body as/ },
    'a type that begins alike': { payload: whole, type: 'application/jsonp', message: /^send the body as/ },
    'a type that cannot be read': { payload: whole, type: 'application', message: /^send the body as/ },
    'two types': { payload: whole, type: 'text/plain, application/json', message: /^send the body as/ },
    'Latin-1': {
      payload: Buffer.from(withField('"caption":"\u00ff"'), 'latin1'),
      type: 'application/json',
      message: /^the body is not UTF-8$/,
    },
    'UTF-16': {
      payload: Buffer.from(whole, 'utf16le'),
      type: 'application/json; charset=utf-16',
      message: /^the body is not/,
    },
    'an overlong encoding': {
      payload: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0x80]), Buffer.from('"}')]),
      type: 'application/json',
      message: /^the body is not UTF-8$/,
    },
    'a name twice': {
      payload: withField('"mediaUrl":"https://b.test"'),
      type: 'application/json',
      message: /^mediaUrl is given twice$/,
    },
    'a name twice with an escape': {
      payload: withField('"c\\u0061ption":"a","caption":"b"'),
      type: 'application/json',
      message: /^caption is given twice$/,
    },
    'a name twice with another escape': {
      payload: withField('"a\\/b":1,"a/b":2'),
      type: 'application/json',
      message: /^a\/b is given twice$/,
    },
    'a name twice further in': {
      payload: withField('"a":[1,{"b":{"c":1,"d":[],"c":2}}]'),
      type: 'application/json',
      message: /^a\[1\]\.b\.c is given twice$/,
    },
    'a name twice in the selections': {
      payload: withField('"a":1').replace('"x":["acc_1"]', '"x":["acc_1"],"x":[]'),
      type: 'application/json',
      message: /^selections\.x is given twice$/,
    },
    'an empty name twice': { payload: withField('"":1,"":2'), type: 'application/json', message: /is given twice$/ },
    'a third name twice': {
      payload: withField('"a":{"b":1,"c":2,"d":3,"c":4}'),
      type: 'application/json',
      message: /^a\.c is given twice$/,
    },
    '65 levels': {
      payload: nested(65),
      type: 'application/json',
      message: /^the body is nested deeper than 64 levels$/,
    },
    '5 million levels': { payload: '['.repeat(5_000_000), type: 'application/json', message: /nested deeper/ },
    '200,000 members': {
      payload: `[${'1,'.repeat(200_000)}1]`,
      type: 'application/json',
      message: /^the body has more than 100000 members$/,
    },
    'U+0000 in a field nobody knows': {
      payload: withField('"a":["b\\u0000"]'),
      type: 'application/json',
      message: /^a\[0\] must not contain the character U\+0000/,
    },
    'half a surrogate pair in a name': {
      payload: withField('"a\\ud800":1'),
      type: 'application/json',
      message: /must not contain .*an unpaired surrogate$/,
    },
    'half a surrogate pair': {
      payload: withField('"caption":"a\\uDC00"'),
      type: 'application/json',
      message: /^caption must not contain/,
    },
    'the name __proto__': {
      payload: withField('"__proto__":{"polluted":true}'),
      type: 'application/json',
      message: /^__proto__ is not an allowed field name/,
    },
    '__proto__ with an escape': {
      payload: withField('"a":{"_\\u005fproto__":{}}'),
      type: 'application/json',
      message: /^a\.__proto__ is not an allowed field name/,
    },
    '__proto__ as a platform': {
      payload: whole.replace('"x"', '"__proto__"'),
      type: 'application/json',
      message: /^selections\.__proto__ is not an allowed field name/,
    },
    'a platform that is every object’s': {
      payload: whole.replace('"x"', '"toString"'),
      type: 'application/json',
      message: /^selections\.toString is not a platform$/,
    },
    'an array': { payload: '[]', type: 'application/json', message: /^body: expected object/ },
    null: { payload: 'null', type: 'application/json', message: /^body: expected object/ },
    'a field of the wrong type': {
      payload: whole.replace('["acc_1"]', '[7]'),
      type: 'application/json',
      message: /^selections\.x\[0\]: expected string/,
    },
    'a field that is missing': { payload: '{}', type: 'application/json', message: /^mediaUrl is required$/ },
    'no selection': {
      payload: whole.replace('{"x":["acc_1"]}', '{}'),
      type: 'application/json',
      message: /^selections is required/,
    },
    'another media type': {
      payload: whole.replace('"image"', '"gif"'),
      type: 'application/json',
      message: /^mediaType must be video or image$/,
    },
    'more than an event holds': {
      payload: withField(
        `"captionOverrides":{${Array.from({ length: 9 }, (_, i) => `"p${i}":"${'é'.repeat(69_000)}"`).join()}}`,
      ),
      type: 'application/json',
      message: /too large to store/,
    },
    'a name of 5 million letters': {
      payload: `{"${'a'.repeat(5e6)}":1,"${'a'.repeat(5e6)}":2}`,
      type: 'application/json',
      message: /^a{100}… is given twice$/,
    },
  }
  const before = await eventCount(api)
  for (const [name, { payload, type, message }] of Object.entries(cases)) {
    await t.test(`when it is ${name}, then 400 says where`, async (t) => {
      const headers = type === undefined ? {} : { 'content-type': type }
      const answer = await api.call({
        method: 'POST',
        path: '/v1/posts',
        key,
        headers,
        ...(payload === undefined ? {} : { payload }),
      })
      t.same([answer.status, answer.code], [400, 'invalid_request'])
      t.match(answer.message, message)
    })
  }
  t.equal(await eventCount(api), before, 'nothing was stored')
  t.equal(Reflect.get({}, 'polluted'), undefined)
})

t.test('given bodies that are unusual and right', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const post = (payload: string, type = 'application/json') =>
    api.call({ method: 'POST', path: '/v1/posts', key, payload, headers: { 'content-type': type } })

  await t.test('when they differ in form only, then they are accepted', async (t) => {
    const whole = JSON.stringify(good)
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
    ]) {
      t.equal((await post(whole, type)).status, 202, type)
    }
    t.equal((await post(`\ufeff ${JSON.stringify(good, null, 2)}\r\n`)).status, 202, 'a byte order mark')
    const nested = `${'['.repeat(63)}${']'.repeat(63)}`
    t.equal((await post(`${whole.slice(0, -1)},"a":${nested}}`)).status, 202, '64 levels')
    t.equal(
      (await post(`${whole.slice(0, -1)},"a":"\\\\","b":"\\"","c":{"mediaUrl":1},"d":[{"e":1},{"e":1}]}`)).status,
      202,
      'escapes, and names that are twice in different objects',
    )
    const names = '"constructor":{"prototype":{"polluted":1}},"toString":1,"prototype":{},"hasOwnProperty":null'
    t.equal(
      (await post(`${whole.slice(0, -1)},${names}}`)).status,
      202,
      'names that every object has, in unknown fields',
    )
    t.equal(Reflect.get({}, 'polluted'), undefined)
  })

  await t.test('when texts hold any character, then they come back as they were', async (t) => {
    const content = fc.record({
      caption: oddText(300),
      hashtags: fc.array(oddText(50), { maxLength: 5 }),
      platform: oddText(30).filter((name) => name !== '__proto__' && !(name in Object.prototype)),
      account: oddText(30).filter((id) => id !== ''),
    })
    await fc.assert(
      fc.asyncProperty(content, async ({ caption, hashtags, platform, account }) => {
        const selections = { x: [account], [platform]: [] }
        const { body, status } = await api.call({
          method: 'POST',
          path: '/v1/posts',
          key,
          body: { ...good, caption, hashtags, selections },
        })
        t.equal(status, 202)
        const shown = await api.call({ path: `/v1/posts/${String(body['id'])}`, key })
        t.strictSame({ caption: shown.body['caption'], hashtags: shown.body['hashtags'] }, { caption, hashtags })
        if (platform !== 'x') {
          t.strictSame(shown.body['selections'], { x: [account] })
          t.match(Object.entries(shown.body['publishResults'] ?? {}), [[platform, [{ ok: false }]]])
        }
      }),
      { numRuns: 200 },
    )
  })
})

t.test('given a body with several problems, when it is posted, then the answer lists each', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const post = (body: object) => api.call({ method: 'POST', path: '/v1/posts', key, body })

  const { status, body, message } = await post({ mediaType: 'gif', caption: 7, selections: { x: [''] } })

  t.equal(status, 400)
  const { details } = z.object({ error: z.object({ details: z.array(detail) }) }).parse(body).error
  t.same(details.map(({ path }) => path).toSorted(), ['caption', 'mediaType', 'mediaUrl', 'selections.x[0]'])
  t.equal(details[0]?.message, message)
  for (const { path, message } of details) t.ok(message.startsWith(path), message)
})

t.test('given fields that are unknown', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const media = [{ url: 'https://example.com/a.jpg', type: 'image', alttext: 'A loaf' }]
  const body = { selections: { x: ['acc_1'] }, media, captoin: 'Fresh', ours: { caption: 1 } }
  const post = () => api.call({ method: 'POST', path: '/v1/posts', key, body, headers: { 'idempotency-key': 'typo' } })

  await t.test('when they are posted, then the answer names the likely ones', async (t) => {
    const answer = await post()
    t.equal(answer.status, 202)
    t.same(answer.body['warnings'], [
      'media[0].alttext is not a field and was ignored; did you mean altText?',
      'captoin is not a field and was ignored; did you mean caption?',
      'ours is not a field and was ignored',
    ])
  })

  await t.test('when the request is repeated, then its answer is the same', async (t) => {
    const [first, second] = [await post(), await post()]
    t.same(second.body['warnings'], first.body['warnings'])
  })

  await t.test('when all are known, then there are no warnings', async (t) => {
    const { body } = await api.call({ method: 'POST', path: '/v1/posts', key, body: good })
    t.notOk('warnings' in body)
  })
})

t.test('given 2,400 generated bad bodies', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const service = await givenProcess(api.world)
  const post = await service.queue({ selections: { x: ['acc_1'] } })
  await service.drain()
  const before = await eventCount(api)

  const refuses = async (path: string, { body, wrong }: BadBody) => {
    const { status, code, message } = await api.call({
      method: 'POST',
      path,
      key,
      payload: JSON.stringify(body),
      headers: JSON_TYPE,
    })
    const right = status === 400 && code === 'invalid_request' && names(message, wrong)
    if (!right) throw new Error(`${status} ${message} instead of one of ${wrong.join(', ')}`)
  }

  await t.test('when 1,500 are posted, then each is 400 and names what is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(badPostBodies, (bad) => refuses('/v1/posts', bad)),
      { numRuns: 1_500 },
    )
  })
  await t.test('when 500 ask for a retry, then each is 400 and names what is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(badRetryBodies, (bad) => refuses(`/v1/posts/${post}/retry`, bad)),
      { numRuns: 500 },
    )
  })
  await t.test('when 400 are no JSON, then each is 400', async (t) => {
    const property = fc.asyncProperty(notJson, async (payload) => {
      const { status, code } = await api.call({ method: 'POST', path: '/v1/posts', key, payload, headers: JSON_TYPE })
      t.same([status, code], [400, 'invalid_request'])
    })
    await fc.assert(property, { numRuns: 400 })
  })

  t.equal(await eventCount(api), before, 'nothing was stored')
  t.same(api.logged, [], 'nothing was a fault of the service')
})
