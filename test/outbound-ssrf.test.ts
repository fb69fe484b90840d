import { Socket } from 'node:net'
import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import { guardedHttp } from '../platforms/guarded-http.ts'
import { outboundPolicy, type OutboundPolicy } from '../platforms/outbound-guard.ts'
import { checkOutbound, type Lookup } from '../platforms/outbound-address.ts'
import { systemClock } from '../system/clock.ts'
import { client, failure, hasIpv6, listening, type Listening } from './support/outbound-servers.ts'

const IPV4_LOOPBACK = `127.0.0.1 127.1 127.0.1 127.0.0.2 127.255.255.254 2130706433 0x7f000001 0x7F000001 0x7f.0.0.1
  0x7f.1 0X7F.0x0.0x0.0x1 0177.0.0.1 017700000001 0177.1 00000177.0.0.1 127.0x0.0.1 127.0.0.01 127.0.0.1. 127.1.
  0 0x0 00 0.0 0.0.0.0 0.0.0.0. 4294967295 %31%32%37.0.0.1 127%2e0%2e0%2e1 127。0。0。1 １２７.０.０.１ ①②⑦.⓪.⓪.①
  ⓪ₓ7f.1 127.0.0.1`
const IPV4_OTHERS = `10.0.0.1 10.255.255.255 012.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255
  169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.170.2 100.64.0.1 100.100.100.200 168.63.129.16
  192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
  239.255.255.250 240.0.0.1 255.255.255.255 0.1.2.3`
const IPV6 = `[::1] [0:0:0:0:0:0:0:1] [::0001] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1]
  [::ffff:0:0] [::127.0.0.1] [::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:7f00:1::1]
  [2001:0:7f00:1::1] [::ffff:10.0.0.1] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [fe80::1] [fc00::1] [fd00:ec2::254]
  [fec0::1] [ff02::1] [100::1] [2001:db8::1] [3fff::1] [2001:2::1] [2001:10::1] [5f00::1] [4000::1]`

/** Names as a hostile or careless DNS would answer them. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  localhost: ['127.0.0.1', '::1'],
  'localtest.me': ['127.0.0.1'],
  '127.0.0.1.nip.io': ['127.0.0.1'],
  'six.test': ['::1'],
  'unspecified.test': ['0.0.0.0'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'compatible.test': ['::7f00:1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'metadata.google.internal': ['169.254.169.254'],
  'instance-data': ['169.254.169.254'],
  'intranet.corp': ['10.1.2.3'],
  'mixed-last.test': ['93.184.216.34', '127.0.0.1'],
  'mixed-first.test': ['127.0.0.1', '93.184.216.34'],
  'mixed-families.test': ['93.184.216.34', '::1'],
  'mixed-families-6.test': ['2606:4700::1111', '127.0.0.1'],
  'nonsense.test': ['not-an-address'],
  'number.test': ['2130706433'],
}

const lookup: Lookup = async (name) =>
  (NAMES[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

function corpus(port: number): readonly string[] {
  const hosts = [IPV4_LOOPBACK, IPV4_OTHERS, IPV6].flatMap((hosts) => hosts.split(/\s+/))
  const names = Object.keys(NAMES).flatMap((name) => [name, `${name}.`, name.toUpperCase()])
  const asHost = [...hosts, ...names].flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`])
  const odd = [
    `http:127.0.0.1:${port}`,
    `http:/127.0.0.1:${port}`,
    `http:///127.0.0.1:${port}/`,
    `http:\\\\127.0.0.1:${port}\\`,
    `http://127.0.0.1:${port}\\@example.com/`,
    `http://127.0.0.1:${port}#@example.com/`,
    `http://127.0.0.1:${port}?@example.com/`,
    `http://example.com@127.0.0.1:${port}/`,
    `http://example.com:80@127.0.0.1:${port}/`,
    `http://user:secret@127.0.0.1:${port}/`,
    `http://user@localhost:${port}/`,
    `http://:secret@localhost:${port}/`,
    `  http://127.0.0.1:${port}/  `,
    `ht\ntp://127.0.\t0.1:${port}/`,
    `HTTP://LOCALHOST:${port}/`,
    `//127.0.0.1:${port}/`,
    `127.0.0.1:${port}`,
    `localhost:${port}/`,
    `ws://127.0.0.1:${port}/`,
    `ftp://127.0.0.1:${port}/`,
    `gopher://127.0.0.1:${port}/_GET`,
    `file://127.0.0.1:${port}/etc/passwd`,
    'file:///etc/passwd',
    'data:text/plain,hi',
    'javascript:alert(1)',
    'unix:/var/run/docker.sock',
    'http+unix://%2Fvar%2Frun%2Fdocker.sock/info',
    'blob:http://127.0.0.1/',
    'http://',
    'http://%00/',
    'http://127.0.0.1:65536/',
    'http://93.184.216.34:22/',
    'http://93.184.216.34:0/',
    'https://93.184.216.34:25/',
    '',
  ]
  return [...asHost, ...odd]
}

/** Counts every socket that is dialled anywhere, beside those that reach the trap. */
function dials(t: Test): () => number {
  let count = 0
  t.intercept(Socket.prototype, 'connect', {
    value: function (this: Socket, ...args: unknown[]): unknown {
      count += 1
      return Reflect.apply(connect, this, args)
    },
  })
  return () => count
}
const { connect } = Socket.prototype

async function trap(t: Test): Promise<Listening> {
  const server = createServer((_request, response) => response.end('secret'))
  return listening(t, server, (await hasIpv6()) ? '::' : '0.0.0.0')
}

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
