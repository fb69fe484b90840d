import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import type { Test } from 'tap'
import { bodyOf, listening } from './outbound-servers.ts'

/** An attempt ends within this time, whatever its receiver does. */
const LONGEST_MS = 15_000

/** One attempt at a delivery, as its receiver saw it. */
export interface Attempt {
  /** The delivery's id. */
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly method: string
  readonly path: string
  /** Undefined until it has come whole. */
  body: string | undefined
  /** By the receiver's clock, ms since the epoch. */
  readonly beganAt: number
  endedAt: number | undefined
  /** What it was answered; undefined when it was not. */
  status: number | undefined
}

/** @param nth the how manyth attempt of its delivery this is, from 1 */
export type Answer = (response: ServerResponse, nth: number) => 'stalls' | void

export interface Watched {
  /** `http://127.0.0.1:port/hook` */
  readonly url: string
  readonly attempts: readonly Attempt[]
  /** The most attempts that were there at one time. */
  mostAtOnce(): number
  /** Deliveries of which an attempt came while another was there. */
  readonly doubled: readonly string[]
  /** Attempts that are there now and get no further unless the time goes on; not those whose time is up. */
  stalled(): number
  /** How it answers from now on. */
  answer: Answer
}

/** A receiver that notes what comes, and how long each attempt is there: until it is answered whole, or broken off. */
export async function givenWatched(t: Pick<Test, 'teardown'>, now: () => number, answer: Answer): Promise<Watched> {
  const attempts: Attempt[] = []
  const doubled: string[] = []
  const made = new Map<string, number>()
  const there = new Set<Attempt>()
  const stalling = new Set<Attempt>()
  let most = 0

  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const { headers, method = '', url: path = '' } = request
    const id = String(headers['x-service-delivery'])
    const unknown = { body: undefined, endedAt: undefined, status: undefined }
    const attempt: Attempt = { id, headers, method, path, beganAt: now(), ...unknown }
    if ([...there].some((other) => other.id === id)) doubled.push(id)
    attempts.push(attempt)
    there.add(attempt)
    most = Math.max(most, there.size)
    response.once('close', () => {
      there.delete(attempt)
      attempt.endedAt = now()
      if (response.headersSent) attempt.status = response.statusCode
      stalling.delete(attempt)
    })
    const body = await bodyOf(request).catch(() => undefined)
    if (body === undefined || response.destroyed) return
    attempt.body = body
    const nth = (made.get(id) ?? 0) + 1
    made.set(id, nth)
    if (receiver.answer(response, nth) === 'stalls') stalling.add(attempt)
  })
  const { url } = await listening(t, server)
  const receiver: Watched = {
    ...{ url: `${url}/hook`, attempts, doubled, answer },
    mostAtOnce: () => most,
    stalled: () => [...stalling].filter(({ beganAt }) => now() < beganAt + LONGEST_MS).length,
  }
  return receiver
}

export const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end()
export const ok = answers(204)
/** Never says anything. */
export const hangs: Answer = () => 'stalls'
const resets: Answer = (response) => void response.socket?.resetAndDestroy()
/** Says that it has it, and then only a little more. */
const slowBody: Answer = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('little')
  return 'stalls'
}
const writes = (response: ServerResponse, text: string) =>
  void response.socket?.write(text, () => response.socket?.destroy())
const halfAnAnswer: Answer = (response) => writes(response, 'HTTP/1.1 200 OK\r\ncontent-le')
const endlessBody =
  (status: number): Answer =>
  (response) => {
    const write = (): void => void (response.destroyed || response.write(Buffer.alloc(65_536), write))
    response.writeHead(status)
    write()
  }
const bomb = gzipSync(Buffer.alloc(20_000_000))
const gzipBomb: Answer = (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)

/** Fails at once, each time in another way. */
export const fickle: Answer = (response, nth) => {
  const ways = [answers(500), resets, answers(307, { location: '/elsewhere' }), halfAnAnswer, answers(404)]
  return ways[nth % ways.length]?.(response, nth)
}

/** Bad for the first attempts of each delivery, then good. */
const after =
  (attempts: number, bad: Answer): Answer =>
  (response, nth) =>
    (nth <= attempts ? bad : ok)(response, nth)

export interface Misbehaviour {
  /** Absent: no attempt ever gets as far as that. */
  readonly answer?: Answer
  readonly where?: 'behind a self-signed certificate' | 'at a closed port'
  /** Attempts until it is delivered; undefined when it never is. */
  readonly deliveredAfter?: number
}

export const MISBEHAVIOURS: Readonly<Record<string, Misbehaviour>> = {
  'HTTP 500': { answer: answers(500) },
  'HTTP 503, come back in a year': { answer: answers(503, { 'retry-after': '31536000' }) },
  'HTTP 429, come back at once': { answer: answers(429, { 'retry-after': '0' }) },
  'HTTP 410': { answer: answers(410) },
  'a redirect': { answer: answers(307, { location: '/elsewhere' }) },
  'no answer': { answer: hangs },
  'a reset': { answer: resets },
  'half an answer': { answer: halfAnAnswer },
  'another protocol': { answer: (response) => writes(response, '220 mail.test ESMTP\r\n') },
  'an endless error': { answer: endlessBody(500) },
  'a self-signed certificate': { where: 'behind a self-signed certificate' },
  'a closed port': { where: 'at a closed port' },
  'a slow body': { answer: slowBody, deliveredAfter: 1 },
  'an endless body': { answer: endlessBody(200), deliveredAfter: 1 },
  'a gzip bomb': { answer: gzipBomb, deliveredAfter: 1 },
  'an error, then well': { answer: after(1, answers(502)), deliveredAfter: 2 },
  'no answer twice, then well': { answer: after(2, hangs), deliveredAfter: 3 },
  'a reset four times, then well': { answer: after(4, resets), deliveredAfter: 5 },
  'six errors, then well': { answer: after(6, answers(500)), deliveredAfter: 7 },
  'seven errors, then well, which is too late': { answer: after(7, answers(500)) },
}

/** Nothing listens on it anywhere: a free port could be given to another server meanwhile. */
const CLOSED_PORT = 1

export async function givenMisbehaving(t: Test, now: () => number, { answer, where }: Misbehaviour): Promise<Watched> {
  const nobody: Watched = { url: '', attempts: [], doubled: [], answer: ok, mostAtOnce: () => 0, stalled: () => 0 }
  if (answer) return givenWatched(t, now, answer)
  if (where === 'at a closed port') return { ...nobody, url: `http://127.0.0.1:${CLOSED_PORT}/hook` }
  const [cert, key] = ['crt', 'key'].map((end) =>
    readFileSync(new URL(`../fixtures/tls/good.test.${end}`, import.meta.url)),
  )
  const server = createTlsServer({ cert, key }, (socket) => socket.on('error', () => {}).end())
  server.on('tlsClientError', () => {})
  return { ...nobody, url: `https://127.0.0.1:${(await listening(t, server)).port}/hook` }
}

/** For a library that asks the clock on the wall. */
function atTime<T>(ms: number, work: () => T): T {
  const { now } = Date
  Date.now = () => ms
  try {
    return work()
  } finally {
    Date.now = now
  }
}

/** What is wrong with an attempt that was to bring `body`, signed with `secret`. */
export function faultsOfAttempt(
  attempt: Attempt,
  { secret, body }: { readonly secret: string; readonly body: string },
): readonly string[] {
  const { headers, beganAt, endedAt = Infinity } = attempt
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const faults: string[] = []
  const must = (holds: boolean, what: string) => void (holds || faults.push(what))
  must(attempt.method === 'POST' && attempt.path === '/hook', `${attempt.method} ${attempt.path}`)
  must(attempt.body === body, 'another body')
  must(headers['content-type'] === 'application/json', 'another type')
  must(headers['x-service-signature'] === signature, 'a wrong signature')
  must(headers['webhook-id'] === attempt.id, 'another id')
  must(endedAt - beganAt <= LONGEST_MS, `it took ${endedAt - beganAt} ms`)
  try {
    const text = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    atTime(beganAt, () => new Webhook(secret).verify(attempt.body ?? '', text))
  } catch (error) {
    faults.push(`Standard Webhooks: ${String(error)}`)
  }
  return faults
}

/** Items by the id that each names, in their order. */
export function grouped<T>(items: readonly T[], idOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(idOf(item))
    if (group) group.push(item)
    else groups.set(idOf(item), [item])
  }
  return groups
}
