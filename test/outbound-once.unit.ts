import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { HttpFailure, type HttpRequest, type HttpResponse } from '../infra/http/http.ts'
import { client, listening, until, type Listening } from './support/outbound-servers.ts'

interface Counting extends Listening {
  /** How often each request's id was read, whole or in part. */
  readonly arrived: ReadonlyMap<string, number>
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\nkeep-alive: timeout=60\r\n\r\nok'

/** A server that reads requests by hand, so that nothing is answered or dropped behind the test's back. */
async function counting(t: Test, answer: (socket: Socket, nth: number) => void): Promise<Counting> {
  const arrived = new Map<string, number>()
  const server = createServer((socket) => {
    let nth = 0
    socket.on('data', (bytes) => {
      for (const [, id = ''] of bytes.toString('latin1').matchAll(/x-id: (\S+)/g)) {
        arrived.set(id, (arrived.get(id) ?? 0) + 1)
        answer(socket, (nth += 1))
      }
    })
  })
  return { ...(await listening(t, server)), arrived }
}

function post(id: string): HttpRequest {
  return { method: 'POST', body: `body ${id}`, headers: { 'x-id': id }, timeoutMs: 5_000 }
}

async function outcome(work: Promise<HttpResponse>): Promise<'ok' | HttpFailure> {
  try {
    await work
    return 'ok'
  } catch (error) {
    if (error instanceof HttpFailure) return error
    throw error
  }
}

/** The ways in which a kept connection dies under a client that believes it to be alive. */
const DEATHS: Readonly<Record<string, (socket: Socket, nth: number) => void>> = {
  'closes right after its answer, having promised to stay': (socket) => socket.end(OK),
  'resets right after its answer': (socket) => socket.write(OK, () => socket.resetAndDestroy()),
  'closes a moment after its answer': (socket) => {
    socket.write(OK)
    setImmediate(() => setImmediate(() => socket.end()))
  },
  'reads every second request and closes without a word': (socket, nth) => {
    if (nth % 2 === 1) socket.write(OK)
    else socket.end()
  },
  'reads every second request and resets': (socket, nth) => {
    if (nth % 2 === 1) socket.write(OK)
    else socket.resetAndDestroy()
  },
}

t.test('a POST never arrives twice, whatever happens to kept connections', async (t) => {
  for (const [does, answer] of Object.entries(DEATHS)) {
    const server = await counting(t, answer)
    const http = client(t, { maxConnectionsPerOrigin: 3 })
    const outcomes = new Map<string, 'ok' | HttpFailure>()
    for (let round = 0; round < 40; round += 1) {
      const ids = Array.from({ length: 6 }, (_, n) => `${round}-${n}`)
      await Promise.all(ids.map(async (id) => outcomes.set(id, await outcome(http.request(server.url, post(id))))))
    }
    const answered = [...outcomes.values()].filter((outcome) => outcome === 'ok').length
    t.ok(answered > 0, `a server that ${does}: ${answered} of 240 answered, ${server.connections()} connections`)
    t.equal(outcomes.size, 240)
    t.equal([...server.arrived.values()].filter((times) => times > 1).length, 0, 'none arrived twice')
    for (const [id, outcome] of outcomes) {
      if (outcome === 'ok') t.equal(server.arrived.get(id), 1, `${id} was answered`)
      else if (!outcome.mayHaveArrived) t.notOk(server.arrived.has(id), `${id} surely did not arrive`)
      else t.match(outcome.kind, /reset|timeout/, `${id} may have arrived`)
    }
  }
})

t.test('a kept connection that the server closed while it lay idle is not used again', async (t) => {
  const sockets: Socket[] = []
  const server = await counting(t, (socket) => {
    sockets.push(socket)
    socket.write(OK)
  })
  const http = client(t)
  for (let n = 0; n < 5; n += 1) {
    t.equal((await http.request(server.url, post(`${n}`))).text(), 'ok')
    sockets.pop()?.end()
    await until(() => server.open() === 0)
  }
  t.same([...server.arrived.values()], [1, 1, 1, 1, 1])
  t.equal(server.connections(), 5)
})

t.test('a request on a kept connection that dies under it may have arrived, and is not repeated', async (t) => {
  const server = await counting(t, (socket, nth) => {
    if (nth === 1) socket.write(OK)
    else socket.resetAndDestroy()
  })
  const http = client(t, { maxConnectionsPerOrigin: 1 })
  t.equal(await outcome(http.request(server.url, post('first'))), 'ok')
  t.match(await outcome(http.request(server.url, post('second'))), { kind: 'reset', mayHaveArrived: true })
  t.same(
    [...server.arrived],
    [
      ['first', 1],
      ['second', 1],
    ],
  )
  t.equal(server.connections(), 1)
})

t.test('a request given up in flight leaves no second connection behind', async (t) => {
  const server = await counting(t, () => {})
  const http = client(t)
  t.match(await outcome(http.request(server.url, { ...post('late'), timeoutMs: 100 })), { kind: 'timeout' })
  await until(() => server.open() === 0)
  t.match(await outcome(http.request(server.url, { ...post('next'), timeoutMs: 100 })), { kind: 'timeout' })
  await until(() => server.open() === 0)
  t.same(
    [...server.arrived],
    [
      ['late', 1],
      ['next', 1],
    ],
  )
  t.equal(server.connections(), 2)
})

t.test('a request given up while it waited for a connection is not sent on it later', async (t) => {
  const held: Socket[] = []
  const server = await counting(t, (socket) => {
    if (held.length === 0) held.push(socket)
    else socket.write(OK)
  })
  const http = client(t, { maxConnectionsPerOrigin: 1 })
  const first = outcome(http.request(server.url, post('first')))
  await until(() => held.length === 1)
  const waiting = outcome(http.request(server.url, { ...post('waiting'), timeoutMs: 50 }))
  t.match(await waiting, { kind: 'timeout', mayHaveArrived: false })
  const behind = outcome(http.request(server.url, post('behind')))
  held[0]?.write(OK)
  t.same(await Promise.all([first, behind]), ['ok', 'ok'])
  t.same([...server.arrived.keys()], ['first', 'behind'])
})
