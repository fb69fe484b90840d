import t, { type Test } from 'tap'
import { resetTables } from '../projections/engine/tables.ts'
import { projections } from '../projections/models/index.ts'
import { DUE, type AgendaRow } from '../projections/agenda/agenda.ts'
import { runDispatcher } from '../reactors/runtime/dispatcher.ts'
import { localSlots } from '../reactors/runtime/worker-slots.ts'
import { createLeases, type LeasedRow, type Leases } from '../reactors/runtime/leases.ts'
import { natsSlots, type NatsSlots } from '../reactors/runtime/nats-slots.ts'
import { ofPools, poolSizes } from '../reactors/runtime/pools.ts'
import { systemClock as clock } from '../infra/runtime/clock.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { givenNatsServer, hasNats, type NatsServer } from './support/nats-server.ts'
import { testDatabase, withReadModels } from './support/postgres.ts'
import { until } from './support/service-process.ts'

/* Hints over a real nats-server, between worker processes that share nothing but the database. */

const logger = createLogger('silent')
const skip = !hasNats() && 'nats-server is not in PATH'
const LEASE_MS = 1_500
const SIZES = poolSizes(4)

/** Who did which row. Doing a row removes it from the agenda, as the projector would. */
interface Done {
  readonly id: string
  readonly by: string
}

async function givenAgenda(t: Test) {
  const database = await testDatabase(t, withReadModels)
  await resetTables(database.db, projections)
  const owe = async (ids: readonly string[]) => {
    for (const [index, id] of ids.entries()) {
      const row: AgendaRow = {
        id,
        kind: 'publish',
        subject: id,
        part: 'x/acc',
        lane: `lane ${index % 50}`,
        dueAt: new Date(Date.now() - 1000).toISOString(),
      }
      await database.db.query(
        `insert into read.agenda (id, kind, subject, part, lane, due_at) values ($1, $2, $3, $4, $5, $6)`,
        [row.id, row.kind, row.subject, row.part, row.lane, row.dueAt],
      )
      database.signals.send(DUE)
    }
  }
  return { ...database, owe }
}

type Agenda = Awaited<ReturnType<typeof givenAgenda>>

interface Worker {
  readonly nats: NatsSlots
  readonly leases: Leases
  stop(): Promise<void>
}

async function givenWorker(t: Test, agenda: Agenda, server: NatsServer, name: string, done: Done[]): Promise<Worker> {
  const { db, signals } = agenda
  const leases = createLeases(db, { owner: name, leaseMs: LEASE_MS })
  const stopping = new AbortController()
  const local = localSlots(SIZES, async (row: LeasedRow) => {
    await clock.sleep(5)
    const { rowCount } = await db.query('delete from read.agenda where id = $1 and lease_token = $2', [
      row.id,
      row.token,
    ])
    if (rowCount === 1) done.push({ id: row.id, by: name })
  })
  const nats = await natsSlots({
    servers: [server.url],
    local,
    leases,
    clock,
    logger,
    sizes: SIZES,
    signal: stopping.signal,
  })
  const dispatching = runDispatcher({ leases, slots: nats, clock, logger, signals }, stopping.signal)
  let stopped: Promise<void> | undefined
  const stop = () =>
    (stopped ??= (async () => {
      stopping.abort()
      await nats.idle()
      await nats.close()
      await dispatching
    })())
  t.teardown(stop)
  return { nats, leases, stop }
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix} ${n}`)
const allDone = (done: readonly Done[], count: number, ms = 30_000) =>
  until(`${count} rows to be done`, ms, async () => (done.length >= count ? true : undefined))
const sorted = (done: readonly Done[]) => done.map(({ id }) => id).sort()

t.test(
  'given two worker processes, when much is due, then both work and each row is done once',
  { skip },
  async (t) => {
    const server = await givenNatsServer(t)
    const agenda = await givenAgenda(t)
    const done: Done[] = []
    await givenWorker(t, agenda, server, 'a', done)
    await givenWorker(t, agenda, server, 'b', done)
    const ids = names('row', 300)
    await agenda.owe(ids)
    await allDone(done, ids.length)
    t.same(sorted(done), [...ids].sort())
    const byA = done.filter(({ by }) => by === 'a').length
    t.ok(byA > 30 && byA < 270, `a did ${byA} of 300`)
  },
)

t.test('given a hint that comes twice or late, then the lease decides', { skip }, async (t) => {
  const agenda = await givenAgenda(t)
  await agenda.owe(['once'])
  const leases = createLeases(agenda.db, { owner: 'a', leaseMs: LEASE_MS })
  const [row] = await leases.claim(
    Date.now(),
    ofPools(() => ({ free: 1, most: 10 })),
  )
  const given = { id: 'once', token: row?.token ?? '', workspace: 'ws_1' }
  const taken = await Promise.all([1, 2, 3].map(() => leases.take(given, Date.now())))
  t.equal(taken.filter((lease) => lease !== undefined).length, 1, 'one of three takers wins')
  t.equal(await leases.take(given, Date.now()), undefined, 'the old token is worth nothing')
})

for (const wiped of [false, true]) {
  t.test(
    `given NATS is killed${wiped ? ', its store wiped' : ''} and comes back, then nothing is lost or done twice`,
    { skip },
    async (t) => {
      const server = await givenNatsServer(t)
      const agenda = await givenAgenda(t)
      const done: Done[] = []
      const a = await givenWorker(t, agenda, server, 'a', done)
      await givenWorker(t, agenda, server, 'b', done)
      const all: string[] = []
      const owe = async (prefix: string, count: number) => {
        const ids = names(prefix, count)
        all.push(...ids)
        await agenda.owe(ids)
      }
      for (let round = 0; round < 5; round += 1) {
        await owe(`before ${round}`, 40)
        await server.kill()
        if (wiped) await server.wipe()
        await owe(`during ${round}`, 20)
        // Without NATS the work goes on.
        await until('work without NATS', 20_000, async () =>
          done.some(({ id }) => id.startsWith(`during ${round}`)) ? true : undefined,
        )
        await server.start()
        await until('NATS to be seen again', 20_000, async () => (a.nats.connected() ? true : undefined))
      }
      await owe('after', 40)
      await allDone(done, all.length, 60_000)
      t.same(sorted(done), all.sort())
    },
  )
}

t.test(
  'given a worker that dies with rows in hand, then another does them when the lease ends',
  { skip },
  async (t) => {
    const server = await givenNatsServer(t)
    const agenda = await givenAgenda(t)
    const done: Done[] = []
    await agenda.owe(names('row', 8))
    const dead = createLeases(agenda.db, { owner: 'dead', leaseMs: LEASE_MS })
    t.equal(
      (
        await dead.claim(
          Date.now(),
          ofPools(() => ({ free: 8, most: 10 })),
        )
      ).length,
      8,
    )
    await givenWorker(t, agenda, server, 'a', done)
    await allDone(done, 8)
    t.same(sorted(done), names('row', 8).sort())
  },
)
