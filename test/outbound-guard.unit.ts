import t from 'tap'
import { isPublicAddress, outboundPolicy } from '../infra/http/outbound-guard.ts'

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.15.0.1',
  '172.32.0.1',
  '192.0.1.1',
  '198.17.0.1',
  '198.20.0.1',
]
const PUBLIC_V6 = ['2606:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::1', '::ffff:8.8.8.8']

const NOT_PUBLIC: Readonly<Record<string, readonly string[]>> = {
  'this network': ['0.0.0.0', '0.1.2.3'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '::ffff:10.0.0.1'],
  'link-local and metadata': ['169.254.169.254', '169.254.170.2', 'fe80::1', 'fe80::1%lo', 'febf::1', 'fd00:ec2::254'],
  'a cloud provider’s own': ['168.63.129.16', '::ffff:168.63.129.16', '100.100.100.200', '192.0.0.192'],
  'carrier NAT': ['100.64.0.1', '100.127.255.255'],
  'unique local and site-local': ['fc00::1', 'fdff::1', 'fec0::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'inside ::/8': ['::', '::7f00:1', '::127.0.0.1', '::808:808', '0:1::1', '00ff::1'],
  'ways into IPv4': ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', '2002:7f00:1::', '2001::1', '192.88.99.1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmark: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  'class E and broadcast': ['240.0.0.1', '254.1.1.1', '255.255.255.255'],
  'other special ranges': ['192.0.0.1', '100::1', '2001:10::1', '2001:20::1', '5f00::1', '4000::1', 'a000::1'],
  'not an address': ['', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', '[::1]', '1.2.3.4.5'],
}

t.test('only addresses that everyone can reach are public', async (t) => {
  for (const address of [...PUBLIC, ...PUBLIC_V6]) t.equal(isPublicAddress(address), true, address)
  for (const [kind, addresses] of Object.entries(NOT_PUBLIC)) {
    for (const address of addresses) t.equal(isPublicAddress(address), false, `${kind}: ${address}`)
  }
})

t.test('without a setting: public addresses on the ports 80, 443 and from 1024 up', async (t) => {
  const { refusal } = outboundPolicy('')
  for (const port of [80, 443, 1024, 8443, 65_535]) {
    t.equal(refusal({ hostname: 'example.com', address: '93.184.216.34', port }), undefined, `port ${port}`)
  }
  for (const port of [0, 22, 25, 1023]) {
    t.match(refusal({ hostname: 'example.com', address: '93.184.216.34', port }), /port \d+ is not allowed/)
  }
})

t.test('a refusal says why, and keeps an internal address that a name resolved to for itself', async (t) => {
  const { refusal } = outboundPolicy('')
  t.equal(refusal({ hostname: '10.1.2.3', address: '10.1.2.3', port: 80 }), '10.1.2.3 is not a public address')
  t.equal(refusal({ hostname: '[::1]', address: '::1', port: 80 }), '::1 is not a public address')
  t.equal(refusal({ hostname: 'wiki.corp', address: '10.1.2.3', port: 80 }), 'wiki.corp is not public')
})

t.test('OUTBOUND_ALLOW opens what it names and nothing else', async (t) => {
  // Setting, host name, address, port, allowed.
  const table: readonly (readonly [string, string, string, number, boolean])[] = [
    ['wiki.corp', 'wiki.corp', '10.1.2.3', 22, true],
    ['WIKI.corp.', 'wiki.CORP', '10.1.2.3', 80, true],
    ['wiki.corp', 'wiki.corp.', '::1', 443, true],
    ['wiki.corp', 'evil.wiki.corp', '10.1.2.3', 80, false],
    ['wiki.corp', 'wiki.corp.evil.com', '10.1.2.3', 80, false],
    ['wiki.corp:8080', 'wiki.corp', '10.1.2.3', 8080, true],
    ['wiki.corp:8080', 'wiki.corp', '10.1.2.3', 8081, false],
    ['wiki_db', 'wiki_db', '172.18.0.2', 80, true],
    ['127.0.0.1:4001', 'localhost', '127.0.0.1', 4001, true],
    ['127.0.0.1:4001', 'localhost', '127.0.0.1', 4002, false],
    ['127.0.0.1', '127.0.0.1', '127.0.0.1', 4002, true],
    ['127.0.0.1', 'localhost', '127.0.0.2', 4002, false],
    ['127.0.0.1', 'x', '::ffff:127.0.0.1', 4002, true],
    ['::1', '[::1]', '::1', 80, true],
    ['[::1]:4001', '[::1]', '::1', 4001, true],
    ['[::1]:4001', '[::1]', '::1', 4002, false],
    ['10.0.0.0/8', 'wiki.corp', '10.255.0.1', 25, true],
    ['10.0.0.0/8', 'wiki.corp', '11.0.0.1', 25, false],
    ['10.0.0.0/8', 'wiki.corp', '192.168.0.1', 80, false],
    ['10.0.0.0/8:5432', 'wiki.corp', '10.255.0.1', 5432, true],
    ['10.0.0.0/8:5432', 'wiki.corp', '10.255.0.1', 80, false],
    ['fd00::/8', 'wiki.corp', 'fd12::1', 80, true],
    ['fd00::/8', 'wiki.corp', '10.0.0.1', 80, false],
    ['0.0.0.0/0', 'wiki.corp', '10.0.0.1', 80, true],
    ['0.0.0.0/0', 'wiki.corp', '::1', 80, false],
    [' a.corp , , b.corp:81, ', 'b.corp', '10.0.0.1', 81, true],
    ['mail.example.com:25', 'mail.example.com', '93.184.216.34', 25, true],
  ]
  for (const [setting, hostname, address, port, allowed] of table) {
    const refusal = outboundPolicy(setting).refusal({ hostname, address, port })
    t.equal(refusal === undefined, allowed, `${setting}: ${hostname} at ${address}, port ${port}`)
  }
})

t.test('the service adds its own allowances', async (t) => {
  const { refusal } = outboundPolicy('wiki.corp', [{ host: '127.0.0.1', port: 4001 }, { host: 'nats' }])
  t.equal(refusal({ hostname: 'localhost', address: '127.0.0.1', port: 4001 }), undefined)
  t.equal(refusal({ hostname: 'nats', address: '172.18.0.9', port: 4222 }), undefined)
  t.equal(refusal({ hostname: 'wiki.corp', address: '10.0.0.1', port: 80 }), undefined)
  t.not(refusal({ hostname: 'localhost', address: '127.0.0.1', port: 4000 }), undefined)
})

t.test('an entry that can’t be read is named', async (t) => {
  const wrong = ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10/8', 'fd00::/129', 'http://wiki.corp', '*.corp', '*']
  const ports = ['wiki.corp:0', 'wiki.corp:65536', 'wiki.corp:99999', 'wiki.corp:x', ':80', '10.0.0.0/8:0', '8080']
  const names = ['wiki corp', 'user@wiki.corp', 'wiki.corp/path', '-', '.corp', '[::1', '1.2.3.4.5', '0x7f.1', '[wiki]']
  for (const entry of [...wrong, ...ports, ...names]) {
    const expected = new Error(`OUTBOUND_ALLOW: "${entry}" is not a host, host:port or CIDR range`)
    t.throws(() => outboundPolicy(`wiki.corp, ${entry}`), expected, entry)
  }
  t.throws(() => outboundPolicy('', [{ host: 'a b' }]), /"a b"/)
})
