import { status } from '@grpc/grpc-js'
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import t from 'tap'
import { LogUnavailable, NO_STREAM, RevisionConflict, START } from '../event-log/event-log.ts'
import { withEveryServer } from '../event-log/eventstoredb/client.ts'
import { eventStoreDbLog } from '../event-log/eventstoredb/log.ts'
import { systemClock } from '../infra/runtime/clock.ts'
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
import { APPEND_MS, given, HEARTBEAT_MS, READ_MS } from './support/eventstoredb-given.ts'

// The traps of the client, each against a server that does what sets it off. One after the other: the client shares its
// appends in flight between all logs of a process, so a broken connection of one would fail the other's.

t.test('given an append is never answered, then our timer ends it, and a repeat has the first result', async (t) => {
  const { server, log, clock } = await given(t)
  const stream = `${newCategory()}-1`
  await log.append(stream, newEvents(1), NO_STREAM)
  const events = newEvents(2)
  server.appends.swallow = 1
  const lost = failure(log.append(stream, events, 0))
  await until('it is written', () => server.appends.swallow === 0)
  t.equal(clock.expire(APPEND_MS), 1)
  t.type(await lost, LogUnavailable)
  const repeated = await log.append(stream, events, 0)
  t.equal(repeated.revision, 2)
  t.equal(repeated.position, (await log.read(stream)).at(-1)?.position)
  t.equal((await log.read(stream)).length, 3)
})

t.test('given the real clock, then an append waits no longer than it may', async (t) => {
  const { server } = await given(t)
  const log = eventStoreDbLog({ connectionString: server.connectionString, clock: systemClock, appendTimeoutMs: 50 })
  t.teardown(() => log.close())
  server.holdProbes()
  const start = performance.now()
  t.type(await failure(log.append(`${newCategory()}-1`, newEvents(1), NO_STREAM)), LogUnavailable)
  t.ok(performance.now() - start >= 45)
})

t.test('given one append goes unanswered while others are answered, then the others are left alone', async (t) => {
  const { server, log, clock } = await given(t)
  const category = newCategory()
  await log.append(`${category}-0`, newEvents(1), NO_STREAM)
  const asked = server.probe.asked
  server.appends.swallow = 1
  const lost = failure(log.append(`${category}-1`, newEvents(1), NO_STREAM))
  await until('it is written', () => server.appends.swallow === 0)
  await log.append(`${category}-2`, newEvents(1), NO_STREAM)
  clock.expire(APPEND_MS)
  const release = server.holdAnswers()
  const other = log.append(`${category}-2`, newEvents(1), 0)
  t.type(await lost, LogUnavailable)
  await until('the other is written', () => server.appends.held?.length === 1)
  release()
  t.equal((await other).revision, 1)
  t.equal(server.probe.asked, asked, 'the connection was kept')
})

t.test('given an answer that comes late but in time, then it counts', async (t) => {
  const { server, log } = await given(t)
  const stream = `${newCategory()}-1`
  await log.append(stream, newEvents(1), NO_STREAM)
  const release = server.holdAnswers()
  const appending = log.append(stream, newEvents(1), 0)
  await until('it is written', () => server.records.stream(stream).length === 2)
  release()
  t.equal((await appending).revision, 1)
})

t.test('given answers that come after we gave up, then the next appends are not disturbed', async (t) => {
  const { server, log, clock } = await given(t)
  const stream = `${newCategory()}-1`
  await log.append(stream, newEvents(1), NO_STREAM)
  const release = server.holdAnswers()
  const late = newEvents(1)
  const lost = failure(log.append(stream, late, 0))
  await until('it is written', () => server.appends.held?.length === 1)
  clock.expire(APPEND_MS)
  t.type(await lost, LogUnavailable)
  const repeated = log.append(stream, late, 0)
  await until('the repeat is asked for', () => server.appends.held?.length === 2)
  release()
  t.equal((await repeated).revision, 1)
})

t.test('given a connection that we gave up breaks, then the appends on the next one live on', async (t) => {
  const { server, log, clock } = await given(t)
  const stream = `${newCategory()}-1`
  server.appends.swallow = 1
  const events = newEvents(1)
  const lost = failure(log.append(stream, events, NO_STREAM))
  await until('it is written', () => server.appends.swallow === 0)
  const [old] = server.appends.open
  clock.expire(APPEND_MS)
  t.type(await lost, LogUnavailable)
  const release = server.holdAnswers()
  const next = log.append(stream, events, NO_STREAM)
  await until('the next is in flight', () => server.appends.held?.length === 1)
  // The client would reject it with this and forget it, and then take its answer for a fault in the process.
  old?.emit('error', { code: status.UNAVAILABLE, details: 'going down' })
  await log.ping()
  release()
  t.equal((await next).revision, 0)
})

t.test('given the first question fails with INTERNAL, then the client is replaced', async (t) => {
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

t.test('given the first request is answered too late, then what was given up is not sent', async (t) => {
  const { server, log, clock } = await given(t)
  const stream = `${newCategory()}-1`
  const release = server.holdProbes()
  const lost = failure(log.append(stream, newEvents(1), NO_STREAM))
  await until('it is asked', () => server.probe.asked === 1)
  clock.expire(APPEND_MS)
  t.type(await lost, LogUnavailable)
  const events = newEvents(1)
  const next = log.append(stream, events, NO_STREAM)
  await until('it is asked again', () => server.probe.asked === 2)
  release()
  t.equal((await next).revision, 0)
  t.same(ids(server.records.stream(stream)), ids(events))
})

t.test('given a node that is not ready, then the append is refused and the connection kept', async (t) => {
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
  const conflict = await failure(log.append(stream, newEvents(1), 5))
  t.type(conflict, RevisionConflict)
  await log.append(stream, newEvents(1), 0)
  t.equal(server.probe.asked, asked, 'the connection was kept, as after a conflict')
})

t.test(
  'given an append that the server has not written in time, then the outcome is unknown, and a repeat shows it',
  async (t) => {
    const { server, log } = await given(t)
    const stream = `${newCategory()}-1`
    const events = newEvents(2)
    server.appends.expire = 1
    t.type(await failure(log.append(stream, events, NO_STREAM)), LogUnavailable)
    const { asked } = server.probe
    t.equal((await log.append(stream, events, NO_STREAM)).revision, 1)
    t.equal(server.probe.asked, asked, 'the connection was kept')
  },
)

t.test('given a repeat that the server no longer knows, then the event ids tell', async (t) => {
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

t.test('given subscriptions break, then appends in flight are not taken along', async (t) => {
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

t.test('given the network is cut again and again under 64 appenders, then each event is there once', async (t) => {
  const { server, log } = await given(t)
  const category = newCategory()
  let cuts = 0
  let refusals = 0
  const appenders = Array.from({ length: 64 }, async (_, n) => {
    for (let index = 0; index < 6; index++) {
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
  for (let n = 0; n < 64; n++) t.equal((await log.read(`${category}-${n}`)).length, 6)
})

t.test('given a network that swallows everything, then nothing waits longer than it may', async (t) => {
  const { server, log, clock } = await given(t)
  const category = newCategory()
  await log.append(`${category}-1`, newEvents(1), NO_STREAM)
  const reader = follow(log, category)
  await until('it follows', () => reader.marks === 1)
  server.network.silence(true)
  const events = newEvents(1)
  const waiting = [log.append(`${category}-1`, events, 0), log.read(`${category}-1`), log.ping(), reader.ended]
  const failures = Promise.all(waiting.map(failure))
  let over = false
  void failures.then(() => (over = true))
  await until('all have given up', () => {
    for (const ms of [APPEND_MS, READ_MS, HEARTBEAT_MS]) clock.expire(ms)
    return over
  })
  t.same(
    (await failures).map((error) => error instanceof LogUnavailable),
    [true, true, true, false],
  )
  t.type(await reader.ended, LogUnavailable, 'the reader finds out at its heartbeat')
  server.network.silence(false)
  await until('it is back', async () => (await failure(log.append(`${category}-1`, events, 0))) === undefined)
  t.same(ids((await log.read(`${category}-1`)).slice(1)), ids(events))
})

t.test('given a server from before batched appends, then the rules are the same', async (t) => {
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

t.test('given several servers, then the client asks each of them for the others', (t) => {
  const nodes = 'esdb://u:p@a:2113,b:2113?tls=true'
  t.equal(withEveryServer('esdb+discover://u:p@a:2113,b:2113?tls=true'), nodes)
  const name = 'esdb+discover://a?tls=true&connectionName=b,c'
  for (const same of [nodes, name]) t.equal(withEveryServer(same), same)
  t.end()
})

t.test('given a wrong connection string, then the error says so and does not repeat the password', async (t) => {
  const open = (connectionString: string) => eventStoreDbLog({ connectionString, clock: systemClock })
  for (const wrong of ['postgres://u:secret@h', 'esdb://u:secret@', 'esdb://u:secret@h:port', '']) {
    const error = await failure((async () => open(wrong))())
    t.ok(error instanceof Error && /connection string/.test(error.message), wrong)
    t.notOk(JSON.stringify(error, Object.getOwnPropertyNames(error)).includes('secret'))
  }
  // With it the client reports every conflict as revision 1.
  t.throws(() => open('esdb://h:2113?tls=false&throwOnAppendFailure=false'), /throwOnAppendFailure/)
})
