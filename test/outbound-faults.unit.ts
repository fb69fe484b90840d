import { readFileSync } from 'node:fs'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import type { HttpFailureKind, HttpRequest } from '../infra/http/http.ts'
import { nameLookup } from '../infra/http/name-lookup.ts'
import { checkOutbound, type Lookup } from '../infra/http/outbound-address.ts'
import { outboundPolicy } from '../infra/http/outbound-guard.ts'
import type { Clock } from '../infra/runtime/clock.ts'
import { nameServer } from './support/name-server.ts'
import {
  client,
  closedPort,
  failure,
  httpServer,
  listening,
  rawServer,
  until,
  type Listening,
} from './support/outbound-servers.ts'

const never = new Promise<never>(() => {})
const POST: HttpRequest = { method: 'POST', body: 'once' }
const tls = {
  key: readFileSync(new URL('fixtures/tls/good.test.key', import.meta.url)),
  cert: readFileSync(new URL('fixtures/tls/good.test.crt', import.meta.url)),
}

t.test('what fails before a connection is there has surely not arrived', async (t) => {
  const refused = await closedPort()
  t.match(await failure(client(t).request(`http://127.0.0.1:${refused}/`, POST)), {
    kind: 'unreachable',
    mayHaveArrived: false,
    message: /ECONNREFUSED/,
  })
  const lookups: readonly (readonly [Lookup, HttpFailureKind, RegExp])[] = [
    [() => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })), 'unreachable', /ENOTFOUND/],
    [async () => [], 'unreachable', /no address/],
    [() => never, 'timeout', /100 ms/],
  ]
  for (const [lookup, kind, message] of lookups) {
    const result = await failure(client(t, { lookup }).request('http://name.test/', { ...POST, timeoutMs: 100 }))
    t.match(result, { kind, message, mayHaveArrived: false })
  }
  const stuck = client(t, { lookup: () => never, connectTimeoutMs: 100 })
  t.match(await failure(stuck.request('http://name.test/', POST)), { kind: 'unreachable', message: /100 ms/ })
})

t.test('names that DNS never answers for hold up no other, and are given up before the connection is', async (t) => {
  const dns = await nameServer(t, {
    'hanging.test': { fails: 'silently' },
    'healthy.test': { addresses: ['127.0.0.1'] },
  })
  const server = await httpServer(t, (_request, response) => response.end('ok'))
  let systemAsked = 0
  const system: Lookup = async () => {
    systemAsked += 1
    return []
  }
  const lookup = nameLookup({ servers: dns.servers, system })
  const http = client(t, { lookup, maxConnectionsPerOrigin: 20 })
  const hanging = Array.from({ length: 20 }, () => failure(http.request(`http://hanging.test:${server.port}/`, POST)))
  await until(() => dns.questions('hanging.test') >= 40)

  const began = Date.now()
  const healthy = Array.from({ length: 4 }, () => http.request(`http://healthy.test:${server.port}/`, POST))
  for (const answer of await Promise.all(healthy)) t.equal(answer.text(), 'ok')
  t.ok(Date.now() - began < 1000, `in ${Date.now() - began} ms`)

  for (const result of await Promise.all(hanging)) {
    t.match(result, { kind: 'unreachable', mayHaveArrived: false, message: /looked up \(ETIMEOUT\)/ })
  }
  t.equal(systemAsked, 0, 'nor does it hold a thread')
})

t.test('what DNS does not know is asked of the system, once for all who wait', async (t) => {
  const dns = await nameServer(t, {
    'both.test': { addresses: ['127.0.0.1', '::1', '127.0.0.2'] },
    'six.test': { addresses: ['::1'] },
    'alias.test': { addresses: ['127.0.0.3'], alias: 'real.test' },
    'empty.test': { addresses: [] },
    'broken.test': { fails: 'SERVFAIL' },
  })
  const found = [{ address: '127.0.0.9', family: 4 }]
  const asked: string[] = []
  const system: Lookup = async (name) => {
    asked.push(name)
    return found
  }
  const { servers } = dns
  const lookup = nameLookup({ servers, system, ipv6First: () => false })
  const addresses = async (name: string, by = lookup) => (await by(name)).map(({ address }) => address)
  t.same(await addresses('both.test'), ['127.0.0.1', '127.0.0.2', '::1'])
  const sixFirst = nameLookup({ servers, system, ipv6First: () => true })
  t.same(await addresses('both.test', sixFirst), ['::1', '127.0.0.1', '127.0.0.2'])
  t.same(await lookup('six.test'), [{ address: '::1', family: 6 }])
  t.same(await lookup('alias.test'), [{ address: '127.0.0.3', family: 4 }])
  await t.rejects(lookup('broken.test'), { code: 'ESERVFAIL' })
  t.same(asked, [])

  for (const name of ['hosts-file.test', 'empty.test', 'intranet']) {
    t.same(await Promise.all([lookup(name), lookup(name), lookup(name)]), [found, found, found])
    t.same(asked.splice(0), [name])
    await lookup(name)
    t.same(asked.splice(0), [name], 'and again afterwards')
  }
  t.equal(dns.questions('intranet'), 0)
  const alone = nameLookup({ servers: [`127.0.0.1:${await closedPort()}`], system })
  t.same(await alone('without-dns.test'), found)
  const local = await addresses('localhost', nameLookup({ servers }))
  t.ok(local.includes('127.0.0.1') || local.includes('::1'), 'the hosts file is read')
})

t.test('many requests to a host that is down all fail at once, also those that had to queue', async (t) => {
  const url = `http://127.0.0.1:${await closedPort()}/`
  for (const maxConnectionsPerOrigin of [1, 2]) {
    const http = client(t, { maxConnectionsPerOrigin })
    const results = await Promise.all(Array.from({ length: 20 }, () => failure(http.request(url, POST))))
    for (const result of results) t.match(result, { kind: 'unreachable', mayHaveArrived: false })
  }
})

t.test('an upload that never got a connection is let go of', async (t) => {
  const body = new Readable({ read() {} })
  const url = `http://127.0.0.1:${await closedPort()}/`
  const headers = { 'content-length': '3' }
  t.match(await failure(client(t).request(url, { method: 'PUT', headers, body })), { kind: 'unreachable' })
  t.equal(body.destroyed, true)
})

t.test('a certificate that is not good for the host ends it before a request is sent', async (t) => {
  const serve = async (t: Test, options: TlsOptions): Promise<Listening & { readonly heard: () => string }> => {
    let heard = ''
    const server = createTlsServer({ ...tls, ...options }, (socket) => {
      socket
        .on('error', () => {})
        .once('data', (bytes) => {
          heard += bytes.toString()
          socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
        })
    })
    server.on('tlsClientError', () => {})
    return { ...(await listening(t, server)), heard: () => heard }
  }
  const options = { ca: tls.cert.toString(), lookup: async () => [{ address: '127.0.0.1', family: 4 }] }
  const server = await serve(t, {})
  const trusted = client(t, options)
  t.equal((await trusted.request(`https://good.test:${server.port}/`, POST)).text(), 'ok')
  t.match(server.heard(), /^POST \/ /)

  const quiet = await serve(t, {})
  const untrusted = client(t, { lookup: options.lookup })
  const bad: readonly (readonly [Promise<unknown>, RegExp])[] = [
    [untrusted.request(`https://good.test:${quiet.port}/`, POST), /SELF_SIGNED/],
    [trusted.request(`https://bad.test:${quiet.port}/`, POST), /ALTNAME_INVALID/],
    [trusted.request(`https://127.0.0.1:${quiet.port}/`, POST), /ALTNAME_INVALID/],
  ]
  for (const [work, message] of bad) {
    t.match(await failure(work), { kind: 'unreachable', mayHaveArrived: false, message })
  }
  t.equal(quiet.heard(), '')
  const old = await serve(t, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })
  const result = await failure(trusted.request(`https://good.test:${old.port}/`, POST))
  t.match(result, { kind: 'unreachable', mayHaveArrived: false })
  t.equal(old.connections(), 1)
})

t.test('a redirect from https to http is refused', async (t) => {
  const server = createTlsServer(tls, (socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        socket.end('HTTP/1.1 302 Found\r\nlocation: http://good.test/\r\ncontent-length: 0\r\n\r\n')
      })
  })
  const { port } = await listening(t, server)
  const http = client(t, { ca: tls.cert.toString(), lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
  const result = await failure(http.request(`https://good.test:${port}/`, { maxRedirects: 1 }))
  t.match(result, { kind: 'blocked', message: 'redirected from https to http', mayHaveArrived: true })
})

t.test('a handshake that never ends is cut off, and has surely not arrived', async (t) => {
  const silent = await listening(t, createTcpServer())
  const url = `https://127.0.0.1:${silent.port}/`
  t.match(await failure(client(t).request(url, { ...POST, timeoutMs: 150 })), {
    kind: 'timeout',
    mayHaveArrived: false,
  })
  const http = client(t, { connectTimeoutMs: 150 })
  t.match(await failure(http.request(url, POST)), { kind: 'unreachable', mayHaveArrived: false })
})

/** What a server does with a request it has read, and what that must be called. */
const AFTER_CONNECT: Readonly<Record<string, readonly [HttpFailureKind, (socket: Socket) => void]>> = {
  'closes without a word': ['reset', (socket) => socket.end()],
  'resets without a word': ['reset', (socket) => socket.resetAndDestroy()],
  'never answers': ['timeout', () => {}],
  'drips its headers': ['timeout', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'x-a: b\r\n')],
  'drips its body': ['timeout', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n', '.')],
  'drips chunks': [
    'timeout',
    (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\n.\r\n'),
  ],
  'only ever hints': ['timeout', (socket) => drip(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n')],
  'stops halfway': ['reset', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')],
  'stops in a chunk': [
    'reset',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nhalf'),
  ],
  'does not speak HTTP': ['malformed', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
  'answers to nobody': ['malformed', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n')],
  'sends huge headers': [
    'too-large',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(200_000)}\r\n\r\n`),
  ],
  'announces too much': ['too-large', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n')],
}

t.test('what fails after the request was begun may have arrived', async (t) => {
  for (const [does, [kind, act]] of Object.entries(AFTER_CONNECT)) {
    const server = await rawServer(t, act)
    const began = Date.now()
    const result = await failure(client(t).request(server.url, { ...POST, timeoutMs: 300, maxBytes: 1000 }))
    t.match(result, { kind, mayHaveArrived: true }, `a server that ${does}: ${result.message}`)
    t.ok(Date.now() - began < 5000, `in ${Date.now() - began} ms`)
    await until(() => server.open() === 0)
    t.equal(server.connections(), 1, 'and it was not tried again')
  }
})

t.test('one deadline covers the body too, when the caller reads it', async (t) => {
  const server = await rawServer(t, (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n\r\n', '.'))
  const { body } = await client(t).stream(server.url, { timeoutMs: 200 })
  const result = await failure(
    (async () => {
      for await (const _ of body);
    })(),
  )
  t.match(result, { kind: 'timeout', mayHaveArrived: true, message: /200 ms/ })
  const unread = await client(t).stream(server.url, { timeoutMs: 200 })
  await until(() => unread.body.destroyed)
  await until(() => server.open() === 0)
})

t.test('a caller’s signal ends it at every stage', async (t) => {
  const silent = await rawServer(t, () => {})
  const http = client(t, { maxConnectionsPerOrigin: 1 })
  const aborted = { kind: 'aborted', message: 'cancelled by the caller' }
  t.match(await failure(http.request(silent.url, { ...POST, signal: AbortSignal.abort() })), {
    ...aborted,
    mayHaveArrived: false,
  })

  const lookingUp = new AbortController()
  const work = client(t, { lookup: () => never }).request('http://name.test/', { ...POST, signal: lookingUp.signal })
  lookingUp.abort()
  t.match(await failure(work), { ...aborted, mayHaveArrived: false })

  const first = new AbortController()
  const second = new AbortController()
  const holds = failure(http.request(silent.url, { ...POST, signal: first.signal }))
  const waits = failure(http.request(silent.url, { ...POST, signal: second.signal }))
  await until(() => silent.connections() === 1)
  second.abort()
  t.match(await waits, { ...aborted, mayHaveArrived: false }, 'while it waited for the connection')
  await until(() => silent.open() === 1)
  first.abort()
  t.match(await holds, { ...aborted, mayHaveArrived: true }, 'while it waited for the answer')
  await until(() => silent.open() === 0)

  const dripping = await rawServer(t, (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n\r\n', '.'))
  const third = new AbortController()
  const { body } = await http.stream(dripping.url, { signal: third.signal })
  third.abort()
  t.match(
    await failure(
      (async () => {
        for await (const _ of body);
      })(),
    ),
    { ...aborted, mayHaveArrived: true },
  )
  await until(() => dripping.open() === 0)
})

t.test('every wait is the clock’s, and none outlives its exchange', async (t) => {
  const sleeps: { readonly ms: number; readonly signal: AbortSignal | undefined; readonly wake: () => void }[] = []
  const clock: Clock = {
    now: () => 0,
    sleep: (ms, signal) => new Promise((wake) => void sleeps.push({ ms, signal, wake })),
  }
  const server = await httpServer(t, (request, response) => {
    if (request.url === '/quick') response.end('ok')
  })
  const http = client(t, { clock, connectTimeoutMs: 7_000 })
  t.equal((await http.request(`${server.url}/quick`, { timeoutMs: 33_000 })).text(), 'ok')
  t.equal((await http.request(`${server.url}/quick`)).text(), 'ok')
  t.same(new Set(sleeps.map(({ ms }) => ms)), new Set([33_000, 15_000, 7_000]))
  t.ok(
    sleeps.every(({ signal }) => signal?.aborted),
    'all let go',
  )

  const slow = failure(http.request(`${server.url}/slow`, { timeoutMs: 33_000 }))
  await until(() => server.open() > 0 && sleeps.some(({ signal }) => !signal?.aborted))
  for (const { wake } of sleeps) wake()
  t.match(await slow, { kind: 'timeout', message: /33000 ms/ })

  const check = failure(checkOutbound('http://name.test/', { policy: outboundPolicy(''), clock, lookup: () => never }))
  sleeps.at(-1)?.wake()
  t.match(await check, { kind: 'unreachable', mayHaveArrived: false, message: /looked up in time/ })
})

/** Begins an answer and goes on with it byte by byte, until the other side has gone. */
function drip(socket: Socket, begin: string, more: string): void {
  socket.write(begin)
  const timer = setInterval(() => socket.write(more), 20)
  socket.once('close', () => clearInterval(timer))
}
