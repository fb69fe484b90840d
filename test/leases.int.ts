import t, { type Test } from 'tap'
import { gather } from '../infra/postgres/gather.ts'
import type { Database } from '../infra/postgres/pool.ts'
import { localSlots } from '../reactors/runtime/worker-slots.ts'
import { createLeases, type LeasedRow } from '../reactors/runtime/leases.ts'
import { ofPools, poolSizes, WORK } from '../reactors/runtime/pools.ts'
import type { WorkKind } from '../projections/agenda/agenda.ts'
import { park, type Reactor } from '../reactors/runtime/reactor.ts'
import { work } from '../reactors/runtime/work.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { unusedDatabase, withReadModels } from './support/postgres.ts'
import { virtualClock } from './support/virtual-clock.ts'

const NOW = Date.UTC(2026, 0, 1)
const LEASE_MS = 30_000

async function givenAgenda(t: Test) {
  const { db } = await unusedDatabase(t, withReadModels)
  const leases = createLeases(db, { owner: 'test', leaseMs: LEASE_MS })
  let n = 0
  return {
    db,
    leases,
    /** Rows of one lane, each due a millisecond after the one before. */
    owe: async (lane: string, count: number, from = NOW - 3_600_000, kind = 'publish') => {
      n += 1
      await db.query(
        `insert into read.agenda (id, kind, subject, part, lane, due_at)
         select $1 || ':' || i, $2, 'post_' || i, '', $3, $4::timestamptz + i * interval '1 millisecond'
         from generate_series(0, $5::int - 1) i`,
        [`${kind}:${n}`, kind, lane, new Date(from).toISOString(), count],
      )
    },
    finish: (rows: readonly LeasedRow[]) =>
      db.query('delete from read.agenda where id = any($1)', [rows.map(({ id }) => id)]),
  }
}

/** Rows of the agenda read, through any index. A connection reports its counts on request. */
async function rowsRead(db: Database): Promise<number> {
  await db.query('select pg_stat_force_next_flush()')
  const { rows } = await db.query<{ n: string }>(
    `select seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'agenda') as n
     from pg_stat_user_tables where relname = 'agenda'`,
  )
  return Number(rows[0]?.n)
}

const rooms = (free: number, most = 1_000) => ofPools(() => ({ free, most }))
const all = rooms(1_000)
const everyKind = (reactor: Reactor) =>
  Object.fromEntries(Object.keys(WORK).map((kind) => [kind, reactor])) as Record<WorkKind, Reactor>
const lanesOf = (rows: readonly LeasedRow[]) => rows.map(({ lane }) => lane)

t.test(
  'given lanes with more work than hands, when hands come free, then no lane waits for others to run dry',
  async (t) => {
    const { leases, owe, finish } = await givenAgenda(t)
    const lanes = Array.from({ length: 40 }, (_, index) => `acc_${String(index).padStart(2, '0')}`)
    for (const lane of lanes) await owe(lane, 50)
    const held = [...(await leases.claim(NOW, rooms(8, 8)))]
    const served = new Map<string, number>()
    for (let turn = 1; turn <= 800; turn += 1) {
      const done = held.splice(0, 1)
      for (const { lane } of done) served.set(lane, (served.get(lane) ?? 0) + 1)
      await finish(done)
      held.push(...(await leases.claim(NOW + turn, rooms(1, 8))))
    }
    t.equal(held.length, 8, 'every hand is full all the time')
    const counts = lanes.map((lane) => served.get(lane) ?? 0)
    t.ok(Math.min(...counts) >= 5, `of 20 turns each the fewest had ${Math.min(...counts)}`)
    t.ok(Math.max(...counts) <= 45, `and the most ${Math.max(...counts)}`)
  },
)

t.test('given a lane with much work, when all is asked for, then it has its cap and the others theirs', async (t) => {
  const { leases, owe } = await givenAgenda(t)
  await owe('acc_busy', 10_000)
  await owe('acc_other', 1)
  await owe('ws_1', 100, NOW - 1_000, 'schedule')
  await owe('acc_later', 5, NOW + 1_000)
  const rows = await leases.claim(NOW, all)
  const count = (lane: string) => lanesOf(rows).filter((one) => one === lane).length
  t.same(['acc_busy', 'acc_other', 'ws_1', 'acc_later'].map(count), [WORK.publish.cap, 1, WORK.schedule.cap, 0])
  t.same(await leases.claim(NOW, all), [], 'nothing more, as long as they are at work')
  const [first] = rows.filter(({ lane }) => lane === 'acc_busy').toSorted((a, b) => a.dueAt.localeCompare(b.dueAt))
  t.equal(first?.subject, 'post_0', 'the oldest first')

  await t.test(
    'when one is put off, then another of its lane takes its place, and it comes back in time',
    async (t) => {
      if (!first) return t.fail('there is no row')
      await leases.park(first, NOW + 60_000)
      t.same(lanesOf(await leases.claim(NOW, all)), ['acc_busy'])
      t.match(
        await leases.ahead(NOW),
        { overdue: true, next: NOW + 1_000 },
        'the busy lane waits, and the next is known',
      )
      const later = await leases.claim(NOW + 60_001, all)
      t.ok(later.length > 0, 'leases that were not extended have expired')
    },
  )
})

t.test('given a pool whose hands are full, then what other hands do is still taken', async (t) => {
  const { leases, owe } = await givenAgenda(t)
  for (const lane of ['feeds/ws_1', 'feeds/ws_2', 'feeds/ws_3']) await owe(lane, 10, NOW - 7_200_000, 'feed')
  await owe('acc_1', 3)
  const few = { ...all, feed: { free: 5, most: 8 } }
  const first = await leases.claim(NOW, few)
  t.equal(first.filter(({ kind }) => kind === 'feed').length, 5, 'as many as there are hands')
  t.equal(new Set(lanesOf(first)).size, 4, 'of all lanes')
  t.equal(first.filter(({ kind }) => kind === 'publish').length, 3)
  t.equal((await leases.claim(NOW, few)).length, 3, 'no more over all processes than may be leased at once')
  t.equal((await leases.claim(NOW, few)).length, 0)
})

t.test('given thousands of lanes that owe nothing now, then a claim and a look ahead pass them by', async (t) => {
  const { db, leases, owe } = await givenAgenda(t)
  await db.query(
    `insert into read.agenda (id, kind, subject, part, lane, due_at)
     select 'comments:' || i, 'comments', 'acc_' || i, '', 'comments/ws_' || i, $1 from generate_series(1, 5000) i`,
    [new Date(NOW + 3_600_000).toISOString()],
  )
  await db.query('analyze read.agenda')
  await owe('acc_1', 2)
  const before = await rowsRead(db)
  t.equal((await leases.claim(NOW, all)).length, 2)
  t.match(await leases.ahead(NOW), { overdue: false })
  const read = (await rowsRead(db)) - before
  t.ok(read > 0 && read < 200, `${read} rows were read`)
})

for (const short of [0, 1, 20]) {
  t.test(`given a plan made when the agenda held ${short} rows, then a claim of a long one reads as few`, async (t) => {
    const { db, leases, owe } = await givenAgenda(t)
    if (short > 0) await owe('acc_0', short, NOW + 3_600_000)
    await db.query('analyze read.agenda')
    t.same(await leases.claim(NOW, all), [], 'the connection has its plan')
    await owe('acc_1', 3_000, NOW + 3_600_000)
    for (let lane = 0; lane < 40; lane += 1) await owe(`deliver/wh_${lane}`, 100, NOW - 3_600_000, 'deliver')
    const before = await rowsRead(db)
    t.equal((await leases.claim(NOW, rooms(64))).length, 64)
    const read = (await rowsRead(db)) - before
    t.ok(read > 0 && read < 1_500, `${read} rows were read`)
  })
}

t.test('given a claim, which costs more than it takes, then the server does not compile it', async (t) => {
  const { db } = await givenAgenda(t)
  const { rows } = await db.query<{ settings: string[] }>(
    `select proconfig as settings from pg_proc where oid = to_regproc('service.claim')`,
  )
  t.ok(rows[0]?.settings.includes('jit=off'))
})

t.test('given many lanes with much due work, then a claim reads from each only what it may take', async (t) => {
  const { db, leases, owe } = await givenAgenda(t)
  for (let lane = 0; lane < 40; lane += 1) await owe(`deliver/wh_${lane}`, 100, NOW - 3_600_000, 'deliver')
  await db.query('analyze read.agenda')
  for (let lane = 40; lane < 60; lane += 1) await owe(`deliver/wh_${lane}`, 100, NOW - 3_600_000, 'deliver')
  const before = await rowsRead(db)
  t.equal((await leases.claim(NOW, rooms(64))).length, 64)
  const read = (await rowsRead(db)) - before
  t.ok(read > 0 && read < 1_500, `${read} rows were read`)
})

const ACCOUNTS =
  'insert into read.accounts (id, workspace_id, platform, external_id, label, connected, connected_at) values'

async function givenWorkspaces(t: Test, accounts: Readonly<Record<string, number>>) {
  const agenda = await givenAgenda(t)
  for (const [workspace, count] of Object.entries(accounts)) {
    for (let n = 0; n < count; n += 1) {
      const id = `acc_${workspace}_${n}`
      await agenda.db.query(`${ACCOUNTS} ($1, $2, 'x', $1, $1, true, now())`, [id, workspace])
      await agenda.owe(`publish/${id}`, 50)
    }
  }
  return agenda
}

const countOf = (rows: readonly LeasedRow[], workspace: string) =>
  rows.filter((row) => row.workspace === workspace).length

t.test('given workspaces with few and many accounts, then each has the same share of the hands', async (t) => {
  const { leases } = await givenWorkspaces(t, { large: 40, small: 2 })
  const rows = await leases.claim(NOW, rooms(12))
  t.same([countOf(rows, 'large'), countOf(rows, 'small')].toSorted(), [5, 6], 'and a hand is left for who comes')
})

t.test('given a workspace that fills the hands that others leave idle, then one is free for who comes', async (t) => {
  const { leases, db, owe, finish } = await givenWorkspaces(t, { greedy: 40 })
  const held = [...(await leases.claim(NOW, rooms(32)))]
  t.equal(held.length, 24)
  for (let turn = 1; turn < 50; turn += 1) held.push(...(await leases.claim(NOW + turn, rooms(32 - held.length))))
  t.equal(held.length, 24, 'it takes nothing else, however often it asks')

  await db.query(`${ACCOUNTS} ('acc_new', 'new', 'x', 'new', 'new', true, now())`)
  await owe('publish/acc_new', 4)
  const first = await leases.claim(NOW + 100, rooms(8))
  t.equal(countOf(first, 'new'), 4)
  held.push(...first)

  await t.test('when a hand comes free, then it goes to the one with fewer', async (t) => {
    await owe('publish/acc_new', 4)
    const [done] = held.splice(0, 1)
    await finish(done ? [done] : [])
    t.same(
      (await leases.claim(NOW + 101, rooms(1))).map(({ workspace }) => workspace),
      [],
      'its account is at its cap, and the other has its share',
    )
    await finish(held.splice(-1))
    t.same(
      (await leases.claim(NOW + 102, rooms(2))).map(({ workspace }) => workspace),
      ['new'],
    )
  })
})

t.test('given thousands of accounts that owe much in one workspace, then another is served at once', async (t) => {
  const { leases, db, owe } = await givenWorkspaces(t, { one: 1 })
  await db.query(
    `insert into read.accounts (id, workspace_id, platform, external_id, label, connected, connected_at)
     select 'acc_flood_' || i, 'flood', 'x', i, i, true, now() from generate_series(1, 2000) i`,
  )
  await db.query(
    `insert into read.agenda (id, kind, subject, part, lane, due_at)
     select 'publish:flood' || i, 'publish', 'post_' || i, '', 'publish/acc_flood_' || i, $1 from generate_series(1, 2000) i`,
    [new Date(NOW - 7_200_000).toISOString()],
  )
  await owe('deliver/wh_unknown', 3, NOW - 1_000, 'deliver')
  const rows = await leases.claim(NOW, rooms(8))
  t.same([countOf(rows, 'one'), countOf(rows, 'flood')].toSorted(), [3, 4])
  t.equal(countOf(rows, 'deliver/wh_unknown'), 3, 'work of an unknown workspace has a share of its own')
})

t.test('given worker slots, when work only waits for a response, then its slot does other work', async (t) => {
  const gates = new Map<string, () => void>()
  const began: string[] = []
  const gate = (name: string) => new Promise<void>((resolve) => gates.set(name, resolve))
  const slots = localSlots({ ...poolSizes(8), publish: 2 }, async ({ id }, hand) => {
    await hand.apart(() => gate(`${id} fetches`))
    began.push(id)
    await gate(`${id} publishes`)
  })
  const give = (id: string, workspace: string) =>
    slots.give({ ...{ id, workspace, token: id, subject: id }, ...{ kind: 'publish', part: '', lane: '', dueAt: '' } })
  const open = async (name: string) => {
    gates.get(name)?.()
    await new Promise(setImmediate)
  }
  for (const id of ['a1', 'a2', 'a3', 'a4']) await give(id, 'a')
  t.equal(slots.capacity().publish.free, 2, 'they all fetch, and no slot is taken')
  await give('b1', 'b')
  for (const id of ['a1', 'a2', 'a3', 'a4', 'b1']) await open(`${id} fetches`)
  t.same(began, ['a1', 'a2'], 'as many publish as there are hands')
  t.equal(slots.capacity().publish.free, 0)
  await open('a1 publishes')
  t.same(began, ['a1', 'a2', 'b1'], 'the next hand is for the workspace that has none')
  for (const id of ['a2', 'b1', 'a3', 'a4']) await open(`${id} publishes`)
  await slots.idle()
  t.same(began.toSorted(), ['a1', 'a2', 'a3', 'a4', 'b1'])
  t.equal(slots.capacity().publish.free, 2)

  for (const id of ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8']) {
    const row = { id, workspace: 'c', token: id, subject: id, kind: 'publish', part: '', lane: '', dueAt: '' } as const
    if (slots.hasShare(row)) await slots.give(row)
  }
  t.ok(slots.capacity().publish.free > 0, 'rows at work are limited too, and one workspace leaves some to others')
  for (const name of gates.keys()) await open(name)
  for (const name of gates.keys()) await open(name)
  for (const name of gates.keys()) await open(name)
  for (const name of gates.keys()) await open(name)
  await slots.idle()
})

t.test(
  'given work that is done, when the projector has not removed its row, then it rests, and others have its place',
  async (t) => {
    const { leases, owe } = await givenAgenda(t)
    await owe('acc_1', WORK.publish.cap + 1)
    const rows = await leases.claim(NOW, all)
    t.equal(rows.length, WORK.publish.cap)
    for (const row of rows) leases.done(row, NOW)
    t.equal((await leases.claim(NOW + 500, all)).length, 0, 'the projector has its time')
    t.equal((await leases.claim(NOW + 1_000, all)).length, 1, 'only the one that was never leased')
    t.equal((await leases.claim(NOW + 59_999, all)).length, 1, 'its lease has run out')
    t.equal((await leases.claim(NOW + 60_000, all)).length, WORK.publish.cap - 1, 'they are checked again')
  },
)

t.test('given a database whose answers get lost', async (t) => {
  const { db, owe } = await givenAgenda(t)
  let isLost = false
  /** Loses the answer, or what was asked as well. */
  const losingTo = (reaches: boolean): Database =>
    Object.assign(Object.create(db) as typeof db, {
      query: async (...given: unknown[]) => {
        const answer = isLost && !reaches ? undefined : await (Reflect.apply(db.query, db, given) as Promise<unknown>)
        if (isLost) throw new Error('Connection terminated unexpectedly')
        return answer
      },
    })
  const losing = async (act: () => Promise<unknown>) => {
    isLost = true
    await t.rejects(act(), { message: /terminated/ })
    isLost = false
  }
  const leases = createLeases(losingTo(true), { owner: 'test', leaseMs: LEASE_MS })
  const others = createLeases(db, { owner: 'others', leaseMs: LEASE_MS })
  await owe('acc_1', WORK.publish.cap)
  const [mine, ...rest] = await leases.claim(NOW, rooms(2))
  const theirs = await others.claim(NOW, rooms(1))
  t.equal(rest.length + theirs.length, 2)

  await t.test('when a claim is lost, then the next one has its rows, and only those', async (t) => {
    await losing(() => leases.claim(NOW + 100, all))
    const again = await leases.claim(NOW + 600, all)
    t.equal(again.length, WORK.publish.cap - 3)
    t.ok(mine && (await leases.extend(mine, NOW + 600)), 'what it works on stays its own')
    t.ok(theirs[0] && (await others.extend(theirs[0], NOW + 600)), 'and that of others theirs')
    t.equal((await leases.claim(NOW + 700, all)).length, 0)
    for (const row of again) await leases.park(row, NOW + 1_000_000)
    const [handed] = theirs
    if (!handed) throw new Error('there is nothing to take over')
    await losing(() => leases.take(handed, NOW + 800))
    const [taken] = await leases.claim(NOW + 900, all)
    t.equal(taken?.id, handed.id, 'nor does a lost takeover wait for its end')
    if (taken) await leases.park(taken, NOW + 1_000_000)
  })

  await t.test('when a row cannot be released, then the next claim does it', async (t) => {
    await owe('acc_2', 1)
    const cut = createLeases(losingTo(false), { owner: 'cut', leaseMs: LEASE_MS })
    const [row] = await cut.claim(NOW + 700, all)
    await losing(async () => row && cut.park(row, NOW + 5_700))
    t.equal((await cut.claim(NOW + 5_600, all)).length, 0, 'not before its time')
    t.equal((await cut.claim(NOW + 5_700, all))[0]?.id, row?.id)
  })

  await t.test(
    'when what was handed on may be lost, then it is due again, and the hint no longer counts',
    async (t) => {
      await owe('acc_3', 1)
      const [row] = await leases.claim(NOW + 6_000, all)
      if (!row) throw new Error('there is nothing to hand on')
      leases.handedOn(row)
      t.equal((await leases.claim(NOW + 6_100, all)).length, 0)
      leases.suspectLost(NOW + 6_200)
      t.equal((await leases.claim(NOW + 6_300, all))[0]?.id, row.id)
      t.equal(await others.take(row, NOW + 6_400), undefined)
    },
  )
})

t.test('given work that puts its row off beyond all measure, then that ends nothing but its own rest', async (t) => {
  const { leases, owe } = await givenAgenda(t)
  await owe('acc_1', 4)
  const rows = await leases.claim(NOW, all)
  const clock = virtualClock(NOW)
  const rests = [Date.UTC(58_861, 0), Number.MAX_VALUE, NOW + 1_000, NOW + 1_000]
  const deps = { leases, clock, logger: createLogger('silent'), leaseMs: LEASE_MS }
  const resting = (ms: number) => everyKind(async () => park(ms))
  await Promise.all(
    rows.map((row, index) =>
      work({ ...deps, reactors: resting(rests[index] ?? NOW) }, row, new AbortController().signal),
    ),
  )
  t.equal((await leases.claim(NOW + 1_000, all)).length, 2, 'its neighbours are back in time')
  t.equal((await leases.claim(NOW + 366 * 86_400_000, all)).length, 4, 'it is checked again in a year')
})

t.test(
  'given many who ask while a call is under way, then they share the next, and each has its own answer',
  async (t) => {
    const calls: (readonly number[])[] = []
    const gates: (() => void)[] = []
    const twice = gather(async (items: readonly number[]) => {
      calls.push(items)
      await new Promise<void>((resolve) => gates.push(resolve))
      if (items.includes(13)) throw new Error('unlucky')
      return items.map((item) => item * 2)
    }, 3)
    const open = async () => {
      while (gates.length === 0) await new Promise((resolve) => setImmediate(resolve))
      gates.shift()?.()
    }
    const alone = twice(1)
    await open()
    t.equal(await alone, 2)
    const many = [2, 3, 4, 5].map(twice)
    await open()
    await open()
    t.same(await Promise.all(many), [4, 6, 8, 10])
    t.same(calls, [[1], [2, 3, 4], [5]], 'at most what may run at once')
    const failing = [13, 14].map((item) => twice(item).catch((error: Error) => error.message))
    await open()
    t.same(await Promise.all(failing), ['unlucky', 'unlucky'])
    const after = twice(7)
    await open()
    t.equal(await after, 14, 'a failure is not remembered')
  },
)
