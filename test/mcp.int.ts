import t from 'tap'
import { routeTable } from '../api/v1/routes.ts'
import { toolOf } from '../api/mcp/tools.ts'
import { givenApi, idleServices } from './support/api.ts'
import { GENERATIONS, mcpClient, type Generation } from './support/mcp.ts'
import { movableClock } from './support/movable-clock.ts'
import { operationsOf } from './support/openapi.ts'
import { givenTenant, kindOf, queryOf } from './support/tenants.ts'
import { givenProcess } from './support/world.ts'

const aPost = { mediaUrl: 'https://example.com/a.jpg', mediaType: 'image', selections: { x: ['acc_none'] } }
const GENERATION_NAMES = Object.keys(GENERATIONS) as Generation[]

t.test('given the tools', async (t) => {
  const api = await givenApi(t)
  const port = await api.listen()
  const own = await givenTenant(api, 'own')
  const routes = routeTable(idleServices(api.world))

  for (const generation of GENERATION_NAMES) {
    await t.test(`when a client ${generation} lists them, then there is one for each endpoint`, async (t) => {
      const { client } = await mcpClient(t, port, { key: own.key, generation })
      const { tools } = await client.listTools()
      t.same(
        tools.map(({ name }) => name),
        routes.map(({ operationId }) => operationId),
      )
      for (const { name, title, description = '', inputSchema, outputSchema } of tools) {
        t.ok(description.startsWith(title ?? 'none'), name)
        t.equal(inputSchema.type, 'object', name)
        t.equal(outputSchema?.type, 'object', name)
      }
      t.match(client.getServerVersion(), { name: 'fanfare' })
      t.match(client.getInstructions(), /listAccounts/)
    })

    await t.test(`when a client ${generation} reads by them, then each answers what the API does`, async (t) => {
      const { call } = await mcpClient(t, port, { key: own.key, generation })
      for (const { method, path, parameters, required } of await operationsOf(api)) {
        if (method !== 'GET') continue
        const { operationId = '' } = routes.find((route) => route.path === path && route.method === method) ?? {}
        const ids = Object.fromEntries(parameters.map((name) => [name, own.ids[kindOf(path, name)] ?? '']))
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')
        const shown = await api.call({ path: `/v1${filled}${queryOf(required)}`, key: own.key })
        const query = Object.fromEntries(new URLSearchParams(queryOf(required)))
        const { answer, error } = await call(operationId, { ...ids, ...query })
        // A forecast begins when it is asked for.
        const differs = { requestId: '', ...(operationId === 'getForecast' && { from: '', until: '' }) }
        t.same({ ...answer, ...differs }, { ...shown.body, ...differs }, operationId)
        t.equal(error, undefined)
      }
    })
  }

  await t.test('then they tell what is only read, what overwrites, and what others see', async (t) => {
    const { client } = await mcpClient(t, port, { key: own.key })
    const { tools } = await client.listTools()
    const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]))
    const read = { readOnlyHint: true, destructiveHint: false, idempotentHint: true }
    const added = { readOnlyHint: false, destructiveHint: false, idempotentHint: false }
    const overwritten = { readOnlyHint: false, destructiveHint: true, idempotentHint: true }
    t.same(hints.get('listPosts'), { ...read, openWorldHint: false })
    t.same(hints.get('previewPost'), { ...read, openWorldHint: true })
    t.same(hints.get('queuePost'), { ...added, openWorldHint: true })
    t.same(hints.get('editReply'), { ...overwritten, openWorldHint: false })
    t.same(hints.get('deleteVideo'), { ...overwritten, openWorldHint: false })
    t.same(hints.get('rejectReply'), { ...overwritten, openWorldHint: false })
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name)
    t.same(
      routes.filter(({ method }) => method === 'GET').map(({ operationId }) => operationId),
      reading.filter((name) => !name.startsWith('preview')),
    )
  })

  await t.test('when a key has one scope, then only its tools are there, and the others refuse it', async (t) => {
    const key = await api.key({ scopes: ['posts:read'], workspaceId: own.workspaceId })
    const { client, call } = await mcpClient(t, port, { key })
    t.same(
      (await client.listTools()).tools.map(({ name }) => name),
      routes.filter(({ scope }) => scope === 'posts:read').map(({ operationId }) => operationId),
    )
    t.equal((await call('getPost', { id: own.ids['posts'] })).answer['id'], own.ids['posts'])
    const { error } = await call('queuePost', aPost)
    t.match(error, { code: 'insufficient_scope', message: /posts:write/ })
  })

  await t.test('when what is asked for is wrong, then the error is the one of the API', async (t) => {
    const { call } = await mcpClient(t, port, { key: own.key })
    const post = async (body: object) => api.call({ method: 'POST', path: '/v1/posts', key: own.key, body })
    for (const wrong of [
      {},
      { ...aPost, mediaUrl: 3 },
      { ...aPost, selections: { x: [''] } },
      { ...aPost, caption: 'a'.repeat(1_000_000) },
      { ...aPost, hashtags: Array.from({ length: 5_000 }, () => 'a') },
    ]) {
      const { code, message } = await post(wrong)
      t.match((await call('queuePost', wrong)).error, { code, message })
      t.equal(code, 'invalid_request')
    }
    t.match((await call('queuePost', { ...aPost, idempotencyKey: '' })).error, { message: /1 to 255 printable ASCII/ })
    t.match((await call('queuePost', { ...aPost, idempotency_key: 'a' })).error, {
      code: 'invalid_request',
      message: /^idempotency_key is not an argument of queuePost: it takes media, mediaUrl, .*idempotencyKey$/,
    })
    t.match((await call('listAccounts', { platform: 'x' })).error, { message: /not an argument.*: it takes none/ })
    t.match((await call('listPosts', { limit: 101 })).error, { message: 'limit must be a whole number from 1 to 100' })
    t.match((await call('listPosts', { limit: { a: 1 } })).error, { code: 'invalid_request', message: /^limit/ })
    t.match((await call('getPost', { id: '../posts' })).error, { code: 'not_found' })
    t.match((await call('getPost')).error, { code: 'invalid_request', message: 'id is required' })
    t.match((await call('noSuchTool')).error, { code: 'not_found', message: 'No such tool: noSuchTool.' })
    const others = await givenTenant(api, 'other')
    t.match((await call('getPost', { id: others.ids['posts'] })).error, { code: 'forbidden' })
  })

  t.test('then no name may stand at two places', async (t) => {
    const route = routes.find(({ operationId }) => operationId === 'retryPost')
    if (!route?.params) throw new Error('there is no retryPost')
    t.throws(() => toolOf({ ...route, query: route.params }), { message: /^retryPost uses one name in two places/ })
  })
})

t.test('given a client that publishes', async (t) => {
  const api = await givenApi(t)
  const port = await api.listen()
  const key = await api.key()
  const account = await api.world.account('facebook')
  const service = await givenProcess(api.world)
  const mediaUrl = `${api.world.sandbox.url}/media/sample.jpg`
  const body = { mediaUrl, mediaType: 'image', selections: { facebook: [account] }, caption: 'From an agent' }

  for (const generation of GENERATION_NAMES) {
    await t.test(`when it is one ${generation}, then the post is published and can be read`, async (t) => {
      const { call } = await mcpClient(t, port, { key, generation })
      const accounts = await call('listAccounts')
      t.match(accounts.answer, { accounts: { facebook: [{ id: account }] } })
      const { answer: preview } = await call('previewPost', body)
      t.match(preview, { previews: [{ accountId: account, problems: [] }] })
      const { answer } = await call('queuePost', body)
      await service.drain()
      const { answer: post } = await call('getPost', { id: answer['runId'] })
      t.match(post, { status: 'published', caption: 'From an agent', publishResults: { facebook: [{ ok: true }] } })
      t.match((await call('listPosts', { limit: 1 })).answer, { posts: [{ id: answer['runId'] }] })
    })
  }

  const count = async () => Number((await api.world.db.query('select 1 from read.posts')).rowCount)

  await t.test('when a call is repeated under one key, also over HTTP, then there is one post', async (t) => {
    const { call } = await mcpClient(t, port, { key })
    const before = await count()
    const args = { ...aPost, idempotencyKey: 'the same' }
    const first = await call('queuePost', args)
    const again = await call('queuePost', args)
    const headers = { 'idempotency-key': 'the same' }
    const overHttp = await api.call({ method: 'POST', path: '/v1/posts', key, body: aPost, headers })
    t.same([first.replayed, again.replayed], [false, true])
    t.same([again.answer['id'], overHttp.body['id']], [first.answer['id'], first.answer['id']])
    t.equal(overHttp.headers['idempotent-replayed'], 'true')
    t.equal((await count()) - before, 1)
  })

  await t.test('when two call at once under one key, then both get the same post', async (t) => {
    const clients = await Promise.all(GENERATION_NAMES.map((generation) => mcpClient(t, port, { key, generation })))
    const before = await count()
    const args = { ...aPost, idempotencyKey: 'at once' }
    const answers = await Promise.all(clients.map(({ call }) => call('queuePost', args)))
    t.equal(new Set(answers.map(({ answer }) => answer['id'])).size, 1)
    t.same(answers.map(({ replayed }) => replayed).sort(), [false, true])
    t.equal((await count()) - before, 1)
  })

  for (const generation of GENERATION_NAMES) {
    await t.test(
      `when a call of one ${generation} is cancelled, then a repeat finds what has come of it`,
      async (t) => {
        const { call } = await mcpClient(t, port, { key, generation })
        const before = await count()
        const args = { ...aPost, idempotencyKey: `cancelled ${generation}` }
        const cancelling = new AbortController()
        const cut = call('queuePost', args, { signal: cancelling.signal })
        cancelling.abort()
        await t.rejects(cut)
        t.match(await call('queuePost', args), { answer: { queued: true }, error: undefined })
        t.equal((await count()) - before, 1)
      },
    )
  }
})

t.test('given requests that no tool is called by', async (t) => {
  const clock = movableClock({ standingAt: Date.UTC(2026, 5, 1) })
  const api = await givenApi(t, { clock, publicUrl: 'https://fanfare.test' })
  const key = await api.key()
  const headers = { accept: 'application/json, text/event-stream' }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const send = (more: object = {}) => api.call({ method: 'POST', path: '/mcp', key, body: message, headers, ...more })

  await t.test('then there has to be a good key', async (t) => {
    const none = await api.call({ method: 'POST', path: '/mcp', body: message, headers })
    t.match(none, { status: 401, code: 'missing_api_key', headers: { 'www-authenticate': 'Bearer' } })
    t.match(await send({ key: 'fnf_wrong' }), { status: 401, code: 'invalid_api_key' })
  })

  await t.test('then pages of other sites are refused, before their key is checked', async (t) => {
    for (const origin of ['https://evil.test', 'http://fanfare.test.evil.test', 'null', 'nonsense']) {
      t.match(await send({ key: 'fnf_wrong', headers: { ...headers, origin } }), { status: 403, code: 'forbidden' })
    }
    for (const origin of ['https://fanfare.test', 'http://localhost:6274', 'http://127.0.0.1:3000']) {
      const { app } = api
      const answer = await app.inject({
        ...{ method: 'POST', url: '/mcp', payload: message },
        headers: { ...headers, origin, authorization: `Bearer ${key}` },
      })
      t.equal(answer.statusCode, 200, origin)
    }
  })

  await t.test('then only POST of one message of JSON is taken', async (t) => {
    t.match(await api.call({ path: '/mcp', key }), { status: 405, headers: { allow: 'POST' } })
    t.match(await api.call({ method: 'DELETE', path: '/mcp', key }), { status: 405 })
    t.match(await send({ path: '/mcp?profile=most' }), { status: 400, message: 'profile must be one of tasks, full' })
    t.match(await send({ body: [message, message] }), { status: 400, message: /one JSON-RPC message/ })
    t.match(
      await send({ body: undefined, payload: '{', headers: { ...headers, 'content-type': 'application/json' } }),
      {
        status: 400,
        message: /^the body is not JSON/,
      },
    )
    t.match(await send({ body: { ...message, params: { name: 'a'.repeat(11 * 1024 * 1024) } } }), { status: 413 })
  })

  await t.test('then each counts as a request', async (t) => {
    const limited = await api.server({ limits: { perMinute: 100, perDay: 5 } })
    const port = await limited.listen()
    const limitedKey = await api.key()
    const { client, call } = await mcpClient(t, port, { key: limitedKey })
    await client.listTools()
    await call('listPosts')
    await call('listPosts')
    const over = { code: 'rate_limit_exceeded', message: /again in \d+ s/, retryAfterS: 86_400 }
    t.match((await call('listPosts')).error, over, 'an agent is told by the tool')
    await t.rejects(client.listTools(), { message: /Too many requests/, data: { retryAfterS: 86_400 } })
    const long = { ...message, params: { name: 'a'.repeat(100_000) } }
    t.match(await limited.call({ method: 'POST', path: '/mcp', key: limitedKey, body: long, headers }), { status: 429 })
    t.match(await limited.call({ method: 'POST', path: '/mcp', key: 'fnf_wrong', body: message, headers }), {
      status: 401,
    })
  })
})
