import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import type { RecordedEvent } from '../../domain/core/event.ts'
import { LogUnavailable, NO_STREAM, START, type EventLog } from '../../event-log/event-log.ts'
import {
  concurrency,
  expectedRevisions,
  idempotence,
  limits,
  roundTrip,
  wholeAppends,
} from './event-log-contract-appends.ts'
import { subscriptions } from './event-log-contract-subscriptions.ts'
import {
  ids,
  indexes,
  newCategory,
  newEvent,
  newEvents,
  readCount,
  readUntilCaughtUp,
  settled,
  until,
} from './event-log-helpers.ts'

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
    const subtests = [
      expectedRevisions,
      idempotence,
      wholeAppends,
      subscriptions,
      concurrency,
      limits,
      roundTrip,
      heads,
    ]
    for (const subtest of subtests) await subtest(t, log)
    await otherLogs(t, log, opened)
    await outages(t, log, opened)
    await closing(t, opened)
  })
}

async function heads(t: Test, log: EventLog): Promise<void> {
  await t.test('given an append, then the log ends with its last event', async (t) => {
    const { position } = await log.append(`${newCategory()}-1`, newEvents(3), NO_STREAM)
    t.equal(await log.head(), position)
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
    const others = (await concurrentWriters?.(7)) ?? Array.from({ length: 7 }, () => log)
    // A log knows what it wrote itself without asking; a reader of it must see the others' just as well.
    const writers = [log, ...others]
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
    t.same(ids(await resuming), ids(seen), 'nor does one that subscribes again after every delivery')
    for (const stream of new Set(seen.map(({ stream }) => stream))) {
      const followed = seen.filter((event) => event.stream === stream)
      t.same(followed, await log.read(stream), 'a follower is given the events that a later reader is')
    }
    if (concurrentWriters) await Promise.all(others.map((writer) => writer.close()))
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
    t.ok(Date.now() - started < outage.within + 3_000, `gave up after ${Date.now() - started} ms`)
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
    const waiting = settled(readCount(closed, START, 2, { categories: [category] }))
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
