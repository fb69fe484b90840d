import { spawn } from 'node:child_process'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../infra/postgres/embedded.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { createdDataDir, numbersUpTo, query, run, serverPid, serverRuns, start } from './support/embedded-postgres.ts'
import { startProcess, temporaryFolder, until, workFolders } from './support/embedded-postgres.ts'

t.test('after kill -9 of the process, the next start adopts the server with every acknowledged row', async (t) => {
  const dataDir = await createdDataDir(t)
  const process = startProcess(t, dataDir)
  const { connectionString } = await process.started()
  await process.commit(200)
  await process.kill()
  t.equal(await serverRuns(dataDir), true)
  const next = await start(t, dataDir)
  t.same(next.logged, ['adopted the running Postgres'])
  t.equal(next.adopted, true)
  t.equal(next.connectionString, connectionString)
  t.equal(await numbersUpTo(process.committed(), next.connectionString), process.committed())
  await next.stop()
  t.equal(await serverRuns(dataDir), false)
})

t.test('after kill -9 of the server and of the process, the next start recovers every acknowledged row', async (t) => {
  const dataDir = await createdDataDir(t)
  const service = startProcess(t, dataDir)
  await service.started()
  await service.commit(200)
  const pid = await serverPid(dataDir)
  process.kill(pid, 'SIGKILL')
  await service.kill()
  const next = await start(t, dataDir)
  t.equal(next.adopted, false)
  t.not(await serverPid(dataDir), pid)
  t.equal(await numbersUpTo(service.committed(), next.connectionString), service.committed())
})

t.test('a server that dies while in use comes up again under the same connection string', async (t) => {
  const dataDir = await createdDataDir(t)
  const { connectionString } = await start(t, dataDir)
  await query(connectionString, 'create table kept as select 1 as one')
  for (const round of [1, 2]) {
    process.kill(await serverPid(dataDir), 'SIGKILL')
    await until('the server is back', async () => (await findEmbeddedPostgres(dataDir)) === connectionString)
    const rows = await until('it answers', () => query(connectionString, 'select one from kept').catch(() => undefined))
    t.same(rows, [{ one: 1 }], `time ${round}`)
    await until('it is watched again', async () => {
      const locks = await query(connectionString, "select from pg_locks where locktype = 'advisory'")
      return locks.length > 0
    })
  }
})

t.test('Ctrl-C in the terminal ends the process, and leaves the server to its own orderly end', async (t) => {
  const dataDir = await createdDataDir(t)
  const process = startProcess(t, dataDir)
  await process.started()
  await process.interruptGroup()
  t.equal((await start(t, dataDir)).adopted, true)
})

t.test(
  'a process killed at any moment of the first start leaves nothing that the next start needs help with',
  async (t) => {
    const dataDir = join(await temporaryFolder(t), 'data')
    const inWorkFolder = (path: string) => async () => {
      const folders = await workFolders(dataDir).catch(() => [])
      return (await Promise.all(folders.map((name) => stat(join(dataDir, name, path)).catch(() => undefined)))).some(
        Boolean,
      )
    }
    const at = (path: string) => () => stat(join(dataDir, path)).catch(() => undefined)
    const moments: Record<string, () => Promise<unknown>> = {
      'the password is kept': at('postgres.password'),
      'initdb begins': inWorkFolder('superuser'),
      'the folders are there': inWorkFolder('data/pg_wal'),
      'the bootstrap runs': inWorkFolder('data/global/pg_control'),
      'template1 is complete': inWorkFolder('data/base/5/PG_VERSION'),
      'single-user mode runs': inWorkFolder('data/postmaster.pid'),
      'it has its name': at('postgres/PG_VERSION'),
      'the server starts': at('postgres/postmaster.pid'),
    }
    for (const [moment, reached] of Object.entries(moments)) {
      const process = startProcess(t, dataDir)
      await until(moment, async () => Boolean(await reached()))
      await process.kill()
      t.pass(`killed when ${moment}`)
    }
    const { connectionString } = await start(t, dataDir)
    t.same(await query(connectionString, 'select current_user, current_database()'), [
      { current_user: 'fanfare', current_database: 'fanfare' },
    ])
    t.same((await readdir(dataDir)).sort(), ['postgres', 'postgres.log', 'postgres.password'])
  },
)

t.test(
  'of two processes that start at once, one creates and the other adopts, and the last one stops the server',
  async (t) => {
    const dataDir = join(await temporaryFolder(t), 'data')
    const both = [startProcess(t, dataDir), startProcess(t, dataDir)]
    const started = await Promise.all(both.map((process) => process.started()))
    t.same(started.map(({ adopted }) => adopted).sort(), [false, true])
    t.equal(started[0]?.connectionString, started[1]?.connectionString)
    t.same((await readdir(dataDir)).sort(), ['postgres', 'postgres.log', 'postgres.password'])
    await both[0]?.stop()
    t.match(both[0]?.logged().at(-1), 'leaving Postgres running for another process that uses it')
    t.same(await query(started[1]?.connectionString ?? '', 'select 1 as one'), [{ one: 1 }])
    await both[1]?.stop()
    t.equal(await serverRuns(dataDir), false)
  },
)

t.test('a pid file that no server stands behind does not keep Postgres from starting', async (t) => {
  const dataDir = await createdDataDir(t)
  const folder = join(dataDir, 'postgres')
  const { uid, gid } = await stat(folder)
  const other = spawn('sleep', ['1000'], { uid, gid, cwd: folder })
  t.teardown(() => other.kill())
  const lines = (pid: number | undefined) => `${pid}\n${folder}\n1700000000\n5432\n\n127.0.0.1\n 12345 1\nready   \n`
  const contents = {
    'another process of the same user': lines(other.pid),
    'the service itself': lines(process.pid),
    'a process that is gone': lines(2 ** 22 - 1),
    'nobody, as after a power failure': '',
  }
  for (const [named, content] of Object.entries(contents)) {
    await writeFile(join(folder, 'postmaster.pid'), content, { mode: 0o600 })
    await run('chown', [`${uid}:${gid}`, join(folder, 'postmaster.pid')])
    t.equal(await findEmbeddedPostgres(dataDir), undefined)
    const started = await start(t, dataDir)
    t.equal(started.adopted, false, `the pid file named ${named}`)
    t.same(await query(started.connectionString, 'select 1 as one'), [{ one: 1 }])
    await started.stop()
  }
  t.equal(other.exitCode ?? other.signalCode, null, 'the other process was left alone')
})

t.test('a server that is going down is waited for', async (t) => {
  const dataDir = await createdDataDir(t)
  const service = startProcess(t, dataDir)
  const { connectionString } = await service.started()
  const client = new pg.Client({ connectionString })
  await client.connect()
  const before = await serverPid(dataDir)
  await service.kill()
  process.kill(before, 'SIGTERM')
  const hurried = { ...systemClock, now: () => systemClock.now() * 20 }
  const logged: string[] = []
  const next = startEmbeddedPostgres({ dataDir, clock: hurried, log: (message) => void logged.push(message) })
  await until('it says what it waits for', () => logged.includes('waiting for Postgres to stop'))
  await client.end()
  const { adopted, stop } = await next
  t.teardown(stop)
  t.equal(adopted, false)
  t.not(await serverPid(dataDir), before)
})

t.test('a server that does not answer is not waited for longer than the limit', async (t) => {
  const dataDir = await createdDataDir(t)
  const service = startProcess(t, dataDir)
  await service.started()
  await service.kill()
  const pid = await serverPid(dataDir)
  process.kill(pid, 'SIGSTOP')
  const hurried = { ...systemClock, now: () => systemClock.now() * 100 }
  const started = startEmbeddedPostgres({ dataDir, clock: hurried, log: () => undefined })
  await t.rejects(started, /Postgres took more than 120 s to become available .*\. Its log: .*postgres\.log/)
  process.kill(pid, 'SIGCONT')
  t.equal((await start(t, dataDir)).adopted, true)
})

t.test('an aborted start ends what it has begun', async (t) => {
  const dataDir = join(await temporaryFolder(t), 'data')
  for (const moment of ['creating the database (first start only)', 'starting Postgres']) {
    const abort = new AbortController()
    const log = (message: string) => message === moment && setImmediate(() => abort.abort(new Error('enough')))
    await t.rejects(
      startEmbeddedPostgres({ dataDir, clock: systemClock, log, signal: abort.signal }),
      /^enough$|enough/,
    )
    t.equal(await serverRuns(dataDir), false, moment)
    t.same(await workFolders(dataDir), [])
  }
  t.equal((await start(t, dataDir)).adopted, false)
})
