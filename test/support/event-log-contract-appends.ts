import fc from 'fast-check'
import type { Test } from 'tap'
import type { NewEvent } from '../../domain/core/event.ts'
import {
  EventTooLarge,
  MAX_EVENT_BYTES,
  NO_STREAM,
  RevisionConflict,
  START,
  type EventLog,
} from '../../event-log/event-log.ts'
import { AppendTooLarge } from '../../event-log/limits.ts'
import { ids, indexes, newCategory, newEvent, newEvents, readUntilCaughtUp, settled } from './event-log-helpers.ts'

export async function expectedRevisions(t: Test, log: EventLog): Promise<void> {
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

  await t.test(
    'given a type, when a stream is read from the last event of it, then earlier ones are left out',
    async (t) => {
      const stream = `${newCategory()}-1`
      const closed = { lastOf: 'Closed' }
      t.same(await log.read(stream, closed), [])
      let revision = (await log.append(stream, newEvents(600), NO_STREAM)).revision
      t.equal((await log.read(stream, closed)).length, 600, 'all, without such an event')
      for (const after of [0, 1, 700]) {
        const events = [newEvent({}, 'Closed'), ...newEvents(after)]
        revision = (await log.append(stream, events, revision)).revision
        t.same(ids(await log.read(stream, closed)), ids(events))
      }
      t.equal((await log.read(stream)).length, 1_304)
    },
  )
}

export async function idempotence(t: Test, log: EventLog): Promise<void> {
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

export async function wholeAppends(t: Test, log: EventLog): Promise<void> {
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

export async function concurrency(t: Test, log: EventLog): Promise<void> {
  await t.test(
    'given good, repeated and conflicting appends, when all come at once, then each has its own outcome',
    async (t) => {
      const category = newCategory()
      const done = newEvents(2)
      const first = await log.append(`${category}-done`, done, NO_STREAM)
      await log.append(`${category}-taken`, newEvents(3), NO_STREAM)
      const outcomes = await Promise.allSettled([
        log.append(`${category}-1`, newEvents(2), NO_STREAM),
        log.append(`${category}-done`, done, NO_STREAM),
        log.append(`${category}-2`, newEvents(1), NO_STREAM),
        log.append(`${category}-taken`, newEvents(1), NO_STREAM),
        log.append(`${category}-taken`, newEvents(1), 2),
        log.append(`${category}-3`, newEvents(1), NO_STREAM),
      ])
      t.match(outcomes, [
        { status: 'fulfilled', value: { revision: 1 } },
        { status: 'fulfilled', value: first },
        { status: 'fulfilled', value: { revision: 0 } },
        { status: 'rejected', reason: RevisionConflict },
        { status: 'fulfilled', value: { revision: 3 } },
        { status: 'fulfilled', value: { revision: 0 } },
      ])
      for (const stream of ['1', 'done', '2', 'taken', '3']) {
        const events = await log.read(`${category}-${stream}`)
        t.same(
          events.map(({ revision }) => revision),
          indexes(events.length),
        )
      }
    },
  )

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

export async function limits(t: Test, log: EventLog): Promise<void> {
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

export async function roundTrip(t: Test, log: EventLog): Promise<void> {
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
