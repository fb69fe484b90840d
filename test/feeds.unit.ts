import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { oldestFirst, type FeedItem, type ParsedFeed } from '../reactors/feeds/reading/feed.ts'
import { feedDate } from '../reactors/feeds/reading/feed-date.ts'
import { parseFeed } from '../reactors/feeds/reading/parse-feed.ts'
import { readFeed } from '../reactors/feeds/reading/read-feed.ts'
import { expiringClock } from './support/expiring-clock.ts'
import { atomOf, feedContent, rssOf } from './support/feed-writers.ts'
import { SAMPLES, SAMPLE_URL } from './support/feed-samples.ts'
import { bytesOf, givenParser, givenReader, ONE_ITEM, program, rss } from './support/feeds.ts'
import { client, httpServer, until } from './support/outbound-servers.ts'

const FILES = new URL('fixtures/feeds/', import.meta.url)

function parsed(text: string | Uint8Array<ArrayBuffer>, contentType = '', url = SAMPLE_URL): Promise<ParsedFeed> {
  return parseFeed({ blocks: [typeof text === 'string' ? bytesOf(text) : text], contentType, url })
}

async function itemsOf(text: string | Uint8Array<ArrayBuffer>, contentType?: string): Promise<readonly FeedItem[]> {
  const feed = await parsed(text, contentType)
  return feed.kind === 'feed' ? feed.items : []
}

async function titleIn(text: string | Uint8Array<ArrayBuffer>, contentType?: string): Promise<string | undefined> {
  return (await itemsOf(text, contentType))[0]?.title
}

t.test('given the feeds that are out there, when they are read, then each item is what it says', async (t) => {
  t.same(readdirSync(FILES).sort(), Object.keys(SAMPLES).sort())
  const parser = givenParser(t)
  for (const [file, items] of Object.entries(SAMPLES)) {
    const feed = await parser.parse([new Uint8Array(readFileSync(new URL(file, FILES)))], 'text/plain', SAMPLE_URL)
    t.same(feed, { kind: 'feed', items, isWhole: true, isCutOff: file === 'broken-off.xml' }, file)
  }
})

t.test(
  'given a document in another encoding, when it is read, then the mark counts before what is declared',
  async (t) => {
    const document = (title: string, encoding?: string) =>
      `<?xml version="1.0"${encoding === undefined ? '' : ` encoding="${encoding}"`}?>${rss(`<item><title>${title}</title></item>`)}`
    const latin = (title: string, encoding?: string) => Buffer.from(document(title, encoding), 'latin1')
    const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
    const cases: readonly (readonly [string, Uint8Array<ArrayBuffer>, string, string])[] = [
      ['UTF-8 by default', bytesOf(document('Füße')), '', 'Füße'],
      ['UTF-8 with a mark', bytesOf(`\ufeff${document('Füße', 'iso-8859-1')}`), 'text/xml; charset=koi8-r', 'Füße'],
      ['UTF-16 LE with a mark', Buffer.from(`\ufeff${document('Füße')}`, 'utf16le'), '', 'Füße'],
      ['UTF-16 BE with a mark', utf16be(`\ufeff${document('Füße')}`), '', 'Füße'],
      ['UTF-16 LE without one', Buffer.from(document('Füße', 'utf-16'), 'utf16le'), '', 'Füße'],
      ['UTF-16 BE without one', utf16be(document('Füße')), '', 'Füße'],
      ['UTF-16 that is none', bytesOf(document('Füße', 'utf-16')), 'text/xml; charset=utf-16', 'Füße'],
      ['the content type', latin('Füße'), 'application/rss+xml; charset="ISO-8859-1"', 'Füße'],
      ['the content type first', latin('Füße', 'koi8-r'), 'text/xml;charset=latin1', 'Füße'],
      ['the declaration', latin('Füße', 'ISO-8859-1'), 'text/xml', 'Füße'],
      ['windows-1252', latin('It\x92s \x80 5', 'windows-1252'), '', 'It’s € 5'],
      ['Shift_JIS', latin('\x93\xfa\x96{', 'Shift_JIS'), '', '日本'],
      ['KOI8-R', latin('\xed\xc9\xd2', 'KOI8-R'), '', 'Мир'],
      ['an unknown name', bytesOf(document('Füße', 'klingon')), 'text/xml; charset=martian', 'Füße'],
      ['bytes that are wrong', latin('F\xfc\xdfe'), '', 'F\ufffd\ufffde'],
    ]
    for (const [what, bytes, contentType, title] of cases) t.equal(await titleIn(bytes, contentType), title, what)
  },
)

t.test('given something that is not a feed, when it is read, then the error says what it is', async (t) => {
  const page = (head: string) => `<!DOCTYPE html><html><head>${head}</head><body><p>Hi</body></html>`
  const link = '<link rel="alternate" type="application/rss+xml" href="/feed?a=1&amp;b=2">'
  const cases: readonly (readonly [string, ParsedFeed])[] = [
    [page(''), { kind: 'web-page' }],
    [page('<script>"<link rel=alternate type=application/rss+xml href=/no>"</script>'), { kind: 'web-page' }],
    [page(link), { kind: 'web-page', feedUrl: 'https://feeds.example/feed?a=1&b=2' }],
    [page(`<base href="//other.example">${link}`), { kind: 'web-page', feedUrl: 'https://other.example/feed?a=1&b=2' }],
    [page('<link rel=alternate type=application/atom+xml href="javascript:1">'), { kind: 'web-page' }],
    ['<script>location = "/"</script>', { kind: 'web-page' }],
    ['{"version": "https://jsonfeed.org/version/1.1", "items": []}', { kind: 'json' }],
    [' [1]', { kind: 'json' }],
    ['', { kind: 'empty' }],
    [' \n\t', { kind: 'empty' }],
    ['hello', { kind: 'something-else' }],
    ['<?xml version="1.0"?><opml version="2.0"/>', { kind: 'something-else', root: 'opml' }],
    [
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>',
      { kind: 'something-else', root: 'urlset' },
    ],
  ]
  for (const [text, expected] of cases) t.same(await parsed(text, 'application/rss+xml'), expected, text.slice(0, 60))
})

t.test('given long values, when they are read, then they are cut or replaced by a hash', async (t) => {
  const words = 'word '.repeat(100)
  const [item] = await itemsOf(rss(`<item><title>${words}</title><guid>${'g'.repeat(501)}</guid></item>`))
  t.match(item, { title: /^(word ){58,59}word…$/, identity: /^sha256:[0-9a-f]{64}$/ })
  t.ok([...(item?.title ?? '')].length <= 300)
  t.equal([...((await titleIn(rss(`<item><title>${'😀'.repeat(400)}</title></item>`))) ?? '')].length, 300)
  const [kept] = await itemsOf(rss(`<item><guid>${'g'.repeat(500)}</guid></item>`))
  t.equal(kept?.identity, 'g'.repeat(500))
  const far = `https://one.example/${'x'.repeat(2_048)}`
  t.same(
    await itemsOf(rss(`<item><guid>1</guid><link>${far}</link><enclosure url="${far}" type="image/png"/></item>`)),
    [{ identity: '1', title: '', link: 'https://one.example/' }],
  )
})

t.test('given more than 2,000 items, when the feed is read, then those of both its ends are there', async (t) => {
  const read = async (count: number) => {
    const all = Array.from({ length: count }, (_, index) => `<item><guid>${index}</guid></item>`)
    const feed = await parsed(rss(all.join('')))
    if (feed.kind !== 'feed') throw new Error(feed.kind)
    return { isWhole: feed.isWhole, ids: feed.items.map(({ identity }) => Number(identity)) }
  }
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
  for (const count of [0, 999, 1_001, 2_000]) t.same(await read(count), { isWhole: true, ids: numbers(0, count) })
  for (const count of [2_001, 3_000, 3_001, 7_500]) {
    const ids = [...numbers(0, 1_000), ...numbers(count - 1_000, count)]
    t.same(await read(count), { isWhole: false, ids }, `${count}`)
  }
})

t.test('given a document that is damaged behind some items, when it is read, then they are there', async (t) => {
  const feed = await parsed(rss(ONE_ITEM + '<item>'.repeat(600)))
  t.match(feed, { kind: 'feed', items: [{ identity: '1' }], isWhole: false, isCutOff: true })
})

t.test(
  'given a document that ends before its root does, when it is read, then it is reported as cut off',
  async (t) => {
    const whole = rss(ONE_ITEM)
    const cases: Readonly<Record<string, boolean>> = {
      [whole]: false,
      [`${whole}\n<!-- cached`]: false,
      '<rss/>': false,
      [rss(`${ONE_ITEM}<item><title>left open`)]: false,
      [whole.replace('</channel>', '')]: false,
      [whole.slice(0, -1)]: true,
      [whole.replace('</rss>', '')]: true,
      [whole.slice(0, whole.indexOf('</item>'))]: true,
      '<rss version="2.0"><channel>': true,
      [rss(`${ONE_ITEM}<![CDATA[`)]: true,
    }
    for (const [text, isCutOff] of Object.entries(cases)) t.match(await parsed(text), { kind: 'feed', isCutOff }, text)
  },
)

t.test('given dates of all makes, when they are read, then no machine of another zone reads them otherwise', (t) => {
  const cases = {
    '2026': '2026-01-01T00:00:00.000Z',
    '2026-03': '2026-03-01T00:00:00.000Z',
    '2026-03-04T05:06:07.891+0530': '2026-03-03T23:36:07.000Z',
    '2026/03/04 5:06 am': '2026-03-04T05:06:00.000Z',
    'Wed, 04 Mar 2026 05:06:07 -0000': '2026-03-04T05:06:07.000Z',
    'Wed, 4-Mar-26 05:06:07 PDT': '2026-03-04T12:06:07.000Z',
    'Sunday, March 1st, 2026 12:00 AM': '2026-03-01T00:00:00.000Z',
    '4 mars 2026': '2026-03-04T00:00:00.000Z',
    '2026-13-01': undefined,
    '2026-03-04T25:00:00Z': undefined,
    '': undefined,
    [`1 ${'J'.repeat(200)} 2026`]: undefined,
  }
  for (const [text, expected] of Object.entries(cases)) t.equal(feedDate(text), expected, text)
  t.end()
})

t.test('given items, when they are sorted, then the oldest is first, by date, else by place', (t) => {
  const item = (identity: string, publishedAt?: string): FeedItem => {
    return { identity, title: '', link: '', ...(publishedAt !== undefined && { publishedAt }) }
  }
  const order = (items: readonly FeedItem[], ...known: readonly string[]) =>
    oldestFirst(items, ({ identity }) => known.includes(identity)).map(({ identity }) => identity)
  const [first, second] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
  t.same(order([item('b', second), item('a', first), item('c', second)]), ['a', 'c', 'b'])
  t.same(order([item('b', second), item('a', first), item('x')]), ['x', 'a', 'b'])
  t.same(order([]), [])
  const undated = ['d', 'c', 'b', 'a'].map((name) => item(name))
  t.same(order(undated, 'a', 'b'), ['a', 'b', 'c', 'd'])
  t.same(order(undated, 'd', 'c'), ['c', 'd', 'b', 'a'], 'the others were put behind them')
  t.same(order([item('a', second), item('b', first)], 'a'), ['b', 'a'], 'dates count before places')
  t.end()
})

t.test('given a feed over HTTP, when it is read again, then nothing is sent that is known already', async (t) => {
  const asked: (string | undefined)[][] = []
  const { read } = await givenReader(t, ({ headers }, response) => {
    asked.push([headers['if-none-match'], headers['if-modified-since']])
    if (headers['if-none-match'] === '"v1"') return response.writeHead(304).end()
    response.writeHead(200, {
      etag: '"v1"',
      'last-modified': 'Mon, 12 Jan 2026 07:30:00 GMT',
      'content-type': 'text/html',
    })
    response.end(rss(ONE_ITEM))
  })
  const first = await read()
  const items = [{ identity: '1', title: 'One', link: 'https://one.example/1' }]
  const version = { etag: '"v1"', lastModified: 'Mon, 12 Jan 2026 07:30:00 GMT' }
  t.same(first, { outcome: 'read', items, isWhole: true, isCutOff: false, ...version })
  t.same(await read('/', first), { outcome: 'not-modified' })
  t.same(await read('/', { etag: 'line\nbreak' }), first)
  t.same(asked, [
    [undefined, undefined],
    ['"v1"', 'Mon, 12 Jan 2026 07:30:00 GMT'],
    [undefined, undefined],
  ])
})

t.test('given a feed that has moved, when it is read, then what it says is relative to where it is now', async (t) => {
  const { url, read } = await givenReader(t, (request, response) => {
    const [, hops = '0'] = /\/(\d+)$/.exec(request.url ?? '') ?? []
    if (hops !== '0') return response.writeHead(302, { location: `/new/${Number(hops) - 1}` }).end()
    response.end('<rss version="2.0"><channel><item><link>one</link></item></channel></rss>')
  })
  t.match(await read('/3'), { outcome: 'read', items: [{ link: `${url}/new/one` }] })
  t.match(await read('/4'), { outcome: 'failed', error: /302, one redirect too many/ })
})

t.test('given a server that has no feed to give, when it is read, then one sentence says what to do', async (t) => {
  const cases: Readonly<Record<string, RegExp>> = {
    '204': /empty document/,
    '304': /304 \(not modified\)/,
    '401': /without a login/,
    '404': /correct the address/,
    '410': /no feed at this address/,
    '418': /instead of the feed/,
    '429': /less often/,
    '500': /wait until it recovers/,
  }
  const { read } = await givenReader(t, (request, response) => {
    response.writeHead(Number(request.url?.slice(1))).end()
  })
  for (const [status, error] of Object.entries(cases)) t.match(await read(`/${status}`), { outcome: 'failed', error })
  const page = await givenReader(t, (_, response) => {
    response.end('<html><link rel="alternate" type="application/rss+xml" href="/rss"></html>')
  })
  t.same(await page.read(), {
    outcome: 'failed',
    error: `This address is a web page, not a feed; use its feed's address: ${page.url}/rss`,
  })
})

t.test('given an unusable address, when it is read, then that is an outcome', async (t) => {
  const io = { http: client(t), parser: givenParser(t), signal: new AbortController().signal }
  t.match(await readFeed('nonsense', {}, io), { outcome: 'failed', error: /not a usable/ })
  t.match(await readFeed('http://10.0.0.1/', {}, io), { outcome: 'failed', error: /use a public one/ })
})

t.test('given a caller who gives up, when the feed is being fetched or parsed, then it throws', async (t) => {
  let asked = 0
  const server = await httpServer(t, (request, response) => {
    asked += 1
    if (request.url === '/fast') response.end(rss(ONE_ITEM))
  })
  const http = client(t)
  const reason = new Error('enough')
  const fetching = new AbortController()
  const reading = readFeed(server.url, {}, { http, parser: givenParser(t), signal: fetching.signal })
  await until(() => asked === 1)
  fetching.abort(reason)
  await t.rejects(reading, reason)
  const parsing = new AbortController()
  const parser = {
    parse: () => {
      parsing.abort(reason)
      return new Promise<never>(() => {})
    },
  }
  await t.rejects(readFeed(`${server.url}/fast`, {}, { http, parser, signal: parsing.signal }), reason)
})

t.test('given a thread that dies or is killed, when the next feed is read, then another thread reads it', async (t) => {
  const clock = expiringClock()
  const thread =
    "parentPort.on('message', ({ url }) => { if (url === 'die') throw new Error(url); if (url === 'exit') process.exit(3); if (url === 'hang') for (;;); globalThis.count = (globalThis.count ?? 0) + 1; parentPort.postMessage({ kind: 'feed', items: [], count }) }); parentPort.postMessage('ready')"
  const parser = givenParser(t, { clock, program: program(thread) })
  const parse = (url: string) => parser.parse([], '', url)
  t.match(await parse('well'), { count: 1 })
  t.match(await parse('well'), { count: 2 }, 'a warm thread is used again')
  for (const end of ['die', 'exit']) {
    t.same(await parse(end), { kind: 'broken-off' })
    t.match(await parse('well'), { count: 1 })
  }
  const hanging = parse('hang')
  await until(() => clock.expire(3_000) === 1)
  t.same(await hanging, { kind: 'too-slow' })
  t.match(await parse('well'), { count: 1 })
})

t.test('given a thread that never answers, when four feeds come, then one is read and three wait', async (t) => {
  const clock = expiringClock()
  const parser = givenParser(t, {
    clock,
    program: program("parentPort.on('message', () => {}); parentPort.postMessage('ready')"),
  })
  const all = Array.from({ length: 4 }, () => parser.parse([], '', ''))
  for (let round = 0; round < 4; round += 1) {
    let ended = 0
    await until(() => (ended += clock.expire(3_000)) >= 1)
    t.equal(ended, 1)
  }
  for (const one of await Promise.all(all)) t.same(one, { kind: 'too-slow' })
  const last = Array.from({ length: 3 }, () => parser.parse([], '', ''))
  await parser.close()
  for (const one of await Promise.all(last)) t.same(one, { kind: 'broken-off' })
  t.same(await parser.parse([], '', ''), { kind: 'broken-off' })
})

t.test('given a text of references and long characters, when it is cut anywhere, then it is read as one', async (t) => {
  const blocksOf = (bytes: Uint8Array, length: number) =>
    Array.from({ length: Math.ceil(bytes.length / length) }, (_, n) => bytes.slice(n * length, (n + 1) * length))
  const text = rss(
    `<item><guid>1</guid><title>a &amp;amp; &#8364;&nbsp;b 😀 ж</title><link>/a?b&amp;c</link>
    <description><![CDATA[<img src="/я&amp;.png">]]></description></item>`,
  )
  const whole = await parsed(text)
  t.match(whole, { items: [{ title: 'a & € b 😀 ж' }] })
  const utf16 = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
  for (const bytes of [bytesOf(text), utf16]) {
    for (let length = 4; length < 40; length += 1) {
      t.same(await parseFeed({ blocks: blocksOf(bytes, length), contentType: '', url: SAMPLE_URL }), whole, `${length}`)
    }
  }
})

t.test('given any items, when they are written as a feed and read back, then they are the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(feedContent, { maxLength: 8 }), async (contents) => {
      const unique = [...new Map(contents.map((content) => [content.identity, content])).values()]
      assert.deepEqual(await itemsOf(rssOf(unique)), unique)
      assert.deepEqual(await itemsOf(atomOf(unique)), unique)
    }),
    { numRuns: 200 },
  )
})
