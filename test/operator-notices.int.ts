import type { Pool } from 'pg'
import t, { type Test } from 'tap'
import { watchForOperator } from '../app/wiring/operator.ts'
import type { Core } from '../app/wiring/core.ts'
import { createOperatorNotices } from '../infra/postgres/operator-notices.ts'
import { randomIds } from '../infra/runtime/ids.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { readSettings } from '../infra/runtime/settings.ts'
import { watchServer, type ServerChecks } from '../reactors/notifications/watch-server.ts'
import { chatServer } from './support/chat-server.ts'
import { until } from './support/event-log-helpers.ts'
import { testDatabase, withReadModels } from './support/postgres.ts'
import { logOf } from './support/world.ts'

/* What the operator of the servers is told, without the log and the read models, which may be what is wrong. */

const MINUTE_MS = 60_000

/** Minutes pass when they are told to. A wait of less than one does not end. */
function minutes() {
  let now = Date.UTC(2026, 0, 1)
  const waiting = new Set<() => void>()
  const clock = {
    now: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        const end = () => {
          waiting.delete(end)
          signal?.removeEventListener('abort', end)
          resolve()
        }
        if (ms === MINUTE_MS) waiting.add(end)
        signal?.addEventListener('abort', end, { once: true })
      }),
  }
  /** @param watches how many wait for the next minute when all of this one is done */
  const rested = (watches: number) => until('the watches to rest', async () => waiting.size === watches)
  const pass = async (count: number, watches: number) => {
    for (let n = 0; n < count; n += 1) {
      await rested(watches)
      now += MINUTE_MS
      const woken = [...waiting]
      for (const wake of woken) wake()
      await rested(watches)
    }
  }
  return { clock, pass }
}

async function givenWatches(t: Test, db: Pool, count: number, checks: ServerChecks) {
  const { clock, pass } = minutes()
  const told: string[] = []
  const watch = () => {
    const stopping = new AbortController()
    t.teardown(() => stopping.abort())
    const tell = async (cause: string, error: string | undefined) => void told.push(`${cause}: ${error ?? 'well'}`)
    const deps = { checks, tell, clock, logger: createLogger('silent'), notices: createOperatorNotices(db, clock) }
    void watchServer(deps, stopping.signal)
    return stopping
  }
  const watches = Array.from({ length: count }, watch)
  return { told, pass: (n: number) => pass(n, count), watches, watch }
}

const checksOf = (wrong: Map<string, string>, ...causes: readonly string[]): ServerChecks =>
  Object.fromEntries(
    causes.map((cause) => [
      cause,
      async () => {
        const error = wrong.get(cause)
        if (error !== undefined) throw new Error(error)
      },
    ]),
  )

t.test('given three processes that watch the servers', async (t) => {
  const { db } = await testDatabase(t, withReadModels)
  const wrong = new Map<string, string>()
  const { told, pass } = await givenWatches(t, db, 3, checksOf(wrong, 'log', 'agenda'))

  await t.test('when all is well, then nobody is told', async (t) => {
    await pass(10)
    t.same(told, [])
  })

  await t.test('when something is wrong for four minutes, then nobody is told', async (t) => {
    wrong.set('log', 'it is away')
    await pass(5)
    wrong.clear()
    await pass(10)
    t.same(told, [])
  })

  await t.test('when it stays wrong, then one of them tells, and again after six hours', async (t) => {
    wrong.set('log', 'it is away')
    await pass(6)
    t.same(told, ['log: it is away'])
    wrong.set('agenda', 'nobody works')
    await pass(60)
    t.same(told, ['log: it is away', 'agenda: nobody works'])
    await pass(5 * 60 + 10)
    t.same(told.slice(2).toSorted(), ['agenda: nobody works', 'log: it is away'])
  })

  await t.test('when it is well for five minutes, then one of them tells, once', async (t) => {
    told.length = 0
    wrong.delete('log')
    await pass(5)
    t.same(told, [])
    await pass(20)
    t.same(told, ['log: well'])
  })
})

t.test(
  'given a process that told of something, when another takes its place, then that tells when it is over',
  async (t) => {
    const { db } = await testDatabase(t, withReadModels)
    const wrong = new Map([['agenda', 'nobody works']])
    const { told, pass, watches, watch } = await givenWatches(t, db, 1, checksOf(wrong, 'agenda'))
    await pass(6)
    watches[0]?.abort()
    watch()
    await pass(10)
    t.same(told, ['agenda: nobody works'], 'and does not repeat it')
    wrong.clear()
    await pass(6)
    t.same(told.slice(1), ['agenda: well'])
  },
)

t.test(
  'given Postgres is away, then each process tells for itself, and once it is back, that it is over',
  async (t) => {
    const { db } = await testDatabase(t, withReadModels)
    const wrong = new Map([['database', 'it is away']])
    const away = {
      query: async (...given: Parameters<Pool['query']>) => {
        if (wrong.size > 0) throw new Error('it is away')
        return db.query(...given)
      },
    }
    const { told, pass } = await givenWatches(t, away as unknown as Pool, 2, checksOf(wrong, 'database'))
    await pass(30)
    t.same(told, ['database: it is away', 'database: it is away'])
    wrong.clear()
    await pass(10)
    t.same(told.slice(2), ['database: well', 'database: well'])
  },
)

t.test(
  'given OPERATOR_NOTIFY, when the log is away for minutes, then messages arrive, also when one was put off',
  async (t) => {
    const { db, signals } = await testDatabase(t, withReadModels)
    const chat = await chatServer(t)
    const { url } = chat
    const { clock, pass } = minutes()
    const log = logOf({ db, signals, clock })
    let isAway = true
    const ping = async () => {
      if (isAway) throw new Error('it does not answer')
    }
    const settings = readSettings({
      OPERATOR_NOTIFY: `ntfy:${url}/ops, slack:${url}/hook`,
      NODE_NAME: 'web-1',
      DATA_DIR: t.testdir(),
    })
    const stopping = new AbortController()
    t.teardown(() => stopping.abort())
    const core = {
      ...{ settings, db, clock, logger: createLogger('silent'), ids: randomIds(clock.now) },
      ...{ log: { ...log, ping }, reachedAt: { url: 'https://fanfare.test' } },
    } as unknown as Core
    const watching = watchForOperator(core, { nats: undefined, secret: Buffer.alloc(32, 1) }, stopping.signal)
    await pass(6, 1)
    await until('both messages', async () => chat.got.length === 2)
    const ntfy = chat.got.find(({ path }) => path === '/')
    t.match(JSON.parse(ntfy?.text ?? ''), {
      topic: 'ops',
      title: 'The log cannot be reached (web-1)',
      message: /it does not answer/,
      click: 'https://fanfare.test/readyz',
    })
    t.match(chat.got.find(({ path }) => path === '/hook')?.text, 'it does not answer')
    isAway = false
    await pass(6, 1)
    await until('what says that it is over', async () => chat.got.length === 4)
    t.match(chat.got[2]?.text, 'Resolved: The log cannot be reached')
    stopping.abort()
    await watching
  },
)
