import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import type { Test } from 'tap'
import type { NewEvent, RecordedEvent } from '../../domain/event.ts'
import {
  EventTooLarge,
  LogUnavailable,
  MAX_EVENT_BYTES,
  NO_STREAM,
  RevisionConflict,
  START,
  type EventLog,
  type SubscribeOptions,
} from '../../event-log/event-log.ts'
import { AppendTooLarge } from '../../event-log/limits.ts'

/** A log to put to the test, and what the test may do to it. */
export interface ContractLog {
  readonly log: EventLog
  /** Another log over the same data, with connections of its own, as a restart or a second process would open it. */
  readonly reopen?: () => Promise<EventLog>
  /** Several logs that write to the same data over connections of their own. */
  readonly concurrentWriters?: (count: number) => Promise<readonly EventLog[]>
  readonly outage?: {
    start(): Promise<void>
    end(): Promise<void>
    /** Milliseconds within which an append must have given up. */
    readonly within: number
  }
  readonly close?: () => Promise<void>
}

/** The rules of `EventLog`, the same for every implementation. Streams and categories are new in each test. */
export function eventLogContract(t: Test, name: string, open: () => Promise<ContractLog>): Promise<unknown> {
  return t.test(`the event log contract: ${name}`, async (t) => {
    const opened = await open()
    const { log } = opened
    t.teardown(async () => {
      await log.close()
      await opened.close?.()
    })
    const subtests = [expectedRevisions, idempotence, wholeAppends, subscriptions, concurrency, limits, roundTrip]
    for (const subtest of subtests) await subtest(t, log)
    await otherLogs(t, log, opened)
    await outages(t, log, opened)
    await closing(t, opened)
  })
}

export function newCategory(): string {
  return `c${crypto.randomUUID().replaceAll('-', '')}`
}

export function newEvent(data: object = {}, type = 'Happened'): NewEvent {
  const id = crypto.randomUUID()
  const metadata = {
    at: '2026-11-21T10:00:00.000Z',
    actor: { kind: 'cli' as const, id: 'test' },
    correlationId: id,
    causationId: id,
  }
  return { id, type, data, metadata }
}

export function newEvents(count: number): readonly NewEvent[] {
  return Array.from({ length: count }, (_, index) => newEvent({ index }))
}

/** Reads a subscription until its `marks`-th caught-up. */
export async function readUntilCaughtUp(
  log: EventLog,
  after: bigint,
  options: SubscribeOptions = {},
  marks = 1,
): Promise<readonly RecordedEvent[]> {
  const seen: RecordedEvent[] = []
  let left = marks
  for await (const delivery of log.subscribe(after, options)) {
    if (delivery.kind === 'events') seen.push(...delivery.events)
    else if (--left === 0) break
  }
  return seen
}

/** Reads a subscription until it has given `count` events. */
export async function readCount(
  log: EventLog,
  after: bigint,
  count: number,
  options: SubscribeOptions = {},
): Promise<readonly RecordedEvent[]> {
  const seen: RecordedEvent[] = []
  for await (const delivery of log.subscribe(after, options)) {
    if (delivery.kind === 'events') seen.push(...delivery.events)
    if (seen.length >= count) break
  }
  return seen
}

export async function until(what: string, condition: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  for (const end = Date.now() + ms; !(await condition()); await delay(5)) {
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain until ${what}`)
  }
}

const ids = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id)
const indexes = (count: number) => Array.from({ length: count }, (_, index) => index)

async function settled<T>(work: Promise<T>): Promise<{ readonly value?: T; readonly error?: unknown }> {
  try {
    return { value: await work }
  } catch (error) {
    return { error }
  }
}

async function expectedRevisions(t: Test, log: EventLog): Promise<void> {
  await t.test('given an absent stream, then it reads as nothing and takes only a first event', async (t) => {
    const stream = `${newCategory()}-1`
    t.same(await log.read(stream), [])
    t.same(await log.read(stream, 7), [])
    for (const expected of [0, 1, 41]) {
      const { error } = await settled(log.append(stream, newEvents(1), expected))
      t.type(error, RevisionConflict, `expected ${expected}`)
      if (error instanceof RevisionConflict) {
        t.same([error.stream, error.expected, error.actual], [stream, expected, NO_STREAM])
      }
    }
    t.same(await log.read(stream), [], 'nothing was written')
    t.equal((await log.append(stream, newEvents(1), NO_STREAM)).revision, 0)
  })

  await t.test('given a stream at revision 2, then only an append at 2 is taken', async (t) => {
    const stream = `${newCategory()}-1`
    const first = newEvents(3)
    const appended = await log.append(stream, first, NO_STREAM)
    t.equal(appended.revision, 2)
    for (const expected of [NO_STREAM, 0, 1, 3, 99]) {
      const { error } = await settled(log.append(stream, newEvents(1), expected))
      t.type(error, RevisionConflict, `expected ${expected}`)
      if (error instanceof RevisionConflict) t.same([error.expected, error.actual], [expected, 2])
    }
    const next = newEvents(2)
    const then = await log.append(stream, next, 2)
    t.equal(then.revision, 4)
    t.ok(then.position > appended.position, 'positions grow')

    const events = await log.read(stream)
    t.same(ids(events), ids([...first, ...next]))
    t.same(
      events.map(({ revision }) => revision),
      indexes(5),
    )
    t.equal(events.at(-1)?.position, then.position, 'an append answers with the position of its last event')
    t.equal(events[2]?.position, appended.position)
    t.ok(events.every((event) => event.stream === stream))
    t.same(await log.read(stream, 3), events.slice(3))
    t.same(await log.read(stream, 5), [])
  })
}

async function idempotence(t: Test, log: EventLog): Promise<void> {
  await t.test('given an append was done, when it is done again, then it has the first result', async (t) => {
    const stream = `${newCategory()}-1`
    const [first, second] = [newEvents(1), newEvents(3)]
    const firstResult = await log.append(stream, first, NO_STREAM)
    const secondResult = await log.append(stream, second, 0)
    t.same(await log.append(stream, second, 0), secondResult, 'at once')
    await log.append(stream, newEvents(2), 3)
    t.same(await log.append(stream, first, NO_STREAM), firstResult, 'after later appends')
    t.same(await log.append(stream, second, 0), secondResult, 'after later appends')
    t.equal((await log.read(stream)).length, 6, 'nothing was written twice')
  })

  await t.test(
    'given an append was done, when one that is only partly the same comes, then it conflicts',
    async (t) => {
      const stream = `${newCategory()}-1`
      const [a, b, c] = [newEvent({ n: 1 }), newEvent({ n: 2 }), newEvent({ n: 3 })]
      await log.append(stream, [a, b, c], NO_STREAM)
      const others = [[a, newEvent()], [newEvent(), b], [a, b, newEvent()], [a, b, c, newEvent()], [b, a], [newEvent()]]
      for (const events of others) {
        const { error } = await settled(log.append(stream, events, NO_STREAM))
        t.type(error, RevisionConflict, `${events.length} events`)
      }
      t.type((await settled(log.append(stream, [b, c], 1))).error, RevisionConflict, 'the same ids, one revision late')
      t.equal((await log.append(stream, [a, b], NO_STREAM)).revision, 1, 'a beginning of it was done')
      t.equal((await log.append(stream, [b, c], 0)).revision, 2, 'and so was the rest')
      t.equal((await log.read(stream)).length, 3)
    },
  )

  await t.test('given one append, when it is sent many times at once, then it is done once', async (t) => {
    const stream = `${newCategory()}-1`
    const events = newEvents(2)
    const results = await Promise.all(indexes(16).map(() => log.append(stream, events, NO_STREAM)))
    for (const result of results) t.same(result, results[0])
    t.same(ids(await log.read(stream)), ids(events))
  })
}

async function wholeAppends(t: Test, log: EventLog): Promise<void> {
  await t.test('given several events in one append, when one is too large, then none is written', async (t) => {
    const stream = `${newCategory()}-1`
    const tooLarge = newEvent({ text: 'x'.repeat(MAX_EVENT_BYTES) })
    t.type((await settled(log.append(stream, [newEvent(), tooLarge], NO_STREAM))).error, EventTooLarge)
    t.same(await log.read(stream), [])
    t.type((await settled(log.append(stream, [], NO_STREAM))).error, Error, 'no events are no append')
  })

  await t.test('given a reader, when several events come in one append, then they follow one another', async (t) => {
    const category = newCategory()
    const writers = indexes(8).map((n) => log.append(`${category}-${n}`, newEvents(20), NO_STREAM))
    await Promise.all(writers)
    const events = await readUntilCaughtUp(log, START, { categories: [category] })
    t.equal(events.length, 160)
    for (const n of indexes(8)) {
      const part = events.slice(n * 20, n * 20 + 20)
      t.equal(new Set(part.map(({ stream }) => stream)).size, 1, 'no other append lies within')
    }
  })
}

async function subscriptions(t: Test, log: EventLog): Promise<void> {
  await t.test('given nothing of a category, when subscribed, then it is caught up at once', async (t) => {
    t.same(await readUntilCaughtUp(log, START, { categories: [newCategory()] }), [])
  })

  await t.test(
    'given a reader from the start, when more is appended, then it follows without gap or double',
    async (t) => {
      const category = newCategory()
      const early = newEvents(30)
      await log.append(`${category}-1`, early, NO_STREAM)
      const late = newEvents(40)
      const seen: RecordedEvent[] = []
      let marks = 0
      for await (const delivery of log.subscribe(START, { categories: [category] })) {
        if (delivery.kind === 'events') seen.push(...delivery.events)
        else if (++marks === 1) {
          t.same(ids(seen), ids(early), 'caught up with what was there')
          for (const [index, event] of late.entries()) await log.append(`${category}-1`, [event], 29 + index)
        }
        if (seen.length >= 70) break
      }
      t.same(ids(seen), ids([...early, ...late]))
      t.ok(seen.every((event, index) => index === 0 || event.position > (seen[index - 1]?.position ?? START)))
    },
  )

  await t.test(
    'given a reader that is now slow and now fast, then it is told caught-up only when it has had everything',
    async (t) => {
      const category = newCategory()
      await log.append(`${category}-1`, newEvents(50), NO_STREAM)
      const atMark: number[] = []
      let seen = 0
      let deliveries = 0
      let appended = 50
      for await (const delivery of log.subscribe(START, { categories: [category], batchSize: 7 })) {
        if (delivery.kind === 'events') {
          seen += delivery.events.length
          if (deliveries++ % 3 === 0) await delay(2)
        } else {
          atMark.push(seen - appended)
          if (atMark.length === 4) break
          // One append, so that everything is there at one moment.
          await log.append(`${category}-1`, newEvents(60), appended - 1)
          appended += 60
        }
      }
      t.same(atMark, [0, 0, 0, 0])
    },
  )

  await t.test('given categories, then a reader gets theirs and no others', async (t) => {
    const [one, two, three] = [newCategory(), newCategory(), newCategory()]
    const before = await log.append(`${newCategory()}-1`, newEvents(1), NO_STREAM)
    // A category that begins as another does, and an id with hyphens.
    const streams = [`${one}-1`, `${two}-1`, `${one}x-1`, `${three}-1`, `${one}-a-b`, `${two}-2`]
    for (const stream of streams) await log.append(stream, newEvents(2), NO_STREAM)

    const given = async (categories?: readonly string[]) => {
      const events = await readUntilCaughtUp(log, before.position, categories ? { categories } : {})
      return [...new Set(events.map(({ stream }) => stream))].filter((stream) => streams.includes(stream))
    }
    t.same(await given([one]), [`${one}-1`, `${one}-a-b`])
    t.same(await given([two, three]), [`${two}-1`, `${three}-1`, `${two}-2`])
    t.same(await given(), streams, 'without categories, all of ours')
    const everything = await readUntilCaughtUp(log, before.position)
    t.notOk(
      everything.some(({ stream }) => stream.startsWith('$')),
      "none of the server's own",
    )
  })

  await t.test('given any position in the log, when resumed there, then exactly the rest follows', async (t) => {
    const [mine, others] = [newCategory(), newCategory()]
    for (const n of indexes(12)) {
      await log.append(`${n % 3 === 0 ? others : mine}-${n}`, newEvents(1 + (n % 3)), NO_STREAM)
    }
    const categories = [mine, others]
    const all = await readUntilCaughtUp(log, START, { categories })
    t.equal(all.length, 24)
    for (const [index, { position }] of all.entries()) {
      const rest = await readUntilCaughtUp(log, position, { categories })
      t.same(ids(rest), ids(all.slice(index + 1)), `after event ${index}`)
      const mineOnly = await readUntilCaughtUp(log, position, { categories: [mine], batchSize: 2 })
      const expected = all.slice(index + 1).filter(({ stream }) => stream.startsWith(`${mine}-`))
      t.same(ids(mineOnly), ids(expected), `of one category after event ${index}`)
    }
  })

  await t.test('given a batch size, then no delivery is larger', async (t) => {
    const category = newCategory()
    await log.append(`${category}-1`, newEvents(100), NO_STREAM)
    for (const batchSize of [1, 9, 100, 1000]) {
      const sizes: number[] = []
      for await (const delivery of log.subscribe(START, { categories: [category], batchSize })) {
        if (delivery.kind === 'caught-up') break
        sizes.push(delivery.events.length)
      }
      t.ok(
        sizes.every((size) => size > 0 && size <= batchSize),
        `${batchSize}: ${sizes.join(' ')}`,
      )
      t.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        100,
      )
    }
  })

  await t.test('given a signal, when it aborts, then the reader ends without an error', async (t) => {
    const category = newCategory()
    await log.append(`${category}-1`, newEvents(3), NO_STREAM)
    const waiting = new AbortController()
    const kinds: string[] = []
    for await (const { kind } of log.subscribe(START, { categories: [category], signal: waiting.signal })) {
      kinds.push(kind)
      if (kind === 'caught-up') setImmediate(() => waiting.abort())
    }
    t.same([kinds[0], kinds.at(-1)], ['events', 'caught-up'], 'while it waits')
    t.same(await readUntilCaughtUp(log, START, { signal: AbortSignal.abort() }), [], 'before it starts')
    const busy = new AbortController()
    let deliveries = 0
    for await (const _ of log.subscribe(START, { categories: [category], batchSize: 1, signal: busy.signal })) {
      deliveries += 1
      busy.abort()
    }
    t.equal(deliveries, 1, 'while it works')
  })

  await t.test('given two readers, then both see the same order', async (t) => {
    const category = newCategory()
    const options = { categories: [category] }
    const readers = [readCount(log, START, 120, options), readCount(log, START, 120, { ...options, batchSize: 5 })]
    await Promise.all(
      indexes(12).map(async (n) => {
        for (const index of indexes(10)) await log.append(`${category}-${n}`, newEvents(1), index - 1)
      }),
    )
    const [one, two] = await Promise.all(readers)
    t.equal(one?.length, 120)
    t.same(one, two)
  })
}

async function concurrency(t: Test, log: EventLog): Promise<void> {
  await t.test('given 64 streams, when all are appended to at once, then each has its event', async (t) => {
    const category = newCategory()
    const results = await Promise.all(indexes(64).map((n) => log.append(`${category}-${n}`, newEvents(1), NO_STREAM)))
    t.equal(new Set(results.map(({ position }) => position)).size, 64, 'positions are unique')
    const events = await readUntilCaughtUp(log, START, { categories: [category] })
    t.equal(new Set(events.map(({ stream }) => stream)).size, 64)
    t.equal(events.length, 64)
  })

  await t.test('given one stream, when 64 append at the same revision, then exactly one wins each', async (t) => {
    const stream = `${newCategory()}-1`
    for (const expected of [-1, 0, 1]) {
      const attempts = indexes(64).map(() => settled(log.append(stream, newEvents(1), expected)))
      const outcomes = await Promise.all(attempts)
      t.equal(outcomes.filter(({ value }) => value?.revision === expected + 1).length, 1, `after ${expected}`)
      t.equal(outcomes.filter(({ error }) => error instanceof RevisionConflict).length, 63)
    }
    t.equal((await log.read(stream)).length, 3)
  })

  await t.test('given 16 that read, append and try again on conflict, then each gets a revision', async (t) => {
    const stream = `${newCategory()}-1`
    const mine = newEvents(16)
    await Promise.all(
      mine.map(async (event) => {
        for (;;) {
          const expected = (await log.read(stream)).length - 1
          const { error } = await settled(log.append(stream, [event], expected))
          if (!error) return
          if (!(error instanceof RevisionConflict)) throw error
        }
      }),
    )
    const events = await log.read(stream)
    t.same(
      events.map(({ revision }) => revision),
      indexes(16),
    )
    t.same(ids(events).toSorted(), ids(mine).toSorted())
  })
}

async function limits(t: Test, log: EventLog): Promise<void> {
  await t.test('given the size limits, then what is just within is taken and what is beyond is not', async (t) => {
    const stream = `${newCategory()}-1`
    const size = ({ data, metadata }: NewEvent) =>
      Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata))
    const room = MAX_EVENT_BYTES - size(newEvent({ text: '' }))
    const largest = newEvent({ text: 'x'.repeat(room) })
    t.equal(size(largest), MAX_EVENT_BYTES)
    await log.append(stream, [largest], NO_STREAM)
    t.same((await log.read(stream))[0]?.data, largest.data)
    const over = [newEvent({ text: 'x'.repeat(room + 1) }), newEvent({ text: 'é'.repeat(room / 2 + 1) })]
    for (const event of over) t.type((await settled(log.append(stream, [event], 0))).error, EventTooLarge)

    const large = () => newEvent({ text: 'x'.repeat(room - 100) })
    t.equal((await log.append(stream, [large(), large(), large(), large()], 0)).revision, 4)
    const tooMany = [large(), large(), large(), large(), newEvent({ text: 'x'.repeat(1000) })]
    t.type((await settled(log.append(stream, tooMany, 4))).error, AppendTooLarge)
    t.equal((await log.read(stream)).length, 5)
  })
}

async function roundTrip(t: Test, log: EventLog): Promise<void> {
  await t.test('given any JSON, then it comes back as it was, its keys in order', async (t) => {
    const stream = `${newCategory()}-1`
    const samples: object[] = [
      { z: 1, a: { y: [1, { b: null, a: true }], x: {} }, m: [] },
      { 'key with "quotes" and \n': 'ünïcödé 漢字 👩‍👩‍👧‍👦 \u0000 \ud800 \u2028', '': '' },
      { big: 9007199254740991, small: 5e-324, negative: -1.5e300, zero: 0 },
    ]
    const documents = fc.sample(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), 60)
    const events = [...samples, ...documents].map((data) => newEvent(data))
    await log.append(stream, events, NO_STREAM)

    const fromStream = await log.read(stream)
    const fromLog = await readUntilCaughtUp(log, START, { categories: [stream.split('-')[0] ?? ''] })
    for (const [index, event] of events.entries()) {
      const given = JSON.stringify(event.data)
      t.equal(JSON.stringify(fromStream[index]?.data), given)
      t.equal(JSON.stringify(fromLog[index]?.data), given)
    }
    t.same(fromLog, fromStream, 'a stream and the whole log tell the same')
  })

  await t.test('given metadata, a type and an id, then they come back', async (t) => {
    const stream = `${newCategory()}-with-hyphens-ünï`
    const event: NewEvent = {
      id: crypto.randomUUID(),
      type: 'PostQueued',
      data: { caption: 'hello' },
      metadata: {
        at: '2026-11-21T10:00:00.123Z',
        actor: { kind: 'api-key', id: 'key_1' },
        correlationId: 'correlation',
        causationId: 'cause',
        requestId: 'request',
      },
    }
    const { position } = await log.append(stream, [event], NO_STREAM)
    t.same(await log.read(stream), [{ ...event, stream, revision: 0, position }])
  })
}

async function otherLogs(t: Test, log: EventLog, { reopen, concurrentWriters }: ContractLog): Promise<void> {
  await t.test('given a log is opened again, then everything is there', { skip: !reopen }, async (t) => {
    const category = newCategory()
    const events = newEvents(5)
    const appended = await log.append(`${category}-1`, events, NO_STREAM)
    const again = await reopen?.()
    if (!again) return
    t.teardown(() => again.close())
    t.same(await again.read(`${category}-1`), await log.read(`${category}-1`))
    t.same(await again.append(`${category}-1`, events, NO_STREAM), appended, 'a repeated append is known')
    t.same(ids(await readUntilCaughtUp(again, START, { categories: [category] })), ids(events))
    t.equal((await again.append(`${category}-1`, newEvents(1), 4)).revision, 5)
  })

  await t.test('given many writers, when they commit late, then a reader misses none', async (t) => {
    const category = newCategory()
    const writers = (await concurrentWriters?.(8)) ?? Array.from({ length: 8 }, () => log)
    const expected = 8 * 2 * 12
    const reader = readCount(log, START, expected, { categories: [category] })
    const position = (await log.append(`${newCategory()}-1`, newEvents(1), NO_STREAM)).position
    const resuming = resumeAfterEveryDelivery(log, position, expected, category)
    await Promise.all(
      writers.flatMap((writer, n) =>
        ['a', 'b'].map(async (lane) => {
          for (const index of indexes(12)) {
            const text = 'x'.repeat(((n * 12 + index) % 7) * 1000)
            await writer.append(`${category}-${n}${lane}`, [newEvent({ text })], index - 1)
          }
        }),
      ),
    )
    const seen = await reader
    t.equal(new Set(ids(seen)).size, expected)
    t.ok(seen.every((event, index) => index === 0 || event.position > (seen[index - 1]?.position ?? START)))
    t.same(ids(await resuming), ids(seen), 'nor does one that subscribes anew after every delivery')
    if (concurrentWriters) await Promise.all(writers.map((writer) => writer.close()))
  })
}

/** As a reader does that crashes after every delivery: it has only the position of the last event. */
async function resumeAfterEveryDelivery(log: EventLog, from: bigint, count: number, category: string) {
  const seen: RecordedEvent[] = []
  while (seen.length < count) {
    const before = seen.length
    for await (const delivery of log.subscribe(seen.at(-1)?.position ?? from, { categories: [category] })) {
      if (delivery.kind === 'caught-up') continue
      seen.push(...delivery.events)
      break
    }
    if (seen.length === before) throw new Error('the subscription ended')
  }
  return seen
}

async function outages(t: Test, log: EventLog, { outage }: ContractLog): Promise<void> {
  const name = 'given the server goes away and comes back, then nothing is lost or done twice'
  await t.test(name, { skip: !outage }, async (t) => {
    if (!outage) return
    const category = newCategory()
    const stream = `${category}-1`
    const [first, during] = [newEvents(3), newEvents(2)]
    await log.append(stream, first, NO_STREAM)

    const seen: RecordedEvent[] = []
    const failures: unknown[] = []
    const stop = new AbortController()
    const options = { categories: [category], signal: stop.signal }
    const following = (async () => {
      while (!stop.signal.aborted) {
        try {
          const after = seen.at(-1)?.position ?? START
          for await (const delivery of log.subscribe(after, options)) {
            if (delivery.kind === 'events') seen.push(...delivery.events)
          }
        } catch (error) {
          failures.push(error)
          await delay(10)
        }
      }
    })()
    await until('the reader has what was there', () => seen.length === 3)
    await log.ping()

    await outage.start()
    const started = Date.now()
    const { error } = await settled(log.append(stream, during, 2))
    t.type(error, LogUnavailable)
    t.ok(Date.now() - started < outage.within + 500, `gave up after ${Date.now() - started} ms`)
    t.type((await settled(log.ping())).error, LogUnavailable)
    t.type((await settled(log.read(stream))).error, LogUnavailable)
    await until('the reader has noticed', () => failures.length > 0)
    await outage.end()

    await until('the log is back', async () => (await settled(log.ping())).error === undefined)
    let result = await settled(log.append(stream, during, 2))
    await until('the append is done', async () => {
      if (result.error !== undefined) result = await settled(log.append(stream, during, 2))
      if (result.error !== undefined && !(result.error instanceof LogUnavailable)) throw result.error
      return result.error === undefined
    })
    t.equal(result.value?.revision, 4)
    t.same(ids(await log.read(stream)), ids([...first, ...during]))
    await until('the reader has all', () => seen.length >= 5)
    t.same(ids(seen), ids([...first, ...during]))
    for (const failure of failures) t.type(failure, LogUnavailable)
    stop.abort()
    await following
  })
}

async function closing(t: Test, { log, reopen }: ContractLog): Promise<void> {
  await t.test('given a log is closed, then it takes nothing more and leaves nobody waiting', async (t) => {
    const closed = (await reopen?.()) ?? log
    const category = newCategory()
    await closed.append(`${category}-1`, newEvents(1), NO_STREAM)
    const waiting = settled(readUntilCaughtUp(closed, START, { categories: [category] }, 2))
    await readUntilCaughtUp(closed, START, { categories: [category] })
    await closed.close()
    const { error } = await waiting
    t.type(error, LogUnavailable)
    t.type((await settled(closed.append(`${category}-1`, newEvents(1), 0))).error, LogUnavailable)
    t.type((await settled(closed.read(`${category}-1`))).error, LogUnavailable)
    t.type((await settled(closed.ping())).error, LogUnavailable)
    // Ending in peace would set a reader that subscribes again whenever it ends spinning.
    t.type((await settled(readUntilCaughtUp(closed, START))).error, LogUnavailable)
    t.same(await readUntilCaughtUp(closed, START, { signal: AbortSignal.abort() }), [], 'its own signal comes first')
    await closed.close()
  })
}
