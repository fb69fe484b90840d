import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import type { RecordedEvent } from '../../domain/core/event.ts'
import { NO_STREAM, START, type EventLog } from '../../event-log/event-log.ts'
import { ids, indexes, newCategory, newEvents, readCount, readUntilCaughtUp } from './event-log-helpers.ts'

export async function subscriptions(t: Test, log: EventLog): Promise<void> {
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
      for await (const delivery of log.subscribe(START, { categories: [category] })) {
        if (delivery.kind === 'events') seen.push(...delivery.events)
        else {
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
    'given a reader that is now slow and now fast, then it gets caught-up once, when it has had everything',
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
          // One append, so that everything is there at one moment.
          await log.append(`${category}-1`, newEvents(60), appended - 1)
          appended += 60
        }
        if (seen === 110) break
      }
      t.same(atMark, [0])
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

  await t.test(
    'given events of others behind the wanted ones, then caught-up says how far nothing is left',
    async (t) => {
      const category = newCategory()
      await log.append(`${category}-1`, newEvents(1), NO_STREAM)
      const { position } = await log.append(`${newCategory()}-1`, newEvents(1), NO_STREAM)
      for await (const delivery of log.subscribe(START, { categories: [category] })) {
        if (delivery.kind === 'events') continue
        t.ok(delivery.position >= position)
        t.same(await readUntilCaughtUp(log, delivery.position, { categories: [category] }), [])
        break
      }
      t.same(await readUntilCaughtUp(log, position, { categories: [newCategory()] }), [])
    },
  )

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
