import { Writable } from 'node:stream'
import type pg from 'pg'
import t, { type Test } from 'tap'
import { progressBar } from '../app/cli/progress-bar.ts'
import type { NewEvent } from '../domain/core/event.ts'
import { derivedId } from '../domain/core/ids.ts'
import { START, type EventLog } from '../event-log/event-log.ts'
import { postgresLog } from '../event-log/postgres/log.ts'
import { projections } from '../projections/models/index.ts'
import type { AnyProjection } from '../projections/engine/projection.ts'
import { createProjector, type Projector } from '../projections/engine/projector.ts'
import { layOutBeside } from '../projections/engine/beside.ts'
import { createBuilder } from '../projections/rebuild/builder.ts'
import { rebuild, type RebuildDeps, type Stage } from '../projections/rebuild/rebuild.ts'
import { switchOver } from '../projections/rebuild/switch.ts'
import { buildInThreads } from '../projections/rebuild/threads.ts'
import { statusOf } from '../projections/engine/status.ts'
import { layOutTables, resetTables } from '../projections/engine/tables.ts'
import { createLeases } from '../reactors/runtime/leases.ts'
import { ofPools } from '../reactors/runtime/pools.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { readUntilCaughtUp, unchecked, until } from './support/event-log-helpers.ts'
import { given as givenEventStore } from './support/eventstoredb-given.ts'
import { writeGenerated } from './support/generated-log.ts'
import { memoryLog, memoryLogData } from './support/memory-log.ts'
import { testDatabase } from './support/postgres.ts'
import { connectionStringOf } from './support/api.ts'
import { virtualClock } from './support/virtual-clock.ts'
import { ENCRYPTION_KEY, logOf } from './support/world.ts'

const logger = createLogger('silent')
const never = new AbortController().signal

type Scene = Awaited<ReturnType<typeof givenScene>>

async function givenScene(t: Test, log: EventLog = memoryLog(), of: readonly AnyProjection[] = projections) {
  return sceneOn(await testDatabase(t), log, of)
}

async function sceneOn(
  { db, signals }: Awaited<ReturnType<typeof testDatabase>>,
  log: EventLog,
  of: readonly AnyProjection[] = projections,
) {
  await layOutTables(db, of)
  const projectorOf = (shown: readonly AnyProjection[] = of): Projector =>
    createProjector({ db, log, signals, projections: shown, clock: systemClock, logger })
  return { db, signals, log, of, projectorOf, projector: projectorOf() }
}

function rebuilt(
  { db, log, projector, of }: Pick<Scene, 'db' | 'log' | 'projector' | 'of'>,
  options: Parameters<typeof rebuild>[2] & Partial<Pick<RebuildDeps, 'signal' | 'progress' | 'inThreads'>> = {},
) {
  const { signal = never, progress = () => undefined, inThreads, ...others } = options
  const parts = { signal, progress, ...(inThreads && { inThreads }) }
  return rebuild({ db, log, projector, clock: systemClock, ...parts }, of, others)
}

/** Every row of every read model with all its columns, and what the tables are made of. */
async function shown(
  db: pg.Pool,
  of: readonly AnyProjection[] = projections,
  schema = 'read',
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const { name } of of) {
    found[name] = (await db.query(`select t::text from ${schema}.${name} t order by id`)).rows
  }
  const indexes = await db.query(
    `select indexname, indexdef from pg_indexes where schemaname = $1 and tablename <> 'checkpoints' order by 1`,
    [schema],
  )
  return { ...found, indexes: indexes.rows }
}

function workspaceCreated(n: number): NewEvent {
  const id = derivedId('workspace', n)
  const metadata = { at: '2026-01-01T00:00:00.000Z', actor: { kind: 'cli', id: 'test' } } as const
  return {
    ...{ id, type: 'WorkspaceCreated', data: { name: `workspace ${n}` } },
    metadata: { ...metadata, correlationId: id, causationId: id },
  }
}

async function appendWorkspaces(log: EventLog, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1) await log.append(`workspace-ws_${n}`, [workspaceCreated(n)], -1)
}

const [workspaces, apiKeys] = ['workspaces', 'api_keys'].map((name) => projections.find((one) => one.name === name))
/** Of two projections, of which one is laid out again and fails at an event, as a test wants it. */
function variant(change: Partial<AnyProjection>): AnyProjection {
  return { ...workspaces!, name: 'variant', version: 1, ...change }
}

t.test('given a history of all that can happen, and leases', async (t) => {
  const scene = await givenScene(t)
  const { db, log, projector } = scene
  await writeGenerated(log, 7)
  const out = { workspaceId: 'ws_1', platform: 'x', accountId: 'acc_1', attempt: 1, postId: '1' }
  await log.append('post-post_out', [{ ...workspaceCreated(-1), type: 'AccountPublished', data: out }], -1)
  await projector.catchUp()
  const leases = createLeases(db, { owner: 'test', leaseMs: 60_000 })
  await db.query(
    `update read.agenda set lease_token = 'token', lease_owner = 'test', lease_until = '2026-01-01T00:00:00Z'
     where id in (select id from read.agenda order by id limit 3)`,
  )
  await db.query(`update read.post_metrics set look_at = '2026-02-01T00:00:00Z'`)
  const before = await shown(db)
  for (const { name } of projections) t.ok(Object(before[name]).length > 0, `${name} has rows`)

  await t.test('when all is rebuilt, then it is equal, in place, and leased as before', async (t) => {
    const stages: Stage[] = []
    const found = await rebuilt(scene, { progress: (stage) => stages.push(stage) })
    t.same(
      found.map(({ projection, compared, now }) => [projection, compared, now]),
      projections.map(({ name }) => [name, 'equal', 'live']),
    )
    t.ok(found.every(({ rows, events, checksum }) => rows > 0 && events > 0 && /^[0-9a-f]{16}$/.test(checksum)))
    t.same(await shown(db), before)
    t.match(stages.at(-1), { stage: 'switching' })
    const { rows } = await db.query(`select to_regnamespace('read_next') is null as gone`)
    t.same(rows, [{ gone: true }])
    const row = { id: String((await db.query(`select id from read.agenda where lease_token = 'token'`)).rows[0]?.id) }
    t.ok(
      await leases.take({ ...row, token: 'token', workspace: 'ws_1' }, systemClock.now()),
      'who holds a lease still holds it',
    )
  })

  await t.test('when more happens, then the projector that ran all the time continues', async (t) => {
    await appendWorkspaces(log, 0, 3)
    await projector.catchUp()
    await rebuilt(scene, {})
    const once = await shown(db)
    await db.query('update read.agenda set lease_token = null, lease_owner = null, lease_until = null')
    await resetTables(db, projections)
    await scene.projectorOf().catchUp()
    t.same(Object(once['workspaces']).length, Object(before['workspaces']).length + 3)
    t.same((await shown(db))['posts'], once['posts'])
  })
})

t.test(
  'given a history of all that can happen, however it is cut into pages and batches, then the same is built',
  async (t) => {
    const { db, log, projector, of } = await givenScene(t)
    await writeGenerated(log, 11)
    await projector.catchUp()
    const { indexes: _live, ...live } = await shown(db)
    for (const [pageSize, batchSize] of [
      [1, 1],
      [1, 5],
      [3, 7],
      [7, 3],
      [10, 40],
      [40, 1000],
    ] as const) {
      await layOutBeside(db, of, true)
      const sizes = { pageSize, batchSize }
      const builder = createBuilder({ db, log, projections: of, signal: never, progress: () => undefined, ...sizes })
      t.equal(await builder.advance(), await log.head())
      const { indexes: _next, ...rows } = await shown(db, of, 'read_next')
      t.same(rows, live, `pages of ${pageSize}, batches of ${batchSize}`)
    }
  },
)

t.test('given a post that was published twice on one account, then the second result is what is built', async (t) => {
  const { db, log, projector, of } = await givenScene(t)
  for (const [index, at] of ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'].entries()) {
    const event = workspaceCreated(index)
    const data = { platform: 'x', accountId: 'acc_1', attempt: 1, postId: String(index) }
    const metadata = { ...event.metadata, at }
    await log.append('post-post_out', [{ ...event, type: 'AccountPublished', data, metadata }], index - 1)
  }
  await projector.catchUp()
  await layOutBeside(db, of, true)
  for (const until of [0n, 1n]) {
    // One that knows of nothing that was built before, as after a crash.
    const builder = createBuilder({ db, log, projections: of, signal: never, progress: () => undefined })
    t.equal(await builder.advance(until), until)
  }
  const built = (await shown(db, of, 'read_next'))['post_metrics']
  t.match(built, [{ t: /2026-01-02/ }])
  t.same(built, (await shown(db))['post_metrics'])
})

t.test('given threads that read a log in Postgres', async (t) => {
  const database = await testDatabase(t)
  const { db, signals } = database
  const log = logOf({ db, signals, clock: systemClock })
  t.teardown(() => log.close())
  const scene = await sceneOn(database, log)
  await writeGenerated(log, 7)
  await scene.projector.catchUp()
  const before = await shown(db)
  const masterKeys = [ENCRYPTION_KEY.toString('base64')]
  const inThreads = buildInThreads(log, { connectionString: connectionStringOf(db), masterKeys }, { threads: 3 })
  const head = await log.head()
  const all = (await readUntilCaughtUp(log, START)).length
  /** What the main thread has read by itself. */
  let read = 0
  const main: EventLog = {
    ...log,
    subscribe: async function* (...asked) {
      for await (const delivery of log.subscribe(...asked)) {
        if (delivery.kind === 'events') read += delivery.events.length
        yield delivery
      }
    },
  }
  t.beforeEach(() => (read = 0))

  await t.test('when all is rebuilt, then it is equal, and only they have read', async (t) => {
    const stages: Stage[] = []
    const found = await rebuilt({ ...scene, log: main }, { inThreads, progress: (stage) => stages.push(stage) })
    t.ok(found.every(({ compared, now }) => compared === 'equal' && now === 'live'))
    t.same(await shown(db), before)
    t.equal(read, 0)
    const last = stages.filter((stage) => stage.stage === 'reading').at(-1)
    t.match(last, { position: head, events: all }, 'the last one reports all of them')
  })

  await t.test('when it is interrupted meanwhile, then its threads end, and the next one continues', async (t) => {
    const stopping = new AbortController()
    const progress = ({ stage, ...more }: Stage) => {
      if (stage === 'reading' && 'events' in more && more.events > 0) stopping.abort(new Error('enough'))
    }
    await t.rejects(rebuilt({ ...scene, log: main }, { inThreads, progress, signal: stopping.signal }), /enough/)
    t.equal(read, 0)
    const atWork = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'fanfare rebuild'`
    await until('their connections are gone', async () => (await db.query(atWork)).rows.length === 0)
    t.ok((await rebuilt(scene, { inThreads })).every(({ compared }) => compared === 'equal'))
    t.same(await shown(db), before)
  })

  await t.test(
    'when the threads do not start, then a warning says so, and everything is built without them',
    async (t) => {
      const nowhere = buildInThreads(
        log,
        { connectionString: 'postgres://127.0.0.1:9/none', masterKeys: [] },
        { threads: 2 },
      )
      const stages: Stage[] = []
      const progress = (stage: Stage) => stages.push(stage)
      const found = await rebuilt({ ...scene, log: main }, { inThreads: nowhere, progress })
      t.ok(found.every(({ compared, now }) => compared === 'equal' && now === 'live'))
      t.equal(read, all)
      t.equal(stages.filter(({ stage }) => stage === 'going on without threads').length, 1)
    },
  )

  await t.test('when an event cannot be applied, then all end, and it is named', async (t) => {
    const queued = { ...workspaceCreated(-1), type: 'PostQueued', data: { workspaceId: 'ws_1' } }
    await postgresLog({ db, signals, clock: systemClock, codec: unchecked }).append('post-post_wrong', [queued], -1)
    const stages: Stage[] = []
    await t.rejects(
      rebuilt(scene, { inThreads, progress: (stage) => stages.push(stage) }),
      /cannot apply PostQueued at position .*it does not match its schema: .*No table was replaced/,
    )
    const told = stages.flatMap((stage) => (stage.stage === 'going on without threads' ? [stage.why] : []))
    t.match(told, [/cannot apply PostQueued/])
  })
})

t.test('given EventStoreDB as the log, when all is rebuilt, then it is equal', async (t) => {
  const { log } = await givenEventStore(t)
  const scene = await givenScene(t, log)
  await appendWorkspaces(log, 0, 20)
  await scene.projector.catchUp()
  const before = await shown(scene.db)
  t.equal(Object(before['workspaces']).length, 20)
  t.ok((await rebuilt(scene)).every(({ compared, now }) => compared === 'equal' && now === 'live'))
  t.same(await shown(scene.db), before)
})

t.test('given a working service, when everything is rebuilt again and again, then no request notices', async (t) => {
  const scene = await givenScene(t)
  const { db, log } = scene
  await writeGenerated(log, 8, 1)
  await scene.projector.catchUp()
  const { length: before } = Object((await shown(db))['workspaces'])
  const stopping = new AbortController()
  const running = scene.projectorOf().run(stopping.signal)
  const failures: unknown[] = []
  let [written, reads, least] = [0, 0, 0]
  const going = () => !stopping.signal.aborted
  const write = async () => {
    for (; going(); written += 1) {
      await log.append(`workspace-ws_${written}`, [workspaceCreated(written)], -1)
      await systemClock.sleep(2)
    }
  }
  const read = async () => {
    for (; going(); reads += 1) {
      // As many as were there when it was asked.
      const known = least
      try {
        // A join in another order than the tables are locked in, and a prepared statement.
        await db.query('select s.id from read.scheduled_posts s left join read.posts p on p.id = s.id')
        const { rows } = await db.query<{ n: string }>({
          name: 'count',
          text: 'select count(*) as n from read.workspaces',
        })
        const n = Number(rows[0]?.n)
        if (n < known) throw new Error(`${n} rows after ${known}`)
        least = Math.max(least, n)
        // Or the two take all of a core from the rebuild.
        await systemClock.sleep(1)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  const leases = createLeases(db, { owner: 'test', leaseMs: 1 })
  const claim = async () => {
    while (going()) {
      try {
        await leases.claim(
          systemClock.now(),
          ofPools(() => ({ free: 4, most: 4 })),
        )
        await leases.releaseOwn()
      } catch (error) {
        failures.push(error)
      }
      await systemClock.sleep(5)
    }
  }
  const all = [write(), read(), read(), claim()]
  for (let time = 0; time < 3; time += 1) {
    const found = await rebuilt(scene)
    t.ok(
      found.every(({ compared, now }) => compared === 'equal' && now === 'live'),
      `time ${time + 1}`,
    )
  }
  stopping.abort()
  await Promise.all([...all, running])
  t.same(failures, [])
  t.ok(reads > 10 && written > 10, `${reads} reads and ${written} writes meanwhile`)
  await scene.projectorOf().catchUp()
  const after = await shown(db)
  t.equal(Object(after['workspaces']).length, before + written, 'none is lost')
  await resetTables(db, projections)
  await scene.projectorOf().catchUp()
  const again = await shown(db)
  for (const { name, operational } of projections) if (!operational) t.same(after[name], again[name], name)
})

/** A database of a process that dies at its nth statement, in whatever connection, before it or after it. */
function dyingPool(db: pg.Pool, nth: number, moment: 'before' | 'after'): { db: pg.Pool; statements: () => number } {
  let [statements, dead] = [-1, false]
  const live = (dies: boolean) => {
    dead ||= dies && statements === nth
    if (dead) throw new Error('the process is dead')
  }
  const dying = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, name: string) => {
        const value: unknown = Reflect.get(target, name)
        if (name === 'connect') return async () => dying(await db.connect())
        if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value
        return (...args: unknown[]) => {
          statements += 1
          // A copy is a stream, all else a promise.
          if (args[0] instanceof Writable) {
            live(moment === 'before')
            return Reflect.apply(Object(value), target, args)
          }
          return (async () => {
            live(moment === 'before')
            const result: unknown = await Reflect.apply(Object(value), target, args)
            live(moment === 'after')
            return result
          })()
        }
      },
    })
  return { db: dying(db), statements: () => statements }
}

t.test('given a rebuild that dies at any statement, then nothing shows it, and the next one ends it', async (t) => {
  const of = projections.filter(({ name }) => ['workspaces', 'agenda'].includes(name))
  const scene = await givenScene(t, memoryLog(), of)
  await writeGenerated(scene.log, 9, 1)
  await scene.projector.catchUp()
  const before = await shown(scene.db, of)
  const whole = dyingPool(scene.db, -2, 'before')
  await rebuilt({ ...scene, db: whole.db })
  const statements = whole.statements() + 1
  let deaths = 0
  for (let nth = 0; nth < statements; nth += 1) {
    const dying = dyingPool(scene.db, nth, nth % 2 === 0 ? 'before' : 'after')
    deaths += await rebuilt({ ...scene, db: dying.db }).then(
      () => 0,
      () => 1,
    )
    await until('its connections are gone', async () => {
      const held = `select 1 from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`
      return (await scene.db.query(held)).rowCount === 0
    })
    t.same(await shown(scene.db, of), before, `after the death at statement ${nth}`)
    if (nth % 4 !== 3) continue
    const found = await rebuilt(scene)
    t.ok(found.every(({ compared, now }) => compared === 'equal' && now === 'live'))
    t.same(await shown(scene.db, of), before)
  }
  t.ok(deaths > statements / 2, `${deaths} deaths at ${statements} statements`)
})

t.test('given a busy service, when to compare took long, then the tables are exchanged all the same', async (t) => {
  const scene = await givenScene(t, memoryLog(), [workspaces!])
  const { db, log, of } = scene
  await appendWorkspaces(log, 0, 10)
  await scene.projector.catchUp()
  // Longer than who writes may be held up.
  let delayMs = 0
  const subscribe: EventLog['subscribe'] = async function* (...args) {
    for await (const delivery of log.subscribe(...args)) {
      if (delivery.kind === 'caught-up') yield delivery
      else {
        for (const event of delivery.events) {
          await systemClock.sleep(delayMs)
          yield { kind: 'events', events: [event] }
        }
      }
    }
  }
  const builder = createBuilder({
    ...{ db, log: { ...log, subscribe }, projections: of, signal: never, progress: () => undefined },
  })
  await layOutBeside(db, of, false)
  await builder.advance()
  await appendWorkspaces(log, 10, 20)
  await scene.projector.catchUp()
  delayMs = 250
  t.equal(await switchOver({ db, builder, clock: systemClock, signal: never }, of, new Set(['workspaces'])), true)
  t.equal((await db.query('select 1 from read.workspaces')).rowCount, 20)
})

t.test('given a broken off rebuild', async (t) => {
  const of = [workspaces!]
  const scene = await givenScene(t, memoryLog(), of)
  const { db, log } = scene
  await appendWorkspaces(log, 0, 50)
  await scene.projector.catchUp()
  const breakOff = async () => {
    const stopping = new AbortController()
    const progress = ({ stage }: Stage) => stage === 'indexing' && stopping.abort()
    await t.rejects(rebuilt(scene, { signal: stopping.signal, progress }))
  }
  const eventsRead = async (options: { restart?: boolean }) => {
    let read = 0
    await rebuilt(scene, { ...options, progress: (stage) => stage.stage === 'reading' && (read = stage.events) })
    return read
  }

  await t.test('when it is called again, then it reads only what is new', async (t) => {
    await breakOff()
    await appendWorkspaces(log, 50, 53)
    const status = await statusOf({ db, log, clock: systemClock }, of)
    t.match(status.projections, [{ behind: 3, rebuilt: 50 / 53, halted: null, version: 'current' }])
    t.equal(await eventsRead({}), 3)
    t.match((await statusOf({ db, log, clock: systemClock }, of)).projections, [{ behind: 0, rebuilt: null }])
  })

  await t.test('when it is to begin over, then it reads all', async (t) => {
    await breakOff()
    t.equal(await eventsRead({ restart: true }), 53)
  })

  await t.test('when the log is another one, then it says so', async (t) => {
    await breakOff()
    await t.rejects(rebuilt({ ...scene, log: memoryLog() }), /ahead of this log; start over with --restart/)
    await rebuilt(scene)
  })

  await t.test('when two are called, then one does it', async (t) => {
    const both = await Promise.allSettled([rebuilt(scene), rebuilt(scene)])
    t.same(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    t.match(
      both.find(({ status }) => status === 'rejected'),
      { reason: { message: /Another rebuild is running/ } },
    )
  })
})

t.test('given rows that are not what the log makes of them', async (t) => {
  const scene = await givenScene(t, memoryLog(memoryLogData(), unchecked), [workspaces!, apiKeys!])
  const { db, log } = scene
  await appendWorkspaces(log, 0, 30)
  await scene.projector.catchUp()
  const right = await shown(db, scene.of)
  await db.query(`update read.workspaces set name = 'wrong' where id = 'ws_3'`)
  await db.query(`delete from read.workspaces where id = 'ws_7'`)
  await db.query(`insert into read.workspaces (id, name, created_at) values ('ws_x', 'x', now())`)
  const wrong = await shown(db, scene.of)

  await t.test('then they are named, and the table stays as it was', async (t) => {
    const found = await rebuilt(scene)
    t.match(found, [
      { projection: 'workspaces', compared: 'different', different: ['ws_3', 'ws_7', 'ws_x'], now: 'kept beside' },
      { projection: 'api_keys', compared: 'equal', now: 'live' },
    ])
    t.same(await shown(db, scene.of), wrong)
  })

  await t.test('when they are to be replaced, then they are, and no projector builds on the wrong ones', async (t) => {
    // What it has written last, a projector need not read: of a row that it made wrongly it remembers the wrong one.
    const renamed = { ...workspaceCreated(30), type: 'WorkspaceRenamed' }
    const rename = (row: object | undefined) => row && { ...row, name: `${Reflect.get(row, 'name')}!` }
    const renaming: AnyProjection = {
      ...workspaces!,
      rowIds: (event) => (event.type === 'WorkspaceRenamed' ? ['ws_29'] : workspaces!.rowIds(event)),
      apply: (row, event, id) =>
        event.type === 'WorkspaceRenamed'
          ? (rename(row) as typeof row)
          : (rename(workspaces!.apply(row, event, id)) as typeof row),
    }
    const remembering = scene.projectorOf([renaming])
    await db.query(`update read.checkpoints set position = position - 1 where name = 'workspaces'`)
    const stopping = new AbortController()
    const running = remembering.run(stopping.signal)
    const name = async () => {
      const { rows } = await db.query<{ name: string }>(`select name from read.workspaces where id = 'ws_29'`)
      return rows[0]?.name
    }
    await until('the wrong row is there', async () => (await name()) === 'workspace 29!')
    const found = await rebuilt(scene, { replace: true })
    t.match(found, [{ projection: 'workspaces', compared: 'different', now: 'live' }, { compared: 'equal' }])
    t.same(await shown(db, scene.of), right)
    await log.append('workspace-ws_29', [renamed], 0)
    await until('the event is applied', async () => (await name()) !== 'workspace 29')
    t.equal(await name(), 'workspace 29!', 'and not twice')
    stopping.abort()
    await running
  })
})

t.test('given a projection that stands still at an event', async (t) => {
  const poisoned = variant({
    apply: (row, event, id) => {
      if (event.stream === 'workspace-ws_5') throw new Error('poison')
      return workspaces!.apply(row, event, id)
    },
  })
  const scene = await givenScene(t, memoryLog(), [workspaces!, poisoned])
  const { db, log } = scene
  await appendWorkspaces(log, 0, 10)
  await scene.projector.catchUp()
  t.match((await statusOf({ db, log, clock: systemClock }, scene.of)).projections, [
    { halted: null, behind: 0 },
    { halted: /position 5: poison/, behind: 5 },
  ])

  await t.test('when it is rebuilt as it is, then the event is named', async (t) => {
    await t.rejects(rebuilt(scene), /variant cannot apply WorkspaceCreated at position 5: poison/)
    t.equal((await db.query('select 1 from read.variant')).rowCount, 5)
  })

  await t.test('when it is fixed, then it is rebuilt and continues, and was not compared', async (t) => {
    const of = [workspaces!, variant({})]
    const fixed = { ...scene, of, projector: scene.projectorOf([workspaces!]) }
    t.match(await rebuilt(fixed), [
      { compared: 'equal', now: 'live' },
      { compared: 'not compared: halted', now: 'live', rows: 10 },
    ])
    t.match((await statusOf({ db, log, clock: systemClock }, of)).projections, [{}, { halted: null, behind: 0 }])
  })
})

t.test('given a new version beside a service of the old one', async (t) => {
  const old = variant({})
  const changed = variant({ version: 2 })
  const scene = await givenScene(t, memoryLog(), [old])
  const { db, log } = scene
  await appendWorkspaces(log, 0, 10)
  await scene.projector.catchUp()
  const before = await shown(db, [old])
  const next = { ...scene, of: [changed], projector: scene.projectorOf([changed]) }

  await t.test(
    'when it rebuilds its table, then the old one stays in use, and the next start has the new one',
    async (t) => {
      t.match(await rebuilt(next), [{ compared: 'not compared: of another version', now: 'prepared', rows: 10 }])
      t.same(await shown(db, [old]), before)
      t.match((await statusOf({ db, log, clock: systemClock }, [changed])).projections, [
        { version: 'other', rebuilt: 1 },
      ])
      await appendWorkspaces(log, 10, 13)
      await scene.projector.catchUp()
      t.equal((await db.query('select 1 from read.variant')).rowCount, 13)
      t.same(await layOutTables(db, [changed]), [], 'none begins from nothing')
      t.equal((await db.query('select 1 from read.variant')).rowCount, 10)
      await next.projector.catchUp()
      t.equal((await db.query('select 1 from read.variant')).rowCount, 13)
      t.match(await rebuilt(next), [{ compared: 'equal', now: 'live', rows: 13 }])
    },
  )

  await t.test('when it starts while its table is still being built, then it does not take it', async (t) => {
    const third = variant({ version: 3 })
    let starting: Promise<readonly string[]> | undefined
    const progress = ({ stage }: Stage) => {
      if (stage === 'indexing') starting = layOutTables(db, [third])
    }
    /** The rebuild goes on when the other one has started. */
    const held = Object.assign(Object.create(db) as typeof db, {
      connect: async () => {
        await starting
        return db.connect()
      },
      query: async (...given: unknown[]) => {
        await starting
        return Reflect.apply(db.query, db, given) as Promise<unknown>
      },
    })
    const building = { ...scene, db: held, of: [third], projector: scene.projectorOf([third]) }
    t.match(await rebuilt(building, { progress }), [{ now: /live|prepared/, rows: 13 }])
    t.same(await starting, ['variant'])
    await until('all is shown', async () => {
      await scene.projectorOf([third]).catchUp()
      return (await db.query('select 1 from read.variant')).rowCount === 13
    })
  })

  await t.test('when the log becomes another one, then nothing made of this one is taken', async (t) => {
    const fourth = variant({ version: 4 })
    t.match(await rebuilt({ ...scene, of: [fourth], projector: scene.projectorOf([fourth]) }), [{ now: 'prepared' }])
    await resetTables(db, [fourth])
    t.same(await layOutTables(db, [fourth]), ['variant'])
  })
})

t.test(
  'given who waits for a rebuild, then a terminal shows a bar, and what keeps lines a line now and then',
  async (t) => {
    for (const isTTY of [true, false]) {
      const clock = virtualClock()
      let output = ''
      const bar = progressBar({ isTTY, columns: 80, write: (text) => (output += text) }, clock)
      for (let done = 0; done <= 400; done += 1) {
        bar.show(done, 400, done * 10)
        await clock.advanceTo(clock.now() + 100)
      }
      bar.tell('comparing')
      bar.end()
      if (isTTY) t.match(output, '[############............] 50 %, 2000 events, 100 events/s, 20 s left')
      else t.match(output, '… 50 %, 2000 events, 100 events/s, 20 s left\n')
      t.ok(output.split(isTTY ? '\r' : '\n').length < (isTTY ? 500 : 15))
      t.equal(output.endsWith(isTTY ? '\r\u001b[K' : 'comparing\n'), true)
    }
  },
)
