import { readFileSync } from 'node:fs'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { recordAttempt, requestResend, startAttempt } from '../commands/delivery.ts'
import { handle } from '../commands/handle.ts'
import { deleteWebhook } from '../commands/webhook.ts'
import { webhookSecrets } from '../infra/postgres/webhook-secrets.ts'
import { delivery, type DeliveryState } from '../domain/webhook/delivery.ts'
import { webhook } from '../domain/webhook/webhook.ts'
import { LogUnavailable, type EventLog } from '../event-log/event-log.ts'
import type { Http } from '../infra/http/http.ts'
import type { AgendaRow } from '../projections/agenda/agenda.ts'
import { deliverReactor } from '../reactors/webhooks/deliver.ts'
import { webhookHeaders } from '../reactors/webhooks/webhook-signature.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { readSettings } from '../infra/runtime/settings.ts'
import { fused, type CrashPoint } from './support/fuse.ts'
import { client, closedPort, listening, rawServer, until, type Listening } from './support/outbound-servers.ts'
import {
  cancel,
  decide,
  deliveryOf,
  givenReceiver,
  givenWebhook,
  lastEvent,
  status,
  verifyStandardWebhook,
  type Receiver,
} from './support/receivers.ts'
import { virtualClock } from './support/virtual-clock.ts'
import { causedBy, givenProcess, givenWorld, LADDER_MS, vaultOf, type Process, type World } from './support/world.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** One webhook of one receiver, and a service. */
async function givenScene(t: Test, answer?: Receiver['answer'], world?: World) {
  const scene = world ?? (await givenWorld(t))
  const receiver = await givenReceiver(t, scene, answer)
  return {
    world: scene,
    receiver,
    hook: await givenWebhook(scene, `${receiver.url}/hook`),
    service: await givenProcess(scene),
  }
}

async function pass(world: World, service: Process, ms: number): Promise<void> {
  await world.clock.advanceTo(world.clock.now() + ms)
  await service.step()
}

async function owed(world: World): Promise<readonly Pick<AgendaRow, 'kind' | 'lane'>[]> {
  return (await world.db.query<AgendaRow>('select kind, lane from read.agenda')).rows
}

const sha256 = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

t.test('given a webhook', async (t) => {
  // A library of Standard Webhooks asks the clock on the wall how old a message is.
  const world = await givenWorld(t, { clock: virtualClock(systemClock.now()) })

  await t.test('when an event is delivered, then it arrives signed, once', async (t) => {
    const { receiver, hook, service } = await givenScene(t, status(200), world)
    const id = await hook.queue()
    await service.drain()
    t.equal(receiver.received.length, 1)
    const [first] = receiver.received
    if (!first) return t.fail('nothing came')
    const { headers, body, path } = first
    t.equal(path, '/hook')
    t.equal(body, (await deliveryOf(world, id)).body)
    t.match(headers, {
      'content-type': 'application/json',
      'x-service-event': 'post.published',
      'x-service-delivery': id,
      'x-service-signature': sha256(hook.secret, body),
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(world.clock.now() / 1000)),
    })
    t.equal(headers['x-service-signature-previous'], undefined)
    const key = Buffer.from(hook.secret.slice('whsec_'.length), 'base64')
    const signed = `${id}.${String(headers['webhook-timestamp'])}.${body}`
    t.equal(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    verifyStandardWebhook(hook.secret, body, headers)
    t.throws(() => verifyStandardWebhook(hook.secret, `${body} `, headers), { message: 'No matching signature found' })
    t.match(await lastEvent(world, id), { type: 'DeliverySucceeded', attempt: 1, statusCode: 200 })
    t.match(await deliveryOf(world, id), { status: 'delivered', attempts: 1 })
    t.same(await owed(world), [])
  })

  await t.test('when its secret was changed, then both sign for a day, then the new one', async (t) => {
    const { receiver, hook, service } = await givenScene(t, undefined, world)
    await hook.secrets.prepare(hook.id, 'first', world.clock.now())
    const { secret = '' } = (await hook.secrets.complete(hook.id, 'first', world.clock.now())) ?? {}
    await hook.queue()
    await service.step()
    const both = receiver.received.at(-1)
    if (!both) return t.fail('nothing came')
    t.match(both.headers, {
      'x-service-signature': sha256(secret, both.body),
      'x-service-signature-previous': sha256(hook.secret, both.body),
    })
    for (const known of [secret, hook.secret]) verifyStandardWebhook(known, both.body, both.headers)
    await pass(world, service, 24 * HOUR)
    await hook.queue()
    await service.step()
    const alone = receiver.received.at(-1)
    t.match(alone?.headers, { 'x-service-signature': sha256(secret, alone?.body ?? '') })
    t.equal(alone?.headers['x-service-signature-previous'], undefined)
    t.match(alone?.headers['webhook-signature'], /^v1,\S+$/)
  })
})

t.test('given the published vectors, when their messages are signed, then the headers are theirs', (t) => {
  const schema = z.object({
    vectors: z.array(
      z.object({
        name: z.string(),
        headers: z.record(z.string(), z.string()),
        body: z.string(),
        signedBy: z.array(z.string()).optional(),
      }),
    ),
  })
  const text = readFileSync(new URL('../docs/webhooks/vectors.json', import.meta.url), 'utf8')
  let signed = 0
  for (const { name, headers, body, signedBy } of schema.parse(JSON.parse(text)).vectors) {
    if (!signedBy) continue
    const { 'webhook-id': id = '', 'webhook-timestamp': seconds, 'X-Service-Event': event = '' } = headers
    const message = { id, event, body, sentAt: Number(seconds) * 1000 + 999 }
    t.same(webhookHeaders(message, signedBy, 'X-Service'), headers, name)
    signed += 1
  }
  t.ok(signed > 3, `${signed} vectors`)
  // The one of the standard's own libraries.
  const published = webhookHeaders(
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', event: '', body: '{"test": 2432232314}', sentAt: 1_614_265_330_000 },
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    'Acme',
  )
  t.equal(published['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  t.type(published['Acme-Signature'], 'string')
  t.end()
})

t.test('given receivers that answer well, ill or not at all, when an attempt is made', async (t) => {
  const world = await givenWorld(t)
  const tls = ['crt', 'key'].map((end) => readFileSync(new URL(`fixtures/tls/good.test.${end}`, import.meta.url)))
  const secure = createTlsServer({ cert: tls[0], key: tls[1] }, (socket) => socket.on('error', () => {}).end())
  secure.on('tlsClientError', () => {})
  const answering = (answer: Receiver['answer']) => givenReceiver(t, world, answer)
  const raw = (text: string, then: 'end' | 'destroy' | 'wait' = 'end') =>
    rawServer(t, (socket) =>
      socket.write(text, 'latin1', () => {
        if (then !== 'wait') socket[then]()
      }),
    )
  const head = (line: string, ...headers: string[]) => `HTTP/1.1 ${[line, ...headers].join('\r\n')}\r\n\r\n`
  const lookup = async (host: string) => {
    if (host === 'nowhere.test') throw Object.assign(new Error(), { code: 'ENOTFOUND' })
    return [{ address: host.endsWith('inside.test') ? '10.0.0.1' : '127.0.0.1', family: 4 }]
  }
  const http = client(t, { lookup })
  const service = await givenProcess(world, { http })
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const elsewhere = await answering(status(200))

  let sent = 0
  const delivered: Readonly<Record<string, Promise<Listening>>> = {
    '200': answering(status(200)),
    '201': answering(status(201)),
    '202': answering(status(202)),
    '204': answering(status(204)),
    '299': raw(head('299 So it is', 'content-length: 0')),
    '200 with early hints before it': answering((response) =>
      response.writeEarlyHints({ link: '</a>; rel=preload' }, () => response.end()),
    ),
    '200 whose body breaks off': raw(`${head('200 OK', 'content-length: 100')}half`, 'destroy'),
    '200 whose body is chunked nonsense': raw(`${head('200 OK', 'transfer-encoding: chunked')}zz\r\nnonsense`),
    '200 whose coding is none': raw(`${head('200 OK', 'content-encoding: gzip', 'content-length: 3')}no!`),
    '200 that says it is huge': raw(`${head('200 OK', 'content-length: 9999999999')}${'x'.repeat(100_000)}`, 'wait'),
    '200 that is endless': answering((response) => {
      const write = (): void => {
        sent += 65_536
        if (!response.destroyed) response.write(Buffer.alloc(65_536), write)
      }
      write()
    }),
    '200 in zstd': raw(`${head('200 OK', 'content-encoding: zstd', 'content-length: 3')}no!`),
    '201 whose coding is a charset': raw(`${head('201 OK', 'content-encoding: UTF-8', 'content-length: 2')}ok`),
    '202 in two codings': raw(`${head('202 OK', 'content-encoding: gzip, br', 'content-length: 2')}ok`),
    '204 in none': raw(head('204 No Content', 'content-encoding: none')),
    '200 that is a gzip bomb': answering((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    }),
  }
  const port = await closedPort()
  const failed: Readonly<
    Record<string, readonly [url: Promise<{ url: string }> | { url: string }, error: string | RegExp]>
  > = {
    'a redirect, which is not followed': [answering(status(307, { location: elsewhere.url })), 'HTTP 307'],
    'a redirect without a place': [answering(status(302)), 'HTTP 302'],
    '304': [answering(status(304)), 'HTTP 304'],
    '400': [answering(status(400)), 'HTTP 400'],
    '401': [answering(status(401)), 'HTTP 401'],
    '404': [answering(status(404)), 'HTTP 404'],
    '410, which does not end it': [answering(status(410)), 'HTTP 410'],
    '429': [answering(status(429)), 'HTTP 429'],
    '500 with a page': [raw(`${head('500 Oh <b>no</b>', 'content-length: 5')}<b>no`), 'HTTP 500'],
    '500 in zstd': [raw(`${head('500 Oh', 'content-encoding: zstd', 'content-length: 3')}no!`), 'HTTP 500'],
    '503': [answering(status(503)), 'HTTP 503'],
    'nobody at the port': [{ url: `http://127.0.0.1:${port}` }, 'Connection refused'],
    'a connection that is reset': [raw('', 'destroy'), 'The connection was lost before a response arrived'],
    'a connection that is closed': [raw('', 'end'), 'The connection was lost before a response arrived'],
    'half an answer': [raw('HTTP/1.1 200 OK\r\ncontent-le'), 'The connection was lost before a response arrived'],
    'something else than HTTP': [raw('220 mail.test ESMTP\r\n'), 'The response is not valid HTTP'],
    'a flood of headers': [
      raw(head('200 OK', `x-flood: ${'x'.repeat(100_000)}`)),
      'The response headers are too large',
    ],
    'an untrusted certificate': [
      { url: `https://good.test:${(await listening(t, secure)).port}` },
      /^TLS failed \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
    ],
    'no TLS at all': [{ url: `https://127.0.0.1:${elsewhere.port}` }, /^TLS failed \((EPROTO|ERR_SSL_\w+)\)$/],
    'a private address': [
      { url: 'http://10.0.0.1/' },
      'Refused by the outbound guard: 10.0.0.1 is not a public address',
    ],
    'a name that leads inside': [
      { url: 'http://inside.test/' },
      'Refused by the outbound guard: inside.test is not public',
    ],
    'a name that does not resolve': [
      { url: 'http://nowhere.test/' },
      'No connection: nowhere.test could not be looked up (ENOTFOUND)',
    ],
    'a name too long for an error message': [
      { url: `http://${'a'.repeat(60)}.${'b'.repeat(150)}.inside.test/` },
      /^.{200}$/,
    ],
  }
  const ids = new Map<string, string>()
  const servers = Object.entries({ ...delivered, ...failed })
  for (const [name, server] of servers) {
    const { url } = await (Array.isArray(server) ? server[0] : server)
    ids.set(name, await (await givenWebhook(world, url)).queue())
  }
  // One service for all: those that do not answer well are not to harm the others.
  while ((await service.step()) > 0);

  await t.test('with 2xx, then it is delivered, whatever comes after the headers', async (t) => {
    for (const name of Object.keys(delivered)) {
      const id = ids.get(name) ?? ''
      t.match(await deliveryOf(world, id), { status: 'delivered', attempts: 1 }, name)
      const outcome = { type: 'DeliverySucceeded', attempt: 1, statusCode: Number(name.slice(0, 3)) }
      t.match(await lastEvent(world, id), outcome, name)
    }
  })

  await t.test('otherwise, then it is tried again, and our own words say why', async (t) => {
    for (const [name, [, error]] of Object.entries(failed)) {
      const id = ids.get(name) ?? ''
      t.match(await deliveryOf(world, id), { status: 'pending', attempts: 1 }, name)
      const said = typeof error === 'string' ? /^HTTP (\d+)/.exec(error)?.[1] : undefined
      const statusCode = said === undefined ? null : Number(said)
      t.match(await lastEvent(world, id), { type: 'DeliveryDeferred', attempt: 1, statusCode, error }, name)
    }
    t.same(elsewhere.received, [], "nothing arrives at the redirect's target")
  })

  await t.test('then no connection is left open whose answer was not read to its end', async (t) => {
    for (const name of ['200 that says it is huge', '200 that is endless']) {
      const server = await delivered[name]
      await until(() => server?.open() === 0)
      t.equal(server?.connections(), 1, name)
    }
    // Most of it lies in the system's buffers.
    t.ok(sent < 50_000_000, `of what is endless ${sent} bytes were sent`)
  })
})

t.test('given receivers that take their time, when an attempt is made, then it ends within 15 seconds', async (t) => {
  const world = await givenWorld(t)
  let askedFor: string | undefined
  const lookup = (host: string) => {
    askedFor = host
    return new Promise<never>(() => {})
  }
  // Its time-outs, too, go by the world's clock.
  const http = client(t, { lookup, clock: world.clock })
  const service = await givenProcess(world, { http })
  const cases = {
    'no answer': [(() => {}) as Receiver['answer'], 15 * SECOND, 'Timeout: no response within 15 seconds'],
    'headers one by one': [
      (response: ServerResponse) => response.socket?.write('HTTP/1.1 200 OK\r\nx-one: 1\r\n'),
      15 * SECOND,
      'Timeout: no response within 15 seconds',
    ],
  } as const
  for (const [name, [answer, ms, error]] of Object.entries(cases)) {
    await t.test(name, async (t) => {
      const receiver = await givenReceiver(t, world, answer)
      const id = await (await givenWebhook(world, receiver.url)).queue()
      const began = world.clock.now()
      let isAtWork = true
      const working = service.step().finally(() => (isAtWork = false))
      await until(() => receiver.received.length === 1)
      await world.clock.advanceTo(began + ms - 1)
      // Time enough for a hand to be free that is not to be.
      for (let asked = 0; asked < 20; asked += 1) await owed(world)
      t.same([receiver.open(), isAtWork], [1, true], 'a hand for each connection')
      await world.clock.advanceTo(began + ms)
      await working
      await until(() => receiver.open() === 0)
      t.match(await lastEvent(world, id), { type: 'DeliveryDeferred', statusCode: null, durationMs: ms, error })
    })
  }

  await t.test('a body that never ends', async (t) => {
    let most = 0
    const receiver = await givenReceiver(t, world, (response) => {
      most = Math.max(most, receiver.open())
      response.writeHead(200, { 'content-length': '1000' }).write('.')
    })
    const hook = await givenWebhook(world, receiver.url)
    const queued: string[] = []
    for (let count = 0; count < 12; count += 1) queued.push(await hook.queue())
    const began = world.clock.now()
    // The time stands still: nothing waits for the rest of it.
    while ((await service.step()) > 0);
    for (const id of queued) {
      t.match(await lastEvent(world, id), { type: 'DeliverySucceeded', statusCode: 200, durationMs: 0 })
    }
    t.equal(world.clock.now(), began)
    t.equal(receiver.received.length, 12)
    t.ok(most <= 4, `${most} connections at once`)
    await until(() => receiver.open() === 0)
  })

  await t.test('a name server that does not answer', async (t) => {
    const id = await (await givenWebhook(world, 'http://slow.test/')).queue()
    const working = service.step()
    await until(() => askedFor === 'slow.test')
    await world.clock.advanceTo(world.clock.now() + 5 * SECOND)
    await working
    t.match(await lastEvent(world, id), {
      type: 'DeliveryDeferred',
      error: 'No connection: no connection within 5000 ms',
    })
  })
})

t.test('given receivers that fail', async (t) => {
  const world = await givenWorld(t)

  await t.test('when time passes, then there are seven attempts, none too early', async (t) => {
    const { receiver, hook, service } = await givenScene(t, status(500), world)
    const [one, two] = [await hook.queue(), await hook.queue()]
    await service.drain()
    t.equal(receiver.received.length, 14)
    const pauses: number[] = []
    for (const id of [one, two]) {
      const came = receiver.received.filter(({ headers }) => headers['x-service-delivery'] === id)
      t.equal(came.length, 7)
      t.equal(new Set(came.map(({ body }) => body)).size, 1, 'the same bytes')
      for (const { body, headers, at } of came) {
        t.equal(headers['x-service-signature'], sha256(hook.secret, body))
        t.equal(headers['webhook-timestamp'], String(Math.floor(at / 1000)))
      }
      const [, ...all] = await world.log.read(`delivery-${id}`)
      t.same(
        all.map(({ type }) => type),
        [...LADDER_MS.flatMap(() => ['DeliveryDeferred', 'DeliveryStarted']), 'DeliveryFailed'],
        'all but the first are claimed',
      )
      const events = all.filter(({ type }) => type !== 'DeliveryStarted')
      for (const [nth, step] of LADDER_MS.entries()) {
        const said = z.object({ attempt: z.number(), nextAttemptAt: z.string() }).parse(events[nth]?.data)
        t.equal(said.attempt, nth + 1)
        t.equal(came[nth + 1]?.at, Date.parse(said.nextAttemptAt), 'it is made when it was said to be')
        const pause = Date.parse(said.nextAttemptAt) - Date.parse(events[nth]?.metadata.at ?? '')
        t.ok(pause >= step && pause <= step * 1.05, `${pause} ms after a step of ${step} ms`)
        pauses.push(pause)
      }
      t.match(await deliveryOf(world, id), { status: 'failed', attempts: 7 })
    }
    t.equal(new Set(pauses).size, pauses.length, 'what failed together does not come back together')
    t.same(await owed(world), [])
  })

  await t.test('when they say when to come back, then they are heeded, but never before the step', async (t) => {
    const service = await givenProcess(world)
    const cases: readonly (readonly [code: number, wish: string, pause: number])[] = [
      [429, '120', 2 * MINUTE],
      // A date of HTTP has whole seconds: it may be as much as one later than meant.
      [503, new Date(world.clock.now() + 3 * MINUTE + 999).toUTCString(), 3 * MINUTE],
      [503, '86400', 5 * MINUTE],
      [429, '1', MINUTE],
      [429, 'soon', MINUTE],
      [500, '120', MINUTE],
    ]
    for (const [code, wish, pause] of cases) {
      const { hook } = await givenScene(t, status(code, { 'retry-after': wish }), world)
      const id = await hook.queue()
      await service.step()
      const due = Date.parse((await deliveryOf(world, id)).dueAt) - world.clock.now()
      t.ok(due >= pause && due <= (pause + 1_000) * 1.05, `${code} with ${wish}: after ${due} ms`)
    }
  })
})

t.test('given a delivery, when it is asked for again', async (t) => {
  const { world, receiver, hook, service } = await givenScene(t, status(500))
  const lanes = async () => (await owed(world)).map(({ lane }) => lane)

  await t.test('before its first try, then nothing changes', async (t) => {
    const id = await hook.queue()
    t.same(requestResend(await deliveryOf(world, id)), [])
    t.throws(() => requestResend(delivery.initial), { code: 'not_found' })
    await cancel(world, id)
    const cancelled = await deliveryOf(world, id)
    t.throws(() => requestResend(cancelled), { code: 'failed_precondition' })
    await service.step()
    t.equal(receiver.received.length, 0)
  })

  await t.test('while it waits for its next try, then it is sent at once, and its ladder begins over', async (t) => {
    const id = await hook.queue()
    await service.step()
    await pass(world, service, 2 * MINUTE)
    t.match(await deliveryOf(world, id), { status: 'pending', attempts: 2, tries: 2 })
    t.same(await lanes(), [`redeliver/${hook.id}`])
    await decide(world, id, requestResend)
    await service.step()
    t.match(await deliveryOf(world, id), { status: 'pending', attempts: 3, tries: 1 })
    const due = Date.parse((await deliveryOf(world, id)).dueAt) - world.clock.now()
    t.ok(due >= MINUTE && due <= 1.05 * MINUTE, `${due} ms`)
    await service.drain()
    t.match(await deliveryOf(world, id), { status: 'failed', attempts: 9 })
    t.equal(receiver.received.length, 9)
  })

  await t.test('after it has failed, or arrived, then it is sent once more under its own id', async (t) => {
    const id = String(receiver.received.at(-1)?.headers['webhook-id'])
    const body = receiver.received.at(-1)?.body
    receiver.answer = status(200)
    for (const attempts of [10, 11]) {
      await decide(world, id, requestResend)
      t.match(await deliveryOf(world, id), { status: 'pending', attempts: attempts - 1 })
      await service.step()
      t.match(await deliveryOf(world, id), { status: 'delivered', attempts })
      t.match(receiver.received.at(-1), { body, headers: { 'webhook-id': id } })
    }
    t.same(await lanes(), [])
  })

  /** Asks for it while its second try is under way, which is then answered. */
  const askedMeanwhile = async (code: number) => {
    receiver.answer = status(500)
    const id = await hook.queue()
    await service.step()
    const before = receiver.received.length
    let finish = () => {}
    receiver.answer = (response) => (finish = () => void response.writeHead(code).end())
    await world.clock.advanceTo(world.clock.now() + 2 * MINUTE)
    const working = service.step()
    await until(() => receiver.received.length === before + 1)
    await decide(world, id, requestResend)
    t.match(await workerOf(world)(id), { kind: 'park' }, 'no other worker makes one meanwhile')
    receiver.answer = status(200)
    finish()
    await working
    return { id, before }
  }

  await t.test('while a try is under way that fails, then it is made once more after that', async (t) => {
    const { id, before } = await askedMeanwhile(500)
    t.match(
      await deliveryOf(world, id),
      { status: 'pending', attempts: 1, tries: 0 },
      'that worker records nothing more',
    )
    await service.drain()
    t.match(await deliveryOf(world, id), { status: 'delivered', attempts: 2 })
    t.equal(receiver.received.length, before + 2)
  })

  await t.test('while a try is under way that arrives, then that was it', async (t) => {
    const { id, before } = await askedMeanwhile(200)
    t.match(await deliveryOf(world, id), { status: 'delivered', attempts: 2 })
    await service.drain()
    t.equal(receiver.received.length, before + 1)
    t.same(await lanes(), [])
  })
})

t.test('given deliveries that wait', async (t) => {
  const { world, receiver, hook, service } = await givenScene(t, status(500))
  const id = await hook.queue()
  await service.step()

  await t.test('when the secret is lost, then nothing is sent unsigned', async (t) => {
    await hook.secrets.remove(hook.id)
    await pass(world, service, 2 * MINUTE)
    t.equal(receiver.received.length, 1)
    t.match(await lastEvent(world, id), {
      type: 'DeliveryDeferred',
      attempt: 2,
      statusCode: null,
      error: /no longer has a secret/,
    })
  })

  await t.test('when the webhook is deleted, then nothing more is sent, and its deliveries are canceled', async (t) => {
    const fresh = await hook.queue()
    await hook.remove()
    await service.drain()
    t.equal(receiver.received.length, 1)
    for (const each of [id, fresh]) t.match(await deliveryOf(world, each), { status: 'cancelled' })
    t.same(await owed(world), [])
  })

  await t.test('when the request that deletes it is cut off, then its secret goes all the same', async (t) => {
    const other = await givenWebhook(world, `${receiver.url}/other`)
    await other.queue()
    await handle(world, webhook, other.id, causedBy('cut off'), deleteWebhook)
    t.equal((await other.secrets.signing(other.id, world.clock.now())).length, 1)
    await service.drain()
    t.same(await other.secrets.signing(other.id, world.clock.now()), [])
    t.equal(receiver.received.length, 1)
  })
})

/** The reactor alone, for a worker that nobody has leased anything to. */
function workerOf(world: World, http: Http = world.http, log: EventLog = world.log) {
  const secrets = webhookSecrets(vaultOf(world))
  const reactor = deliverReactor({
    log,
    clock: world.clock,
    http,
    secrets,
    delaysMs: LADDER_MS,
    headerPrefix: 'X-Service',
  })
  let calls = 0
  return (id: string, signal = new AbortController().signal) => {
    const row = { id: `deliver:${id}`, kind: 'deliver', subject: id, part: '', lane: '', dueAt: '' } as const
    return reactor({ ...row, token: `token ${(calls += 1)}` }, signal)
  }
}

t.test('given workers without leases', async (t) => {
  const world = await givenWorld(t)

  await t.test('when two make an attempt at one delivery, then the log takes one outcome', async (t) => {
    const { receiver, hook } = await givenScene(t, undefined, world)
    const answers: (() => void)[] = []
    receiver.answer = (response, nth) => void answers.push(() => response.writeHead(nth === 1 ? 500 : 200).end())
    const id = await hook.queue()
    const work = workerOf(world)
    const [slow, fast] = [work(id), work(id)]
    await until(() => answers.length === 2)
    answers[1]?.()
    await Promise.race([slow, fast])
    answers[0]?.()
    await Promise.all([slow, fast])
    t.match(await deliveryOf(world, id), { status: 'delivered', attempts: 1 })
    t.equal((await world.log.read(`delivery-${id}`)).length, 2)
    t.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
    t.same(await work(id), { kind: 'done' })
    t.equal(receiver.received.length, 2, 'what is delivered is not sent again')
  })

  await t.test('when two are to make it again at the same moment, then one does', async (t) => {
    const { receiver, hook } = await givenScene(t, status(500), world)
    const id = await hook.queue()
    const work = workerOf(world)
    await work(id)
    const seen = await deliveryOf(world, id)
    await world.clock.advanceTo(Date.parse(seen.dueAt))
    const done = await Promise.all([work(id), work(id), work(id)])
    t.equal(done.filter(({ kind }) => kind === 'done').length, 1)
    t.equal(receiver.received.length, 2)
    t.match(await deliveryOf(world, id), { attempts: 2, tries: 2, startedAt: undefined })

    await world.clock.advanceTo(Date.parse((await deliveryOf(world, id)).dueAt))
    const claim = async () => {
      const before = await deliveryOf(world, id)
      const claimed = await decide(world, id, (state) => startAttempt(state, before))
      t.match(claimed, { startedAt: String })
      return deliveryOf(world, id)
    }
    const first = await claim()
    await world.clock.advanceTo(world.clock.now() + 30 * SECOND)
    await claim()
    const failure = { ok: false, statusCode: null, durationMs: 1, error: 'late' } as const
    const record = (state: DeliveryState) => recordAttempt(state, { id, begun: first }, failure, LADDER_MS, 0)
    t.same(record(await deliveryOf(world, id)), [], 'the failure of one that was taken for finished is not recorded')
  })

  await t.test('when a delivery is not due, then its row is put off', async (t) => {
    const { receiver, hook } = await givenScene(t, status(500), world)
    const id = await hook.queue()
    const work = workerOf(world)
    await work(id)
    const until = Date.parse((await deliveryOf(world, id)).dueAt)
    t.same(await work(id), { kind: 'park', until })
    t.equal(receiver.received.length, 1)
  })

  const { receiver, hook } = await givenScene(t, undefined, world)
  let isAway = false
  let refused = 0
  const log: EventLog = {
    ...world.log,
    append: (stream, events, expected) => {
      if (!isAway) return world.log.append(stream, events, expected)
      refused += 1
      throw new LogUnavailable('away')
    },
  }
  const work = workerOf(world, world.http, log)

  await t.test('when the log is away for a while, then the receiver does not get it again for that', async (t) => {
    const id = await hook.queue()
    isAway = true
    const working = work(id)
    await until(() => refused === 1)
    for (let rounds = 0; refused < 4 && rounds < 1_000; rounds += 1) {
      await world.clock.advanceTo(world.clock.now() + SECOND)
      await new Promise(setImmediate)
    }
    isAway = false
    await world.clock.advanceTo(world.clock.now() + SECOND)
    await working
    t.equal(receiver.received.length, 1)
    t.match(await deliveryOf(world, id), { status: 'delivered', attempts: 1 })
  })

  await t.test('when the log refuses the outcome, then the receiver is left alone for an hour', async (t) => {
    const id = await hook.queue()
    const before = receiver.received.length
    let isBroken = true
    const append: EventLog['append'] = (...of) =>
      isBroken ? Promise.reject(new Error('a fault')) : world.log.append(...of)
    const work = workerOf(world, world.http, { ...world.log, append })
    const until = world.clock.now() + HOUR
    await t.rejects(work(id), { message: 'a fault' })
    for (const ms of [0, 5 * SECOND, HOUR - 5 * SECOND - 1]) {
      await world.clock.advanceTo(world.clock.now() + ms)
      t.same(await work(id), { kind: 'park', until })
    }
    t.equal(receiver.received.length, before + 1)
    isBroken = false
    await world.clock.advanceTo(until)
    t.same(await work(id), { kind: 'done' })
    t.equal(receiver.received.length, before + 2)
    t.match(await deliveryOf(world, id), { status: 'delivered', attempts: 1 })
  })

  await t.test('when the lease is lost meanwhile, then it is left to whoever has it', async (t) => {
    const id = await hook.queue()
    isAway = true
    refused = 0
    const lost = new AbortController()
    const working = work(id, lost.signal)
    await until(() => refused === 1)
    lost.abort()
    await t.rejects(working, { name: 'LogUnavailable' })
    t.match(await deliveryOf(world, id), { status: 'pending', attempts: 0 })
    isAway = false
  })

  await t.test('when we cut it off before, then it does not count', async (t) => {
    const id = await hook.queue()
    const before = receiver.received.length
    receiver.answer = () => {}
    const lost = new AbortController()
    const working = work(id, lost.signal)
    await until(() => receiver.received.length === before + 1)
    lost.abort()
    await t.rejects(working, { message: 'cancelled by the caller' })
    t.match(await deliveryOf(world, id), { status: 'pending', attempts: 0 })
  })
})

t.test('given a receiver that answers at the third attempt', async (t) => {
  const world = await givenWorld(t)
  const run = async (point?: CrashPoint) => {
    const { receiver, hook } = await givenScene(t, undefined, world)
    const id = await hook.queue()
    // What was cut off, by our side, does not count.
    receiver.answer = (response, nth) =>
      void deliveryOf(world, id).then(({ attempts }) => status(attempts < 2 ? 500 : 200)(response, nth))
    const fuse = fused(world, point)
    await (await givenProcess(world, { ...fuse, slots: 1 })).drain().catch((error: unknown) => {
      if (!fuse.dead()) throw error
    })
    await (await givenProcess(world, { slots: 1 })).drain()
    return { received: receiver.received, fuse, id, state: await deliveryOf(world, id) }
  }
  const { acts } = (await run()).fuse
  t.same(acts, [
    ...['POST /hook', 'append DeliveryDeferred'],
    ...['append DeliveryStarted', 'POST /hook', 'append DeliveryDeferred'],
    ...['append DeliveryStarted', 'POST /hook', 'append DeliverySucceeded'],
  ])

  await t.test('when the process dies before or after any act, then it is delivered all the same', async (t) => {
    for (const [act, name] of acts.entries()) {
      for (const moment of ['before', 'after'] as const) {
        const { received, fuse, id, state } = await run({ act, moment })
        const at = `died ${moment} ${name} (${act})`
        t.equal(fuse.dead(), true, at)
        t.match(state, { status: 'delivered', attempts: 3 }, at)
        // The one that the receiver had, but of which nobody knows.
        const isOutcome = !name.startsWith('POST') && name !== 'append DeliveryStarted'
        const wasCutOff = isOutcome ? moment === 'before' : name.startsWith('POST') && moment === 'after'
        t.equal(received.length, wasCutOff ? 4 : 3, at)
        t.same(
          [...new Set(received.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`))],
          [`${id} ${state.body}`],
          at,
        )
      }
    }
    t.same(await owed(world), [])
  })
})

t.test('given settings for webhooks, when they are read, then what cannot be is refused', (t) => {
  t.match(readSettings({}), { WEBHOOK_RETRY_DELAYS: LADDER_MS, WEBHOOK_HEADER_PREFIX: 'X-Service' })
  t.match(readSettings({ WEBHOOK_RETRY_DELAYS: '1s, 2m', WEBHOOK_HEADER_PREFIX: 'Acme' }), {
    WEBHOOK_RETRY_DELAYS: [SECOND, 2 * MINUTE],
    WEBHOOK_HEADER_PREFIX: 'Acme',
  })
  for (const prefix of ['X-', 'X Service', 'X\r\nY', 'Webhook', 'webhook', '1X', 'X:Y']) {
    t.throws(
      () => readSettings({ WEBHOOK_HEADER_PREFIX: prefix }),
      { message: /WEBHOOK_HEADER_PREFIX: must be/ },
      prefix,
    )
  }
  for (const [delays, message] of [
    ['1m,soon', /WEBHOOK_RETRY_DELAYS/],
    ['1m,31d', /WEBHOOK_RETRY_DELAYS: must have pauses of at most 30d each/],
    ['1m,999999999999d', /WEBHOOK_RETRY_DELAYS: must have pauses of at most 30d each/],
    [Array.from({ length: 21 }, () => '1m').join(), /WEBHOOK_RETRY_DELAYS: must have at most 20 pauses/],
  ] as const) {
    t.throws(() => readSettings({ WEBHOOK_RETRY_DELAYS: delays }), { message }, delays)
  }
  const longest = Array.from({ length: 20 }, () => '30d').join()
  t.equal(readSettings({ WEBHOOK_RETRY_DELAYS: longest }).WEBHOOK_RETRY_DELAYS.length, 20)
  t.end()
})
