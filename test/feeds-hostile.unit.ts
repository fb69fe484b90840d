import { existsSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { FeedReading } from '../reactors/feeds/reading/read-feed.ts'
import { readFeed } from '../reactors/feeds/reading/read-feed.ts'
import { expiringClock } from './support/expiring-clock.ts'
import { bytesOf, costOf, givenParser, givenReader, meteredClock, ONE_ITEM, program, rss } from './support/feeds.ts'
import { HOSTILE_DOCUMENTS, ORDINARY_DOCUMENT } from './support/hostile-feeds.ts'
import { client, httpServer, rawServer, until } from './support/outbound-servers.ts'

/** How much more a hostile document may take than an ordinary one of the same size: of the event loop's time, and of the parser's. */
const MAX_RATIO = 2
const MAX_GROWTH_MB = 100
const clock = meteredClock()

async function watched(t: Test, what: string, read: () => Promise<FeedReading>, expected: object): Promise<void> {
  const { result, loopMs, grownMb } = await costOf(read)
  t.match(result, expected, what)
  const ordinary = await ordinaryMs
  const [limitMs, parserLimitMs] = [MAX_RATIO * ordinary.loop, MAX_RATIO * ordinary.parser]
  t.ok(loopMs < limitMs, `${what}: ${loopMs} of at most ${limitMs} ms of the event loop`)
  t.ok(clock.spentMs < parserLimitMs, `${what}: ${clock.spentMs} of at most ${parserLimitMs} ms of the parser`)
  t.ok(grownMb < MAX_GROWTH_MB, `${what}: ${grownMb} MB more`)
}

const ordinaryMs = (async () => {
  const { read } = await givenReader(t, (_, response) => response.end(ORDINARY_DOCUMENT), { clock })
  await read()
  const costs: { loop: number; parser: number }[] = []
  for (let round = 0; round < 3; round += 1) {
    const { result, loopMs } = await costOf(read)
    t.match(result, { outcome: 'read', isWhole: true })
    costs.push({ loop: loopMs, parser: clock.spentMs })
  }
  return {
    loop: Math.max(...costs.map(({ loop }) => loop)),
    parser: Math.max(...costs.map(({ parser }) => parser)),
  }
})()

t.test('given a hostile document, when it is read, then the service continues and the next feed is read', async (t) => {
  let body: string | Uint8Array = rss(ONE_ITEM)
  const { read } = await givenReader(t, (_, response) => response.end(body), { clock })
  t.match(await read(), { items: [{ title: 'One' }] })
  for (const [what, [document, expected]] of Object.entries(HOSTILE_DOCUMENTS)) {
    body = document()
    await watched(t, what, read, expected)
  }
  body = rss(ONE_ITEM)
  t.match(await read(), { items: [{ title: 'One' }] })
  t.equal(Object.getOwnPropertyDescriptor(Object.prototype, 'polluted'), undefined)
})

t.test('given a server that sends without an end, when it is read, then it is cut off at 5 MB', async (t) => {
  const chunk = Buffer.alloc(1_000_000, 'x')
  const endless = (response: ServerResponse, sent = 0): void => {
    if (sent >= 150 || response.destroyed) return void response.end()
    if (response.write(chunk)) setImmediate(endless, response, sent + 1)
    else response.once('drain', () => endless(response, sent + 1))
  }
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
  const { read } = await givenReader(t, (request, response) => {
    if (request.url === '/stream') return endless(response)
    if (request.url === '/bomb') return response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    response.writeHead(200, { 'content-length': '150000000' })
    response.write('<rss>')
  })
  const tooLarge = { outcome: 'failed', error: /larger than 5 MB/ }
  for (const path of ['/stream', '/bomb', '/announced']) await watched(t, path, () => read(path), tooLarge)
})

t.test('given a server that misbehaves, when it is read, then that is an outcome', async (t) => {
  const answers: Readonly<Record<string, string>> = {
    '/hang-up': '',
    '/cut': 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n<rss version="2.0">',
    '/cut-chunks': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n<rss>\r\n',
    '/gzip': 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 5\r\n\r\n<rss>',
    '/coding': 'HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 5\r\n\r\n<rss>',
    '/not-http': 'hello there\r\n\r\n',
    '/header': `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
    '/loop': 'HTTP/1.1 302 Found\r\nlocation: /loop\r\ncontent-length: 0\r\n\r\n',
    '/private': 'HTTP/1.1 302 Found\r\nlocation: http://10.0.0.1/feed\r\ncontent-length: 0\r\n\r\n',
    '/metadata': 'HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/latest\r\ncontent-length: 0\r\n\r\n',
    '/file': 'HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\n\r\n',
  }
  const errors: Readonly<Record<string, RegExp>> = {
    '/hang-up': /connection .* was lost/,
    '/cut': /connection .* was lost/,
    '/cut-chunks': /connection .* was lost/,
    '/gzip': /response from the feed's server could not be read/,
    '/coding': /response from the feed's server could not be read/,
    '/not-http': /response from the feed's server could not be read/,
    '/header': /./,
    '/loop': /one redirect too many/,
    '/private': /use a public one/,
    '/metadata': /use a public one/,
    '/file': /not a usable http/,
  }
  const server = await rawServer(t, (socket, bytes) => socket.end(answers[bytes.split(' ')[1] ?? ''] ?? ''))
  const io = { http: client(t), parser: givenParser(t), signal: new AbortController().signal }
  for (const [path, error] of Object.entries(errors)) {
    t.match(await readFeed(server.url + path, {}, io), { outcome: 'failed', error }, path)
  }
})

t.test('given a server that never ends its answer, when 10 s are over, then that is an outcome', async (t) => {
  const clock = expiringClock()
  let asked = 0
  const server = await httpServer(t, (request, response) => {
    asked += 1
    if (request.url !== '/drip') return
    response.write('<rss>')
    const drip = setInterval(() => response.write(' '), 5)
    response.once('close', () => clearInterval(drip))
  })
  const io = { http: client(t, { clock }), parser: givenParser(t), signal: new AbortController().signal }
  for (const [index, path] of ['/drip', '/silent'].entries()) {
    const reading = readFeed(server.url + path, {}, io)
    await until(() => asked === index + 1)
    t.equal(clock.expire(10_000), 1)
    t.match(await reading, { outcome: 'failed', error: /within 10 seconds/ })
  }
})

t.test('given what takes all memory or all time of a thread, when it is read, then only the thread ends', async (t) => {
  const code =
    "parentPort.on('message', ({ url }) => { if (url === 'time') /^(a+)+$/.test('a'.repeat(50) + '!'); const all = []; for (;;) all.push(new Array(10_000).fill(url)) }); parentPort.postMessage('ready')"
  const clock = expiringClock()
  const parser = givenParser(t, { clock, program: program(code) })
  const io = { http: client(t), parser, signal: new AbortController().signal }
  const server = await httpServer(t, (_, response) => response.end('x'))
  const heavy = parser.parse([], '', 'memory')
  t.same(await heavy, { kind: 'too-heavy' })
  const slow = parser.parse([], '', 'time')
  await until(() => clock.expire(3_000) === 1)
  t.same(await slow, { kind: 'too-slow' })
  t.match(await readFeed(server.url, {}, io), { outcome: 'failed', error: /too complex/ })
})

t.test('given a program that cannot start, when a feed is read, then that is an outcome', async (t) => {
  const missing = new URL('missing.js', import.meta.url)
  t.notOk(existsSync(missing))
  t.same(await givenParser(t, { program: missing }).parse([bytesOf(rss(ONE_ITEM))], '', ''), { kind: 'broken-off' })
})
