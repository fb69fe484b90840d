import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Test } from 'tap'
import { guardedHttp, type GuardedHttpOptions } from '../../infra/http/guarded-http.ts'
import { HttpFailure, type Http } from '../../infra/http/http.ts'
import { outboundPolicy } from '../../infra/http/outbound-guard.ts'
import { systemClock } from '../../infra/runtime/clock.ts'

export interface Listening {
  readonly port: number
  /** `http://127.0.0.1:port` */
  readonly url: string
  /** Connections accepted so far. */
  connections(): number
  /** Sockets open now. */
  open(): number
  /** Cuts all connections. */
  dropAll(): void
}

/** Listens on a free port until the test ends, and counts who came. */
export async function listening(t: Pick<Test, 'teardown'>, server: Server, host = '127.0.0.1'): Promise<Listening> {
  const sockets = new Set<Socket>()
  let count = 0
  server.on('connection', (socket: Socket) => {
    count += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  const dropAll = () => sockets.forEach((socket) => socket.destroy())
  t.teardown(async () => {
    dropAll()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}`, connections: () => count, open: () => sockets.size, dropAll }
}

export function httpServer(t: Pick<Test, 'teardown'>, answer: RequestListener): Promise<Listening> {
  return listening(t, createHttpServer({ keepAliveTimeout: 60_000 }, answer))
}

/** A server that speaks whatever it likes. `say` is called with each connection's first bytes. */
export function rawServer(t: Test, say: (socket: Socket, bytes: string) => void): Promise<Listening> {
  return listening(
    t,
    createServer((socket) => socket.once('data', (bytes) => say(socket, bytes.toString('latin1')))),
  )
}

/** An `Http` that may reach 127.0.0.1, closed when the test ends. */
export function client(t: Test, options: Partial<GuardedHttpOptions> = {}): Http {
  const http = guardedHttp({ policy: outboundPolicy('127.0.0.1'), clock: systemClock, userAgent: 'test/1', ...options })
  t.teardown(() => http.close())
  return http
}

/** The failure of something that must fail. */
export async function failure(work: Promise<unknown>): Promise<HttpFailure> {
  try {
    await work
  } catch (error) {
    if (error instanceof HttpFailure) return error
    throw error
  }
  throw new Error('expected a failure')
}

export async function until(condition: () => boolean, ms = 60_000): Promise<void> {
  const end = Date.now() + ms
  while (!condition()) {
    if (Date.now() > end) throw new Error('the condition did not come true in time')
    await wait(5)
  }
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** A port that nothing listens on. */
export async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Whether this machine has an IPv6 loopback. */
export function hasIpv6(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '::1', port: 9 })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'))
    socket.on('connect', () => resolve(true)).on('connect', () => socket.destroy())
  })
}
