import { createServer } from 'node:http'
import t from 'tap'
import { guardedHttp } from '../infra/http/guarded-http.ts'
import { outboundPolicy, type OutboundPolicy } from '../infra/http/outbound-guard.ts'
import { checkOutbound, type Lookup } from '../infra/http/outbound-address.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { client, failure, listening } from './support/outbound-servers.ts'
import { corpus, dials, lookup, trap } from './support/ssrf-corpus.ts'

t.test('no URL of the corpus opens a socket', async (t) => {
  const inside = await trap(t)
  const dialled = dials(t)
  const http = guardedHttp({ policy: outboundPolicy(''), clock: systemClock, userAgent: 'test', lookup })
  t.teardown(() => http.close())
  const urls = corpus(inside.port)
  t.ok(urls.length >= 120, `${urls.length} URLs`)
  const kinds: string[] = []
  for (const url of urls) {
    for (const method of ['GET', 'POST'] as const) {
      const { kind, mayHaveArrived, message } = await failure(http.request(url, { method, maxRedirects: 3 }))
      t.match(kind, /^(blocked|bad-url|unreachable)$/, `${JSON.stringify(url)}: ${message}`)
      kinds.push(kind)
      t.equal(mayHaveArrived, false)
      t.notMatch(message, /secret/)
    }
  }
  t.ok(kinds.filter((kind) => kind === 'blocked').length >= 500, 'by the guard, and not for want of a name')
  t.equal(dialled(), 0, 'sockets dialled')
  t.equal(inside.connections(), 0, 'connections at the trap')

  // The control: the trap does count, once the guard lets the same client code through.
  const open = client(t, {
    policy: outboundPolicy('localhost,127.0.0.1'),
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  for (const host of ['127.0.0.1', '127.1', '2130706433', 'localhost', 'LOCALHOST.']) {
    t.equal((await open.request(`http://${host}:${inside.port}/`)).text(), 'secret', host)
  }
  t.ok(dialled() > 0)
  t.ok(inside.connections() > 0)
})

t.test('a URL with a user name or a password is refused, wherever it leads', async (t) => {
  const everywhere = outboundPolicy('0.0.0.0/0,::/0')
  const http = client(t, { policy: everywhere, lookup })
  for (const user of ['user', 'user:secret', ':secret', 'user:', '%20']) {
    const url = `http://${user}@localhost/`
    t.match(await failure(http.request(url)), { kind: 'bad-url', mayHaveArrived: false }, url)
  }
})

t.test('the check at registration refuses the same URLs', async (t) => {
  const dialled = dials(t)
  const guard = { policy: outboundPolicy(''), clock: systemClock, lookup }
  for (const url of corpus(8080))
    t.match((await failure(checkOutbound(url, guard))).kind, /blocked|bad-url|unreachable/)
  await checkOutbound('https://example.com/hook', {
    ...guard,
    lookup: async () => [{ address: '93.184.216.34', family: 4 }],
  })
  t.equal(dialled(), 0)
})

t.test('a name that turns inward after the check is refused at the connect', async (t) => {
  const inside = await trap(t)
  const answers = ['93.184.216.34', '127.0.0.1', '::1']
  const flipping: Lookup = async () => {
    const address = answers.shift() ?? '127.0.0.1'
    return [{ address, family: address.includes(':') ? 6 : 4 }]
  }
  const policy = outboundPolicy('')
  const url = `http://flip.test:${inside.port}/`
  await checkOutbound(url, { policy, clock: systemClock, lookup: flipping })
  const http = client(t, { policy, lookup: flipping })
  t.match(await failure(http.request(url)), { kind: 'blocked', mayHaveArrived: false })
  t.match(await failure(http.request(url)), { kind: 'blocked', mayHaveArrived: false })
  t.equal(inside.connections(), 0)
})

t.test('a name is looked up once for a connection, and what was vetted is dialled', async (t) => {
  const inside = await trap(t)
  let asked = 0
  const lookup: Lookup = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
  const http = client(t, { policy: outboundPolicy('127.0.0.1/32'), lookup })
  t.equal((await http.request(`http://pinned.test:${inside.port}/`)).status, 200)
  t.equal(asked, 1)
})

t.test('a socket that ends up elsewhere is destroyed before anything is sent', async (t) => {
  let requests = 0
  const inside = await listening(
    t,
    createServer(() => (requests += 1)),
  )
  const answers = [undefined, 'moved']
  const policy: OutboundPolicy = { refusal: () => answers.shift() }
  const result = await failure(client(t, { policy }).request(`${inside.url}/`, { method: 'POST', body: 'x' }))
  t.match(result, { kind: 'blocked', message: 'moved', mayHaveArrived: false })
  t.equal(requests, 0)
})

t.test('a redirect into private space is refused and not dialled', async (t) => {
  const inside = await trap(t)
  const targets = [`http://127.0.0.2:${inside.port}/`, `http://[::1]:${inside.port}/`, `//localhost:${inside.port}/`]
  const others = [
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'file:///etc/passwd',
    'http://u:p@a.test/',
  ]
  for (const location of [...targets, ...others]) {
    const outside = await listening(
      t,
      createServer((_request, response) => response.writeHead(302, { location }).end()),
    )
    const http = client(t, { policy: outboundPolicy(`127.0.0.1:${outside.port}`), lookup })
    const result = await failure(http.request(outside.url, { maxRedirects: 3 }))
    t.match(result, { kind: /blocked|bad-url/, mayHaveArrived: true }, location)
    t.equal(outside.connections(), 1)
  }
  t.equal(inside.connections(), 0)
})
