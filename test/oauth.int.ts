import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import { sweepOAuth } from '../api/oauth/grants.ts'
import { handle } from '../commands/handle.ts'
import { changeRole, removeUser } from '../commands/user.ts'
import { user } from '../domain/workspace/user.ts'
import type { Http } from '../infra/http/http.ts'
import { givenApi } from './support/api.ts'
import { givenUser, signIn } from './support/dashboard.ts'
import { movableClock } from './support/movable-clock.ts'
import { appProvider, browserOf, rawApp, REDIRECT } from './support/oauth.ts'
import { until } from './support/service-process.ts'
import { causedBy } from './support/world.ts'

/* Apps that act for people: OAuth 2.1 for the MCP endpoint. */

const MINUTE_MS = 60_000
const APP = { client_name: 'By hand', redirect_uris: [REDIRECT] }
const SCOPES = ['accounts:read', 'posts:read', 'posts:propose']

async function givenService(t: Test, http?: Http) {
  const clock = movableClock()
  const api = await givenApi(t, { clock, ...(http && { http }) })
  const origin = `http://127.0.0.1:${await api.listen()}`
  const ada = await givenUser(api, 'ada')
  const page = await signIn(api, 'ada')
  const browser = browserOf(page, origin)
  const app = rawApp(origin)
  const keys = async () => {
    const { body } = await page.call({ path: '/dashboard/api/keys' })
    return body['keys'] as readonly { id: string; revokedAt: string | null }[]
  }
  /** From one address, few can register. */
  let registered: string | undefined
  const registeredApp = async () => (registered ??= (await app.register(APP)).id)
  /** Up to the code. */
  const connected = async (scopes = SCOPES) => {
    const client = await registeredApp()
    const { url, verifier } = app.asks(client, { scope: scopes.join(' ') })
    const back = await browser.consent(url, { workspaceId: ada.workspaceId, scopes })
    return { client, verifier, code: back.searchParams.get('code') ?? '', back }
  }
  const sweep = async () =>
    sweepOAuth({ ...api.world, clock, seen: { waitFor: async () => true, close: () => undefined } })
  return { api, clock, origin, ada, page, browser, app, keys, registeredApp, connected, sweep }
}

t.test("given the official SDK's own client", async (t) => {
  const { api, clock, origin, ada, page, browser, keys } = await givenService(t)
  const { provider, tokens, client: registered, to } = appProvider('\u202eClaude\n')
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: provider })
    const client = new Client({ name: 'test', version: '1' })
    return { transport, client }
  }

  await t.test('when it connects by the URL alone, then a person is asked, and it gets what they allow', async (t) => {
    const { transport, client } = await connect()
    await t.rejects(client.connect(transport), UnauthorizedError)
    const asked = to()?.href ?? ''
    t.match(registered(), { client_id: /./, redirect_uris: [REDIRECT] })
    const id = await browser.ask(asked)
    t.match(await browser.shown(id), {
      client: { name: 'Claude', host: 'localhost:7777', site: null },
      workspaces: [{ id: ada.workspaceId, name: 'of ada' }],
    })
    const choice = { workspaceId: ada.workspaceId, scopes: SCOPES, budgets: { posts: 5 }, undoSeconds: 30 }
    const back = await browser.consent(asked, choice)
    t.equal(back.origin + back.pathname, REDIRECT)
    await transport.finishAuth(back.searchParams)
    t.match(tokens(), { token_type: 'Bearer', scope: SCOPES.join(' '), refresh_token: /./ })

    const again = await connect()
    await again.client.connect(again.transport)
    const { tools } = await again.client.listTools()
    const names = tools.map(({ name }) => name)
    t.ok(names.includes('plan_post'))
    t.notOk(names.includes('reply'), 'that scope was not allowed')
    const { content } = await again.client.callTool({ name: 'overview', arguments: {} })
    t.match(content, [{ text: /"posts":/ }])
    await again.client.close()
  })

  await t.test('then it is among the keys and in the activity', async (t) => {
    t.match(await keys(), [
      {
        label: 'Claude',
        scopes: SCOPES,
        undoSeconds: 30,
        budgets: { posts: 5 },
        app: { host: 'localhost:7777', allowedBy: 'ada' },
      },
    ])
    const { text } = await page.call({ path: '/v1/activity?kind=keys' })
    t.match(text, /The app \\"Claude\\" \(\\"localhost:7777\\"\) was allowed to act in workspace of ada/)
  })

  await t.test('when its token has expired, then it gets another by itself', async (t) => {
    const before = tokens()
    await clock.advanceTo(clock.now() + 61 * MINUTE_MS)
    const { client, transport } = await connect()
    await client.connect(transport)
    t.ok((await client.listTools()).tools.length > 0)
    t.not(tokens()?.access_token, before?.access_token)
    t.not(tokens()?.refresh_token, before?.refresh_token)
    await client.close()
  })

  await t.test('when the key is revoked, then it is out at its next call, in every process', async (t) => {
    const other = await api.server()
    const otherPort = await other.listen()
    const { client, transport } = await connect()
    await client.connect(transport)
    const [key] = await keys()
    await page.call({ method: 'DELETE', path: `/dashboard/api/keys/${key?.id}` })
    await t.rejects(client.listTools(), UnauthorizedError)
    t.match(await rawApp(origin).calls(tokens()?.access_token), { status: 401 })
    t.match(await rawApp(`http://127.0.0.1:${otherPort}`).calls(tokens()?.access_token), { status: 401 })
    await client.close()
  })
})

t.test('given an app that asks', async (t) => {
  const { api, origin, ada, browser, app, registeredApp, connected } = await givenService(t)

  await t.test('when it has no token, then it learns where to get one', async (t) => {
    const { status, asks } = await app.calls(undefined)
    t.equal(status, 401)
    t.match(asks, `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource", scope="accounts:read `)
    t.match((await app.calls('nonsense')).asks, /^Bearer error="invalid_token", resource_metadata=/)
    t.match((await app.calls('fnf_nonsense')).asks, /^Bearer error="invalid_token", resource_metadata=/)
    for (const path of ['', '/mcp']) {
      const metadata = await fetch(`${origin}/.well-known/oauth-protected-resource${path}`)
      t.match(await metadata.json(), { resource: `${origin}/mcp`, authorization_servers: [origin] })
    }
    const own = await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json()
    t.match(own, {
      ...{ issuer: origin, token_endpoint: `${origin}/oauth/token`, registration_endpoint: `${origin}/oauth/register` },
      ...{ code_challenge_methods_supported: ['S256'], client_id_metadata_document_supported: true },
      ...{ authorization_response_iss_parameter_supported: true, revocation_endpoint: `${origin}/oauth/revoke` },
    })
    t.notOk(Object.keys(own as object).some((name) => /id_token|claims|jwks/.test(name)))
  })

  await t.test('when its request does not hold, then the person sees why, and goes nowhere', async (t) => {
    const { id } = await app.register({ client_name: 'X', redirect_uris: [REDIRECT, 'https://app.test/back'] })
    const wrong: Readonly<Record<string, string | undefined>>[] = [
      { redirect_uri: 'https://app.test/back/other' },
      { redirect_uri: 'https://app.test/back?x=1' },
      { redirect_uri: 'http://evil.test/callback' },
      { redirect_uri: 'http://localhost:7777/other' },
      { code_challenge: undefined },
      { code_challenge_method: 'plain' },
      { resource: 'https://other.test/mcp' },
      { resource: `${origin}/v1` },
      { response_type: 'token' },
      { prompt: 'none' },
      { client_id: 'unknown' },
      { client_id: 'https://127.0.0.1:1/app.json' },
    ]
    for (const more of wrong) {
      const { status, to, text } = await browser.send(app.asks(id, more).url)
      t.match({ status, to }, { status: 400, to: '' }, JSON.stringify(more))
      t.match(text, /The app cannot be connected/)
    }
    t.ok(await browser.ask(app.asks(id, { redirect_uri: 'http://localhost:1234/callback' }).url), 'any port (RFC 8252)')
    t.ok(await browser.ask(app.asks(id, { resource: undefined, scope: undefined }).url), 'the usual')
  })

  await t.test('when what it registers is not allowed, then it is refused', async (t) => {
    const wrong = [
      { redirect_uris: ['http://evil.test/callback'] },
      { redirect_uris: ['http://evil.test/callback'], application_type: 'web' },
      { redirect_uris: ['javascript:alert(1)'] },
      { redirect_uris: [] },
      { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'client_secret_basic' },
      { redirect_uris: [REDIRECT], client_name: 'x'.repeat(9_000) },
    ]
    for (const metadata of wrong)
      t.match(await app.register(metadata), { status: 400 }, JSON.stringify(metadata).slice(0, 99))
  })

  await t.test('when the person cancels, then it is told so', async (t) => {
    const id = await registeredApp()
    const back = await browser.consent(app.asks(id).url, undefined)
    t.match(Object.fromEntries(back.searchParams), { error: 'access_denied', state: 's', iss: origin })
  })

  await t.test('when more is chosen than asked for or owned, then nothing is allowed', async (t) => {
    const client = await registeredApp()
    const id = await browser.ask(app.asks(client).url)
    const choose = async (workspaceId: string, scopes: readonly string[]) => browser.decide(id, { workspaceId, scopes })
    const other = await givenUser(api, 'bob')
    t.match(await choose(other.workspaceId, ['posts:read']), { status: 403 })
    t.match(await choose(ada.workspaceId, ['posts:write']), { status: 403, text: /did not ask/ })
    t.match(await choose(ada.workspaceId, []), { status: 400 })
    await givenUser(api, 'rae', ada.workspaceId, 'reader')
    const reader = browserOf(await signIn(api, 'rae'), origin)
    const asked = await reader.ask(app.asks(client).url)
    t.match(await reader.shown(asked), { workspaces: [] })
    t.match(await reader.decide(asked, { workspaceId: ada.workspaceId, scopes: ['posts:read'] }), { status: 403 })
    t.match(await reader.decide(id, { workspaceId: ada.workspaceId, scopes: ['posts:read'] }), { status: 404 })
    const another = browserOf(await signIn(api, 'ada'), origin)
    t.match(await another.decide(id, { workspaceId: ada.workspaceId, scopes: ['posts:read'] }), { status: 404 })
  })

  await t.test('when its code is not redeemed as it was asked for, then it gets nothing', async (t) => {
    const grant = await connected()
    const { id: other } = await app.register({ client_name: 'Y', redirect_uris: [REDIRECT] })
    const wrong = [
      { code_verifier: 'x'.repeat(43) },
      { redirect_uri: 'http://localhost:1234/callback' },
      { client_id: other },
      { resource: 'https://other.test/mcp' },
    ]
    for (const more of wrong.slice(0, 3)) {
      t.match(await app.redeem(grant, more), { status: 400, body: { error: 'invalid_grant' } }, JSON.stringify(more))
    }
    t.match(await app.redeem(grant, wrong[3]), { status: 400, body: { error: 'invalid_target' } })
  })

  await t.test('when its token is used elsewhere, then it is worth nothing there', async (t) => {
    const { body } = await app.redeem(await connected())
    const token = body['access_token']
    t.match(await app.calls(token), { status: 200 })
    t.match(await app.calls(token, origin.replace('127.0.0.1', 'localhost')), { status: 401 }, 'another resource')
    t.match(await api.call({ path: '/v1/posts', key: String(token) }), { status: 401 }, 'not the API')
    const stored = await api.world.db.query('select payload::text || id_hash as row from service.oauth_artifacts')
    const secrets = [token, body['refresh_token']].map(String)
    t.notOk(
      secrets.some((secret) => JSON.stringify(stored.rows).includes(secret)),
      'only hashes are stored',
    )
  })
})

t.test('given an app that was let in', async (t) => {
  const { api, clock, origin, ada, browser, app, keys, registeredApp, connected, sweep } = await givenService(t)
  const isRevoked = async () => (await keys())[0]?.revokedAt !== null

  await t.test('when its code is used twice, then all that it gave ends', async (t) => {
    const grant = await connected()
    const { status, body } = await app.redeem(grant)
    t.equal(status, 200)
    t.match(await app.redeem(grant), { status: 400, body: { error: 'invalid_grant' } })
    t.match(await app.calls(body['access_token']), { status: 401 })
    t.match(await app.refresh(grant.client, body['refresh_token']), { status: 400 })
    t.ok(await isRevoked())
  })

  await t.test('when its code is used twice at once, then one gets tokens at most, and they end', async (t) => {
    const grant = await connected()
    const answers = await Promise.all([app.redeem(grant), app.redeem(grant), app.redeem(grant)])
    const tokens = answers.filter(({ status }) => status === 200)
    t.ok(tokens.length <= 1)
    for (const { body } of tokens) t.match(await app.calls(body['access_token']), { status: 401 })
    t.ok(await isRevoked())
  })

  await t.test('when its refresh token is used again at once, then it works; later, all ends', async (t) => {
    const grant = await connected()
    const first = (await app.redeem(grant)).body['refresh_token']
    const lost = await app.refresh(grant.client, first)
    t.equal(lost.status, 200)
    const second = await app.refresh(grant.client, first, { scope: 'posts:read' })
    t.match(second, { status: 200, body: { scope: 'posts:read' } }, 'the first answer was lost')
    t.notMatch((await app.calls(second.body['access_token'])).text, 'plan_post', 'it asked for less')
    await clock.advanceTo(clock.now() + 2 * MINUTE_MS)
    t.match(await app.refresh(grant.client, first), { status: 400, body: { error: 'invalid_grant' } })
    t.match(await app.refresh(grant.client, second.body['refresh_token']), { status: 400 })
    t.match(await app.calls(second.body['access_token']), { status: 401 })
    t.ok(await isRevoked())
  })

  await t.test('when the process that it spoke with ends, then another goes on', async (t) => {
    const grant = await connected()
    const other = await api.server()
    const given = { client_id: grant.client, redirect_uri: REDIRECT, code: grant.code, code_verifier: grant.verifier }
    const { statusCode, body } = await other.app.inject({
      ...{ method: 'POST', url: '/oauth/token' },
      payload: new URLSearchParams({ grant_type: 'authorization_code', ...given }).toString(),
      headers: { host: new URL(origin).host, 'content-type': 'application/x-www-form-urlencoded' },
    })
    t.equal(statusCode, 200, body)
    t.match(await app.calls((JSON.parse(body) as Record<string, unknown>)['access_token']), { status: 200 })
  })

  await t.test('when it revokes its tokens, then they end', async (t) => {
    for (const name of ['access_token', 'refresh_token']) {
      const grant = await connected()
      const { body } = await app.redeem(grant)
      t.match(await app.post('/oauth/revoke', { client_id: grant.client, token: String(body[name]) }), { status: 200 })
      t.match(await app.calls(body['access_token']), { status: 401 })
      t.match(await app.refresh(grant.client, body['refresh_token']), { status: 400 })
    }
    t.ok(await isRevoked())
  })

  await t.test('when it never fetches its tokens, then its key is revoked', async (t) => {
    await connected()
    t.notOk(await isRevoked())
    await sweep()
    t.notOk(await isRevoked(), 'not yet')
    await clock.advanceTo(clock.now() + 16 * MINUTE_MS)
    await sweep()
    await until('it to be revoked', 20_000, async () => (await isRevoked()) || undefined)
  })

  await t.test('when the process dies before the grant is stored, then its key is revoked, and no other', async (t) => {
    const own = await api.key({ workspaceId: ada.workspaceId })
    await connected()
    await api.world.db.query('delete from service.oauth_artifacts')
    await clock.advanceTo(clock.now() + 16 * MINUTE_MS)
    await sweep()
    await until('it to be revoked', 20_000, async () => (await isRevoked()) || undefined)
    t.match(await api.call({ path: '/v1/accounts', key: own }), { status: 200 })
  })

  await t.test('when the same decision is sent again, then there is one key', async (t) => {
    const client = await registeredApp()
    const id = await browser.ask(app.asks(client).url)
    const before = (await keys()).length
    const choice = { workspaceId: ada.workspaceId, scopes: ['posts:read'] }
    const answers = await Promise.all([browser.decide(id, choice), browser.decide(id, choice)])
    t.same(
      answers.map(({ status }) => status),
      [200, 200],
    )
    t.match(await browser.decide(id, choice), { status: 200 })
    t.equal((await keys()).length, before + 1)
  })

  await t.test('when who allowed it may less, or leaves, then so does it', async (t) => {
    const max = await givenUser(api, 'max', ada.workspaceId, 'manager')
    const of = browserOf(await signIn(api, 'max'), origin)
    const client = await registeredApp()
    const { url, verifier } = app.asks(client, { scope: SCOPES.join(' ') })
    const back = await of.consent(url, { workspaceId: ada.workspaceId, scopes: SCOPES })
    const { body } = await app.redeem({ client, verifier, code: back.searchParams.get('code') ?? '' })
    const token = body['access_token']
    t.match(await app.calls(token), { status: 200, text: 'plan_post' })
    await handle(api.world, user, max.id, causedBy('demoted'), (state) => changeRole(state, 'reader'))
    await until('fewer tools', 20_000, async () => !(await app.calls(token)).text.includes('plan_post') || undefined)
    t.match(await app.calls(token), { status: 200 })
    await handle(api.world, user, max.id, causedBy('removed'), removeUser)
    await until('nothing', 20_000, async () => (await app.calls(token)).status === 401 || undefined)
  })
})

t.test('given a flood of registrations', async (t) => {
  const { api, clock, app, sweep } = await givenService(t)
  const statuses = []
  for (let at = 0; at < 12; at += 1) statuses.push((await app.register(APP)).status)
  t.same([...new Set(statuses)], [201, 429], 'from one address')
  await clock.advanceTo(clock.now() + MINUTE_MS)
  await api.world.db.query(
    `insert into service.oauth_clients (id, metadata, expires_at) select 'flood ' || n, '{}', $1 from generate_series(1, 10000) n`,
    [new Date(clock.now() + 60 * MINUTE_MS).toISOString()],
  )
  t.match(await app.register(APP), { status: 400, body: { error: 'temporarily_unavailable' } }, 'from many')
  await clock.advanceTo(clock.now() + 61 * MINUTE_MS)
  await sweep()
  t.match(await app.register(APP), { status: 201 }, 'those that nobody used are gone')
})

t.test('given an app with a document at its own address', async (t) => {
  const document = 'https://app.test/oauth/client.json'
  const asked: unknown[] = []
  let said: object = {}
  const http = {
    request: async (url: string, request: object) => {
      asked.push([url, request])
      const text = JSON.stringify(said)
      return { status: 200, headers: {}, body: Buffer.from(text), text: () => text, json: () => said }
    },
  } as unknown as Http
  const { ada, browser, app } = await givenService(t, http)
  said = {
    client_id: document,
    client_name: 'App',
    redirect_uris: ['http://localhost/callback'],
    grant_types: ['authorization_code'],
  }
  const { url, verifier } = app.asks(document)
  const id = await browser.ask(url)
  t.match(await browser.shown(id), { client: { name: 'App', site: 'app.test', host: 'localhost:7777' } })
  t.match(asked, [[document, { method: 'GET', timeoutMs: 5_000 }]], 'through the guarded client, once')
  const back = await browser.consent(url, { workspaceId: ada.workspaceId, scopes: ['posts:read'] })
  const { status, body } = await app.redeem({ client: document, verifier, code: back.searchParams.get('code') ?? '' })
  t.equal(status, 200)
  t.equal(body['refresh_token'], undefined, 'it did not say that it takes them')
  t.match(await app.calls(body['access_token']), { status: 200 })

  said = { ...said, client_id: 'https://other.test/app.json' }
  t.match(await browser.send(app.asks('https://app.test/another.json').url), { status: 400 }, 'says to be another')
  said = { client_id: `${document}?big`, redirect_uris: [REDIRECT], client_name: 'x'.repeat(20_000) }
  t.match(await browser.send(app.asks(`${document}?big`).url), { status: 400 }, 'too large')
})

t.test('given the service behind a proxy, below a path of PUBLIC_URL', async (t) => {
  const issuer = 'https://social.test/fanfare'
  const api = await givenApi(t, { publicUrl: issuer, url: () => issuer })
  const get = async (url: string) => api.app.inject({ method: 'GET', url, headers: { host: 'internal:3000' } })
  const metadata = (await get('/.well-known/openid-configuration')).json<Record<string, unknown>>()
  const at = (path: string) => issuer + path
  t.match(metadata, { issuer, authorization_endpoint: at('/oauth/authorize'), token_endpoint: at('/oauth/token') })
  t.match((await get('/.well-known/oauth-protected-resource')).json(), { resource: at('/mcp') })
  const challenged = await api.app.inject({ method: 'POST', url: '/mcp', headers: { host: 'internal:3000' } })
  t.match(challenged.headers['www-authenticate'], `resource_metadata="${at('/.well-known/oauth-protected-resource')}"`)

  const { client_id: client } = (await api.app.inject({ method: 'POST', url: '/oauth/register', payload: APP })).json<{
    client_id: string
  }>()
  const { url } = rawApp(issuer).asks(client)
  const asked = await get(url.slice(issuer.length))
  t.match(asked, { statusCode: 303, headers: { location: /^https:\/\/social\.test\/fanfare\/authorize\/[\w-]+$/ } })
  const cookies = [asked.headers['set-cookie']].flat().map(String)
  t.match(
    cookies.find((cookie) => cookie.startsWith('__Host-fanfare_consent=')),
    /path=\/;.*samesite=lax; secure; httponly/i,
  )
  t.match(
    cookies.find((cookie) => cookie.startsWith('fanfare_resume=')),
    /path=\/fanfare\/oauth\/authorize\//,
  )
})
