import { pipeline, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { client, failure, httpServer, until } from './support/outbound-servers.ts'

const GIB = 1024 ** 3

t.test('bodies and bombs stop at the limit, and the connection is destroyed', async (t) => {
  const zeros = Buffer.alloc(64 * 1024 * 1024)
  const gzip = gzipSync(zeros)
  const twice = gzipSync(gzip)
  const nothing = Buffer.concat(Array(3000).fill(gzipSync(Buffer.alloc(0))))
  // What the server would send if it were let, in bytes, and the coding it names.
  const bombs: Readonly<Record<string, readonly [string, () => Readable]>> = {
    'a plain endless body': ['', () => endless(Buffer.alloc(65_536), GIB)],
    'a gzip bomb': ['gzip', () => endless(gzip, 64 * gzip.length)],
    'a bomb in a bomb': ['gzip', () => endless(twice, 1000 * twice.length)],
    'empty gzip members for ever': ['gzip', () => endless(nothing, GIB)],
  }
  for (const [name, [coding, source]] of Object.entries(bombs)) {
    let sent = 0
    const server = await httpServer(t, (_request, response) => {
      response.writeHead(200, coding === '' ? {} : { 'content-encoding': coding })
      const { socket } = response
      socket?.once('close', () => (sent = socket.bytesWritten))
      pipeline(source(), response, () => {})
    })
    const before = process.memoryUsage().rss
    const result = await failure(client(t).request(server.url, { maxBytes: 1_000_000, timeoutMs: 20_000 }))
    t.match(result, { kind: 'too-large', mayHaveArrived: true }, `${name}: ${result.message}`)
    await until(() => server.open() === 0)
    t.ok(sent > 0 && sent < 20_000_000, `${name}: the server got rid of ${sent} bytes`)
    const growth = process.memoryUsage().rss - before
    t.ok(growth < 60_000_000, `${name}: grew by ${Math.round(growth / 1e6)} MB`)
  }
})

t.test('a body of exactly the limit is taken, one byte more is not', async (t) => {
  const { url } = await httpServer(t, (request, response) => {
    const [, coding = '', bytes] = request.url?.split('/') ?? []
    const body = Buffer.alloc(Number(bytes), 'x')
    response.writeHead(200, coding === 'gzip' ? { 'content-encoding': 'gzip' } : {})
    response.write(coding === 'gzip' ? gzipSync(body) : body)
    response.end()
  })
  const http = client(t)
  for (const coding of ['plain', 'gzip']) {
    t.equal((await http.request(`${url}/${coding}/1000`, { maxBytes: 1000 })).body.length, 1000)
    t.match(await failure(http.request(`${url}/${coding}/1001`, { maxBytes: 1000 })), { kind: 'too-large' })
  }
  t.equal((await http.request(`${url}/plain/${1024 * 1024}`)).body.length, 1024 * 1024)
  t.match(await failure(http.request(`${url}/plain/${1024 * 1024 + 1}`)), { kind: 'too-large' })
})

t.test('a broken coding is called malformed', async (t) => {
  const whole = gzipSync(Buffer.from('x'.repeat(10_000)))
  for (const body of [whole.subarray(0, whole.length - 12), Buffer.from('not gzip at all')]) {
    const { url } = await httpServer(t, (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body)
    })
    t.match(await failure(client(t).request(url)), { kind: 'malformed', mayHaveArrived: true })
  }
})

function endless(block: Buffer, bytes: number): Readable {
  let left = bytes
  return new Readable({
    read() {
      this.push(left > 0 ? block : null)
      left -= block.length
    },
  })
}
