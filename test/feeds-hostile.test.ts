import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { FeedReading } from '../reactors/feed/read-feed.ts'
import { readFeed } from '../reactors/feed/read-feed.ts'
import { expiringClock } from './support/expiring-clock.ts'
import { bytesOf, costOf, givenParser, givenReader, ONE_ITEM, program, rss } from './support/feeds.ts'
import { client, httpServer, rawServer, until } from './support/outbound-servers.ts'

const MAX_LAG_MS = 100
const MAX_GROWTH_MB = 150
const SIZE = 4_900_000

const fill = (piece: string) => piece.repeat(Math.floor(SIZE / piece.length))
const item = (inside: string) => rss(`<item><guid>1</guid>${inside}</item>`)
const atom = (inside: string) => `<feed xmlns="http://www.w3.org/2005/Atom">${inside}</feed>`
const READ = { outcome: 'read' }
const NO_ITEMS = { outcome: 'read', items: [] }

type Expected = object
const bomb = (levels: number) => {
  const entities = Array.from({ length: levels }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`)
  return `<!DOCTYPE rss [<!ENTITY l0 "lol">${entities.join('')}]>${item(`<title>&l${levels};</title>`)}`
}

/** Made when they are wanted: together they are too large to be kept. */
const DOCUMENTS: Readonly<Record<string, readonly [() => string | Uint8Array, Expected]>> = {
  'an entity bomb': [() => bomb(9), { ...READ, items: [{ title: '&l9;' }] }],
  'a quadratic entity bomb': [
    () => `<!DOCTYPE rss [<!ENTITY a "${'a'.repeat(100_000)}">]>${item(`<title>${'&a;'.repeat(100_000)}</title>`)}`,
    { ...READ, items: [{ identity: '1' }] },
  ],
  'an external entity': [
    () => `<!DOCTYPE rss [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>${item('<title>&xxe;</title>')}`,
    { ...READ, items: [{ title: '&xxe;' }] },
  ],
  'an external DTD': [
    () => `<!DOCTYPE rss SYSTEM "http://127.0.0.1:1/x.dtd">${item('<title>x</title>')}`,
    { ...READ, items: [{ title: 'x' }] },
  ],
  '200,000 open elements': [() => rss('<a>'.repeat(200_000)), { outcome: 'failed', error: /nested without an end/ }],
  '200,000 nested in an item': [
    () => item(`${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}`),
    { outcome: 'failed', error: /nested without an end/ },
  ],
  '200,000 nested in a text': [
    () => item(`<description>${'&lt;b&gt;'.repeat(200_000)}&lt;img src="/x"&gt;</description>`),
    { ...READ, items: [{ identity: '1' }] },
  ],
  '200,000 attributes': [
    () => rss(`<item ${Array.from({ length: 200_000 }, (_, n) => `a${n}="1"`).join(' ')}>${ONE_ITEM}`),
    { ...READ, items: [{ title: 'One' }] },
  ],
  '100,000 namespaces': [
    () => `<rss ${Array.from({ length: 100_000 }, (_, n) => `xmlns:n${n}="urn:${n}"`).join(' ')}><channel>${ONE_ITEM}`,
    { ...READ, items: [{ title: 'One' }] },
  ],
  'an attribute of 4.9 MB': [
    () => item(`<enclosure type="image/png" url="http://x.example/${fill('x')}"/>`),
    { ...READ, items: [{ identity: '1' }] },
  ],
  'a title of 4.9 MB': [() => item(`<title>${fill('x')}</title>`), { ...READ, items: [{ title: /^x{299}…$/ }] }],
  'a guid of 4.9 MB': [() => rss(`<item><guid>${fill('x')}</guid></item>`), { items: [{ identity: /^sha256:/ }] }],
  'a date of 4.9 MB': [() => item(`<pubDate>${fill('1 ')}</pubDate>`), { ...READ, items: [{ identity: '1' }] }],
  'a title of spaces': [() => item(`<title>${fill(' ')}x</title>`), { ...READ, items: [{ identity: '1' }] }],
  'nothing but <': [() => item(`<description><![CDATA[${fill('<')}]]></description>`), READ],
  'nothing but escaped <': [() => item(`<description>${fill('&lt;')}</description>`), READ],
  'nothing but <p': [() => item(`<description><![CDATA[${fill('x<p\n')}]]></description>`), READ],
  'nothing but &': [() => item(`<title>${fill('&')}</title>`), READ],
  'a million references': [() => item(`<title>${fill('&#65;')}</title>`), READ],
  'open comments': [() => rss(ONE_ITEM + fill('<!--')), { ...READ, items: [{ title: 'One' }] }],
  'open CDATA': [() => rss(ONE_ITEM + fill('<![CDATA[')), { ...READ, items: [{ title: 'One' }] }],
  'an open attribute': [() => rss(`${ONE_ITEM}<a b="${fill("'>")}`), { ...READ, items: [{ title: 'One' }] }],
  'ends without a beginning': [() => rss(fill('</a></item>') + ONE_ITEM), { ...READ, items: [{ title: 'One' }] }],
  '100,000 items': [() => rss('<item><link>/x</link></item>'.repeat(100_000)), { ...READ, items: [{ link: /x$/ }] }],
  '160,000 entries left open': [
    () => atom(fill('<entry><id>1</id><title>x</title>')),
    { ...READ, items: [{ title: 'x' }] },
  ],
  '100,000 media in an item': [() => item('<media:content url="/x"/>'.repeat(100_000)), READ],
  '__proto__ elements': [
    () =>
      item(
        '<__proto__><polluted>1</polluted></__proto__><constructor><prototype>1</prototype></constructor><title __proto__="1">x</title>',
      ),
    { ...READ, items: [{ title: 'x' }] },
  ],
  'a feed of NULs': [
    () => item(`<title>a\0b&#0;c</title>${'\0'.repeat(100_000)}`),
    { ...READ, items: [{ identity: '1' }] },
  ],
  'only NULs': [() => '\0'.repeat(1_000_000), { outcome: 'failed' }],
  'bytes at random': [() => randomBytes(SIZE), { outcome: 'failed' }],
  'a feed and bytes at random': [
    () => Buffer.concat([bytesOf(rss(ONE_ITEM)), randomBytes(SIZE - 200)]),
    { ...READ, items: [{ title: 'One' }] },
  ],
  'UTF-16 that breaks off': [() => Buffer.from(`\ufeff${rss(ONE_ITEM)}`, 'utf16le').subarray(0, -3), READ],
  'half a surrogate': [() => item('<title>&#xD800;&#55357;x</title>'), { ...READ, items: [{ title: /x$/ }] }],
  'everything left open': [() => '<rss><channel><item><title>x<link>y<![CDATA[z', NO_ITEMS],
  'a page with a script': [
    () => `<!doctype html><script>${fill('<link rel=alternate>')}`,
    { outcome: 'failed', error: /is a web page/ },
  ],
  'a page of 4.9 MB of elements': [() => `<html>${fill('<b>')}`, { outcome: 'failed', error: /is a web page/ }],
}

async function watched(t: Test, what: string, read: () => Promise<FeedReading>, expected: Expected): Promise<void> {
  const { result, lagMs, grownMb } = await costOf(read)
  t.match(result, expected, what)
  t.ok(lagMs < MAX_LAG_MS, `${what}: the loop stood for ${lagMs} ms`)
  t.ok(grownMb < MAX_GROWTH_MB, `${what}: ${grownMb} MB more`)
}

t.test('given a hostile document, when it is read, then the service goes on and the next feed is read', async (t) => {
  let body: string | Uint8Array = rss(ONE_ITEM)
  const { read } = await givenReader(t, (_, response) => response.end(body))
  t.match(await read(), { items: [{ title: 'One' }] })
  for (const [what, [document, expected]] of Object.entries(DOCUMENTS)) {
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
    '/hang-up': /broke/,
    '/cut': /broke/,
    '/cut-chunks': /broke/,
    '/gzip': /can't be read/,
    '/coding': /can't be read/,
    '/not-http': /can't be read/,
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
  const heavy = parser.parse(new Uint8Array(), '', 'memory')
  t.same(await heavy, { kind: 'too-heavy' })
  const slow = parser.parse(new Uint8Array(), '', 'time')
  await until(() => clock.expire(3_000) === 1)
  t.same(await slow, { kind: 'too-slow' })
  t.match(await readFeed(server.url, {}, io), { outcome: 'failed', error: /too complicated/ })
})

t.test('given a program that can not start, when a feed is read, then that is an outcome', async (t) => {
  const missing = new URL('missing.js', import.meta.url)
  t.notOk(existsSync(missing))
  t.same(await givenParser(t, { program: missing }).parse(bytesOf(rss(ONE_ITEM)), '', ''), { kind: 'broken-off' })
})
