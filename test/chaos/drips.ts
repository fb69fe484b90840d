import { connect } from 'node:net'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { systemClock } from '../../infra/runtime/clock.ts'
import { runCommand, startProcess, type Home } from '../support/service-process.ts'
import { client, type Client } from './client.ts'
import type { Teardown } from './estate.ts'

/** What 2,000 sockets did that say a byte a second, and what others felt of them. Times in ms. */
export interface Drips {
  readonly sockets: number
  /** The longest that one was there. */
  readonly longest: number
  /** Of the others' requests. */
  readonly failures: number
  readonly p99Before: number
  readonly p99During: number
}

const SOCKETS = 2_000
/** Opened in so many portions, so that the opening is not what is measured. */
const PORTIONS = 20
const MEASURED_MS = 10_000
const EVERY_MS = 20
const GIVEN_UP_AFTER_MS = 60_000

/** Half of them never finish their headers, half never finish a body. */
export async function drips(t: Teardown, home: Home): Promise<Drips> {
  const service = startProcess(home)
  t.teardown(async () => {
    service.child.kill('SIGTERM')
    await service.ended
  })
  await service.ready
  const created = await runCommand(home, ['keys', 'create', '--workspace', 'demo', '--scopes', 'all', '--json'])
  const { key } = z.object({ key: z.string() }).parse(JSON.parse(created.stdout))
  const caller = client(home.port, key)
  await measured(caller, MEASURED_MS / 5)
  const before = await measured(caller, MEASURED_MS)
  const opened: Promise<number>[] = []
  for (let portion = 0; portion < PORTIONS; portion += 1) {
    for (let nth = 0; nth < SOCKETS / PORTIONS; nth += 1) opened.push(drip(home.port, key, nth % 2 === 0))
    await wait(50)
  }
  const during = await measured(caller, MEASURED_MS)
  const lived = await Promise.all(opened)
  return {
    ...{ sockets: lived.length, longest: Math.max(...lived), failures: before.failures + during.failures },
    ...{ p99Before: before.p99, p99During: during.p99 },
  }
}

/** Asks for a list, 50 times a second. */
async function measured({ ask }: Client, ms: number): Promise<{ readonly p99: number; readonly failures: number }> {
  const asked: Promise<{ readonly ms: number; readonly status: number | undefined }>[] = []
  const timed = async () => {
    const began = performance.now()
    const { status } = await ask('GET', '/posts?limit=25')
    return { ms: performance.now() - began, status }
  }
  for (const end = systemClock.now() + ms; systemClock.now() < end;) {
    asked.push(timed())
    await wait(EVERY_MS)
  }
  const answers = await Promise.all(asked)
  const times = answers.map(({ ms }) => ms).toSorted((one, other) => one - other)
  return {
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    failures: answers.filter(({ status }) => status !== 200).length,
  }
}

/** @returns how long the server let it */
async function drip(port: number, key: string, inHeaders: boolean): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  const began = performance.now()
  const closed = once(socket, 'close')
  socket.on('error', () => undefined)
  socket.resume()
  const head = `POST /v1/posts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`
  socket.write(inHeaders ? head : `${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"caption":"`)
  const dripping = setInterval(() => socket.write('x'), 1_000)
  await Promise.race([closed, wait(GIVEN_UP_AFTER_MS, undefined, { ref: false })])
  clearInterval(dripping)
  socket.destroy()
  return performance.now() - began
}
