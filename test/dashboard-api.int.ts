import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import t, { type Test } from 'tap'
import * as z from 'zod'
import type { Change } from '../api/dashboard/changes.ts'
import type { LiveChanges } from '../api/dashboard/live-changes.ts'
import { liveRoute } from '../api/dashboard/live.ts'
import { hashPassword, isPassword } from '../infra/postgres/password-hash.ts'
import { resetPassword } from '../app/cli/users.ts'
import { changePassword, createUser, removeUser } from '../commands/user.ts'
import { handle } from '../commands/handle.ts'
import { PLATFORM_KEYS } from '../domain/core/platform.ts'
import { createPasswords, type Passwords } from '../infra/postgres/passwords.ts'
import { user } from '../domain/workspace/user.ts'
import { LogUnavailable } from '../event-log/event-log.ts'
import type { Core } from '../app/wiring/core.ts'
import { ownApps } from '../platforms/kit/own-apps.ts'
import { redirectUri } from '../reactors/accounts/begin-authorization.ts'
import { liftHold, placeHold } from '../infra/postgres/holds.ts'
import { findUser } from '../projections/models/users.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import type { Answer } from './support/api-answer.ts'
import { CHEAP, givenApi, type Call } from './support/api.ts'
import { consent, consentUrlAt, givenBrowser } from './support/browser.ts'
import { cookieOf, givenUser, listen, PASSWORD, signIn, signInCall } from './support/dashboard.ts'
import { movableClock } from './support/movable-clock.ts'
import { givenAccount, ids, postJson } from './support/sandbox.ts'
import { until } from './support/service-process.ts'
import { causedBy, givenProcess } from './support/world.ts'

/* What the dashboard has beside the public API: sessions, keys, accounts, and what changes while one looks. */

const SESSION = '/dashboard/api/session'
const DAY_MS = 86_400_000
const image = 'https://example.com/a.jpg'

t.test('given a user', async (t) => {
  const clock = movableClock()
  const api = await givenApi(t, { clock })
  const ada = await givenUser(api, 'Ada')
  const page = await signIn(api, 'ada')
  const key = await api.key({ workspaceId: ada.workspaceId })
  const secure = await api.server({ publicUrl: 'https://fanfare.test' })

  await t.test(
    'when she signs in, with her name in any case, then she sees who she is, and only her browser has the session',
    async (t) => {
      const answer = await api.call(signInCall('ADA', PASSWORD))
      t.match(answer, { status: 200, body: { user: { id: ada.id, name: 'Ada' }, workspace: { name: 'of Ada' } } })
      t.equal(answer.headers['cache-control'], 'no-store')
      t.equal((await page.call({ path: '/v1/posts' })).headers['cache-control'], 'no-store')
      t.match(
        answer.headers['set-cookie'],
        /^fanfare_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
      )
      const sent = (await secure.call(signInCall('ada', PASSWORD))).headers['set-cookie']
      t.match(sent, /^__Host-fanfare_session=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Strict; Secure$/)
    },
  )

  await t.test('when the name or the password is wrong, then the error does not say which', async (t) => {
    const known = await api.call({ ...signInCall('ada', 'wrong'), from: '10.0.0.1' })
    const unknown = await api.call({ ...signInCall('nobody', 'wrong'), from: '10.0.0.1' })
    t.match([known, unknown], [{ status: 401 }, { status: 401 }])
    t.same([known.code, known.message], [unknown.code, unknown.message])
    t.match(await api.call({ ...signInCall('', ''), from: '10.0.0.1' }), { status: 400, message: /^name/ })
  })

  await t.test('when no one is signed in, then every route refuses', async (t) => {
    for (const path of [
      SESSION,
      '/dashboard/api/keys',
      '/dashboard/api/live',
      '/dashboard/api/due-work',
      '/dashboard/api/image?url=x',
      '/v1/posts',
    ]) {
      t.match(await api.call({ path }), { status: 401, code: 'missing_api_key' }, path)
      const cookie = `fanfare_session=${'a'.repeat(43)}`
      t.match(await api.call({ path, headers: { cookie } }), { status: 401, code: 'missing_api_key' }, path)
    }
    t.match(await api.call({ path: '/dashboard/api/keys', key }), { status: 401 }, 'a key opens none of them')
    t.match(await api.call({ path: '/dashboard/api/nothing' }), { status: 404 })
    t.match(await api.call({ method: 'PATCH', path: SESSION }), {
      status: 405,
      headers: { allow: /GET.*POST|POST.*GET/ },
    })
  })

  await t.test('when the page uses the public API, then it is answered as a key is, and she is named', async (t) => {
    const body = { mediaUrl: image, mediaType: 'image', selections: { x: ['acc_none'] }, caption: 'Hello' }
    const made = await page.call({ method: 'POST', path: '/v1/posts', body, headers: { 'idempotency-key': 'once' } })
    t.equal(made.status, 202)
    const again = await page.call({ method: 'POST', path: '/v1/posts', body, headers: { 'idempotency-key': 'once' } })
    t.equal(again.body['id'], made.body['id'])
    const id = String(made.body['id'])
    t.match(await api.call({ path: `/v1/posts/${id}`, key }), { status: 200, body: { caption: 'Hello' } })
    const history = await page.call({ path: `/v1/posts/${id}/events` })
    t.match(history.body['events'], [{ by: { kind: 'user', id: ada.id, label: 'Ada' } }])
    const toTheProxy = { authorization: 'Basic YWRhOnNlY3JldA==' }
    t.match(await page.call({ path: '/v1/posts', headers: toTheProxy }), { status: 200 }, 'also through one that asks')
    t.match(await page.call({ path: '/v1/posts', headers: { authorization: 'Bearer wrong' } }), {
      status: 401,
      code: 'invalid_api_key',
    })
  })

  await t.test("when her browser calls the agents' tools, then it is not signed in there", async (t) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const headers = { accept: 'application/json, text/event-stream' }
    t.match(await page.call({ method: 'POST', path: '/mcp', body, headers }), { status: 401, code: 'missing_api_key' })
  })

  await t.test('when a request comes from another origin, then it is refused and changes nothing', async (t) => {
    const body = { mediaUrl: image, mediaType: 'image', selections: { x: ['acc_none'] } }
    const post = (headers: Record<string, string>, cookie = page.cookie) =>
      api.call({ method: 'POST', path: '/v1/posts', body, headers: { cookie, host: '127.0.0.1:3000', ...headers } })
    const token = { 'x-csrf-token': page.csrfToken }
    const other = await signIn(api, 'ada')
    const foreign: readonly Record<string, string>[] = [
      {},
      { 'x-csrf-token': '' },
      { 'x-csrf-token': other.csrfToken },
      { ...token, origin: 'https://evil.test' },
      { ...token, origin: 'http://127.0.0.1:4000' },
      { ...token, origin: 'null' },
      { ...token, origin: 'http://evil.test', host: 'evil.test' },
      { ...token, 'sec-fetch-site': 'same-site' },
      { ...token, 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) {
      t.match(await post(headers), { status: 403, code: 'forbidden' }, JSON.stringify(headers))
    }
    t.match(await post({ ...token, origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin' }), { status: 202 })
    const read = { path: '/v1/accounts', headers: { cookie: page.cookie, 'sec-fetch-site': 'same-site' } }
    t.match(await api.call(read), { status: 403 })
    const rebound = { origin: 'http://evil.test', host: 'evil.test' }
    t.match(await api.call({ ...signInCall('ada', PASSWORD), headers: rebound }), {
      status: 403,
      message: /PUBLIC_URL/,
    })
    const proxied = { origin: 'https://fanfare.test', host: 'api:3000' }
    t.match(await secure.call({ ...signInCall('ada', PASSWORD), headers: proxied }), { status: 200 })
  })

  await t.test('when she signs in again in one browser, then the session before is over', async (t) => {
    const first = await signIn(api, 'ada')
    const second = await api.call({ ...signInCall('ada', PASSWORD), headers: { cookie: first.cookie } })
    t.not(cookieOf(second), first.cookie)
    t.match(await first.call({ path: SESSION }), { status: 401 })
    const planted = { cookie: `fanfare_session=${'b'.repeat(43)}` }
    const third = await api.call({ ...signInCall('ada', PASSWORD), headers: planted })
    t.not(cookieOf(third), planted.cookie, 'one that was planted is not taken up')
  })

  await t.test('when she signs out, then the session is over and the browser forgets it', async (t) => {
    const leaving = await signIn(api, 'ada')
    const gone = await leaving.call({ method: 'DELETE', path: SESSION })
    t.match(gone, { status: 204, headers: { 'set-cookie': /^fanfare_session=; .*Max-Age=0/ } })
    t.match(await leaving.call({ path: SESSION }), { status: 401, message: /no longer signed in/ })
    t.match(await page.call({ path: SESSION }), { status: 200 }, 'others go on')
  })

  await t.test('when a key is made, then it works, is shown once, and stops when it is revoked', async (t) => {
    const body = { label: 'CI', scopes: ['posts:read', 'posts:read'] }
    const made = await page.call({ method: 'POST', path: '/dashboard/api/keys', body })
    t.match(made, { status: 201, body: { id: /^key_/, key: /^fnf_/, label: 'CI', scopes: ['posts:read'] } })
    const { id, key } = z.object({ id: z.string(), key: z.string() }).parse(made.body)
    t.match(await api.call({ path: '/v1/posts', key }), { status: 200 })
    const listed = await page.call({ path: '/dashboard/api/keys?limit=1' })
    t.match(listed.body, { keys: [{ id, label: 'CI', scopes: ['posts:read'], revokedAt: null }], nextCursor: /./ })
    t.notMatch(listed.text, key.split('_')[2] ?? key)
    const rest = await page.call({ path: `/dashboard/api/keys?cursor=${String(listed.body['nextCursor'])}` })
    t.match(rest.body, { keys: [{ label: 'test' }], nextCursor: null })
    t.match(await page.call({ method: 'DELETE', path: `/dashboard/api/keys/${id}` }), { status: 204 })
    t.match((await page.call({ path: '/dashboard/api/keys?limit=1' })).body['keys'], [{ id, revokedAt: /Z$/ }])
    await clock.advanceTo(clock.now() + 5_000)
    t.match(await api.call({ path: '/v1/posts', key }), { code: 'revoked_api_key' })
    for (const wrong of [{ scopes: [] }, { scopes: ['dashboard'] }, {}]) {
      const refused = await page.call({ method: 'POST', path: '/dashboard/api/keys', body: wrong })
      t.match(refused, { status: 400, message: /^scopes/ })
    }
  })

  await t.test(
    'when she changes her password, then her other sessions end and the old password stops working',
    async (t) => {
      const changing = await signIn(api, 'ada')
      const change = (current: string, next: string) =>
        changing.call({ method: 'POST', path: '/dashboard/api/password', body: { current, next } })
      t.match(await change('wrong', 'another password'), { status: 400, message: 'current is not your password' })
      t.match(await change(PASSWORD, 'short'), { status: 400, message: /^next must be 10 to 200 characters/ })
      t.match(await page.call({ path: SESSION }), { status: 200 })
      t.equal((await change(PASSWORD, 'another password')).status, 204)
      t.match(await changing.call({ path: SESSION }), { status: 200, body: { csrfToken: changing.csrfToken } })
      t.match(await page.call({ path: SESSION }), { status: 401 })
      await clock.advanceTo(clock.now() + 60_000)
      t.match(await api.call(signInCall('ada', PASSWORD)), { status: 401 })
      t.match(await api.call(signInCall('ada', 'another password')), { status: 200 })
      const kept = await api.world.db.query('select * from service.passwords')
      t.equal(kept.rows.length, 1, 'and forgotten')
      const events = JSON.stringify(await api.world.log.read(`user-${ada.id}`), (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      )
      t.notMatch(events, /scrypt|password"/, 'no event has anything of it')
    },
  )

  await t.test('when a session is used, then it lasts 7 days more each time, and 30 in all', async (t) => {
    const lasting = await signIn(api, 'ada', 'another password')
    const began = clock.now()
    for (const day of [6, 12, 18, 24, 29.9]) {
      await clock.advanceTo(began + day * DAY_MS)
      t.match(await lasting.call({ path: SESSION }), { status: 200 }, `day ${day}`)
    }
    await clock.advanceTo(began + 30.1 * DAY_MS)
    t.match(await lasting.call({ path: SESSION }), { status: 401 })
    const idle = await signIn(api, 'ada', 'another password')
    await clock.advanceTo(clock.now() + 7.1 * DAY_MS)
    t.match(await idle.call({ path: SESSION }), { status: 401 })
  })

  const postOnce = {
    ...{ method: 'POST', path: '/v1/posts', headers: { 'idempotency-key': 'once more' } },
    body: { mediaUrl: image, mediaType: 'image', selections: { x: ['acc_none'] } },
  }

  await t.test('when she is removed, then she is signed out at once and cannot come back', async (t) => {
    const last = await signIn(api, 'ada', 'another password')
    t.match(await last.call(postOnce), { status: 202 })
    await handle(api.world, user, ada.id, causedBy('removed'), removeUser)
    await until('her session to end', 60_000, async () =>
      (await last.call({ path: SESSION })).status === 401 ? true : undefined,
    )
    await clock.advanceTo(clock.now() + 60_000)
    t.match(await api.call(signInCall('ada', 'another password')), { status: 401 })
  })

  await t.test('when a user of another workspace gets her name, then none of her data is shown', async (t) => {
    const next = await givenUser(api, 'Ada')
    t.equal(next.id, ada.id)
    const hers = await signIn(api, 'ada')
    const made = await hers.call(postOnce)
    t.match(await hers.call({ path: `/v1/posts/${String(made.body['id'])}` }), { status: 200 })
  })
})

t.test('given two processes', async (t) => {
  const clock = movableClock({ standingAt: Date.UTC(2026, 5, 1) })
  const api = await givenApi(t, { clock, limits: { perMinute: 30, perDay: 100 }, dashboard: { perMinute: 4 } })
  const other = await api.server()
  await givenUser(api, 'ada')
  const page = await signIn(api, 'ada')
  const guess = (server: typeof other, from: string, name = 'ada') =>
    server.call({ ...signInCall(name, 'guess'), from })

  await t.test('when she continues on another process, or one restarts, then she is still signed in', async (t) => {
    const answer = await other.call({ path: SESSION, headers: { cookie: page.cookie } })
    t.match(answer, { status: 200, body: { csrfToken: page.csrfToken } })
  })

  await t.test('when she asks too often, then she is refused as a key is, by a limit of her own', async (t) => {
    for (const remaining of ['2', '1', '0']) {
      const answer = await page.call({ path: remaining === '1' ? '/v1/posts' : SESSION })
      t.match(answer, { status: 200, headers: { 'x-ratelimit-limit': '4', 'x-ratelimit-remaining': remaining } })
    }
    t.match(await page.call({ path: SESSION }), { status: 429, headers: { 'retry-after': '60' } })
  })

  await t.test('when someone guesses too often, then they wait, and no one else waits for long', async (t) => {
    const fast = Array.from({ length: 14 }, (_, index) =>
      guess(index % 2 === 0 ? api : other, '10.0.0.1', `name${index}`),
    )
    const statuses = (await Promise.all(fast)).map(({ status }) => status)
    t.equal(statuses.filter((status) => status === 401).length, 10, 'from one address, over all processes')
    t.equal(statuses.filter((status) => status === 429).length, 4)
    t.match(await guess(api, '10.0.0.1'), { status: 429, headers: { 'retry-after': '60' } })
    const many = await Promise.all(Array.from({ length: 24 }, (_, index) => guess(api, `10.1.0.${index}`)))
    t.equal(many.filter(({ status }) => status === 401).length, 19, 'at one name, from many')
    await clock.advanceTo(clock.now() + 60_000)
    t.match(await guess(api, '10.0.0.1'), { status: 401 }, 'a minute later all may try again')
  })
})

t.test(
  'given two workspaces, when one requests what belongs to the other, then nothing is revealed or changed',
  async (t) => {
    const api = await givenApi(t)
    await givenUser(api, 'ada')
    const bob = await givenUser(api, 'bob')
    const [page, other] = [await signIn(api, 'ada'), await signIn(api, 'bob')]
    const accountId = await api.world.account('bluesky', bob.workspaceId)
    const made = await other.call({ method: 'POST', path: '/dashboard/api/keys', body: { scopes: ['posts:read'] } })
    const { id, key } = z.object({ id: z.string(), key: z.string() }).parse(made.body)
    const cases: readonly (readonly [method: string, path: (id: string) => string, id: string, body?: object])[] = [
      ['DELETE', (id) => `/dashboard/api/keys/${id}`, id],
      ['DELETE', (id) => `/dashboard/api/accounts/${id}`, accountId],
      ['PUT', (id) => `/dashboard/api/accounts/${id}/automation`, accountId, { mode: 'auto' }],
      ['GET', (id) => `/dashboard/api/accounts/${id}/automation`, accountId],
      ['PUT', (id) => `/dashboard/api/accounts/${id}/background-reading`, accountId, { isOn: false }],
    ]
    for (const [method, path, theirs, body] of cases) {
      const ask = (id: string) => page.call({ method, path: path(encodeURIComponent(id)), ...(body && { body }) })
      t.match(await ask(theirs), { status: 403, code: 'forbidden' }, `${method} ${path('…')}`)
      for (const id of [resourceId('acc', ids.ulid()), `${theirs}'`, theirs.toLowerCase(), '../x', 'post_%']) {
        t.match(await ask(id), { status: 404 }, `${method} ${path(id)}`)
      }
    }
    t.match(await api.call({ path: '/v1/posts', key }), { status: 200 })
    const cursor = z
      .string()
      .parse((await other.call({ path: '/dashboard/api/keys?limit=1' })).body['nextCursor'] ?? 'none')
    t.match(await page.call({ path: `/dashboard/api/keys?cursor=${cursor}` }), { status: 400 })
    t.same((await page.call({ path: '/dashboard/api/keys' })).body['keys'], [])
    t.match((await other.call({ path: '/v1/accounts' })).body, { accounts: { bluesky: [{ automation: 'off' }] } })
    const body = { mediaUrl: image, mediaType: 'image', selections: { bluesky: [accountId] } }
    const scheduled = { ...body, scheduledAtUtc: '2099-01-01T00:00:00Z' }
    const planned = await other.call({
      method: 'POST',
      path: '/v1/posts/scheduled',
      body: { ...body, date: '2099-01-01' },
    })
    t.equal(planned.status < 300, true, planned.text + JSON.stringify(scheduled))
    // Named by somebody else, the account is owed nothing of hers.
    await page.call({ method: 'POST', path: '/v1/posts', body })
    const owed = await other.call({ path: '/dashboard/api/due-work' })
    t.match(owed.body, {
      overdue: 0,
      next: [{ kind: 'schedule', id: planned.body['id'], dueAt: /^2099/ }],
      failing: [],
    })
    t.equal(z.array(z.unknown()).parse(owed.body['next']).length, 1)
    t.notMatch((await page.call({ path: '/dashboard/api/due-work' })).text, accountId)
    const waiting = { id: accountId, platform: 'bluesky', needsReauth: false, lacking: [], scheduledPosts: 1 }
    t.match((await other.call({ path: '/dashboard/api/accounts' })).body, { accounts: [waiting] })
    t.notMatch((await page.call({ path: '/dashboard/api/accounts' })).text, accountId)
  },
)

t.test('given a sandbox and a page that was built', async (t) => {
  const apps = new Map(
    ['x', 'tiktok', 'linkedin', 'linkedin_member'].map((app) => [app, { clientId: 'id', clientSecret: 'secret' }]),
  )
  const trusted: string[] = []
  const directory = await mkdtemp(join(tmpdir(), 'fanfare-page-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const server = await givenApi(t, {
    dashboard: { directory: join(directory, 'dashboard'), mediaOrigins: ['http://127.0.0.1:3001'] },
    apps: ownApps(apps, trusted),
  })
  const { world } = server
  const ada = await givenUser(server, 'ada')
  const page = await signIn(server, 'ada')

  await t.test('when an image is looked at, then a small copy of it is returned, to this user alone', async (t) => {
    const port = await server.listen()
    const asked = (query: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/dashboard/api/image?${new URLSearchParams(query)}`, {
        headers: { cookie: page.cookie },
      })
    const url = `${world.sandbox.url}/media/sample.jpg`
    const answer = await asked({ url, platform: 'instagram', options: '{"imageFit":"crop"}' })
    t.equal(answer.status, 200)
    t.match(Object.fromEntries(answer.headers), {
      ...{
        'content-type': 'image/jpeg',
        'cache-control': 'private, max-age=3600',
        'x-content-type-options': 'nosniff',
      },
    })
    t.ok((await answer.arrayBuffer()).byteLength < 300_000)
    for (const query of [
      {},
      { url, platform: 'myspace' },
      { url, options: '{' },
      { url, options: '[]' },
      { url, size: '9' },
    ]) {
      t.equal((await asked(query as Record<string, string>)).status, 400, JSON.stringify(query))
    }
    t.equal((await asked({ url: `${world.sandbox.url}/media/none.jpg` })).status, 409)
    t.equal((await asked({ url: 'file:///etc/passwd' })).status, 409)
  })

  await t.test('when platforms are listed, then each shows the fields it needs', async (t) => {
    const { body } = await page.call({ path: '/dashboard/api/platforms' })
    const platforms = z.array(z.record(z.string(), z.unknown())).parse(body['platforms'])
    const of = (key: string) => platforms.find((platform) => platform['key'] === key)
    t.equal(platforms.length, PLATFORM_KEYS.length)
    t.match(of('bluesky'), {
      name: 'Bluesky',
      browser: false,
      browserHint: null,
      captionLimit: 300,
      conversation: true,
    })
    t.match(of('bluesky')?.['credentialFields'], [
      { name: 'identifier', description: /Handle/, secret: false, required: true },
      { name: 'appPassword', secret: true, required: true },
    ])
    t.match(of('linkedin'), { browser: true, captionLimit: 3000 })
    t.same(of('linkedin')?.['logins'], [
      { key: 'page', name: 'Pages' },
      { key: 'member', name: 'My profile' },
    ])
    t.match(of('pinterest'), { browser: false, browserHint: /set PINTEREST_CLIENT_ID/ })
    t.match(of('x'), { browser: true, logins: [], browserHint: null, captionLimit: 280, media: ['video', 'image'] })
    t.match(of('youtube'), { captionLimit: 5000, media: ['video'] })
    const fields = z.array(z.record(z.string(), z.unknown())).parse(of('tiktok')?.['credentialFields'])
    const privacy = fields.find(({ name }) => name === 'privacyLevel')
    t.match(privacy, { beforehand: true, required: true, values: ['PUBLIC_TO_EVERYONE'] })
  })

  await t.test('when an account is connected by credentials, automated and disconnected, then it is so', async (t) => {
    const { credentials, baseUrl } = await givenAccount(world.http, world.sandbox, 'bluesky')
    const connect = (body: object) => page.call({ method: 'POST', path: '/dashboard/api/accounts', body })
    const whole = { platform: 'bluesky', credentials, baseUrl, label: 'Mine' }
    t.match(await connect({ ...whole, credentials: {} }), {
      status: 400,
      message: 'credentials.identifier is required',
    })
    t.match(await connect({ ...whole, platform: 'myspace' }), { status: 400, message: /^platform/ })
    t.match(await connect({ ...whole, baseUrl: 'ftp://x' }), {
      status: 400,
      message: /^baseUrl must be a URL that begins with http/,
    })
    const wrong = await connect({ ...whole, credentials: { ...credentials, appPassword: 'wrong-secret' } })
    t.match(wrong, { status: 409, code: 'failed_precondition', message: /password/i })
    t.notMatch(wrong.text, /wrong-secret/)
    const made = await connect(whole)
    t.match(made, { status: 201, body: { id: /^acc_/, platform: 'bluesky', label: 'Mine' } })
    const id = String(made.body['id'])
    t.match((await connect({ ...whole, label: 'Again' })).body, { id, label: 'Again' }, 'the same one keeps its id')

    const automate = (body: object) =>
      page.call({ method: 'PUT', path: `/dashboard/api/accounts/${id}/automation`, body })
    t.match(await automate({ mode: 'review', instruction: 'Be kind' }), {
      body: { mode: 'review', instruction: 'Be kind' },
    })
    t.match(await automate({ mode: 'off' }), { status: 200, body: { mode: 'off', instruction: 'Be kind' } })
    const set = () => page.call({ path: `/dashboard/api/accounts/${id}/automation` })
    t.match(await set(), { status: 200, body: { mode: 'off', instruction: 'Be kind' } })
    await automate({ mode: 'off', instruction: '' })
    t.match(await set(), { body: { mode: 'off', instruction: '' } })
    t.match(await automate({ mode: 'always' }), { status: 400, message: /^mode must be one of/ })
    const read = (body: object) =>
      page.call({ method: 'PUT', path: `/dashboard/api/accounts/${id}/background-reading`, body })
    const listed = async () => (await page.call({ path: '/v1/accounts' })).body
    t.match(await listed(), { accounts: { bluesky: [{ backgroundReading: { isOn: true, costs: false } }] } })
    t.match(await read({ isOn: false }), { status: 200, body: { isOn: false, costs: false } })
    t.match(await listed(), { accounts: { bluesky: [{ backgroundReading: { isOn: false } }] } })
    t.match(await read({ isOn: 'no' }), { status: 400, message: /isOn must be true or false/ })
    t.match(await listed(), { accounts: { bluesky: [{ id, label: 'Again' }] } })
    t.match(await page.call({ method: 'DELETE', path: `/dashboard/api/accounts/${id}` }), { status: 204 })
    t.same((await page.call({ path: '/v1/accounts' })).body['accounts'], {})
    t.same((await world.db.query('select 1 from service.secrets where id = $1', [id])).rows, [], 'and its secrets gone')
    t.match(await automate({ mode: 'auto' }), { status: 409 })
  })

  await t.test('when an owner consents in a browser, then it comes back to the dashboard', async (t) => {
    const { externalId, baseUrl } = await givenAccount(world.http, world.sandbox, 'x')
    const registered = { platform: 'x', redirectUri: redirectUri('https://fanfare.test', 'x') }
    const app = (await postJson(world.http, `${world.sandbox.url}/_control/apps`, registered)).json()
    apps.set('x', z.object({ clientId: z.string(), clientSecret: z.string() }).parse(app))
    const ask = (body: object) => page.call({ method: 'POST', path: '/dashboard/api/accounts/authorizations', body })
    for (const foreign of ['https://thief.example', 'https://x.com.thief.example/x', baseUrl]) {
      t.match(await ask({ platform: 'x', baseUrl: foreign }), { status: 409, message: /add it to APP_HOSTS/ }, foreign)
    }
    const own = { clientId: 'mine', clientSecret: 'my own' }
    t.equal((await ask({ platform: 'x', baseUrl, credentials: own })).status, 201, 'an app of her own may go anywhere')
    for (const wrong of [
      'http://',
      'https://u:p@host',
      'https://host?',
      'https://host/#',
      'http://[',
      'javascript:x',
    ]) {
      t.match(await ask({ platform: 'x', baseUrl: wrong }), { status: 400, message: /^baseUrl must/ }, wrong)
    }
    trusted.push(world.sandbox.url)
    const browser = givenBrowser(server.app)
    const way = async (decision: 'allow' | 'deny') => {
      const begun = await ask({ platform: 'x', baseUrl })
      t.equal(begun.status, 201)
      const consentUrl = await consentUrlAt(browser, String(begun.body['url']))
      return browser.visit(await consent(consentUrl, externalId, decision))
    }
    t.match(await way('deny'), { status: 409, body: /href="\/accounts"/ })
    t.match(await way('allow'), { status: 303, headers: { location: /^\/accounts\?connected=acc_/ } })
    t.match((await page.call({ path: '/v1/accounts' })).body, { accounts: { x: [{ label: `@user${externalId}` }] } })
    t.match(await ask({ platform: 'pinterest' }), { status: 409, message: /set PINTEREST_CLIENT_ID/ })
    const wrong = 'login: LinkedIn has page and member, not nobody'
    t.match(await ask({ platform: 'linkedin', login: 'nobody' }), { status: 400, message: wrong })
    t.match(await ask({ platform: 'x', login: 'member' }), {
      status: 400,
      message: /^login: X has none to choose from/,
    })
    t.equal((await ask({ platform: 'linkedin', login: 'member' })).status, 201)
    t.match(await ask({ platform: 'bluesky' }), { status: 409, message: /cannot be connected in a browser/ })
    t.match(await ask({ platform: 'tiktok' }), { status: 400, message: /^credentials.privacyLevel is required/ })
  })

  await t.test('when what she waits for fails or is due, then she is notified', async (t) => {
    const accountId = await world.account('bluesky', ada.workspaceId)
    const service = await givenProcess(world)
    const mediaUrl = `${world.sandbox.url}/media/sample.jpg`
    const body = { mediaUrl, mediaType: 'image', selections: { bluesky: [accountId] } }
    const queued = await page.call({ method: 'POST', path: '/v1/posts', body })
    const url = `${world.sandbox.url}/feed.xml`
    await page.call({
      method: 'POST',
      path: '/v1/rss-feeds',
      body: { url: 'https://none.invalid/feed', selections: { bluesky: [accountId] } },
    })
    const owed = await page.call({ path: '/dashboard/api/due-work' })
    t.match(owed.body, { overdue: 0, next: [{ kind: 'publish', id: queued.body['id'], platform: 'bluesky' }] }, url)
    t.notOk('heldSince' in owed.body, 'nothing is held')
    await placeHold(world.db, 'restore')
    t.match((await page.call({ path: '/dashboard/api/due-work' })).body, { heldSince: /Z$/ }, 'and a hold is shown')
    await liftHold(world.db, 'restore')
    await world.clock.advanceTo(world.clock.now() + 120_000)
    t.match((await page.call({ path: '/dashboard/api/due-work' })).body['overdue'], 11, 'and the looks at each account')
    while ((await service.step()) > 0);
    t.match((await page.call({ path: '/dashboard/api/due-work' })).body, {
      next: [],
      failing: [{ kind: 'feed', label: 'https://none.invalid/feed', error: /./ }],
    })
    t.match((await page.call({ path: '/dashboard/api/recent-weeks' })).body, {
      last: { published: 1, views: null, interactions: null },
      before: { published: 0, views: null, interactions: null },
      hasDemo: false,
    })
  })

  await t.test('when each account has a server of its own, then that one registers the app', async (t) => {
    const { externalId, baseUrl } = await givenAccount(world.http, world.sandbox, 'mastodon')
    const ask = (body: object) => page.call({ method: 'POST', path: '/dashboard/api/accounts/authorizations', body })
    const begun = await ask({ platform: 'mastodon', baseUrl })
    t.equal(begun.status, 201)
    const browser = givenBrowser(server.app)
    const consentUrl = await consentUrlAt(browser, String(begun.body['url']))
    const back = await browser.visit(await consent(consentUrl, externalId, 'allow'))
    t.match(back, { status: 303, headers: { location: /^\/accounts\?connected=acc_/ } })
    const { accounts } = (await page.call({ path: '/v1/accounts' })).body as {
      accounts: Record<string, { id: string }[]>
    }
    t.match(accounts['mastodon'], [{ label: /^@\w+@mastodon\.test$/ }])
    await page.call({ method: 'DELETE', path: `/dashboard/api/accounts/${accounts['mastodon']?.[0]?.id}` })
    t.equal(world.sandbox.ledger.account('mastodon', externalId)?.secrets['accessToken'], '', 'the access has ended')
    const nowhere = await ask({ platform: 'mastodon', baseUrl: 'http://127.0.0.1:1' })
    t.match(nowhere, { status: 409, message: 'Mastodon could not be reached.' })
  })

  const get = (
    url: string,
    headers: Record<string, string> = { accept: 'text/html,*/*' },
    method: 'GET' | 'HEAD' = 'GET',
  ) => server.app.inject({ method, url, headers })

  await t.test('when the page is not built yet, then the response says how to build it', async (t) => {
    t.match(await get('/'), {
      statusCode: 503,
      body: /has not been built[^]*npm run/,
      headers: { 'content-type': /^text\/plain/ },
    })
  })

  await mkdir(join(directory, 'dashboard', 'assets'), { recursive: true })
  await writeFile(join(directory, 'dashboard', 'index.html'), '<!doctype html><title>Fanfare</title>')
  await writeFile(join(directory, 'dashboard', 'assets', 'app-1a2b.js'), 'console.log(1)'.repeat(10))
  await writeFile(join(directory, 'dashboard', 'assets', 'app-1a2b.js.br'), 'smaller')
  await writeFile(join(directory, 'outside.txt'), 'secret')

  await t.test('then every browser path leads to the page, and the page loads nothing from elsewhere', async (t) => {
    for (const url of ['/', '/posts', '/posts/post_1?x=1', '/v1x', '/accounts?connected=acc_1']) {
      const answer = await get(url)
      t.match(answer, { statusCode: 200, body: /Fanfare/, headers: { 'cache-control': 'no-cache' } }, url)
      const policy = String(answer.headers['content-security-policy'])
      t.match(policy, /^default-src 'self'; img-src 'self' https: data: blob: http:\/\/127.0.0.1:3001;/)
      t.notMatch(policy, /unsafe/)
    }
    for (const url of ['/v1/nothing', '/media/x', '/connect/a/b/c', '/docs/x', '/metrics', '/dashboard/api/x']) {
      t.match(await get(url), { headers: { 'content-type': /^application\/json/ } }, url)
    }
    t.match(await get('/posts', { accept: 'application/json' }), { statusCode: 404 })
    t.match(await get('/', {}), { statusCode: 200 })
    t.match(await server.call({ method: 'POST', path: '/' }), { status: 405, headers: { allow: 'GET, HEAD' } })
    t.match(await server.call({ method: 'POST', path: '/posts' }), { status: 404 })
    t.match(await get('/', {}, 'HEAD'), { statusCode: 200, body: '' })
    const { etag } = (await get('/')).headers
    t.match(await get('/', { 'if-none-match': String(etag) }), { statusCode: 304, body: '' })
  })

  await t.test('then its files are kept for ever by their names, smaller where that is understood', async (t) => {
    const url = '/assets/app-1a2b.js'
    const plain = await get(url, {})
    t.match(plain, { statusCode: 200, headers: { 'cache-control': /immutable/, 'content-type': /^text\/javascript/ } })
    const small = await get(url, { 'accept-encoding': 'gzip, br' })
    t.match(small, { body: 'smaller', headers: { 'content-encoding': 'br', vary: 'accept-encoding' } })
    t.not(small.headers.etag, plain.headers.etag)
    t.match(await get(url, { 'accept-encoding': 'gzip, br;q=0' }), { body: /console/ })
    for (const path of [
      '/assets/none.js',
      '/../outside.txt',
      '/assets/../../outside.txt',
      '/..%2foutside.txt',
      '/%2e%2e/outside.txt',
      '/assets/app-1a2b.js.br',
    ]) {
      t.match(await get(path), { statusCode: 404, headers: { 'content-type': /^application\/json/ } }, path)
    }
  })
})

t.test('given pages that listen', async (t) => {
  const api = await givenApi(t, { dashboard: { beatMs: 200 } })
  const url = `http://127.0.0.1:${await api.listen()}/dashboard/api/live`
  await givenUser(api, 'ada')
  await givenUser(api, 'bob')
  const [page, other] = [await signIn(api, 'ada'), await signIn(api, 'bob')]
  const queue = async (by = page) => {
    const body = { mediaUrl: image, mediaType: 'image', selections: { x: ['acc_none'] } }
    return String((await by.call({ method: 'POST', path: '/v1/posts', body })).body['id'])
  }
  const hers = await listen(url, page)
  const his = await listen(url, other)
  const begun = await hers.begun()
  await his.begun()

  await t.test(
    'when something is posted, by the API or by her, then she alone is notified, once it can be read',
    async (t) => {
      t.match(Object.fromEntries(hers.headers), { 'content-type': /^text\/event-stream/, 'cache-control': 'no-store' })
      const id = await queue()
      const { kinds } = await hers.told(id)
      t.same(kinds, ['post'])
      t.match(await page.call({ path: `/v1/posts/${id}` }), { status: 200 })
      const theirs = await queue(other)
      await his.told(theirs)
      t.notMatch(his.text(), id)
      t.notMatch(hers.text(), theirs)
      await until('a sign of life', 60_000, async () => /^:$/m.test(hers.text()) || undefined)
    },
  )

  await t.test(
    'when she reconnects, then she receives what she missed, or learns that it is unavailable',
    async (t) => {
      const id = await queue()
      await hers.told(id)
      const back = await listen(url, page, begun)
      await back.told(id)
      t.notMatch(back.text(), /reset/)
      const late = await listen(url, page, '0')
      await late.begun()
      t.match(late.messages()[1], { event: 'reset', data: /position/ })
      back.leave()
      late.leave()
    },
  )

  await t.test('when another process updates the read models, then she is notified as well', async (t) => {
    const old = await queue()
    await hers.told(old)
    await api.stopProjector()
    const body = { mediaUrl: image, mediaType: 'image', selections: { x: ['acc_none'] } }
    const made = await page.call({ method: 'POST', path: '/v1/posts', body })
    const id = String(made.body['id'])
    t.notMatch(hers.text(), id, 'not before it can be read')
    api.startProjector()
    await hers.told(id)
  })

  await t.test(
    'when her session ends, then so does the stream: at once here, in others with the next beat',
    async (t) => {
      const slow = await api.server({ dashboard: { beatMs: 600_000 } })
      const there = `http://127.0.0.1:${await slow.listen()}/dashboard/api/live`
      const [first, second] = [await signIn(api, 'ada'), await signIn(api, 'ada')]
      const [one, two, three] = [await listen(there, page), await listen(there, first), await listen(there, second)]
      for (const each of [one, two, three]) await each.begun()
      const by = (session: typeof page, call: Call) =>
        slow.call({ ...call, headers: { cookie: session.cookie, 'x-csrf-token': session.csrfToken } })
      await by(first, { method: 'DELETE', path: SESSION })
      await two.ended()
      const body = { current: PASSWORD, next: 'another password' }
      await by(second, { method: 'POST', path: '/dashboard/api/password', body })
      await one.ended()
      await hers.ended()
      t.equal((await listen(url, page)).status, 401)
      t.equal((await by(second, { path: SESSION })).status, 200)
      await three.told(await queue(second))
      three.leave()
    },
  )

  await t.test('when the server stops, then it does not wait for those who listen', async (t) => {
    const began = performance.now()
    await api.app.close()
    await his.ended()
    t.ok(performance.now() - began < 20_000, 'as long as connections are kept otherwise')
  })
})

t.test('given maintenance windows, when she looks, then the next one is announced, until it has ended', async (t) => {
  const now = Date.UTC(2026, 5, 1)
  const clock = movableClock({ standingAt: now })
  const windows = [
    { from: now + 2 * DAY_MS, until: now + 3 * DAY_MS },
    { from: now + 20 * DAY_MS, until: now + 21 * DAY_MS },
  ]
  const api = await givenApi(t, { clock, dashboard: { maintenance: windows } })
  await givenUser(api, 'ada')
  const maintenanceOn = async (day: number) => {
    await clock.advanceTo(now + day * DAY_MS)
    const page = await signIn(api, 'ada')
    return (await page.call({ path: '/dashboard/api/due-work' })).body['maintenance']
  }
  const first = { from: '2026-06-03T00:00:00.000Z', until: '2026-06-04T00:00:00.000Z' }
  t.same(await maintenanceOn(0), first)
  t.same(await maintenanceOn(2.5), first)
  t.equal(await maintenanceOn(3), undefined)
  t.match(await maintenanceOn(14), { from: '2026-06-21T00:00:00.000Z' })
})

t.test('given a client that does not read, when notifications pile up, then the connection is closed', async (t) => {
  const listening = new Set<(change: Change) => void>()
  const url = await givenLive(t, async (_workspaceId, _after, listener) => {
    listening.add(listener)
    return { position: 1n, missed: [], stop: () => listening.delete(listener) }
  })
  const socket = connect(Number(url.port), '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.pause()
  socket.write('GET /live HTTP/1.1\r\nHost: x\r\n\r\n')
  await until('him to listen', 60_000, async () => listening.size === 1 || undefined)
  const ids = [resourceId('post', 'x'.repeat(100_000))]
  let told = 0
  await until('him to be cut off', 60_000, async () => {
    for (let turn = 0; turn < 50; turn += 1) {
      for (const listener of listening) listener({ workspaceId: 'ws_1', position: 2n, kinds: ['post'], ids })
      told += listening.size
    }
    return listening.size === 0 || undefined
  })
  t.comment(`after ${told / 10} MB, most of them in the hands of the operating system`)
})

t.test(
  'given changes that cannot be sent yet, when too many clients connect at once, then most are accepted',
  async (t) => {
    let begin = () => undefined as void
    const beginning = new Promise<void>((resolve) => (begin = resolve))
    const url = await givenLive(t, async () => {
      await beginning
      return { position: 1n, missed: [], stop: () => undefined }
    })
    const leaving = new AbortController()
    const letIn: boolean[] = []
    const asking = Array.from({ length: 60 }, async () => {
      const { ok } = await fetch(url, { signal: leaving.signal })
      letIn.push(ok)
    })
    await until('those who are too many to go', 60_000, async () => letIn.length === 10 || undefined)
    begin()
    await Promise.all(asking)
    t.same(letIn, [...Array<boolean>(10).fill(false), ...Array<boolean>(50).fill(true)])
    leaving.abort()
  },
)

/** The stream of changes alone, at the URL that is returned, for one user. */
async function givenLive(t: Test, listen: LiveChanges['listen']): Promise<URL> {
  const app = fastify()
  t.teardown(() => app.close())
  const session = {
    ...{
      tokenHash: 'hash',
      expiresAt: '',
      user: { id: 'user_1', name: 'ada', role: 'owner' as const, passwordId: 'p1' },
    },
    workspace: { id: 'ws_1', name: 'one' },
  }
  app.decorateRequest('caller', undefined)
  app.addHook('onRequest', async (request) => {
    request.caller = { actor: { kind: 'user', id: 'user_1' }, workspaceId: 'ws_1', scopes: ['dashboard'], session }
  })
  liveRoute(app, {
    changes: { listen, close: () => undefined },
    sessions: { lasting: async (hashes) => new Map(hashes.map((hash) => [hash, 'ws_1'])), whenEnded: () => undefined },
    ...{ clock: systemClock, logger: createLogger('silent'), beatMs: 60_000 },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return new URL('/live', app.listeningOrigin)
}

t.test('given passwords that take their time', async (t) => {
  const api = await givenApi(t, { clock: movableClock({ standingAt: Date.UTC(2026, 5, 1) }) })
  const ada = await givenUser(api, 'ada')
  const page = await signIn(api, 'ada')
  const passwords = createPasswords(api.world.db, CHEAP)
  const looking = (matches: Passwords['matches']) => api.server({ services: { passwords: { ...passwords, matches } } })

  await t.test(
    'when more are tried than can be answered, from everywhere, then some wait and the rest go',
    async (t) => {
      let look = () => undefined as void
      const held = new Promise<void>((resolve) => (look = resolve))
      const server = await looking(async (...given) => {
        await held
        return passwords.matches(...given)
      })
      const answers: Answer[] = []
      const guesses = Array.from({ length: 40 }, async (_, index) => {
        answers.push(await server.call({ ...signInCall(`name${index}`, 'guess'), from: `10.0.${index}.1` }))
      })
      await until('those who are too many to go', 60_000, async () => answers.length === 15 || undefined)
      for (const answer of answers) t.match(answer, { status: 429, headers: { 'retry-after': '10' } })
      look()
      await Promise.all(guesses)
      t.equal(answers.filter(({ status }) => status === 401).length, 25)
      t.match(await server.call(signInCall('ada', PASSWORD)), { status: 200 }, 'and it goes on')
    },
  )

  await t.test('when someone guesses her password, then she learns when she may change it', async (t) => {
    const guess = (_: unknown, index: number) => api.call({ ...signInCall('ada', 'guess'), from: `10.1.${index}.1` })
    await Promise.all(Array.from({ length: 20 }, guess))
    const body = { current: PASSWORD, next: 'another password' }
    const refused = await page.call({ method: 'POST', path: '/dashboard/api/password', body })
    t.match(refused, { status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': '60' } })
    await api.world.clock.advanceTo(api.world.clock.now() + 60_000)
  })

  await t.test('when her password is replaced while it is being checked, then the check fails', async (t) => {
    const server = await looking(async (...given) => {
      const matches = await passwords.matches(...given)
      await handle(api.world, user, ada.id, causedBy('meanwhile'), (state) => changePassword(state, 'another'))
      await until('it to be shown', 60_000, async () =>
        (await findUser(api.world.db, ada.id))?.passwordId === 'another' ? true : undefined,
      )
      return matches
    })
    t.match(await server.call(signInCall('ada', PASSWORD)), { status: 401, code: 'invalid_api_key' })
  })
})

t.test('given a log whose answers get lost', async (t) => {
  const api = await givenApi(t)
  const ada = await givenUser(api, 'ada')
  const losing = { ...api.world.log, append: api.world.log.append }
  const loseNext = () => {
    losing.append = async (...given) => {
      losing.append = api.world.log.append
      await api.world.log.append(...given)
      throw new LogUnavailable('the answer got lost')
    }
  }
  /** Once the last of so many events is shown. */
  const isHers = async (password: string, events: number) => {
    const recorded = await api.world.log.read(`user-${ada.id}`)
    t.equal(recorded.length, events)
    const { passwordId } = z.object({ passwordId: z.string() }).parse(recorded.at(-1)?.data)
    await until('the event to be shown', 60_000, async () =>
      (await findUser(api.world.db, ada.id))?.passwordId === passwordId ? true : undefined,
    )
    t.match(await api.call(signInCall('ada', password)), { status: 200 })
  }
  const kept = async () => (await api.world.db.query('select id from service.passwords')).rows.length

  await t.test('when she changes her password, then the one that the log names is there', async (t) => {
    const server = await api.server({ services: { log: losing } })
    const page = await signIn(server, 'ada')
    loseNext()
    const body = { current: PASSWORD, next: 'another password' }
    t.match(await page.call({ method: 'POST', path: '/dashboard/api/password', body }), { status: 500 })
    await isHers('another password', 2)
  })

  await t.test(
    'when an operator resets the password, then the same holds, and a refusal changes nothing',
    async (t) => {
      const core = {
        ...{ ...api.world, log: losing, ids, passwords: createPasswords(api.world.db, CHEAP) },
        seen: { waitFor: async () => true },
      } as unknown as Core
      loseNext()
      await t.rejects(resetPassword(core, 'ada', 'a third password'), LogUnavailable)
      await isHers('a third password', 3)
      const before = await kept()
      await t.rejects(resetPassword(core, 'nobody'), { code: 'not_found' })
      t.equal(await kept(), before)
    },
  )
})

t.test('a password is kept as what it cannot be had back from, and is known again', async (t) => {
  const one = await hashPassword('é pass', CHEAP)
  t.match(one, /^scrypt\$16\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
  t.not(one, await hashPassword('é pass', CHEAP))
  t.equal(await isPassword('e\u0301 pass', one), true, 'however its letters were typed, whatever others cost')
  const began = performance.now()
  t.equal(await isPassword('e pass', await hashPassword('é pass')), false)
  const between = performance.now()
  t.equal(await isPassword('e pass', undefined), false)
  const [wrong, unknown] = [between - began, performance.now() - between]
  t.ok(unknown > wrong / 8, `it takes as long: ${wrong} ms and ${unknown} ms`)
  t.equal(await isPassword('x', 'not one', CHEAP), false)
})

t.test('a user’s stream decides who may sign in', async (t) => {
  const created = { workspaceId: 'ws_1', name: 'ada', passwordId: 'p1', role: 'owner' } as const
  const active = { status: 'active', ...created } as const
  t.same(createUser({ status: 'absent' }, created), [{ type: 'UserCreated', data: created }])
  t.throws(() => createUser(active, { ...created, workspaceId: 'ws_2' }), { code: 'failed_precondition' })
  t.equal(createUser({ ...active, status: 'removed' }, created).length, 1)
  t.throws(() => changePassword(active, 'p3', 'p2'), { code: 'failed_precondition' })
  t.same(changePassword(active, 'p2', 'p1'), [{ type: 'UserPasswordChanged', data: { passwordId: 'p2' } }])
  t.throws(() => changePassword({ status: 'absent' }, 'p2'), { code: 'not_found' })
  t.throws(() => removeUser({ ...active, status: 'removed' }), { code: 'not_found' })
})
