import { status } from '@grpc/grpc-js'
import { EventStoreDBClient, jsonEvent, streamNameFilter } from '@eventstore/db-client'
import t, { type Test } from 'tap'
import type { RecordedEvent } from '../domain/event.ts'
import { LogUnavailable, NO_STREAM, RevisionConflict, START, type EventLog } from '../event-log/event-log.ts'
import { eventStoreDbLog } from '../event-log/eventstoredb.ts'
import { MalformedEvent } from '../event-log/eventstoredb-event.ts'
import { systemClock } from '../system/clock.ts'
import { newCategory, newEvent, newEvents, readCount, readUntilCaughtUp, until } from './support/event-log-contract.ts'
import { eventStoreDbStandIn, type EventStoreDbStandIn, type StandInOptions } from './support/eventstoredb-stand-in.ts'

// The traps of the client, each against a server that does what sets it off. One after the other: the client shares its
// appends in flight between all logs of a process, so a broken connection of one would fail the other's.
t.setTimeout(120_000)

const APPEND_MS = 300
const READ_MS = 400
const HEARTBEAT_MS = 100

async function given(t: Test, options: StandInOptions = {}): Promise<{ server: EventStoreDbStandIn; log: EventLog }> {
  const server = await eventStoreDbStandIn(options)
  const log = eventStoreDbLog({
    connectionString: server.connectionString,
    clock: systemClock,
    appendTimeoutMs: APPEND_MS,
    readTimeoutMs: READ_MS,
    heartbeatMs: HEARTBEAT_MS,
  })
  t.teardown(async () => {
    await log.close()
    await server.close()
  })
  return { server, log }
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return undefined
  } catch (error) {
    return error
  }
}

async function timed(work: () => Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const start = Date.now()
  const error = await failure(work())
  return { error, ms: Date.now() - start }
}

/** Follows a category, counting deliveries; how it ends is in `ended`. */
function follow(log: EventLog, category: string, after = START) {
  const stop = new AbortController()
  const events: RecordedEvent[] = []
  const state = { events, marks: 0, stop: () => stop.abort(), ended: Promise.resolve<unknown>(undefined) }
  const run = async () => {
    for await (const delivery of log.subscribe(after, { categories: [category], signal: stop.signal })) {
      if (delivery.kind === 'events') events.push(...delivery.events)
      else state.marks += 1
    }
  }
  state.ended = failure(run())
  return state
}

const ids = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id)

await t.test(
  'given an append that is never answered, then our timer ends it, and a repeat has the first result',
  async (t) => {
    const { server, log } = await given(t)
    const stream = `${newCategory()}-1`
    await log.append(stream, newEvents(1), NO_STREAM)
    const events = newEvents(2)
    server.appends.swallow = 1
    const { error, ms } = await timed(() => log.append(stream, events, 0))
    t.type(error, LogUnavailable)
    t.ok(ms >= APPEND_MS - 20 && ms < APPEND_MS * 3, `after ${ms} ms`)
    const repeated = await log.append(stream, events, 0)
    t.equal(repeated.revision, 2)
    t.equal(repeated.position, (await log.read(stream)).at(-1)?.position)
    t.equal((await log.read(stream)).length, 3)
  },
)

await t.test(
  'given one append goes unanswered while others are answered, then the others are left alone',
  async (t) => {
    const { server, log } = await given(t)
    const category = newCategory()
    await log.append(`${category}-0`, newEvents(1), NO_STREAM)
    const asked = server.probe.asked
    server.appends.swallow = 1
    const lost = timed(() => log.append(`${category}-1`, newEvents(1), NO_STREAM))
    let done = 0
    let lostIsOver = false
    const others = (async () => {
      for (; done < 1000 && !lostIsOver; done++) await log.append(`${category}-2`, newEvents(1), done - 1)
    })()
    t.type((await lost).error, LogUnavailable)
    lostIsOver = true
    await others
    t.ok(done > 0, `${done} others`)
    t.equal(server.probe.asked, asked, 'the connection was kept')
  },
)

await t.test('given an answer that comes late but in time, then it counts', async (t) => {
  const { server, log } = await given(t)
  const stream = `${newCategory()}-1`
  await log.append(stream, newEvents(1), NO_STREAM)
  const release = server.holdAnswers()
  const appending = log.append(stream, newEvents(1), 0)
  await until('it is written', () => server.records.stream(stream).length === 2)
  release()
  t.equal((await appending).revision, 1)
})

await t.test('given answers that come after we gave up, then the next appends are not disturbed', async (t) => {
  const { server, log } = await given(t)
  const stream = `${newCategory()}-1`
  await log.append(stream, newEvents(1), NO_STREAM)
  const release = server.holdAnswers()
  const late = newEvents(1)
  t.type(await failure(log.append(stream, late, 0)), LogUnavailable)
  const repeated = log.append(stream, late, 0)
  await until('the repeat is asked for', () => (server.appends.held?.length ?? 0) === 2)
  release()
  t.equal((await repeated).revision, 1)
})

await t.test('given the first question fails with INTERNAL, then the client is replaced', async (t) => {
  const { server, log } = await given(t)
  const stream = `${newCategory()}-1`

  const client = EventStoreDBClient.connectionString(server.connectionString)
  t.teardown(() => client.dispose())
  const raw = () => client.appendToStream('raw-1', jsonEvent({ type: 'Happened', data: {} }))
  server.probe.failures = 1
  t.ok(await failure(raw()))
  t.ok(await failure(raw()), 'the bare client never appends again, though the server would take it')

  server.probe.failures = 2
  for (const attempt of [1, 2]) {
    t.type(await failure(log.append(stream, newEvents(1), NO_STREAM)), LogUnavailable, `attempt ${attempt}`)
  }
  t.equal((await log.append(stream, newEvents(1), NO_STREAM)).revision, 0)
})

await t.test('given the first question is not answered, then nothing is sent once we gave up', async (t) => {
  const { server, log } = await given(t)
  const stream = `${newCategory()}-1`
  server.probe.silent = true
  const { error, ms } = await timed(() => log.append(stream, newEvents(1), NO_STREAM))
  t.type(error, LogUnavailable)
  t.ok(ms < APPEND_MS * 3, `after ${ms} ms`)
  server.probe.silent = false
  const events = newEvents(1)
  await log.append(stream, events, NO_STREAM)
  t.same(ids(server.records.stream(stream)), ids(events))
})

await t.test('given a node that is not ready, then the append is refused and the connection kept', async (t) => {
  const { server, log } = await given(t)
  const stream = `${newCategory()}-1`
  await log.append(stream, newEvents(1), NO_STREAM)
  const asked = server.probe.asked
  server.appends.refuse = 1
  const inFlight = [newEvents(1), newEvents(1)].map((events, n) =>
    failure(log.append(`${stream}${n}`, events, NO_STREAM)),
  )
  const [refused, other] = await Promise.all(inFlight)
  t.type(refused, LogUnavailable)
  t.equal(other, undefined)
  t.equal(server.probe.asked, asked)
})

await t.test('given a repeat that the server no longer knows, then the event ids tell', async (t) => {
  const { server, log } = await given(t)
  const stream = `${newCategory()}-1`
  const events = newEvents(3)
  const first = await log.append(stream, events, NO_STREAM)
  await log.append(stream, newEvents(2), 2)
  server.appends.forget = 1
  t.same(await log.append(stream, events, NO_STREAM), first)
  t.equal(server.appends.forget, 0)
  server.appends.misplace = 1
  t.same(await log.append(stream, events, NO_STREAM), first, 'and where, if the server does not')
  t.equal(server.appends.misplace, 0)
  const conflict = await failure(log.append(stream, [...newEvents(1), ...events.slice(1)], NO_STREAM))
  t.ok(conflict instanceof RevisionConflict && conflict.actual === 4)
})

await t.test('given subscriptions break, then appends in flight are not taken along', async (t) => {
  const { server, log } = await given(t)
  const category = newCategory()
  await log.append(`${category}-1`, newEvents(1), NO_STREAM)
  const reader = follow(log, category)
  await until('it follows', () => reader.marks === 1)
  for (const [index, code] of [status.CANCELLED, status.UNAVAILABLE].entries()) {
    const following = index === 0 ? reader : follow(log, category)
    await until('it follows', () => following.marks > 0)
    const release = server.holdAnswers()
    const appending = log.append(`${category}-1`, newEvents(1), index)
    await until('it is written', () => server.records.stream(`${category}-1`).length === index + 2)
    server.endSubscriptions(code)
    t.type(await following.ended, LogUnavailable)
    release()
    t.equal((await appending).revision, index + 1)
  }
})

await t.test(
  'given the server ends a subscription, then that is an error, and the rest follows on the next one',
  async (t) => {
    const { server, log } = await given(t)
    const category = newCategory()
    const events = newEvents(8)
    const codes = [undefined, status.CANCELLED, status.UNAVAILABLE, status.INTERNAL, status.ABORTED, status.UNKNOWN]
    const seen: RecordedEvent[] = []
    for (const [index, code] of codes.entries()) {
      await log.append(`${category}-1`, events.slice(index, index + 1), index - 1)
      const reader = follow(log, category, seen.at(-1)?.position)
      await until('it has what is new', () => reader.events.length === 1)
      server.endSubscriptions(code)
      t.type(await reader.ended, LogUnavailable, code === undefined ? 'without a status' : status[code])
      seen.push(...reader.events)
    }
    t.same(ids(seen), ids(events.slice(0, codes.length)))
  },
)

await t.test(
  'given the network is cut again and again under 64 appenders, then each event is there once',
  async (t) => {
    const { server, log } = await given(t)
    const category = newCategory()
    let cuts = 0
    let refusals = 0
    const appenders = Array.from({ length: 64 }, async (_, n) => {
      for (let index = 0; index < 10; index++) {
        const events = [newEvent({ n, index })]
        for (;;) {
          const error = await failure(log.append(`${category}-${n}`, events, index - 1))
          if (error === undefined) break
          if (!(error instanceof LogUnavailable)) throw error
          refusals += 1
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      }
    })
    const all = Promise.all(appenders)
    let over = false
    const cutting = (async () => {
      while (!over) {
        const before = server.records.all.length
        await until('some more is written', () => over || server.records.all.length > before + 80)
        if (over) break
        server.network.cut()
        cuts += 1
      }
    })()
    await all
    over = true
    await cutting
    t.ok(cuts >= 3 && refusals > 0, `${cuts} cuts, ${refusals} refusals`)
    for (let n = 0; n < 64; n++) t.equal((await log.read(`${category}-${n}`)).length, 10)
  },
)

await t.test('given a network that swallows everything, then nothing waits longer than it may', async (t) => {
  const { server, log } = await given(t)
  const category = newCategory()
  await log.append(`${category}-1`, newEvents(1), NO_STREAM)
  const reader = follow(log, category)
  await until('it follows', () => reader.marks === 1)
  server.network.silence(true)
  const events = newEvents(1)
  const [append, read, ping] = await Promise.all([
    timed(() => log.append(`${category}-1`, events, 0)),
    timed(() => log.read(`${category}-1`)),
    timed(() => log.ping()),
  ])
  for (const { error, ms } of [append, read, ping]) {
    t.type(error, LogUnavailable)
    t.ok(ms < (READ_MS + APPEND_MS) * 2, `after ${ms} ms`)
  }
  t.type(await reader.ended, LogUnavailable, 'the reader finds out at its heartbeat')
  server.network.silence(false)
  await until('it is back', async () => (await failure(log.append(`${category}-1`, events, 0))) === undefined)
  t.same(ids((await log.read(`${category}-1`)).slice(1)), ids(events))
})

await t.test('given a slow handler, then caught-up comes after it, not when the client has buffered all', async (t) => {
  const { server, log } = await given(t)
  const category = newCategory()
  await log.append(`${category}-1`, newEvents(10), NO_STREAM)

  const client = EventStoreDBClient.connectionString(server.connectionString)
  t.teardown(() => client.dispose())
  const raw = client.subscribeToAll({ filter: streamNameFilter({ prefixes: [`${category}-`] }) })
  await new Promise<void>((resolve) => raw.once('caughtUp', resolve))
  t.equal(raw.readableLength, 10, 'the bare client says it with all ten unhandled')
  await raw.unsubscribe()

  let handled = 0
  for await (const delivery of log.subscribe(START, { categories: [category], batchSize: 3 })) {
    if (delivery.kind === 'caught-up') break
    await new Promise((resolve) => setTimeout(resolve, 20))
    handled += delivery.events.length
  }
  t.equal(handled, 10)
})

await t.test(
  "given thousands of others' events, then the reader stays alive and has positions of its own only",
  async (t) => {
    const { server, log } = await given(t)
    const category = newCategory()
    await log.append(`${category}-1`, newEvents(2), NO_STREAM)
    for (let n = 0; n < 5000; n++) server.write(`other-${n % 10}`, {})
    const reader = follow(log, category)
    await until('it follows', () => reader.marks === 1)
    await log.append(`${category}-1`, newEvents(2), 1)
    await until('it has all', () => reader.events.length === 4 && reader.marks === 2)
    const stored = server.records.stream(`${category}-1`).map(({ position }) => position)
    t.same(
      reader.events.map(({ position }) => position),
      stored,
    )
    reader.stop()
    t.equal(await reader.ended, undefined)
  },
)

await t.test('given a subscription that stalls without a word, then it ends with LogUnavailable', async (t) => {
  const { server, log } = await given(t)
  const category = newCategory()
  const events = newEvents(6)
  await log.append(`${category}-1`, events.slice(0, 2), NO_STREAM)
  const live = follow(log, category)
  await until('it follows', () => live.marks === 1)
  server.subscriptions.stalled = true
  const behind = follow(log, category)
  await log.append(`${category}-1`, events.slice(2), 1)
  t.type(await live.ended, LogUnavailable, 'while live')
  t.type(await behind.ended, LogUnavailable, 'while catching up')
  t.equal(behind.events.length, 0)
  server.resumeSubscriptions()
  const rest = await readUntilCaughtUp(log, live.events.at(-1)?.position ?? START, { categories: [category] })
  t.same(ids([...live.events, ...rest]), ids(events))
})

await t.test('given nothing of ours happens for long, then a reader is not taken for stalled', async (t) => {
  const { server, log } = await given(t)
  const category = newCategory()
  await log.append(`${category}-1`, newEvents(1), NO_STREAM)
  const reader = follow(log, category)
  await until('it follows', () => reader.marks === 1)
  for (let beat = 0; beat < 6; beat++) {
    server.write('$stats-127.0.0.1:2113', { type: '$statsCollected' })
    server.write(`${newCategory()}-1`, {})
    await new Promise((resolve) => setTimeout(resolve, HEARTBEAT_MS))
  }
  await log.append(`${category}-1`, newEvents(1), 0)
  await until('it still follows', () => reader.events.length === 2 && reader.marks === 2)
  reader.stop()
  t.equal(await reader.ended, undefined)
})

await t.test('given a link whose target is gone, then the reader goes on behind it', async (t) => {
  const { server, log } = await given(t)
  const category = newCategory()
  const [first, gone, last] = [newEvent(), newEvent(), newEvent()]
  server.subscriptions.ghost = gone.id
  await log.append(`${category}-1`, [first, gone], NO_STREAM)
  const reader = follow(log, category)
  await until('it is caught up behind it', () => reader.marks === 1)
  await new Promise((resolve) => setTimeout(resolve, HEARTBEAT_MS * 4))
  await log.append(`${category}-1`, [last], 1)
  await until('it has the next', () => reader.events.length === 2)
  t.same(ids(reader.events), ids([first, last]))
  reader.stop()
  t.equal(await reader.ended, undefined)
})

await t.test(
  'given something that this service did not write, then the error names it, and what is before it is given',
  async (t) => {
    const { server, log } = await given(t)
    const metadata = Buffer.from(JSON.stringify(newEvent().metadata))
    const foreign = [
      { data: Buffer.from('{"half":'), metadata },
      { data: Buffer.from('"text"'), metadata },
      { data: Buffer.from('null'), metadata },
      { data: Buffer.from([1, 2, 3]), metadata, contentType: 'application/octet-stream' },
      { data: Buffer.from('{}') },
      { data: Buffer.from('{}'), metadata: Buffer.from('{"at":"yesterday"}') },
      { data: Buffer.from('{}'), metadata: Buffer.from('no JSON') },
    ]
    for (const event of foreign) {
      const category = newCategory()
      const stream = `${category}-1`
      const good = newEvents(2)
      await log.append(stream, good, NO_STREAM)
      server.write(stream, { ...event, id: crypto.randomUUID() })
      const name = `${event.data.toString('utf8')} ${event.metadata ? 'with' : 'without'} metadata`
      const reading = await failure(log.read(stream))
      t.ok(reading instanceof MalformedEvent && reading.message.includes(stream), name)
      const reader = follow(log, category)
      t.type(await reader.ended, MalformedEvent)
      t.same(ids(reader.events), ids(good))
    }
  },
)

await t.test('given a reader that does not ask for more, then the server has to wait', async (t) => {
  const { server, log } = await given(t)
  const category = newCategory()
  const text = 'x'.repeat(100_000)
  for (let n = 0; n < 50; n++) {
    await log.append(
      `${category}-1`,
      Array.from({ length: 10 }, () => newEvent({ text })),
      n * 10 - 1,
    )
  }
  const iterator = log.subscribe(START, { categories: [category], batchSize: 10 })[Symbol.asyncIterator]()
  await iterator.next()
  let before = -1
  // Until it has come to rest.
  await until('the server waits', async () => {
    if (server.subscriptions.sent === before) return true
    before = server.subscriptions.sent
    await new Promise((resolve) => setTimeout(resolve, 100))
    return false
  })
  t.ok(server.subscriptions.sent < 300, `${server.subscriptions.sent} of 500 events were sent`)
  await iterator.return?.()
  t.equal((await readCount(log, START, 500, { categories: [category] })).length, 500)
})

await t.test('given a server from before batched appends, then the rules are the same', async (t) => {
  const { log } = await given(t, { batchAppend: false })
  const category = newCategory()
  const stream = `${category}-1`
  const events = newEvents(2)
  const first = await log.append(stream, events, NO_STREAM)
  t.equal(first.revision, 1)
  t.same(await log.append(stream, events, NO_STREAM), first)
  const conflict = await failure(log.append(stream, newEvents(1), 5))
  t.ok(conflict instanceof RevisionConflict && conflict.actual === 1)
  const absent = await failure(log.append(`${category}-2`, newEvents(1), 5))
  t.ok(absent instanceof RevisionConflict && absent.actual === NO_STREAM)
  t.same(ids(await readUntilCaughtUp(log, START, { categories: [category] })), ids(events))
})

await t.test('given a wrong connection string, then the error says so and does not repeat the password', async (t) => {
  const open = (connectionString: string) => eventStoreDbLog({ connectionString, clock: systemClock })
  for (const wrong of ['postgres://u:secret@h', 'esdb://u:secret@', 'esdb://u:secret@h:port', '']) {
    const error = await failure((async () => open(wrong))())
    t.ok(error instanceof Error && /connection string/.test(error.message), wrong)
    t.notOk(JSON.stringify(error, Object.getOwnPropertyNames(error)).includes('secret'))
  }
  // With it the client reports every conflict as revision 1.
  t.throws(() => open('esdb://h:2113?tls=false&throwOnAppendFailure=false'), /throwOnAppendFailure/)
})
