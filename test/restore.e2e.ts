import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { examineRestored } from '../app/cli/doctor/restored.ts'
import { holdRestored } from '../app/cli/restore/hold-restored.ts'
import { headFile, headOf, keepNoting, notedHead } from '../app/cli/restore/log-head.ts'
import { releaseRestored, restoreStatus } from '../app/cli/restore/restored.ts'
import type { Core } from '../app/wiring/core.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { postsAt } from './support/sandbox-posts.ts'
import { givenHome, runCommand, startProcess } from './support/service-process.ts'
import { givenProcess, givenWorld, logOf } from './support/world.ts'

const PLATFORMS = ['bluesky', 'x', 'threads', 'pinterest'] as const

t.test('given a log restored to a time before its queued posts were published', async (t) => {
  const first = await givenWorld(t)
  const { db } = first
  let world = first
  const startAgain = () => {
    const log = logOf(first)
    t.teardown(() => log.close())
    world = { ...first, log }
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-restore-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const note = () => keepNoting({ ...world, dataDir, logger: createLogger('silent') }, AbortSignal.abort())
  const live = () => postsAt(world.sandbox.url, PLATFORMS)

  await t.test('when the log is empty, then nothing is held', async (t) => {
    t.notOk(await holdRestored(world, dataDir, true))
  })

  const selections: Record<string, string[]> = {}
  for (const platform of PLATFORMS) selections[platform] = [await world.account(platform)]
  const before = await givenProcess(world)
  const id = await before.queue({ selections })
  await db.query('create table kept as table log.events')
  await before.drain()
  await note()
  const once = await live()
  t.equal(once.length, PLATFORMS.length)

  await t.test('when it starts without a restore, then nothing is held', async (t) => {
    t.notOk(await holdRestored(world, dataDir, false))
    t.match(await restoreStatus(world), { heldSince: undefined, waiting: [] })
    t.same(await releaseRestored(before.core, {}), { released: false, unknown: 0 })
  })

  await db.query(`alter table log.events disable trigger append_only; truncate log.events;
    insert into log.events select * from kept; alter table log.events enable trigger append_only`)
  startAgain()

  await t.test('when a process still runs, then it does not cover the restore up', async (t) => {
    const noted = await notedHead(dataDir)
    await note()
    t.same(await notedHead(dataDir), noted)
  })

  await t.test('when it starts, then it sends nothing', async (t) => {
    t.ok(await holdRestored(world, dataDir, false))
    const after = await givenProcess(world)
    for (let step = 0; step < 3; step += 1) t.equal(await after.step(), 0)
    t.same(await live(), once)
    t.match(await restoreStatus(world), { found: 0, toLookFor: PLATFORMS.length, waiting: [] })
  })

  await t.test('when it starts again, then it is held still', async (t) => {
    t.same(await notedHead(dataDir), await headOf(world.log), 'the file has nothing newer')
    t.notOk(await holdRestored(world, dataDir, false))
    const again = await givenProcess(world)
    t.equal(await again.step(), 0)
    t.same(await live(), once)
  })

  await t.test('when it looks, then all that is live is found and settled', async (t) => {
    const service = await givenProcess(world)
    await service.search()
    t.match(await restoreStatus(world), { found: PLATFORMS.length, toLookFor: 0, waiting: [] })
    const { rows } = await db.query('select status from read.posts where id = $1', [id])
    t.same(rows, [{ status: 'published' }])
    const [told] = await examineRestored(service.core as unknown as Core)
    t.match(told?.finding, /4 found and settled, 0 to look up/)
  })

  await t.test('when it is released, then nothing is published twice', async (t) => {
    const released = await givenProcess(world)
    t.same(await releaseRestored(released.core, {}), { released: true, unknown: 0 })
    t.same(await releaseRestored(released.core, {}), { released: false, unknown: 0 })
    await released.drain()
    t.same(await live(), once)
  })

  await t.test('when the operator says so, then it is held, whatever the file says', async (t) => {
    await writeFile(headFile(dataDir), '{')
    await t.rejects(holdRestored(world, dataDir, false), /cannot be read/)
    t.ok(await holdRestored(world, dataDir, true))
    const { core, step } = await givenProcess(world)
    await step()
    t.match(await restoreStatus(world), { heldSince: /Z$/, waiting: [] })
    t.same(await releaseRestored(core, {}), { released: true, unknown: 0 })
  })
})

t.test('given a service that is started with --restored', async (t) => {
  const home = await givenHome(t)
  const first = startProcess(home)
  await first.ready
  first.child.kill('SIGTERM')
  await first.ended
  t.ok(await notedHead(home.dataDir), 'how far the log went is noted when it stops')
  const held = startProcess(home, ['serve', '--restored'])
  await held.ready
  t.teardown(() => held.child.kill('SIGKILL'))
  t.match(held.output(), 'The log was restored')
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${home.port}/readyz`)
    return { status: answer.status, text: await answer.text() }
  }

  await t.test('when asked, then it says so until it is released', async (t) => {
    t.match(await ready(), { status: 503, text: 'fanfare restore status' })
    t.match((await runCommand(home, ['restore', 'status', '--json'])).stdout, 'heldSince')
    t.match(await runCommand(home, ['restore', 'status']), { stdout: /^none$/m, stderr: /Nothing has been sent since/ })
    const released = await runCommand(home, ['restore', 'release', '--json'])
    t.same(JSON.parse(released.stdout), { released: true, unknown: 0 })
    t.match(await ready(), { status: 200 })
  })
})
