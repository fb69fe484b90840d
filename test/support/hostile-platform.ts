import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Test } from 'tap'

const MEGABYTE = 1024 * 1024
/** What an answer may point at to have somebody call it, or to break out of a path. */
export const INSIDE = '169.254.169.254'

/** What comes instead of the true answer. Those that `follow` it are made of it: the platform did what was asked for. */
type Way =
  | { readonly kind: 'raw'; readonly write: (socket: Socket, canary: string) => void }
  | { readonly kind: 'follow'; readonly change: (body: string) => string }

const json = (status: string, body: string, headers = ''): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`

const answers = (text: string): Way => ({ kind: 'raw', write: (socket) => void socket.end(text) })

/** Goes on for as long as the other side takes it. */
function endless(head: string, chunk: Buffer | string, everyMs?: number): Way {
  return {
    kind: 'raw',
    write: (socket) => {
      socket.write(head)
      const more = (): void => {
        if (socket.destroyed) return
        if (everyMs !== undefined) {
          socket.write(chunk)
          setTimeout(more, everyMs).unref()
        } else if (socket.write(chunk)) setImmediate(more)
        else socket.once('drain', more)
      }
      more()
    },
  }
}

const chunked = (status: string, more = ''): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n${more}\r\n`
const aChunk = (size: number): string => `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`
const bomb = gzipSync(Buffer.alloc(64 * MEGABYTE, 0x20))

/** Which a proxy does not pass on. */
const OF_THE_HOP: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'keep-alive', 'transfer-encoding', 'expect', 'content-length'],
  ...['accept-encoding', 'content-encoding'],
])

/** Every text that may be an id or an address. */
function renamed(body: string, to: string): string {
  const change = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return /(?:id|ids|name|uri|urn|url|link|asset|image|video)$/i.test(name) ? to : value
    if (Array.isArray(value)) return value.map((each) => change(each, name))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, change(each, key)]))
  }
  try {
    return JSON.stringify(change(JSON.parse(body), ''))
  } catch {
    return body
  }
}

const limited = (retryAfter: string): Way =>
  answers(json('429 Too Many Requests', '{}', `retry-after: ${retryAfter}\r\n`))

export const WAYS = {
  'no answer': { kind: 'raw', write: () => {} },
  'a connection that breaks': { kind: 'raw', write: (socket) => void socket.resetAndDestroy() },
  'a body short of its length': answers('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"id":'),
  'headers that drip': endless('HTTP/1.1 200 OK\r\nx-slow: ', 'a', 20),
  'a body that drips': endless(chunked('200 OK'), '1\r\na\r\n', 20),
  '103 again and again': endless('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 5),
  'headers of 10 MB': endless('HTTP/1.1 200 OK\r\nx-large: ', 'a'.repeat(64 * 1024)),
  'an endless body': endless(chunked('200 OK'), aChunk(64 * 1024)),
  'an endless refusal': endless(chunked('400 Bad Request'), aChunk(64 * 1024)),
  'a gzip bomb': {
    kind: 'raw',
    write: (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.end(bomb)
    },
  },
  'a redirect to itself': answers('HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n'),
  'a redirect to another host': {
    kind: 'raw',
    write: (socket, canary) =>
      void socket.end(`HTTP/1.1 307 Temporary Redirect\r\nlocation: ${canary}/\r\ncontent-length: 0\r\n\r\n`),
  },
  'JSON of depth 100,000': answers(json('200 OK', '['.repeat(100_000) + ']'.repeat(100_000))),
  HTML: answers(json('200 OK', '<!doctype html><title>Sign in to the Wi-Fi</title>')),
  nothing: answers(json('200 OK', '')),
  null: answers(json('200 OK', 'null')),
  'wrong types': answers(json('200 OK', '{"id":1,"data":"x","name":[],"uri":{},"error":7,"value":null}')),
  __proto__: answers(json('200 OK', '{"__proto__":{"id":"1","data":{}},"constructor":{"prototype":{"id":"1"}}}')),
  'ids of control characters': { kind: 'follow', change: (body) => renamed(body, '1\r\nx-evil: 1\u0000\u001b[2J') },
  'ids of a megabyte': { kind: 'follow', change: (body) => renamed(body, '1'.repeat(MEGABYTE / 4)) },
  'ids of inside addresses': { kind: 'follow', change: (body) => renamed(body, `http://${INSIDE}/latest/meta-data/`) },
  'ids that leave the path': { kind: 'follow', change: (body) => renamed(body, `//${INSIDE}/../..?a#b`) },
  'a megabyte of words': answers(
    json(
      '400 Bad Request',
      JSON.stringify({ error: { message: 'no '.repeat(300_000) }, message: 'no '.repeat(10_000) }),
    ),
  ),
  '401': answers(json('401 Unauthorized', '{}')),
  '500': answers(json('500 Internal Server Error', '{}')),
  'Retry-After of 10^12': limited('1000000000000'),
  'Retry-After of nine digits': limited('999999999'),
  'Retry-After of -5': limited('-5'),
  'Retry-After of the year 9999': limited('Fri, 31 Dec 9999 23:59:59 GMT'),
} as const satisfies Readonly<Record<string, Way>>
export type WayName = keyof typeof WAYS

export interface HostilePlatform {
  /** `http://127.0.0.1:port` */
  readonly url: string
  /** How many requests came since `turn`. */
  readonly requests: () => number
  /** Requests that came to a host that it pointed at, with whatever they carried. */
  readonly canary: readonly IncomingHttpHeaders[]
  /** From now on these requests, counted from 0, are answered so; without a way all are passed on. */
  turn(way?: WayName, which?: (request: number) => boolean): void
}

/** A platform's server, that of `target` behind it, which answers as it should until it is turned. Closed with the test. */
export async function hostilePlatform(t: Pick<Test, 'teardown'>, target: string): Promise<HostilePlatform> {
  const canary: IncomingHttpHeaders[] = []
  const elsewhere = await listening(t, (request, response) => {
    canary.push(request.headers)
    response.end('{}')
  })
  let way: Way | undefined
  let which: (request: number) => boolean = () => true
  let requests = 0
  const url: string = await listening(t, (request, response) => {
    const isHostile = which(requests)
    requests += 1
    answer(request, response, isHostile ? way : undefined).catch(() => request.socket.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse, hostile: Way | undefined): Promise<void> {
    const body: Buffer[] = []
    for await (const chunk of request) body.push(Buffer.from(chunk as Uint8Array))
    if (hostile?.kind === 'raw') return hostile.write(request.socket, elsewhere)
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !OF_THE_HOP.has(name)))
    const { method = 'GET' } = request
    const passedOn = await fetch(`${target}${request.url ?? ''}`, {
      method,
      headers: headers as Record<string, string>,
      redirect: 'manual',
      ...(body.length > 0 && { body: Buffer.concat(body) }),
    })
    const own = (text: string): string => text.replaceAll(target, url)
    const told = own(await passedOn.text())
    const kept = [...passedOn.headers]
      .filter(([name]) => !OF_THE_HOP.has(name))
      .map(([name, value]) => [name, own(value)])
    const isEmpty = passedOn.status === 204 || passedOn.status === 304 || method === 'HEAD'
    response.writeHead(passedOn.status, Object.fromEntries(kept) as Record<string, string>)
    response.end(isEmpty ? undefined : hostile?.kind === 'follow' ? hostile.change(told) : told)
  }

  return {
    url,
    canary,
    requests: () => requests,
    turn: (name, when = () => true) => {
      way = name && WAYS[name]
      which = when
      requests = 0
    },
  }
}

async function listening(
  t: Pick<Test, 'teardown'>,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
