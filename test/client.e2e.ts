import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { Webhook } from 'standardwebhooks'
import { ApiError, fanfare, webhookEvent } from '../packages/client/index.ts'
import { givenHome, startProcess } from './support/service-process.ts'
import { httpServer } from './support/outbound-servers.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

type Turn = (response: ServerResponse, request: IncomingMessage) => void

const answer =
  (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Turn =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const refusal = (code: string) => ({
  error: { code, message: 'No.', requestId: 'req_1', details: [{ path: 'caption' }] },
})
const AT_ONCE = { 'retry-after': '0' }
const hangUp: Turn = (_, request) => void request.socket.destroy()
const hang: Turn = () => undefined

/** A service that answers each request in turn, and the client of it. */
async function given(t: Test, ...turns: readonly Turn[]) {
  const got: { readonly url: string | undefined; readonly key: unknown; readonly body: string }[] = []
  const server = await httpServer(t, (request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      got.push({ url: request.url, key: request.headers['idempotency-key'], body: Buffer.concat(chunks).toString() })
      turns[got.length - 1]?.(response, request)
    })
  })
  return { api: fanfare({ key: 'fnf_1', url: server.url, timeoutMs: 1_000 }), got }
}

const body = { mediaUrl: 'https://example.com/a.jpg', mediaType: 'image' as const, selections: { x: ['acc_1'] } }

t.test('given a service that fails at times', async (t) => {
  await t.test('when a POST has no response or fails, then it is repeated with the same key', async (t) => {
    const done = answer(200, { id: 'post_1' })
    const { api, got } = await given(t, hangUp, answer(503, {}, AT_ONCE), answer(429, {}, AT_ONCE), done)
    t.match(await api.post('/posts', { body }), { id: 'post_1' })
    t.equal(got.length, 4)
    t.equal(new Set(got.map(({ key }) => key)).size, 1)
    t.match(got[0]?.key, /^[0-9a-f-]{36}$/)
    t.same(JSON.parse(got[3]?.body ?? ''), body)
  })

  await t.test('when it hangs, then the request is repeated', async (t) => {
    const { api, got } = await given(t, hang, answer(200, { accounts: {} }))
    t.match(await api.get('/accounts'), { accounts: {} })
    t.same(
      got.map(({ key }) => key),
      [undefined, undefined],
      'without a key, as reading changes nothing',
    )
  })

  await t.test('when a request is refused, then it is not repeated, and the error says why', async (t) => {
    const { api, got } = await given(t, answer(422, refusal('validation_error')))
    const error = await api.post('/posts', { body }).catch((error: unknown) => error)
    t.ok(error instanceof ApiError)
    t.match(error, {
      status: 422,
      code: 'validation_error',
      message: 'No.',
      requestId: 'req_1',
      details: [{ path: 'caption' }],
    })
    t.equal(got.length, 1)
  })

  await t.test('when it never recovers, then the last error is thrown', async (t) => {
    const down = answer(500, refusal('internal_error'), AT_ONCE)
    const { api, got } = await given(t, down, down, down, down)
    await t.rejects(api.get('/accounts'), { status: 500, code: 'internal_error' })
    t.equal(got.length, 4)
  })

  await t.test('when it asks for a long wait, then the caller decides', async (t) => {
    const { api, got } = await given(t, answer(429, refusal('rate_limited'), { 'retry-after': '3600' }))
    await t.rejects(api.get('/accounts'), { status: 429, code: 'rate_limited' })
    t.equal(got.length, 1)
  })

  await t.test('when there is no key, then it says how to get one', (t) => {
    t.throws(() => fanfare({ key: '' }), /fanfare keys create/)
    t.end()
  })
})

t.test('given a list of three pages, when all is read, then each page is read as it is needed', async (t) => {
  const page = (n: number, nextCursor: string | null) => answer(200, { posts: [{ id: `post_${n}` }], nextCursor })
  const { api, got } = await given(t, page(1, 'b'), page(2, 'c'), page(3, null))
  const ids: string[] = []
  for await (const { id } of api.all('/posts', { params: { query: { status: 'published' } } })) {
    ids.push(id)
    t.equal(got.length, ids.length)
  }
  t.same(ids, ['post_1', 'post_2', 'post_3'])
  t.same(
    got.map(({ url }) => url),
    ['', '&cursor=b', '&cursor=c'].map((cursor) => `/v1/posts?limit=100&status=published${cursor}`),
  )
})

t.test('given a message that a library of others signed, then its event is returned if the signature is valid', (t) => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const event = { event: 'webhook.test', data: {} }
  const rawBody = Buffer.from(JSON.stringify(event))
  const now = new Date()
  const headers = {
    'webhook-id': 'dlv_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('dlv_1', now, rawBody.toString()),
  }
  t.same(webhookEvent(secret, headers, rawBody), event)
  t.same(webhookEvent(secret, new Headers(headers), rawBody), event)
  t.equal(webhookEvent(secret, headers, Buffer.from('{}')), undefined)
  t.end()
})

t.test('given a service as it starts, when an example is run, then it does what it says', async (t) => {
  const home = await givenHome(t)
  const service = startProcess(home)
  t.teardown(async () => {
    service.child.kill('SIGKILL')
    await service.ended
  })
  await service.ready
  const key = /fnf_\S+/.exec(service.output())?.[0] ?? ''
  const run = async (...command: readonly [string, ...string[]]) => {
    const [program, ...args] = command
    const env = { ...process.env, FANFARE_URL: `http://127.0.0.1:${home.port}`, FANFARE_KEY: key }
    const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await once(child, 'close')
    return said
  }
  const file = 'packages/sandbox/media/sample.jpg'

  for (const [program, ...args] of [
    [process.execPath, '--import', 'tsx', 'examples/publish.ts'],
    ['python3', 'examples/publish.py'],
  ] as const) {
    const said = await run(program, ...args, file, `Hello from ${args.at(-1)}`)
    for (const platform of ['bluesky', 'facebook', 'instagram', 'linkedin', 'threads', 'x']) {
      t.match(said, new RegExp(`^${platform}: https?://`, 'm'), `${args.at(-1)} publishes on ${platform}: ${said}`)
    }
  }

  const sandbox = `http://127.0.0.1:${home.sandboxPort}`
  const fault = { platform: 'bluesky', call: 'publish', kind: 'reject', times: 1 }
  await fetch(`${sandbox}/_control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  })
  const failed = await run(process.execPath, '--import', 'tsx', 'examples/publish.ts', file, 'Not yet')
  t.match(failed, /^bluesky: (?!http)/m)
  const retried = await run(process.execPath, '--import', 'tsx', 'examples/retry-failed.ts', '--retry')
  t.match(retried, /^post_\w+ bluesky: ./m)
  const api = fanfare({ key, url: `http://127.0.0.1:${home.port}` })
  const [id = ''] = /post_\w+/.exec(retried) ?? []
  for (;;) {
    const post = await api.get('/posts/{id}', { params: { path: { id } } })
    if (post.publishResults['bluesky']?.[0]?.ok) break
  }
})
