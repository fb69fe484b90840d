import { createSocket } from 'node:dgram'
import ipaddr from 'ipaddr.js'
import type { Test } from 'tap'

/** What is said of a name: addresses, another name and its addresses, or not a word. Of others, that there are none. */
export type NameRecord =
  | { readonly addresses: readonly string[]; readonly alias?: string }
  | { readonly fails: 'SERVFAIL' | 'silently' }

export interface NameServer {
  /** As a resolver takes them. */
  readonly servers: readonly [string]
  /** Questions so far. Each name is asked for twice: IPv4 and IPv6. */
  questions(name: string): number
}

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const
const CODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3 } as const
const HEADER_BYTES = 12

/** A DNS server (RFC 1035) on a free port of this machine, until the test ends. */
export async function nameServer(t: Test, names: Readonly<Record<string, NameRecord>>): Promise<NameServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const { name, type, question } = read(message)
    asked.push(name)
    const record = names[name]
    if (record && 'fails' in record && record.fails === 'silently') return
    const answers = record && 'addresses' in record ? resources(name, record, type) : []
    const code = record ? ('fails' in record ? CODES.SERVFAIL : CODES.NOERROR) : CODES.NXDOMAIN
    const header = Buffer.concat([message.subarray(0, 2), words(0x8180 | code, 1, answers.length, 0, 0)])
    socket.send(Buffer.concat([header, question, ...answers]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  t.teardown(() => socket.close())
  return {
    servers: [`127.0.0.1:${socket.address().port}`],
    questions: (name) => asked.filter((one) => one === name).length,
  }
}

function read(message: Buffer): { readonly name: string; readonly type: number; readonly question: Buffer } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = message[at]; length; length = message[at]) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const type = message.readUInt16BE(at + 1)
  return { name: labels.join('.').toLowerCase(), type, question: message.subarray(HEADER_BYTES, at + 5) }
}

function resources(name: string, record: Extract<NameRecord, { addresses: unknown }>, type: number): Buffer[] {
  const { addresses, alias } = record
  const parsed = addresses.map((address) => ipaddr.parse(address))
  const wanted = parsed.filter((address) => type === (address.kind() === 'ipv4' ? TYPES.A : TYPES.AAAA))
  return [
    ...(alias === undefined ? [] : [resource(name, TYPES.CNAME, toWire(alias))]),
    ...wanted.map((address) => resource(alias ?? name, type, Buffer.from(address.toByteArray()))),
  ]
}

function resource(name: string, type: number, data: Buffer): Buffer {
  const internet = 1
  return Buffer.concat([toWire(name), words(type, internet, 0, 0, data.length), data])
}

function toWire(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'))
  return Buffer.concat([...labels, Buffer.alloc(1)])
}

function words(...values: readonly number[]): Buffer {
  return Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]))
}
