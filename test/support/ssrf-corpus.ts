import { createServer } from 'node:http'
import { Socket } from 'node:net'
import type { Test } from 'tap'
import type { Lookup } from '../../infra/http/outbound-address.ts'
import { hasIpv6, listening, type Listening } from './outbound-servers.ts'

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

export const lookup: Lookup = async (name) =>
  (NAMES[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

/** URLs that lead inside, or nowhere. `port` is where a trap listens. */
export function corpus(port: number): readonly string[] {
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

/**
 * Counts every socket that is dialled anywhere, beside those that reach the trap.
 *
 * @param except the port of a server that is dialled all the time, as the database is
 */
export function dials(t: Test, except?: number): () => number {
  let count = 0
  t.intercept(Socket.prototype, 'connect', {
    value: function (this: Socket, ...args: unknown[]): unknown {
      if (except === undefined || portOf(args) !== except) count += 1
      return Reflect.apply(connect, this, args)
    },
  })
  return () => count
}
const { connect } = Socket.prototype

/** `connect(port, host)`, or `connect({ port })`, with or without having been through `net.connect`. */
function portOf(args: readonly unknown[]): number {
  const [first] = args.flat()
  return Number(typeof first === 'object' && first !== null && 'port' in first ? first.port : first)
}

/** A server inside, whose answer nobody may see. */
export async function trap(t: Test): Promise<Listening> {
  const server = createServer((_request, response) => response.end('secret'))
  return listening(t, server, (await hasIpv6()) ? '::' : '0.0.0.0')
}
