import t from 'tap'
import * as z from 'zod'
import { facebook } from '../platforms/facebook/index.ts'
import type { Credentials, PlatformErrorKind } from '../platforms/kit/platform.ts'
import { publish } from './support/connector.ts'
import { givenScene, graphError, json, publishedBy, ready, refusal, SECRET, type Row } from './support/facebook.ts'
import type { Interception } from './support/intercepting-proxy.ts'
import { ioOf, memoryCredentials } from './support/sandbox.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const rows = (
  hidden: PlatformErrorKind,
  visible: PlatformErrorKind,
  ...answers: readonly Interception[]
): readonly Row[] => answers.map((answer) => [answer, hidden, visible])

/** Refused with a token that another one may replace. */
const DEAD = [458, 459, 460, 463, 464, 467, 492, 2069032].map((subcode) => graphError(190, subcode))

const ROWS: readonly Row[] = [
  ...rows('needs-reauth', 'needs-reauth', ...DEAD, graphError(102), graphError(190)),
  ...rows('forbidden', 'forbidden', graphError(3), graphError(10)),
  ...rows('forbidden', 'forbidden', graphError(200, undefined, { status: 403 }), graphError(299)),
  ...rows('permanent', 'permanent', graphError(1404078), graphError(200, 1404078)),
  ...rows('permanent', 'permanent', graphError(4854002), graphError(1404006), graphError(100, 1404006)),
  ...rows('retryable', 'retryable', ...[4, 17, 32, 341, 613, 80001, 1390008].map((code) => graphError(code))),
  ...rows('retryable', 'retryable', { kind: 'answer', status: 429, body: 'Slow down' }),
  ...rows('permanent', 'permanent', ...[368, 1346003, 1404102, 1404112].map((code) => graphError(code))),
  ...rows('permanent', 'ambiguous', graphError(506), graphError(1366051)),
  ...rows('permanent', 'permanent', ...[100, 1609005, 1609008, 2061006, 1349125].map((code) => graphError(code))),
  ...rows('permanent', 'permanent', ...[1366046, 1363040, 1363127, 1363128, 1363129].map((code) => graphError(code))),
  ...rows('permanent', 'permanent', ...[351, 352, 382].map((code) => graphError(code))),
  ...rows('permanent', 'permanent', graphError(77_777)),
  ...rows('retryable', 'ambiguous', graphError(100, 33), graphError(100, undefined, { status: 404 })),
  ...rows('retryable', 'ambiguous', ...[1, 2, 1363030, 1363047, 1609010].map((code) => graphError(code))),
  ...rows('retryable', 'ambiguous', graphError(2, undefined, { status: 500 }), graphError(77_777, 1, { status: 503 })),
  ...rows('retryable', 'ambiguous', graphError(100, undefined, { transient: true })),
  ...rows('retryable', 'ambiguous', { kind: 'answer', status: 502, body: '<html>Bad gateway</html>' }),
  ...rows('retryable', 'ambiguous', { kind: 'answer', status: 400, body: '<html>Bad request</html>' }),
  ...rows('retryable', 'ambiguous', { kind: 'answer', status: 200, body: '{"id":' }),
  ...rows('retryable', 'ambiguous', { kind: 'answer', status: 200, body: '{"id":17890123456789012}' }),
  ...rows('retryable', 'ambiguous', { kind: 'cut' }, { kind: 'lose-answer' }),
]
/** What is fetched twice before it is an error. */
const TWICE = [graphError(324), graphError(100, 2069019), graphError(389), graphError(6000), graphError(6001)]

t.test('given each error from Facebook, then its kind is recognized', async (t) => {
  const scene = await givenScene(t, { withoutUserToken: true })
  const { io, proxy, jobs, live } = scene
  const [image, reel, video] = [
    await ready(scene, jobs.image),
    await ready(scene, jobs.reel),
    await ready(scene, jobs.video),
  ]
  const out = await publish(facebook, jobs.image, (await ready(scene, jobs.image)).handle, io)
  const first = facebook.firstComment
  let expected = live().length
  for (const [interception, hidden, visible] of ROWS) {
    const what = JSON.stringify(interception)
    const isLost = interception.kind === 'lose-answer'
    proxy.next('/photos', interception)
    t.equal((await refusal(facebook.prepare(jobs.image, io, undefined))).kind, hidden, `photos: ${what}`)
    proxy.next('/video_reels', interception)
    t.equal((await refusal(facebook.prepare(jobs.reel, io, undefined))).kind, hidden, `start: ${what}`)
    for (const [kind, path, { handle }] of [
      ['image', '/feed', image],
      ['reel', '/video_reels', reel],
      ['video', '/videos', video],
    ] as const) {
      if (isLost && kind === 'reel') continue
      if (/"id\\?":1789/.test(what) && kind === 'reel') continue
      proxy.next(path, interception)
      t.equal((await refusal(facebook.publish(jobs[kind], handle, io))).kind, visible, `${path}: ${what}`)
      if (isLost) expected += 1
    }
    t.equal(live().length, expected)
    const comment = { key: crypto.randomUUID(), text: 'First!' }
    const isUnknown = /"error_subcode\\":33|"status":404/.test(what)
    proxy.next('/comments', interception)
    const kind = (await refusal(first?.post(jobs.image, out, comment, io))).kind
    t.equal(kind, isUnknown ? 'retryable' : visible, `comment: ${what}`)
  }
  for (const interception of TWICE) {
    for (const _ of [1, 2]) proxy.next('/photos', interception)
    t.equal((await refusal(facebook.prepare(jobs.image, io, undefined))).kind, 'permanent')
    proxy.next('/photos', interception)
    t.equal((await facebook.prepare(jobs.image, io, undefined)).outcome, 'ready', 'one of them passes')
    proxy.next('/feed', interception)
    t.equal((await refusal(publish(facebook, jobs.image, image.handle, io))).kind, 'ambiguous')
  }
})

t.test('given a limit, then the account rests for as long as Facebook says', async (t) => {
  const scene = await givenScene(t)
  const { io, proxy, jobs } = scene
  const { handle } = await ready(scene, jobs.image)
  const usage = (...minutes: number[]) => ({
    'x-business-use-case-usage': JSON.stringify({
      '1': minutes.map((time) => ({ type: 'pages', estimated_time_to_regain_access: time })),
    }),
  })
  for (const [code, headers, retryAfterMs] of [
    [80001, usage(7, 12), 720_000],
    [4, { ...usage(0), 'retry-after': '90' }, 90_000],
    [17, { 'x-business-use-case-usage': 'not JSON' }, HOUR],
    [32, {}, HOUR],
    [341, {}, HOUR],
    [613, {}, HOUR],
    [1390008, {}, HOUR],
  ] as const) {
    const expected = { kind: 'retryable', retryAfterMs, accountRests: true }
    proxy.next('/feed', graphError(code, undefined, { headers }))
    t.match(await refusal(publish(facebook, jobs.image, handle, io)), expected, `${code} ${JSON.stringify(headers)}`)
  }
  scene.fault({ kind: 'rate_limit', retryAfterSeconds: 30 })
  t.match(await refusal(publish(facebook, jobs.image, handle, io)), { retryAfterMs: 60_000, accountRests: true })
  proxy.next(String(handle['photoId']), graphError(4))
  t.match(await refusal(facebook.find?.(jobs.image, handle, io)), { kind: 'retryable', accountRests: true })
  t.same(scene.live(), [])
})

t.test('given a Page that may publish two reels a day, then the third waits', async (t) => {
  const scene = await givenScene(t, { reelsPerDay: 2 })
  const { io, clock, jobs } = scene
  const handles = [await ready(scene, jobs.reel), await ready(scene, jobs.reel), await ready(scene, jobs.reel)]
  const [one, two, three] = handles.map(({ handle }) => handle)
  if (!one || !two || !three) return t.fail('three are prepared')
  for (const handle of [one, two]) await publishedBy(scene, jobs.reel, handle)
  const error = await refusal(facebook.publish(jobs.reel, three, io))
  t.match(error, { kind: 'retryable', accountRests: true, retryAfterMs: HOUR })
  await clock.advanceTo(clock.now() + DAY)
  // It has expired meanwhile.
  await publishedBy(scene, jobs.reel, (await ready(scene, jobs.reel, three)).handle)
  t.equal(scene.live().length, 3)
})

t.test('given the token of a Page, and of the person who runs it', async (t) => {
  const scene = await givenScene(t)
  const { io, clock, proxy, credentials, jobs, sandbox, given } = scene
  const stored = () => sandbox.ledger.account('facebook', given.externalId)?.secrets['accessToken']
  const renewals = () => proxy.calls.filter((call) => call === given.externalId).length
  const old = await credentials.read()

  await t.test('when no call is refused, then it is used for ever', async (t) => {
    const before = renewals()
    await clock.advanceTo(clock.now() + 30 * DAY)
    await ready(scene, jobs.image)
    t.equal(renewals(), before)
    t.same(await credentials.read(), old)
  })

  await t.test('when it expires during eight publishes, then it is renewed once, and each post is live', async (t) => {
    const handles = await Promise.all(Array.from({ length: 8 }, () => ready(scene, jobs.image)))
    const before = renewals()
    scene.fault({ kind: 'token_expired' })
    await Promise.all(handles.map(({ handle }) => publish(facebook, jobs.image, handle, io)))
    t.equal(renewals() - before, 1)
    t.equal(scene.live().length, 8)
    const fresh = await credentials.read()
    t.not(fresh['accessToken'], old['accessToken'])
    t.equal(fresh['accessToken'], stored())
    t.equal(fresh['userToken'], old['userToken'])
  })

  await t.test('when a reel is to be finished with an expired one, then it is renewed', async (t) => {
    const first = await facebook.prepare(jobs.reel, io, undefined)
    sandbox.ledger.saveAccount({ ...accountIn(), secrets: { ...accountIn().secrets, accessToken: '' } })
    const before = renewals()
    t.match(await facebook.prepare(jobs.reel, io, first.handle), { outcome: 'processing' })
    t.equal(renewals() - before, 1)
  })

  await t.test("when a person's token is stored as the Page's, then it is exchanged for the Page's", async (t) => {
    const store = memoryCredentials({ ...old, accessToken: old['userToken'] ?? '' })
    const own = { ...io, credentials: store }
    await ready({ ...scene, io: own }, jobs.image)
    t.equal((await store.read())['accessToken'], stored())
  })

  await t.test('when that fails too, then the error says what to do', async (t) => {
    for (const [answer, kind] of [
      [graphError(2, undefined, { status: 500 }), 'retryable'],
      [graphError(4), 'retryable'],
      [graphError(100), 'needs-reauth'],
      [graphError(190, 460), 'needs-reauth'],
      [graphError(10), 'needs-reauth'],
      [json({ id: given.externalId }), 'retryable'],
    ] as const) {
      proxy.next('/photos', graphError(190, 463))
      proxy.next(given.externalId, answer)
      t.equal((await refusal(facebook.prepare(jobs.image, io, undefined))).kind, kind)
    }
    scene.fault({ kind: 'token_expired' })
    scene.fault({ call: 'refresh', kind: 'token_expired' })
    const { handle } = await ready(scene, jobs.image)
    const expected = { kind: 'needs-reauth', message: /no Page token could be obtained with the userToken/ }
    t.match(await refusal(publish(facebook, jobs.image, handle, io)), expected)
    t.match(await refusal(publish(facebook, jobs.image, handle, io)), expected, 'permanently')
  })

  function accountIn() {
    const account = sandbox.ledger.account('facebook', given.externalId)
    if (!account) throw new Error('the account is there')
    return account
  }
})

t.test('given the token of a Page only, then one that died needs the owner', async (t) => {
  const scene = await givenScene(t, { withoutUserToken: true })
  const { io, jobs } = scene
  const { handle } = await ready(scene, jobs.image)
  scene.fault({ kind: 'token_expired' })
  const expected = { kind: 'needs-reauth', message: /no userToken/ }
  t.match(await refusal(publish(facebook, jobs.image, handle, io)), expected)
  t.same(scene.live(), [])
})

t.test('given credentials that are incomplete, then the account has to be connected again', async (t) => {
  const scene = await givenScene(t)
  const io = ioOf(scene.http, { userToken: 'x' }, { clock: scene.clock })
  const { handle } = await ready(scene, scene.jobs.image)
  t.match(await refusal(facebook.publish(scene.jobs.image, handle, io)), { kind: 'needs-reauth' })
  const odd = ioOf(scene.http, { accessToken: 'x', userToken: '' }, { clock: scene.clock })
  const expected = { kind: 'needs-reauth', message: /incomplete/ }
  t.match(await refusal(facebook.publish(scene.jobs.image, handle, odd)), expected)
})

t.test('given an account to be connected', async (t) => {
  const scene = await givenScene(t)
  const { given, io, proxy } = scene
  const connect = (credentials: Credentials) => facebook.connect(credentials, proxy.url, io)
  const { accessToken = '', userToken = '' } = given.credentials

  await t.test('when its tokens are valid, then the result says whose they are', async (t) => {
    const who = { externalId: given.externalId, label: 'Acme Bakery' }
    t.same(await connect({ accessToken, strange: 'field' }), {
      ...who,
      credentials: { accessToken },
      ownerId: undefined,
    })
    const all = { accessToken, userToken, clientSecret: SECRET }
    t.strictSame(await connect(all), { ...who, credentials: all, ownerId: `1${given.externalId}` })
  })

  await t.test('when something is wrong, then the error says what', async (t) => {
    for (const [credentials, kind, message] of [
      [{}, 'permanent', /accessToken: /],
      [{ accessToken: '' }, 'permanent', /accessToken: /],
      [{ accessToken, userToken: '' }, 'permanent', /userToken: /],
      [{ accessToken: 'wrong' }, 'needs-reauth', /no longer accepts the access token/],
      [{ accessToken: userToken }, 'permanent', /^accessToken: this is a person's token\. Call GET \/me\/accounts/],
      [{ accessToken, userToken: 'wrong' }, 'needs-reauth', /^userToken: .*no longer accepts the access token/],
      [{ accessToken, clientSecret: 'wrong' }, 'permanent', /appsecret_proof/],
    ] as const) {
      t.match(await refusal(connect(credentials)), { kind, message }, JSON.stringify(credentials))
    }
    proxy.next('/me', graphError(190, 2069032))
    t.match(await refusal(connect({ accessToken })), { kind: 'permanent', message: /a person's token/ })
    proxy.next('/me', graphError(2, undefined, { status: 500 }))
    t.match(await refusal(connect({ accessToken })), { kind: 'retryable' })
    proxy.next(given.externalId, graphError(100, 33))
    t.match(await refusal(connect({ accessToken, userToken })), { kind: 'permanent', message: /^userToken: / })
    proxy.next(given.externalId, graphError(2, undefined, { status: 500 }))
    t.match(await refusal(connect({ accessToken, userToken })), { kind: 'retryable', message: /^userToken: / })
  })

  t.test('when it is asked what to give, then each field says', async (t) => {
    for (const field of Object.values(facebook.credentials.shape)) t.ok(field.description)
  })
})

t.test('given any failure, then its message holds no token and no line break, nor does a handle', async (t) => {
  const scene = await givenScene(t, { withoutUserToken: true })
  const { io, proxy, given, jobs } = scene
  const { handle } = await ready(scene, jobs.image)
  const token = given.credentials['accessToken'] ?? ''
  for (const message of [`Malformed access token ${token}`, `one\ntwo ${token} three`]) {
    proxy.next('/feed', graphError(368, undefined, { message }))
    const error = await refusal(publish(facebook, jobs.image, handle, io))
    t.notOk(`${error.message} ${String(error.cause)}`.includes(token))
    t.match(error.message, /…/)
    t.notMatch(error.message, /\n/)
  }
  for (const interception of [{ kind: 'cut' }, { kind: 'answer', status: 200, body: token }] as const) {
    proxy.next('/feed', interception)
    const error = await refusal(publish(facebook, jobs.image, handle, io))
    t.notOk(`${error.message} ${String(error.cause)}`.includes(token))
  }
  for (const kind of ['image', 'reel', 'video'] as const) {
    t.notOk(JSON.stringify((await ready(scene, jobs[kind])).handle).includes(token))
  }
})

t.test('given a version that is set, when a post is published, then every call is of that version', async (t) => {
  const { io, http, jobs, ...scene } = await givenScene(t)
  const answeredBy = new Set<string | undefined>()
  const watched: typeof http = {
    ...http,
    request: async (...call) => {
      const answer = await http.request(...call)
      answeredBy.add(answer.headers['facebook-api-version'])
      return answer
    },
  }
  for (const [version, answering] of [
    ['v25.0', 'v25.0'],
    ['v19.0', 'v21.0'],
  ] as const) {
    answeredBy.clear()
    const set = { ...io, http: watched, versions: new Map([['facebook', version]] as const) }
    await publish(facebook, jobs.image, (await ready({ ...scene, io: set }, jobs.image)).handle, set)
    t.same([...answeredBy], [answering], 'or of the oldest that is left')
  }
  const unknown = { ...io, versions: new Map([['facebook', 'v99.0']] as const) }
  t.match(await refusal(facebook.prepare(jobs.image, unknown, undefined)), { message: /Unknown path components/ })
})

t.test('given wrong requests, then the sandbox refuses them as Facebook does', async (t) => {
  const scene = await givenScene(t)
  const { http, given, sandbox, jobs } = scene
  const { accessToken: token = '', userToken = '' } = given.credentials
  const page = `/v26.0/${given.externalId}`
  const url = `${sandbox.url}/media/sample.jpg`
  const call = async (method: 'GET' | 'POST', path: string, form?: Record<string, string>, as = token) => {
    const response = await http.request(`${given.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(form && { body: new URLSearchParams(form).toString() }),
    })
    t.ok(response.headers['x-app-usage'])
    return { status: response.status, body: response.json() }
  }
  const out = await publish(facebook, jobs.image, (await ready(scene, jobs.image)).handle, scene.io)
  const photo = z
    .object({ id: z.string() })
    .parse((await call('POST', `${page}/photos`, { url, published: 'false' })).body)
  const started = await call('POST', `${page}/video_reels`, { upload_phase: 'start' })
  const { video_id, upload_url } = z.object({ video_id: z.string(), upload_url: z.string() }).parse(started.body)
  const attached_media = JSON.stringify([{ media_fbid: photo.id }])
  const finish = { upload_phase: 'finish', video_id, video_state: 'PUBLISHED' }
  for (const [request, code, subcode] of [
    [call('GET', '/v26.0/me', undefined, 'wrong'), 190, undefined],
    [call('GET', '/v26.0/me?fields=email'), 100, undefined],
    [call('GET', '/v26.0/me?fields=category', undefined, userToken), 100, undefined],
    [call('GET', '/v26.0/nowhere/at/all'), 2500, undefined],
    [call('GET', '/v26.0/12345'), 100, 33],
    [call('GET', `${page}/published_posts?since=5`), 100, undefined],
    [call('GET', `${page}/published_posts?limit=101`), 100, undefined],
    [call('GET', '/v26.0/12345/published_posts'), 100, 33],
    [call('GET', `${page}/published_posts`, undefined, userToken), 190, 2069032],
    [call('POST', `${page}/photos`, { url, published: 'false', clientToken: 'ours' }), 100, undefined],
    [call('POST', `${page}/photos`, { url: 'no URL', published: 'false' }), 100, undefined],
    [call('POST', `${page}/photos`, { url: `${url}x`, published: 'false' }), 324, 2069019],
    [call('POST', `${page}/photos`, { url, published: 'false' }, userToken), 190, 2069032],
    [call('POST', `${page}/feed`, { message: 'x', attached_media: 'x' }), 100, undefined],
    [call('POST', `${page}/feed`, { message: 'x', attached_media: '[]' }), 100, undefined],
    [call('POST', `${page}/feed`, { message: 'a'.repeat(63_207), attached_media }), 100, undefined],
    [call('POST', `${page}/feed`, { attached_media: '[{"media_fbid":"5"}]' }), 100, 33],
    [call('POST', '/v26.0/12345/feed', { attached_media }), 100, 33],
    [call('POST', `${page}/video_reels`, { upload_phase: 'middle' }), 100, undefined],
    [call('POST', `${page}/video_reels`, finish), 100, undefined],
    [call('POST', `${page}/video_reels`, { ...finish, video_id: photo.id }), 100, 33],
    [call('POST', `${page}/video_reels`, { ...finish, video_state: 'LIVE' }), 100, undefined],
    [call('POST', `${page}/videos`, { file_url: url, upload_phase: 'start' }), 100, undefined],
    [call('POST', `/v26.0/${out.postId}/comments`, { message: ' ' }), 100, undefined],
    [call('POST', '/v26.0/12345/comments', { message: 'x' }), 100, 33],
    [call('POST', `/v26.0/${out.postId}/comments`, { message: 'x' }, userToken), 190, 2069032],
    [call('GET', `/v26.0/${out.postId}/comments?order=newest`), 100, undefined],
  ] as const) {
    const { status, body } = await request
    t.ok(status >= 400)
    t.match(body, { error: { code, ...(subcode !== undefined && { error_subcode: subcode }) } })
  }
  t.match(await call('GET', `/v26.0/${out.postId}/comments`, undefined, userToken), { status: 200, body: { data: [] } })
  t.match(await call('GET', `${page}/videos?fields=id`), { status: 200, body: { data: [] } }, 'not of type uploaded')

  const transfer = async (headers: Record<string, string>, to = upload_url) => {
    const { status, json } = await http.request(to, { method: 'POST', headers })
    return { status, body: json() }
  }
  const authorization = `OAuth ${token}`
  for (const [headers, status, to] of [
    [{ authorization: `Bearer ${token}`, file_url: url }, 401, upload_url],
    [{ authorization: `OAuth ${userToken}`, file_url: url }, 401, upload_url],
    [{ authorization: 'OAuth wrong', file_url: url }, 401, upload_url],
    [{ authorization }, 400, upload_url],
    [{ authorization, file_url: url }, 404, upload_url.replace(video_id, '12345')],
  ] as const) {
    t.match(await transfer(headers, to), { status, body: { debug_info: { retriable: false } } })
  }
  t.match(await transfer({ authorization, file_url: url }), { status: 200, body: { success: true } })
  for (const looks of [1, 2, 3]) await call('GET', `/v26.0/${video_id}?fields=status#${looks}`)
  t.match(await call('GET', `/v26.0/${video_id}?fields=status`), {
    body: { status: { processing_phase: { status: 'error', errors: [{ code: 352 }] } } },
  })
  t.equal(scene.live().length, 1)
})
