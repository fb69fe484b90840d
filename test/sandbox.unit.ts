import { imageSize } from 'image-size'
import t from 'tap'
import type { HttpRequest } from '../infra/http/http.ts'
import { startSandbox } from '../packages/sandbox/index.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { errorBody, givenAccount, givenHttp, givenSandbox, ids, postJson } from './support/sandbox.ts'

t.test('the sandbox says what it is, and what it has not', async (t) => {
  const http = givenHttp(t)
  const { url } = await givenSandbox(t)

  const page = await http.request(`${url}/`)
  t.equal(page.status, 200)
  for (const path of ['/_control/posts', '/_control/comments', '/_control/accounts', '/_control/faults']) {
    t.match(page.text(), path, `names ${path}`)
  }
  const missing = await http.request(`${url}/myspace/stories`)
  t.equal(missing.status, 404)
  t.equal(errorBody.parse(missing.json()).error.code, 'not_found')
})

t.test('two sandboxes do not share a port, and the one refused leaves nothing open', async (t) => {
  const { url } = await givenSandbox(t)
  const port = Number(new URL(url).port)
  await t.rejects(startSandbox({ port, host: '127.0.0.1', clock: systemClock, ids }), { code: 'EADDRINUSE' })
})

t.test('the sample media are what they claim to be', async (t) => {
  const http = givenHttp(t)
  const { url } = await givenSandbox(t)

  const image = await http.request(`${url}/media/sample.jpg`)
  t.match(image.headers, { 'content-type': 'image/jpeg', 'content-length': String(image.body.length) })
  t.match(imageSize(image.body), { type: 'jpg', width: 1080, height: 1080 })
  t.ok(image.body.length < 200_000)

  const video = await http.request(`${url}/media/sample.mp4`)
  t.match(video.headers, { 'content-type': 'video/mp4', 'content-length': String(video.body.length) })
  t.ok(video.body.length < 400_000)
  const boxes = Buffer.from(video.body)
  t.equal(boxes.toString('latin1', 4, 12), 'ftypisom')
  t.ok(boxes.includes('avc1') && boxes.includes('mp4a'), 'H.264 and AAC')
  t.ok(boxes.indexOf('moov') < boxes.indexOf('mdat'), 'its index comes first, so it plays while it loads')

  for (const file of ['sample.jpg', 'sample.mp4']) {
    const whole = await http.request(`${url}/media/${file}`)
    const head = await http.request(`${url}/media/${file}`, { method: 'HEAD' })
    t.equal(head.status, 200)
    t.equal(head.headers['content-length'], String(whole.body.length))
    t.equal(head.body.length, 0)
    const again = await http.request(`${url}/media/${file}`, {
      headers: { 'if-none-match': whole.headers['etag'] ?? '' },
    })
    t.equal(again.status, 304)
  }
})

t.test('the sample media are served in ranges (RFC 9110 §14)', async (t) => {
  const http = givenHttp(t)
  const { url } = await givenSandbox(t)
  const whole = await http.request(`${url}/media/sample.mp4`)
  const size = whole.body.length
  const get = (headers: Record<string, string>) => http.request(`${url}/media/sample.mp4`, { headers })

  for (const [range, first, last] of [
    ['bytes=0-0', 0, 0],
    ['bytes=100-199', 100, 199],
    [`bytes=${size - 1}-`, size - 1, size - 1],
    ['bytes=-500', size - 500, size - 1],
    [`bytes=-${size * 2}`, 0, size - 1],
    [`bytes=10-${size * 2}`, 10, size - 1],
  ] as const) {
    const part = await get({ range })
    t.equal(part.status, 206, range)
    t.equal(part.headers['content-range'], `bytes ${first}-${last}/${size}`)
    t.ok(Buffer.from(part.body).equals(whole.body.subarray(first, last + 1)), `${range}: the right bytes`)
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0']) {
    const refused = await get({ range })
    t.equal(refused.status, 416, range)
    t.equal(refused.headers['content-range'], `bytes */${size}`)
  }
  for (const range of ['bytes=5-2', 'bytes=-', 'bytes=0-1,5-9', 'items=0-1', 'bytes=a-b']) {
    const ignored = await get({ range })
    t.equal(ignored.status, 200, range)
    t.equal(ignored.body.length, size)
  }
  t.equal((await get({ range: 'bytes=0-9', 'if-range': '"another"' })).status, 200, 'the file has changed: all of it')
  t.equal((await get({ range: 'bytes=0-9', 'if-range': whole.headers['etag'] ?? '' })).status, 206)
})

t.test('the sample feed is RSS 2.0 whose images are there', async (t) => {
  const http = givenHttp(t)
  const { url } = await givenSandbox(t)

  const feed = await http.request(`${url}/feed.xml`)
  t.equal(feed.headers['content-type'], 'application/rss+xml; charset=utf-8')
  const items = feed.text().split('<item>').slice(1)
  t.equal(items.length, 3)
  const dates = items.map((item) => Date.parse(/<pubDate>(.*)<\/pubDate>/.exec(item)?.[1] ?? ''))
  t.same(
    dates,
    dates.toSorted((a, b) => b - a),
    'newest first',
  )
  for (const item of items) {
    const [, image = '', length = ''] = /<enclosure url="(.*?)" length="(\d+)" type="image\/jpeg"\/>/.exec(item) ?? []
    t.equal((await http.request(image)).body.length, Number(length))
    t.notMatch(item, /&(?!amp;|lt;|gt;)/, 'no bare ampersand')
  }
  t.equal(new Set(items.map((item) => /<guid[^<>]*>([^<]*)<\/guid>/.exec(item)?.[1])).size, 3)
  const etag = feed.headers['etag'] ?? ''
  t.equal((await http.request(`${url}/feed.xml`, { headers: { 'if-none-match': etag } })).status, 304)
})

t.test('control endpoints refuse bad input and name the field', async (t) => {
  const http = givenHttp(t)
  const sandbox = await givenSandbox(t)
  const { externalId: accountId } = await givenAccount(http, sandbox, 'x')
  const fault = { platform: 'x', call: 'publish', kind: 'reject', times: 1 }
  const comment = { platform: 'x', accountId, text: 'hi', author: 'ann' }

  for (const [path, body, field] of [
    ['faults', { ...fault, platform: 'myspace' }, 'platform'],
    ['faults', { ...fault, call: 'hide' }, 'call'],
    ['faults', { ...fault, kind: 'explode' }, 'kind'],
    ['faults', { ...fault, times: 0 }, 'times'],
    ['faults', { ...fault, times: 1.5 }, 'times'],
    ['faults', { ...fault, times: '3' }, 'times'],
    ['faults', { ...fault, delayMs: -1 }, 'delayMs'],
    ['faults', { ...fault, when: 'now' }, 'when'],
    ['faults', { platform: 'x', call: 'publish' }, 'kind'],
    ['comments', { ...comment, accountId: 'nobody' }, 'accountId'],
    ['comments', { ...comment, postId: 'nothing' }, 'postId'],
    ['comments', { ...comment, text: '' }, 'text'],
    ['comments', { platform: 'x', accountId, text: 'hi' }, 'author'],
    ['accounts', { platform: 'friendster' }, 'platform'],
    ['accounts', { platform: 'x', externalId: '' }, 'externalId'],
  ] as const) {
    const response = await postJson(http, `${sandbox.url}/_control/${path}`, body)
    t.equal(response.status, 400, `${path} ${JSON.stringify(body)}`)
    t.match(errorBody.parse(response.json()).error.message, field)
  }
  for (const query of ['', '?platform=orkut', '?platform=x&since=yesterday']) {
    t.equal((await http.request(`${sandbox.url}/_control/posts${query}`)).status, 400, `posts${query}`)
  }
  const text: HttpRequest = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'reject' }
  t.equal((await http.request(`${sandbox.url}/_control/faults`, text)).status, 415)
  t.same(sandbox.faults.pending(), [], 'and script nothing')
})

t.test('faults are used up in their order, per platform, call and account', async (t) => {
  const http = givenHttp(t)
  const sandbox = await givenSandbox(t)
  const url = `${sandbox.url}/_control/faults`
  await postJson(http, url, { platform: 'x', call: 'publish', kind: 'reject', times: 2 })
  await postJson(http, url, { platform: 'x', call: 'publish', kind: 'slow', times: 1, accountId: 'a' })
  t.match((await http.request(url)).json(), [
    { kind: 'reject', times: 2 },
    { kind: 'slow', accountId: 'a' },
  ])

  const { faults } = sandbox
  t.equal(faults.take('threads', 'publish', 'a'), undefined, 'another platform')
  t.equal(faults.take('x', 'refresh', 'a'), undefined, 'another call')
  t.match(faults.take('x', 'publish', 'b'), { kind: 'reject', times: 2 })
  t.match(faults.take('x', 'publish', 'b'), { kind: 'reject', times: 1 })
  t.equal(faults.take('x', 'publish', 'b'), undefined, 'what is left is for another account')
  t.match(faults.take('x', 'publish', 'a'), { kind: 'slow' })

  await postJson(http, url, { platform: 'x', call: 'publish', kind: 'reject', times: 9 })
  t.equal((await http.request(url, { method: 'DELETE' })).status, 204)
  t.same((await http.request(url)).json(), [])
})

t.test('an account asked for again by its id is the same account', async (t) => {
  const http = givenHttp(t)
  const sandbox = await givenSandbox(t)
  const first = await givenAccount(http, sandbox, 'x', { externalId: '1234', label: 'Studio' })
  t.match(first, { externalId: '1234', label: 'Studio', baseUrl: `${sandbox.url}/x` })
  t.same(await givenAccount(http, sandbox, 'x', { externalId: '1234', label: 'Other' }), first)
  const other = await givenAccount(http, sandbox, 'threads', { externalId: '1234' })
  t.not(other.credentials['accessToken'], first.credentials['accessToken'], 'on another platform it is another one')
  const unnamed = [await givenAccount(http, sandbox, 'x'), await givenAccount(http, sandbox, 'x')]
  t.not(unnamed[0]?.externalId, unnamed[1]?.externalId)
})

t.test('closing does not wait for a call that a fault holds', { timeout: 10_000 }, async (t) => {
  const http = givenHttp(t)
  const sandbox = await givenSandbox(t)
  const account = await givenAccount(http, sandbox, 'x')
  const { refreshToken = '', clientId = '', clientSecret = '' } = account.credentials
  const fault = { platform: 'x', call: 'refresh', kind: 'slow', delayMs: 120_000 }
  await postJson(http, `${sandbox.url}/_control/faults`, fault)

  const held = http.request(`${account.baseUrl}/2/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }).toString(),
  })
  const lost = t.rejects(held, { name: 'HttpFailure', kind: 'reset' })
  while (sandbox.faults.pending().length > 0) await systemClock.sleep(5)
  await sandbox.close()
  await lost
})
