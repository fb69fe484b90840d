import { status } from '@grpc/grpc-js'
import { EventStoreDBClient, streamNameFilter } from '@eventstore/db-client'
import t from 'tap'
import type { RecordedEvent } from '../domain/core/event.ts'
import { LogUnavailable, NO_STREAM, START, MalformedEvent } from '../event-log/event-log.ts'
import {
  failure,
  follow,
  ids,
  newCategory,
  newEvent,
  newEvents,
  readUntilCaughtUp,
  until,
} from './support/event-log-helpers.ts'
import { given, HEARTBEAT_MS } from './support/eventstoredb-given.ts'

// The traps of the client, each against a server that does what sets it off. One after the other: the client shares its
// appends in flight between all logs of a process, so a broken connection of one would fail the other's.

t.test(
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

t.test('given a reader is busy when its subscription breaks, then it still gets what had arrived', async (t) => {
  const { server, log } = await given(t)
  const category = newCategory()
  const events = newEvents(4)
  await log.append(`${category}-1`, events.slice(0, 1), NO_STREAM)
  const seen: RecordedEvent[] = []
  const reading = async () => {
    for await (const delivery of log.subscribe(START, { categories: [category] })) {
      if (delivery.kind === 'caught-up') continue
      seen.push(...delivery.events)
      if (seen.length > 1) continue
      const { sent } = server.subscriptions
      await log.append(`${category}-1`, events.slice(1), 0)
      await until('it is sent', () => server.subscriptions.sent === sent + 3)
      await log.ping()
      server.endSubscriptions(status.UNAVAILABLE)
      await until('it is over', () => server.subscriptions.open.size === 0)
      await log.ping()
    }
  }
  t.type(await failure(reading()), LogUnavailable)
  t.same(ids(seen), ids(events))
})

t.test('given a live reader that the server finds too slow, then it follows without gap or double', async (t) => {
  const { server, log } = await given(t)
  const category = newCategory()
  const events = newEvents(5)
  await log.append(`${category}-1`, events.slice(0, 1), NO_STREAM)
  const reader = follow(log, category)
  await until('it follows', () => reader.marks === 1)
  for (const [index, event] of events.slice(1).entries()) {
    // The words of EventStoreDB 23.10.
    const words = 'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.'
    server.endSubscriptions(status.ABORTED, words)
    await log.append(`${category}-1`, [event], index)
    await until('it has what is new', () => reader.events.length === index + 2)
  }
  t.same(ids(reader.events), ids(events))
  t.equal(reader.marks, 1)
  reader.stop()
  t.equal(await reader.ended, undefined)
})

t.test('given a slow handler, then caught-up comes after it, not when the client has buffered all', async (t) => {
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

t.test(
  "given thousands of others' events, then the reader stays alive and has positions of its own only",
  async (t) => {
    const { server, log } = await given(t)
    const category = newCategory()
    await log.append(`${category}-1`, newEvents(2), NO_STREAM)
    for (let n = 0; n < 5000; n++) server.write(`other-${n % 10}`, {})
    const reader = follow(log, category)
    await until('it follows', () => reader.marks === 1)
    await log.append(`${category}-1`, newEvents(2), 1)
    await until('it has all', () => reader.events.length === 4)
    const stored = server.records.stream(`${category}-1`).map(({ position }) => position)
    t.same(
      reader.events.map(({ position }) => position),
      stored,
    )
    reader.stop()
    t.equal(await reader.ended, undefined)
  },
)

t.test('given a subscription that stalls without a word, then it ends with LogUnavailable', async (t) => {
  const { server, log, clock } = await given(t)
  const category = newCategory()
  const events = newEvents(6)
  await log.append(`${category}-1`, events.slice(0, 2), NO_STREAM)
  const live = follow(log, category)
  await until('it follows', () => live.marks === 1)
  server.subscriptions.stalled = true
  const behind = follow(log, category)
  await log.append(`${category}-1`, events.slice(2), 1)
  const ended: unknown[] = []
  for (const reader of [live, behind]) void reader.ended.then((error) => ended.push(error))
  await until('both have found out', () => {
    clock.expire(HEARTBEAT_MS)
    return ended.length === 2
  })
  for (const error of ended) t.type(error, LogUnavailable)
  t.same([live.events.length, behind.events.length], [2, 0], 'one live, one catching up')
  server.resumeSubscriptions()
  const rest = await readUntilCaughtUp(log, live.events.at(-1)?.position ?? START, { categories: [category] })
  t.same(ids([...live.events, ...rest]), ids(events))
})

t.test('given nothing of ours happens for long, then a reader is not taken for stalled', async (t) => {
  const { server, log, clock } = await given(t)
  const category = newCategory()
  await log.append(`${category}-1`, newEvents(1), NO_STREAM)
  const reader = follow(log, category)
  await until('it follows', () => reader.marks === 1)
  for (let beats = 0; beats < 10;) {
    server.write('$stats-127.0.0.1:2113', { type: '$statsCollected' })
    server.write(`${newCategory()}-1`, {})
    beats += clock.expire(HEARTBEAT_MS)
    await log.ping()
  }
  await log.append(`${category}-1`, newEvents(1), 0)
  await until('it still follows', () => reader.events.length === 2)
  reader.stop()
  t.equal(await reader.ended, undefined)
})

t.test('given a link whose target is gone, then the reader continues after it', async (t) => {
  const { server, log, clock } = await given(t)
  const category = newCategory()
  const [first, gone, last] = [newEvent(), newEvent(), newEvent()]
  server.subscriptions.ghost = gone.id
  const reader = follow(log, category)
  await until('it follows', () => reader.marks === 1)
  await log.append(`${category}-1`, [first, gone], NO_STREAM)
  await until('it has what comes before it', () => reader.events.length === 1)
  // More than a reader that is owed something would bear.
  for (let beats = 0; beats < 4; beats += clock.expire(HEARTBEAT_MS)) await log.ping()
  await log.append(`${category}-1`, [last], 1)
  await until('it has the next', () => reader.events.length === 2)
  t.same(ids(reader.events), ids([first, last]))
  reader.stop()
  t.equal(await reader.ended, undefined)
})

t.test('given a reader that is far behind, then each batch is full until it has caught up', async (t) => {
  // However slow the machine is.
  const { log } = await given(t, { gatherMs: 60_000 })
  const category = newCategory()
  for (let n = 0; n < 5; n++) await log.append(`${category}-1`, newEvents(50), n * 50 - 1)
  const sizes: number[] = []
  for await (const delivery of log.subscribe(START, { categories: [category], batchSize: 40 })) {
    if (delivery.kind === 'caught-up') break
    sizes.push(delivery.events.length)
  }
  t.same(sizes, [40, 40, 40, 40, 40, 40, 10])
})

t.test(
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
      const [first, ...good] = newEvents(3)
      if (!first) continue
      await log.append(stream, [first], NO_STREAM)
      const seen: RecordedEvent[] = []
      const reading = async () => {
        for await (const delivery of log.subscribe(START, { categories: [category] })) {
          if (delivery.kind === 'caught-up') continue
          seen.push(...delivery.events)
          if (seen.length > 1) continue
          // So that all the rest is there when the reader comes back.
          const { sent } = server.subscriptions
          await log.append(stream, good, 0)
          server.write(stream, { ...event, id: crypto.randomUUID() })
          await until('it is sent', () => server.subscriptions.sent === sent + 3)
          await log.ping()
        }
      }
      const name = `${event.data.toString('utf8')} ${event.metadata ? 'with' : 'without'} metadata`
      t.type(await failure(reading()), MalformedEvent, name)
      t.same(ids(seen), ids([first, ...good]))
      const error = await failure(log.read(stream))
      t.ok(error instanceof MalformedEvent && error.message.includes(stream), name)
    }
  },
)

t.test('given a reader that does not ask for more, then the server has to wait', async (t) => {
  const { server, log } = await given(t)
  const category = newCategory()
  const text = 'x'.repeat(100_000)
  for (let n = 0; n < 30; n++) {
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
  t.ok(server.subscriptions.sent < 200, `${server.subscriptions.sent} of 300 events were sent`)
  const { value } = await iterator.next()
  t.equal(value?.kind, 'events', 'it continues when asked')
  await iterator.return?.()
})
