import t from 'tap'
import * as z from 'zod'
import { instagram } from '../platforms/instagram/index.ts'
import type { Credentials } from '../platforms/kit/platform.ts'
import { publish } from './support/connector.ts'
import { givenScene, graphError, json, ready, refusal, START, tokenOf, type Row } from './support/instagram.ts'
import type { Interception } from './support/intercepting-proxy.ts'
import { ioOf, memoryCredentials } from './support/sandbox.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const ROWS: readonly Row[] = [
  [graphError(190, 458), 'needs-reauth', 'needs-reauth'],
  [graphError(190, 459), 'needs-reauth', 'needs-reauth'],
  [graphError(190, 460), 'needs-reauth', 'needs-reauth'],
  [graphError(190, 463, { status: 401 }), 'needs-reauth', 'needs-reauth'],
  [graphError(190, 467), 'needs-reauth', 'needs-reauth'],
  [graphError(102), 'needs-reauth', 'needs-reauth'],
  [graphError(10), 'forbidden', 'forbidden'],
  [graphError(200, undefined, { status: 403 }), 'forbidden', 'forbidden'],
  [graphError(299), 'forbidden', 'forbidden'],
  [graphError(3), 'forbidden', 'forbidden'],
  [graphError(100, undefined, { message: 'The user is not an Instagram Business' }), 'forbidden', 'forbidden'],
  [graphError(4), 'retryable', 'retryable'],
  [graphError(17), 'retryable', 'retryable'],
  [graphError(32), 'retryable', 'retryable'],
  [graphError(613), 'retryable', 'retryable'],
  [graphError(80002), 'retryable', 'retryable'],
  [graphError(9, 2207042), 'retryable', 'retryable'],
  [graphError(4, 2207051), 'permanent', 'ambiguous'],
  [graphError(25, 2207050), 'permanent', 'permanent'],
  [graphError(368), 'permanent', 'permanent'],
  [graphError(-2, 2207003), 'retryable', 'ambiguous'],
  [graphError(352, 2207026), 'permanent', 'permanent'],
  [graphError(36000, 2207004), 'permanent', 'permanent'],
  [graphError(36001, 2207005), 'permanent', 'permanent'],
  [graphError(36003, 2207009), 'permanent', 'permanent'],
  [graphError(36004, 2207010), 'permanent', 'permanent'],
  [graphError(1, 2207057), 'permanent', 'permanent'],
  [graphError(100, 2207023), 'permanent', 'permanent'],
  [graphError(100, 2207040), 'permanent', 'permanent'],
  [graphError(9007, 2207027), 'retryable', 'retryable'],
  [graphError(24, 2207006), 'retryable', 'retryable'],
  [graphError(24, 2207008), 'retryable', 'retryable'],
  [graphError(-2, 2207020), 'retryable', 'retryable'],
  [graphError(-1, 2207001), 'retryable', 'ambiguous'],
  [graphError(-1, 2207032), 'retryable', 'ambiguous'],
  [graphError(-1, 2207053), 'retryable', 'ambiguous'],
  [graphError(1), 'retryable', 'ambiguous'],
  [graphError(2, undefined, { status: 500 }), 'retryable', 'ambiguous'],
  [graphError(100, 33), 'retryable', 'ambiguous'],
  [graphError(100), 'permanent', 'permanent'],
  [graphError(77_777), 'permanent', 'permanent'],
  [graphError(77_777, undefined, { transient: true }), 'retryable', 'ambiguous'],
  [graphError(77_777, undefined, { status: 503 }), 'retryable', 'ambiguous'],
  [{ kind: 'answer', status: 502, body: '<html>Bad gateway</html>' }, 'retryable', 'ambiguous'],
  [{ kind: 'answer', status: 400, body: '<html>Bad request</html>' }, 'retryable', 'ambiguous'],
  [{ kind: 'answer', status: 429, body: 'Slow down' }, 'retryable', 'retryable'],
  [{ kind: 'answer', status: 200, body: '{"id":' }, 'retryable', 'ambiguous'],
  [{ kind: 'answer', status: 200, body: '{"id":17890123456789012}' }, 'retryable', 'ambiguous'],
  [{ kind: 'cut' }, 'retryable', 'ambiguous'],
  [{ kind: 'lose-answer' }, 'retryable', 'ambiguous'],
]
/** What is tried twice before it is an error. */
const TWICE: readonly Interception[] = [
  graphError(9004, 2207052),
  graphError(-1, 2207082),
  graphError(-1, 2207085),
  graphError(-1, 2207077),
]

t.test('given each error from Instagram, then its kind is recognized', async (t) => {
  const scene = await givenScene(t, { quota: 1_000 })
  const { job, io, proxy } = scene
  const { handle } = await ready(scene, job)
  const published = await publish(instagram, job, handle, io)
  const first = instagram.firstComment
  let live = scene.live().length
  for (const [interception, hidden, visible] of ROWS) {
    const what = JSON.stringify(interception)
    // A new token would not help a person who has to confirm who they are (459).
    const dead = hidden === 'needs-reauth' && /"code\\":(190|102)/.test(what) && !/subcode\\":459/.test(what)
    // A dead token is tried once more, in case that another process has renewed it.
    for (let times = 0; times < (dead ? 2 : 1); times += 1) proxy.next('/media', interception)
    t.equal((await refusal(instagram.prepare(job, io, undefined))).kind, hidden, `create: ${what}`)
    for (let times = 0; times < (dead ? 2 : 1); times += 1) proxy.next('/media_publish', interception)
    t.equal((await refusal(publish(instagram, job, handle, io))).kind, visible, `publish: ${what}`)
    if (interception.kind === 'lose-answer') live += 1
    t.equal(scene.live().length, live)

    if (/2207|"id/.test(what)) continue
    for (let times = 0; times < (dead ? 2 : 1); times += 1) proxy.next('/comments', interception)
    const comment = { key: crypto.randomUUID(), text: 'First!' }
    const kind = /subcode\\":33/.test(what) ? 'retryable' : visible
    t.equal((await refusal(first?.post(job, published, comment, io))).kind, kind, `comment: ${what}`)
  }
  for (const interception of TWICE) {
    for (const _ of [1, 2]) proxy.next('/media', interception)
    t.equal((await refusal(instagram.prepare(job, io, undefined))).kind, 'permanent')
    proxy.next('/media', interception)
    t.equal((await instagram.prepare(job, io, undefined)).outcome, 'processing', 'one of them passes')
    proxy.next('/media_publish', interception)
    t.equal((await refusal(publish(instagram, job, handle, io))).kind, 'ambiguous')
  }
})

t.test('given a limit, then the account rests for as long as Instagram says', async (t) => {
  const scene = await givenScene(t)
  const { job, io, proxy } = scene
  const { handle } = await ready(scene, job)
  const usage = (...minutes: number[]) => ({
    'x-business-use-case-usage': JSON.stringify({
      '17841': minutes.map((time) => ({ type: 'instagram', estimated_time_to_regain_access: time })),
      '17842': [],
    }),
  })
  for (const [code, headers, retryAfterMs] of [
    [80002, usage(7, 12), 720_000],
    [4, { ...usage(0), 'retry-after': '90' }, 90_000],
    [17, { 'x-business-use-case-usage': 'not JSON' }, HOUR],
    [613, {}, HOUR],
    [9, usage(5), 300_000],
    [9, {}, 6 * HOUR],
  ] as const) {
    proxy.next('/media_publish', graphError(code, undefined, { headers }))
    const expected = { kind: 'retryable', retryAfterMs, accountRests: true }
    t.match(await refusal(publish(instagram, job, handle, io)), expected, `${code} ${JSON.stringify(headers)}`)
  }
  scene.fault({ kind: 'rate_limit', retryAfterSeconds: 30 })
  t.match(await refusal(publish(instagram, job, handle, io)), { retryAfterMs: 60_000, accountRests: true })

  proxy.next(String(handle['containerId']), graphError(4))
  t.match(await refusal(instagram.prepare(job, io, handle)), { kind: 'retryable', accountRests: true })
  proxy.next(String(handle['containerId']), graphError(4))
  t.match(await refusal(instagram.find?.(job, handle, io)), { kind: 'retryable', accountRests: true })
  t.same(scene.live(), [])
})

t.test('given an account that may publish twice a day', async (t) => {
  const scene = await givenScene(t, { quota: 2 })
  const { job, io, proxy, clock } = scene
  const handles = [await ready(scene, job), await ready(scene, job), await ready(scene, job)]
  for (const { handle } of handles.slice(0, 2)) await publish(instagram, job, handle, io)
  const resting = { kind: 'retryable', accountRests: true, retryAfterMs: 6 * HOUR }

  await t.test('when it has, then nothing is made and nothing published until it may', async (t) => {
    const { handle } = handles[2] ?? {}
    t.match(await refusal(publish(instagram, job, handle ?? {}, io)), resting)
    t.match(await refusal(instagram.prepare(job, io, undefined)), { ...resting, message: /allows in a day: 2 of 2\.$/ })
    t.equal(scene.live().length, 2)
    await clock.advanceTo(clock.now() + 18 * HOUR)
    t.match(await refusal(instagram.prepare(job, io, undefined)), resting)
    await clock.advanceTo(clock.now() + 6 * HOUR)
    t.equal((await instagram.prepare(job, io, undefined)).outcome, 'processing')
  })

  await t.test('when Instagram does not tell, then it is tried', async (t) => {
    for (const answer of [graphError(2, undefined, { status: 500 }), json({ data: [] }), graphError(100)]) {
      proxy.next('/content_publishing_limit', answer)
      t.equal((await instagram.prepare(job, io, undefined)).outcome, 'processing')
    }
    proxy.next('/content_publishing_limit', graphError(4))
    t.match(await refusal(instagram.prepare(job, io, undefined)), { kind: 'retryable', accountRests: true })
  })
})

t.test('given a post that is out, then a permalink that cannot be read changes nothing', async (t) => {
  const scene = await givenScene(t)
  const { job, io, proxy } = scene
  for (const answer of [graphError(100, 33), graphError(190, 463), { kind: 'cut' } as const, json({ id: '1' })]) {
    const { handle } = await ready(scene, job)
    const id = `180${crypto.randomUUID().replaceAll(/\D/g, '').slice(0, 8)}`
    proxy.next('/media_publish', json({ id }))
    proxy.next(id, answer)
    t.same(await publish(instagram, job, handle, io), { postId: id })
  }
})

t.test('given a token of Instagram login', async (t) => {
  const scene = await givenScene(t)
  const { job, io, clock, proxy, credentials, given, sandbox } = scene
  const refreshes = () => proxy.calls.filter((call) => call === 'refresh_access_token').length
  const stored = () => sandbox.ledger.account('instagram', given.externalId)?.secrets['accessToken']
  const atConnect = refreshes()
  const old = await credentials.read()
  t.equal(atConnect, 1, 'its end was not given, so that it was asked for')
  t.match(old, { loginType: 'instagram', username: 'Acme.Bakery', issuedAt: new Date(START).toISOString() })
  t.equal(old['expiresAt'], new Date(START + 59 * DAY).toISOString(), 'too young to be renewed: it lives for 59 days')

  await t.test('when it ends in more than ten days, then it is used as it is', async (t) => {
    await clock.advanceTo(START + 48 * DAY)
    await ready(scene, job)
    t.equal(refreshes(), atConnect)
  })

  await t.test('when it ends in less and the renewal fails, then it is used all the same', async (t) => {
    await clock.advanceTo(START + 50 * DAY)
    for (const fault of [{ kind: 'server_error' }, { kind: 'rate_limit' }] as const) {
      scene.fault({ call: 'refresh', ...fault })
      t.equal((await instagram.prepare(job, io, undefined)).outcome, 'processing')
    }
    t.same(await credentials.read(), old)
  })

  await t.test('when eight posts meet it, then it is renewed once, and the new one stored', async (t) => {
    const before = refreshes()
    await Promise.all(Array.from({ length: 8 }, () => instagram.prepare(job, io, undefined)))
    t.equal(refreshes() - before, 1)
    const fresh = await credentials.read()
    t.not(fresh['accessToken'], old['accessToken'])
    t.equal(fresh['accessToken'], stored())
    t.match(fresh, {
      loginType: 'instagram',
      username: 'Acme.Bakery',
      issuedAt: new Date(clock.now()).toISOString(),
      expiresAt: new Date(clock.now() + 60 * DAY).toISOString(),
    })
    t.same(
      await refusal(
        instagram.prepare(job, ioOf(scene.http, { ...old }, { ...io, credentials: memoryCredentials(old) }), undefined),
      ).then(({ kind }) => kind),
      'needs-reauth',
      'the one before it is void',
    )
  })

  await t.test('when another process has renewed it meanwhile, then its token is used', async (t) => {
    const { handle } = await ready(scene, job)
    const fresh = await credentials.read()
    const stale = { ...fresh, accessToken: old['accessToken'] ?? '' }
    const late = { read: async () => stale, renew: credentials.renew }
    await publish(instagram, job, handle, { ...io, credentials: late })
    t.equal(scene.live().length, 1)
  })

  await t.test('when it is void under eight publishes, then each asks for a new one, and none is live', async (t) => {
    const before = scene.live().length
    const { handle } = await ready(scene, job)
    scene.fault({ kind: 'token_expired' })
    const errors = await Promise.all(Array.from({ length: 8 }, () => refusal(publish(instagram, job, handle, io))))
    for (const error of errors) t.match(error, { kind: 'needs-reauth', message: /no longer accepts the access token/ })
    t.equal(scene.live().length, before)
  })

  await t.test('when it has expired, then an error of the renewal says what to do', async (t) => {
    await clock.advanceTo(clock.now() + 61 * DAY)
    for (const [answer, kind] of [
      [graphError(2, undefined, { status: 500 }), 'retryable'],
      [graphError(100), 'needs-reauth'],
      [graphError(190, 463), 'needs-reauth'],
    ] as const) {
      proxy.next('/refresh_access_token', answer)
      t.equal((await refusal(instagram.prepare(job, io, undefined))).kind, kind)
    }
    t.equal((await refusal(instagram.prepare(job, io, undefined))).kind, 'needs-reauth')
  })
})

t.test('given a token of a Page, then it is never renewed', async (t) => {
  const scene = await givenScene(t, { login: 'facebook' })
  const { job, io, clock, proxy, credentials } = scene
  await clock.advanceTo(START + 400 * DAY)
  const { handle } = await ready(scene, job)
  t.equal((await credentials.read())['expiresAt'], undefined)
  scene.fault({ kind: 'token_expired' })
  t.match(await refusal(publish(instagram, job, handle, io)), { kind: 'needs-reauth', message: /Facebook/ })
  t.notOk(proxy.calls.includes('refresh_access_token'))
})

t.test('given credentials that are incomplete, then the account has to be connected again', async (t) => {
  const scene = await givenScene(t)
  const io = ioOf(scene.http, { loginType: 'instagram', accessToken: 'x' }, { clock: scene.clock })
  t.match(await refusal(instagram.publish(scene.job, (await ready(scene, scene.job)).handle, io)), {
    kind: 'needs-reauth',
    message: /incomplete/,
  })
})

t.test('given an account to be connected', async (t) => {
  const scene = await givenScene(t)
  const { given, io, clock, proxy } = scene
  const connect = (credentials: Credentials) => instagram.connect(credentials, proxy.url, io)
  const [byInstagram, byPage] = [tokenOf(given, 'instagram'), tokenOf(given, 'facebook')]

  await t.test('when its token is valid, then the result says whose it is', async (t) => {
    const who = { externalId: given.externalId, label: 'Acme.Bakery' }
    t.match(await connect(byInstagram), who)
    const page = await connect({ ...byPage, strange: 'field' })
    t.match(page, { ...who, credentials: { loginType: 'facebook', accessToken: byPage['accessToken'] } })
    t.strictSame(Object.keys(page.credentials).sort(), ['accessToken', 'issuedAt', 'loginType', 'pageId', 'username'])
    const expiresAt = new Date(clock.now() + 5 * DAY).toISOString()
    t.match(await connect({ ...byInstagram, expiresAt }), { credentials: { expiresAt } }, 'what is known is believed')
  })

  await t.test('when its token is some days old, then it is renewed', async (t) => {
    await clock.advanceTo(clock.now() + 2 * DAY)
    const { credentials } = await connect(byInstagram)
    t.not(credentials['accessToken'], byInstagram['accessToken'])
    t.equal(credentials['expiresAt'], new Date(clock.now() + 60 * DAY).toISOString())
    t.match(await connect({ ...byInstagram, accessToken: credentials['accessToken'] ?? '' }), { label: 'Acme.Bakery' })
  })

  await t.test('when something is wrong, then the error says what', async (t) => {
    for (const [credentials, kind, message] of [
      [{}, 'permanent', /loginType: .*accessToken: /],
      [{ ...byPage, loginType: 'google' }, 'permanent', /loginType/],
      [{ ...byPage, accessToken: '' }, 'permanent', /accessToken/],
      [{ ...byPage, expiresAt: 'soon' }, 'permanent', /expiresAt/],
      [{ loginType: 'instagram', accessToken: 'wrong' }, 'needs-reauth', /no longer accepts the access token/],
      [{ loginType: 'instagram', accessToken: byInstagram['accessToken'] ?? '' }, 'needs-reauth', /has expired/],
      [{ ...byPage, clientSecret: 'wrong' }, 'permanent', /appsecret_proof/],
    ] as const) {
      t.match(await refusal(connect(credentials)), { kind, message }, JSON.stringify(credentials))
    }
    proxy.next('/me', graphError(100, undefined, { message: 'Tried accessing nonexisting field on node type (User)' }))
    const notPage = { kind: 'permanent', message: 'accessToken: this is not the token of a Facebook Page.' }
    t.match(await refusal(connect(byPage)), notPage)
    proxy.next('/me', json({ id: '1', name: 'Acme' }))
    const notLinked = { kind: 'permanent', message: /the Facebook Page Acme has no Instagram business or creator/ }
    t.match(await refusal(connect(byPage)), notLinked)
    proxy.next('/me', graphError(2, undefined, { status: 500 }))
    t.match(await refusal(connect(byPage)), { kind: 'retryable' })
  })

  t.test('when it is asked what to give, then each field says', async (t) => {
    for (const field of Object.values(instagram.credentials.shape)) t.ok(field.description)
  })
})

t.test('given any failure, then its message holds no token and no line break', async (t) => {
  const scene = await givenScene(t)
  const { job, io, proxy, given } = scene
  const { handle } = await ready(scene, job)
  const token = given.credentials['accessToken'] ?? ''
  for (const message of [`Malformed access token ${token}`, `one\ntwo ${token} three`]) {
    for (const _ of [1, 2]) proxy.next('/media_publish', graphError(190, 467, { message }))
    const error = await refusal(publish(instagram, job, handle, io))
    t.notOk(`${error.message} ${String(error.cause)}`.includes(token))
    t.match(error.message, /…/)
    t.notMatch(error.message, /\n/)
  }
  for (const interception of [{ kind: 'cut' } as const, { kind: 'answer', status: 200, body: token } as const]) {
    proxy.next('/media_publish', interception)
    const error = await refusal(publish(instagram, job, handle, io))
    t.notOk(`${error.message} ${String(error.cause)}`.includes(token))
  }
  t.notMatch(JSON.stringify(handle), token)
})

t.test('given wrong requests, then the sandbox refuses them as Instagram does', async (t) => {
  const scene = await givenScene(t)
  const { http, given, sandbox, job } = scene
  const { handle } = await ready(scene, { ...job, mediaUrl: `${sandbox.url}/media/sample.jpg?sandbox=processing:0` })
  const token = given.credentials['accessToken'] ?? ''
  const user = `/v26.0/${given.externalId}`
  const image_url = `${sandbox.url}/media/sample.jpg`
  const call = async (method: 'GET' | 'POST', path: string, form?: Record<string, string>, as = token) => {
    const response = await http.request(`${given.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(form && { body: new URLSearchParams(form).toString() }),
    })
    t.ok(response.headers['x-app-usage'])
    return { status: response.status, body: response.json() }
  }
  const fresh = await call('POST', `${user}/media`, { image_url })
  const freshId = z.object({ id: z.string() }).parse(fresh.body).id
  for (const [request, code, subcode] of [
    [call('GET', '/v26.0/me?fields=user_id', undefined, 'wrong'), 190, undefined],
    [call('GET', '/v26.0/me?fields=email'), 100, undefined],
    [call('POST', `${user}/media`, { image_url, clientToken: 'ours' }), 100, undefined],
    [call('POST', `${user}/media`, { image_url: `${image_url}?ø` }), 100, undefined],
    [call('POST', `${user}/media`, { video_url: image_url, media_type: 'VIDEO' }), 100, 2207023],
    [call('POST', `${user}/media`, { image_url, caption: 'a'.repeat(2_201) }), 36004, 2207010],
    [call('POST', `${user}/media`, { image_url, caption: '@a '.repeat(21) }), 100, 2207040],
    [call('POST', '/v26.0/17841000000000000/media', { image_url }), 100, 33],
    [call('POST', `${user}/media_publish`, { creation_id: freshId }), 9007, 2207027],
    [call('POST', `${user}/media_publish`, { creation_id: '17900000000000000' }), 24, 2207006],
    [call('POST', `${user}/media_publish`, {}), 100, undefined],
    [call('POST', `/v26.0/${String(handle['containerId'])}/comments`, { message: 'Hi' }), 100, 33],
    [call('GET', '/v26.0/18000000000000000?fields=id'), 100, 33],
    [call('GET', '/refresh_access_token?grant_type=ig_refresh_token'), 100, undefined],
    [call('GET', '/v99.0/me'), 2500, undefined],
  ] as const) {
    const { status, body } = await request
    t.equal(status, 400)
    t.match(body, { error: { code, ...(subcode && { error_subcode: subcode }), type: 'OAuthException' } })
  }
  t.match(await call('GET', '/v26.0/17900000000000000?fields=status_code'), { body: { status_code: 'EXPIRED' } })
  const { postId } = await publish(instagram, job, handle, scene.io)
  const told = await call('POST', `/v26.0/${postId}/comments`, { message: 'Hi', fields: 'id' })
  t.match(told, { body: { error: { code: 20, error_subcode: 1772107 } } })
  t.equal(sandbox.ledger.commentsUnder('instagram', postId).length, 1)
  await publish(instagram, job, handle, scene.io)
  t.equal(scene.live().length, 2, 'the same container published twice shows')
})
