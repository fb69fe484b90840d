import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { openPool } from '../infra/postgres/pool.ts'
import { listenForSignals } from '../infra/postgres/signal.ts'
import type { EventLog } from '../event-log/event-log.ts'
import { APPENDED } from '../event-log/postgres/append.ts'
import { postgresLog } from '../event-log/postgres/log.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { assertLimits, envelope } from './support/api-answer.ts'
import { connectionStringOf, givenApi, type ApiWorld } from './support/api.ts'
import { exchange, type Exchange } from './support/raw-http.ts'
import { tcpGate } from './support/tcp-gate.ts'

const HOST = 'Host: fanfare.test\r\n'

/** There is one answer, in the envelope, with the headers of every answer, and then the connection ends. */
function refused(t: Test, { answers, rest }: Exchange, status: number, message: RegExp): void {
  t.equal(answers.length, 1, 'one answer')
  t.equal(rest, '', 'and nothing after it')
  const [answer] = answers
  t.equal(answer?.status, status)
  const { error } = envelope.parse(JSON.parse(answer?.text ?? ''))
  t.match(error, { code: 'invalid_request', message, requestId: answer?.headers['x-request-id'] })
  t.equal(answer?.headers['content-type'], 'application/json; charset=utf-8')
  t.equal(answer?.headers['connection'], 'close')
  assertLimits(answer?.headers ?? {}, 'raw answer')
}

function postRequest(key: string, headers: string, body = ''): string {
  const type = 'Content-Type: application/json\r\n'
  return `POST /v1/posts HTTP/1.1\r\n${HOST}Authorization: Bearer ${key}\r\n${type}${headers}\r\n${body}`
}

t.test('given a server on a socket', async (t) => {
  const api = await givenApi(t)
  const port = await api.listen()
  const key = await api.key()

  await t.test('when what arrives is not HTTP, then the answer is still in the envelope', async (t) => {
    const garbage: Readonly<Record<string, string | Buffer>> = {
      'a greeting': 'hello\r\n\r\n',
      'a TLS client': Buffer.from('16030100a5010000a10303', 'hex'),
      'an HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'an unknown version': `GET /v1/posts HTTP/9.9\r\n${HOST}\r\n`,
      'an unknown method': `BREW /v1/posts HTTP/1.1\r\n${HOST}\r\n`,
      'no path': `GET  HTTP/1.1\r\n${HOST}\r\n`,
      'a header without a colon': `GET /v1/posts HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`,
      'U+0000 in a header': `GET /v1/posts HTTP/1.1\r\n${HOST}X-A: a\0b\r\n\r\n`,
      'two lengths': `POST /v1/posts HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      'a length and chunks': `POST /v1/posts HTTP/1.1\r\n${HOST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'a negative length': `POST /v1/posts HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`,
      CONNECT: `CONNECT fanfare.test:443 HTTP/1.1\r\n${HOST}\r\n`,
      zeros: Buffer.alloc(100),
    }
    for (const [name, bytes] of Object.entries(garbage)) {
      await t.test(name, async (t) => refused(t, await exchange(port, [bytes]), 400, /^the request is not valid HTTP$/))
    }
  })

  await t.test('when a chunk is broken, then 400 once', async (t) => {
    const request = postRequest(key, 'Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n')
    refused(t, await exchange(port, [request]), 400, /not valid HTTP/)
  })

  await t.test('when the headers are over the limit, then 431', async (t) => {
    const request = `GET /v1/posts HTTP/1.1\r\n${HOST}X-Long: ${'a'.repeat(20_000)}\r\n\r\n`
    refused(t, await exchange(port, [request]), 431, /headers are too large/)
  })

  await t.test('when a path is over the limit of the headers, then 431', async (t) => {
    refused(t, await exchange(port, [`GET /v1/posts/${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`]), 431, /too large/)
  })

  await t.test('when Host is missing, then 400 says so', async (t) => {
    const { answers } = await exchange(port, ['GET /v1/posts HTTP/1.1\r\n\r\n'], { answers: 1 })
    t.match(answers, [{ status: 400 }])
    t.match(envelope.parse(JSON.parse(answers[0]?.text ?? '')).error, { message: 'the Host header is missing' })
    assertLimits(answers[0]?.headers ?? {}, 'no host')
    const old = await exchange(port, [`GET /v1/accounts HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`])
    t.match(old.answers, [{ status: 200 }], 'HTTP/1.0 knows no Host')
  })

  await t.test('when something is expected of us, then the request is answered', async (t) => {
    const odd = `GET /v1/accounts HTTP/1.1\r\n${HOST}Expect: wonders\r\nAuthorization: Bearer ${key}\r\n\r\n`
    t.match((await exchange(port, [odd], { answers: 1 })).answers, [{ status: 200 }])
    const patient = postRequest(key, 'Expect: 100-continue\r\nContent-Length: 2\r\n', '{}')
    t.match((await exchange(port, [patient], { answers: 2 })).answers, [{ status: 100 }, { status: 400 }])
  })

  await t.test('when requests are pipelined, then they are answered in order', async (t) => {
    const ask = (id: string) =>
      `GET /v1/posts/none HTTP/1.1\r\n${HOST}X-Request-Id: ${id}\r\nAuthorization: Bearer ${key}\r\n\r\n`
    const { answers } = await exchange(port, [['one', 'two', 'three'].map(ask).join('')], { answers: 3 })
    t.same(
      answers.map(({ status, headers }) => [status, headers['x-request-id']]),
      [
        [404, 'one'],
        [404, 'two'],
        [404, 'three'],
      ],
    )
  })

  await t.test('when a body is over 10 MB, then 413, announced or not', async (t) => {
    const limit = 10 * 1024 * 1024
    const announced = postRequest(key, `Content-Length: ${limit + 1}\r\n`)
    refused(t, await exchange(port, [announced]), 413, /over the limit of 10 MB/)
    const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`
    const unannounced = postRequest(key, 'Transfer-Encoding: chunked\r\n', chunk.repeat(10) + '1\r\n \r\n0\r\n\r\n')
    refused(t, await exchange(port, [unannounced]), 413, /over the limit of 10 MB/)
    const fits = postRequest(key, `Content-Length: ${limit}\r\nConnection: close\r\n`, '{}' + ' '.repeat(limit - 2))
    refused(t, await exchange(port, [fits]), 400, /^mediaUrl is required$/)
  })

  await t.test(
    'when a client keeps sending a body over the limit, then it gets a response before the end',
    async (t) => {
      const socket = connect({ port, host: '127.0.0.1' })
      let [text, failure] = ['', '']
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
      socket.on('error', ({ message }) => (failure = message))
      const ended = once(socket, 'close').catch(() => undefined)
      socket.write(postRequest(key, 'Transfer-Encoding: chunked\r\n'))
      const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`
      for (let sent = 0; sent < 40 && failure === ''; sent += 1) {
        if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), ended])
      }
      socket.write('0\r\n\r\n')
      await ended
      t.equal(failure, '')
      t.match(text, /^HTTP\/1\.1 413 [^]*the body is over the limit of 10 MB"[^]*\}$/)
      t.match(text, /^x-content-type-options: nosniff\r$/im)
    },
  )

  await t.test('when the client leaves half-way, then others are served', async (t) => {
    const { answers } = await exchange(port, [postRequest(key, 'Content-Length: 100\r\n', '{"media')], { half: true })
    t.ok(answers.length <= 1)
    t.equal((await api.call({ path: '/v1/accounts', key })).status, 200)
  })
})

t.test('given a server with the usual time-outs', async (t) => {
  const { app } = await givenApi(t)
  t.match(app.initialConfig, { requestTimeout: 30_000, bodyLimit: 10_485_760 })
  t.equal(app.server.requestTimeout, 30_000)
  t.equal(app.server.headersTimeout, 10_000)

  const slept: number[] = []
  const clock = {
    ...systemClock,
    sleep: (ms: number, signal?: AbortSignal) => (slept.push(ms), systemClock.sleep(ms, signal)),
  }
  await givenApi(t, { clock: { ...clock, advanceTo: async () => undefined }, projecting: false })
  t.ok(slept.includes(1_000), 'handlers are looked after every second, and failed after 30 looks')
})

t.test('given a server that waits 300 ms', async (t) => {
  const never = new Promise<never>(() => undefined)
  const api = await givenApi(t, { requestTimeoutMs: 300 })
  const port = await api.listen()
  const key = await api.key()

  await t.test('when headers drip, then 408', async (t) => {
    const drip = ['GET /v1/posts HTTP/1.1\r\n', HOST, ...Array.from({ length: 20 }, (_, i) => `X-${i}: a\r\n`)]
    const ended = await exchange(port, drip, { pauseMs: 60 })
    refused(t, ended, 408, /took too long to arrive/)
    t.ok(ended.ms < 10_000, `after ${ended.ms} ms`)
  })

  await t.test('when a body drips, then 408, once', async (t) => {
    const drip = [postRequest(key, 'Content-Length: 100\r\n', '{'), ...Array.from({ length: 20 }, () => ' ')]
    const ended = await exchange(port, drip, { pauseMs: 60 })
    refused(t, ended, 408, /took too long to arrive/)
    t.ok(ended.ms < 10_000, `after ${ended.ms} ms`)
  })

  await t.test('when the handler hangs, then 500, logged under its request id', async (t) => {
    const hanging: EventLog = { ...api.world.log, append: () => never }
    const slow = await api.server({ services: { log: hanging } })
    const { status, code, requestId } = await slow.call({ method: 'POST', path: '/v1/posts', key, body: aPost })
    t.same([status, code], [500, 'internal_error'])
    t.equal(api.logged.filter((line) => line.includes(requestId)).length, 1)
  })

  await t.test('when the database falls silent before the key is known, then 500 in time', async (t) => {
    const { gate, server } = await behindGate(t, api)
    t.equal((await server.call({ path: '/v1/accounts', key })).status, 200)
    gate.silence(true)
    const began = systemClock.now()
    const { status, code } = await server.call({ path: '/v1/accounts', key })
    t.same([status, code], [500, 'internal_error'])
    t.ok(systemClock.now() - began < 5_000)
    gate.silence(false)
  })
})

const aPost = { mediaUrl: 'https://example.com/a.jpg', mediaType: 'image', selections: { x: ['acc_1'] } }

t.test('given a bug in a handler', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const secret = 'postgres://user:hunter2@db.test/x'
  for (const thrown of [new Error(`broken: Bearer ${key} at ${secret}`), 'a string', undefined, null, 42, { a: 1 }]) {
    await t.test(
      `when it throws ${String(thrown).slice(0, 15)}, then the 500 does not mention it and the log does`,
      async (t) => {
        const log: EventLog = { ...api.world.log, append: () => Promise.reject(thrown) }
        const server = await api.server({ services: { log } })
        const { status, code, text, requestId } = await server.call({
          method: 'POST',
          path: '/v1/posts',
          key,
          body: aPost,
        })
        t.same([status, code], [500, 'internal_error'])
        t.notMatch(text, /broken|string|hunter2/)
        const lines = api.logged.filter((line) => line.includes(requestId))
        t.equal(lines.length, 1)
        if (thrown instanceof Error) t.match(lines[0], /broken: Bearer \[secret\]/)
        t.notMatch(lines[0], /hunter2/)
      },
    )
  }
})

/** A server whose connections to the database pass a gate that can be shut. */
async function behindGate(t: Test, api: ApiWorld) {
  const url = new URL(connectionStringOf(api.world.db))
  const gate = await tcpGate(Number(url.port))
  url.host = `127.0.0.1:${gate.port}`
  const db = openPool(url.href, { max: 4, name: 'gated', onError: () => undefined })
  const signals = listenForSignals({ connectionString: url.href, channels: [APPENDED], clock: systemClock })
  const log = postgresLog({ db, signals, clock: api.world.clock })
  const server = await api.server({ services: { db, log } })
  t.teardown(async () => {
    await log.close()
    await signals.close()
    await db.end()
    await gate.shut()
  })
  return { gate, server }
}

t.test('given a database that goes away', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const { gate, server } = await behindGate(t, api)
  const calls = [
    { path: '/v1/accounts', key },
    { path: '/v1/posts', key },
    { path: '/v1/posts', method: 'POST', key, body: aPost },
    { path: '/v1/posts', method: 'POST', key, body: aPost, headers: { 'idempotency-key': 'a' } },
    { path: '/v1/posts' },
    { path: '/v1/nothing' },
    { path: '/v1/posts', method: 'PUT' },
  ]
  t.equal((await server.call({ path: '/v1/accounts', key })).status, 200)
  await gate.shut()

  await t.test('when it is away, then every call is answered 500 in the envelope', async (t) => {
    for (const call of calls) {
      const { status, code } = await server.call(call)
      t.same([status, code], [500, 'internal_error'], `${call.method ?? 'GET'} ${call.path}`)
    }
    t.equal((await server.call({ path: '/v1/posts/%ZZ' })).status, 400, 'what needs no database is answered')
    t.equal((await server.call({ path: '/healthz' })).status, 200)
  })

  await t.test('when it comes back, then the calls are served again', async (t) => {
    await gate.open()
    const answers = []
    for (const call of calls) answers.push((await server.call(call)).status)
    t.same(answers, [200, 200, 202, 202, 401, 404, 405])
  })
})
