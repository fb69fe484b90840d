import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { readManifest } from '../app/cli/backup/manifest.ts'
import { restore } from '../app/cli/restore/restore.ts'
import { carryOut, ITEMS, unfinishedPlan, writePlan, type Plan } from '../app/cli/restore/swap.ts'
import { LEVEL } from '../infra/postgres/migrate.ts'
import { refuseHalfRestored } from '../app/wiring/core.ts'
import { fileStore } from '../infra/media/file-store.ts'
import { mediaName } from '../infra/media/media-name.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { readSettings } from '../infra/runtime/settings.ts'
import { changeManifest, eventsUpTo, givenPosts, givenService, inDatabase } from './support/backup.ts'
import { FANFARE, givenHome, runCommand, startProcess, until, type Home } from './support/service-process.ts'

/* Backups as operators make them: the built program, its own database, the service running while posts come in. */

const run = promisify(execFile)
const backedUpSchema = z.object({ events: z.number(), position: z.string(), files: z.number(), bytes: z.number() })
const restoredSchema = z.object({ events: z.number(), position: z.string(), kept: z.string().optional() })
const statusSchema = z.object({
  heldSince: z.string().optional(),
  toLookFor: z.number(),
  waiting: z.array(z.object({ kind: z.string(), outcome: z.string() })),
})
const findingsSchema = z.object({ findings: z.array(z.object({ check: z.string(), finding: z.string() })) })

const MEDIA = mediaName(Buffer.alloc(32, 7), ['vid_1', 0], 'mp4')
const CLIP = randomBytes(200_000)

async function emptyFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-backup-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

async function keepClip(home: Home): Promise<void> {
  const store = fileStore({ directory: join(home.dataDir, 'media'), clock: systemClock })
  const content = { bytes: CLIP.length, open: () => Readable.from([CLIP], { objectMode: false }) }
  await store.put(MEDIA, content, new AbortController().signal)
  await writeFile(join(home.dataDir, 'media', MEDIA.slice(0, 2), `${MEDIA}.${crypto.randomUUID()}.part`), 'half')
}

const json = <T>(schema: z.ZodType<T>, { stdout, stderr }: { stdout: string; stderr: string }): T => {
  try {
    return schema.parse(JSON.parse(stdout))
  } catch {
    throw new Error(`no result: ${stdout}${stderr}`)
  }
}
const heldIn = async (home: Home) => json(statusSchema, await runCommand(home, ['restore', 'status', '--json']))
const left = async (dataDir: string) => (await readdir(dataDir)).filter((name) => name.startsWith('.'))

t.test('given a service amid a burst of posts', async (t) => {
  const home = await givenHome(t, { RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_DAY: '1000000' })
  const folder = join(await emptyFolder(t), 'backups', 'first')
  let service = await givenService(t, home)
  await keepClip(home)
  const posts = await givenPosts(home)
  const before: string[] = [await posts.post('before')]
  await until('a first post to be published', 60_000, async () =>
    (await posts.status(before[0] ?? '')) === 'published' ? true : undefined,
  )

  const proof = join(await emptyFolder(t), 'proof.json')
  t.match(await runCommand(home, ['audit', 'prove', before[0] ?? '', '--out', proof]), { code: 0 })

  const done = new AbortController()
  let accepted = 0
  // Each sends its next post when the last one has ended, so that hundreds do not have to be published afterwards.
  const burst = [1, 2, 3, 4].map(async (sender) => {
    for (let n = 0; !done.signal.aborted; n += 1) {
      const id = await posts.post(`burst ${sender}.${n}`)
      accepted += 1
      await until('it to end', 60_000, async () =>
        done.signal.aborted || (await posts.status(id)) !== 'processing' ? true : undefined,
      )
    }
  })
  await until('the burst to begin', 60_000, async () => (accepted > 5 ? true : undefined))
  const backup = await runCommand(home, ['backup', folder, '--json'])
  const acceptedAtEnd = accepted
  await until('posts to be accepted still', 60_000, async () => (accepted > acceptedAtEnd ? true : undefined))
  done.abort()
  await Promise.all(burst)
  const backedUp = json(backedUpSchema, backup)
  const { position } = backedUp

  await t.test('then all that must not be lost is in the folder, closed to others', async (t) => {
    t.match(backup, { code: 0, stderr: /encryption key/ })
    const manifest = await readManifest(folder)
    t.match(manifest, { level: LEVEL, key: 'included', media: 'included', log: { position, events: backedUp.events } })
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const named = manifest.files.map(({ name }) => join(folder, name))
    t.same(files.toSorted(), [...named, join(folder, 'manifest.json')].toSorted())
    for (const file of files) t.equal((await stat(file)).mode & 0o777, 0o600, file)
    t.equal((await stat(folder)).mode & 0o777, 0o700)
    t.same(await readFile(join(folder, 'media', MEDIA.slice(0, 2), MEDIA)), CLIP)
    t.same(await readFile(join(folder, 'encryption.key')), await readFile(join(home.dataDir, 'encryption.key')))
  })

  await t.test('then each table is in it that neither a read model nor a list of migrations is', async (t) => {
    const rows = await inDatabase<{ name: string }>(
      home.dataDir,
      `select schemaname || '.' || tablename as name from pg_tables
       where schemaname not in ('read', 'read_next', 'pg_catalog', 'information_schema')
         and tablename not like 'fanfare_migrations%'`,
    )
    const { files } = await readManifest(folder)
    const tables = files.flatMap(({ table }) => (table ? [`${table.schema}.${table.name}`] : []))
    t.same(tables.toSorted(), rows.map(({ name }) => name).toSorted())
    t.ok(tables.indexOf('service.secrets') > tables.indexOf('service.data_keys'), 'after what it refers to')
  })

  await t.test('when the folder holds something, then it is refused and stays as it is', async (t) => {
    t.match(await runCommand(home, ['backup', folder]), { code: 1, stderr: /already contains a backup/ })
    await readManifest(folder)
    t.match(await runCommand(home, ['backup', home.dataDir]), { code: 1, stderr: /is not empty/ })
  })

  await t.test('when the disk fills up, then it says so, and leaves nothing', async (t) => {
    const full = join(await emptyFolder(t), 'full')
    // A file that may not become larger is like a disk that is full, and takes no rights.
    const heard = 'data:text/javascript,process.on("SIGXFSZ",()=>{})'
    const limited = `ulimit -f 64; exec "${process.execPath}" --import '${heard}' "${FANFARE}" backup "${full}"`
    const result = await run('bash', ['-c', limited], { env: home.environment }).catch((error: unknown) => error)
    t.match(result, { code: 1, stderr: /The disk is full/ })
    await t.rejects(stat(full), { code: 'ENOENT' })
  })

  await t.test('when the service runs, then a restore is refused', async (t) => {
    const log = await eventsUpTo(home.dataDir)
    t.match(await runCommand(home, ['restore', folder]), { code: 1, stderr: /is in use.*pgrep/ })
    t.same(await left(home.dataDir), [])
    t.same(await eventsUpTo(home.dataDir), log)
  })

  await service.stop()
  const all = await eventsUpTo(home.dataDir)
  const atBackup = await eventsUpTo(home.dataDir, position)
  t.ok(all.length > atBackup.length, 'events were written after the snapshot')
  let kept = ''

  await t.test('when a restore is killed, then the data are as they were, and it may be run again', async (t) => {
    const killed = startProcess(home, ['restore', folder])
    await until('its database to run', 60_000, async () => {
      const [work = ''] = await left(home.dataDir)
      const files = await readdir(join(home.dataDir, work, 'postgres')).catch((): string[] => [])
      return work !== '' && files.includes('postmaster.pid') ? true : undefined
    })
    killed.child.kill('SIGKILL')
    await killed.ended
    t.equal((await left(home.dataDir)).length, 1)
    t.same(await eventsUpTo(home.dataDir), all)
  })

  await t.test('when it is restored, then the log is what it was at the snapshot', async (t) => {
    const result = await runCommand(home, ['restore', folder, '--json'])
    t.match(result, { code: 0, stderr: /starts held/ })
    const restored = json(restoredSchema, result)
    t.match(restored, { events: backedUp.events, position })
    kept = restored.kept ?? ''
    t.same(await eventsUpTo(home.dataDir), atBackup)
    t.same(await eventsUpTo(kept), all, 'what was there is kept')
    t.same(await left(home.dataDir), [], 'what the killed one left is gone')
    const { stdout } = await run('ps', ['-eo', 'args'])
    t.notMatch(stdout, `${home.dataDir}/.restore`, 'its server, too')
  })

  service = await givenService(t, home)
  await t.test('when the service starts, then it is held, and everything works after the release', async (t) => {
    t.equal((await fetch(`http://127.0.0.1:${home.port}/readyz`)).status, 503)
    t.ok((await heldIn(home)).heldSince)
    t.equal(await posts.status(before[0] ?? ''), 'published')
    const clip = await fetch(`http://127.0.0.1:${home.port}/media/${MEDIA}`)
    t.same(Buffer.from(await clip.arrayBuffer()), CLIP)
    t.match(JSON.parse((await runCommand(home, ['audit', 'verify', '--json'])).stdout), {
      intact: true,
      heads: 1,
    })
    await until('the search on the platforms', 60_000, async () => {
      const { toLookFor, waiting } = await heldIn(home)
      return toLookFor === 0 && waiting.every(({ outcome }) => outcome !== 'unreachable') ? true : undefined
    })
    t.equal((await runCommand(home, ['restore', 'release', '--unknown', 'fail'])).code, 0)
    const id = await posts.post('after the restore')
    await until('it to be published with the credentials that were restored', 60_000, async () =>
      (await posts.status(id)) === 'published' ? true : undefined,
    )
  })
  await service.stop()

  await t.test('when it is undone, then the data from before are back, and held', async (t) => {
    const undone = await runCommand(home, ['restore', kept, '--json'])
    t.match(undone, { code: 0, stderr: /To undo the restore: fanfare restore/ })
    t.same(await eventsUpTo(home.dataDir), all)
    await t.rejects(stat(kept), { code: 'ENOENT' })
    t.same(await readFile(join(home.dataDir, 'media', MEDIA.slice(0, 2), MEDIA)), CLIP)
    t.ok((await heldIn(home)).heldSince)
  })

  await t.test('when it is restored on another computer, then it is held there, and its secrets open', async (t) => {
    const other = await givenHome(t)
    // As it would be if the version before had made it.
    await changeManifest(folder, (manifest) => {
      manifest.level = '013-restores'
      const later =
        /^tables\/service\.(event_keys|trees|tree_heads|post_claims|sign_in_flows|operator_notices|key_spending|oauth_clients|oauth_artifacts)/
      manifest.files = manifest.files.filter(({ name }) => !later.test(name))
      for (const [name, later] of [
        ['authorizations', ['connected']],
        ['sessions', ['browser', 'used_at', 'workspace_id']],
      ] as const) {
        const table = manifest.files.find((file) => file.name.startsWith(`tables/service.${name}.`))?.table
        t.match(table, { rows: 0 })
        for (const column of later) table?.columns.splice(table.columns.indexOf(column), 1)
      }
    })
    const result = await runCommand(other, ['restore', folder, '--json'])
    t.equal(json(restoredSchema, result).kept, undefined)
    const level = 'select name from fanfare_migrations order by id desc limit 1'
    t.notOk((await readdir(other.dataDir)).includes('log-head.json'))
    t.same(await eventsUpTo(other.dataDir), atBackup)
    t.ok((await heldIn(other)).heldSince)
    t.same(await inDatabase(other.dataDir, level), [{ name: LEVEL }])
    const { findings } = json(findingsSchema, await runCommand(other, ['doctor', '--json']))
    const secrets = findings.filter(({ check }) => check === 'secrets')
    t.match(secrets, [{ finding: /^all [1-9]\d* secrets .* can be decrypted$/ }])
  })

  await t.test('when a backup is damaged, unfinished or of a later version, then nothing is changed', async (t) => {
    const files = (await readManifest(folder)).files.map(({ name }) => name)
    const at = (name: string) => join(folder, name)
    const log = 'tables/log.events.gz'
    const damages: readonly (readonly [string, RegExp, (broken: string) => Promise<unknown>])[] = [
      ['cut short', /log\.events\.gz has \d+ bytes/, async (to) => truncate(join(to, log), 100)],
      [
        'changed',
        /encryption\.key was changed/,
        async (to) => {
          const key = await readFile(at('encryption.key'))
          key[3] = key[3] === 65 ? 66 : 65
          await writeFile(join(to, 'encryption.key'), key)
        },
      ],
      ['incomplete', /secrets\.gz is missing/, async (to) => rm(join(to, 'tables/service.secrets.gz'))],
      ['unfinished', /not a finished backup/, async (to) => rm(join(to, 'manifest.json'))],
      ['garbled', /manifest\.json cannot be read/, async (to) => truncate(join(to, 'manifest.json'), 50)],
      [
        'newer',
        /database 999-later\).*Install/,
        async (to) => changeManifest(to, (found) => (found.level = '999-later')),
      ],
      ['of a later format', /Install/, async (to) => changeManifest(to, (found) => (found.format = 2))],
      [
        'leading elsewhere',
        /cannot be read/,
        async (to) => changeManifest(to, (found) => found.files.push({ ...found.files[0], name: '../encryption.key' })),
      ],
      [
        'short of rows',
        /rows instead of/,
        async (to) => changeManifest(to, ({ files: [first] }) => first?.table && (first.table.rows += 1)),
      ],
    ]
    t.ok(files.includes(log))
    const there = await readdir(home.dataDir)
    const quiet = { tell: () => undefined, progress: () => undefined }
    const deps = { settings: readSettings(home.environment), clock: systemClock, ...quiet }
    for (const [what, error, damage] of damages) {
      const broken = join(await emptyFolder(t), 'broken')
      await cp(folder, broken, { recursive: true })
      await damage(broken)
      await t.rejects(restore(deps, broken), error, what)
      t.same((await readdir(home.dataDir)).toSorted(), there.toSorted(), what)
    }
    t.same(await eventsUpTo(home.dataDir), all)
  })
})

t.test('given a service whose key is in the environment', async (t) => {
  const key = () => randomBytes(32).toString('base64')
  const home = await givenHome(t, { ENCRYPTION_KEY: key() })
  const folder = join(await emptyFolder(t), 'backup')
  t.match(await runCommand(home, ['backup', folder]), { code: 1, stderr: /nothing to back up/ })
  await (await givenService(t, home)).stop()
  const withKey = (ENCRYPTION_KEY: string | undefined) => ({
    ...home,
    environment: { ...home.environment, ENCRYPTION_KEY },
  })

  await t.test('when it is backed up, then the key is not in it, and it says so', async (t) => {
    const backup = await runCommand(home, ['backup', folder, '--json'])
    t.match(backup, { code: 0, stderr: /ENCRYPTION_KEY is not in the backup/ })
    t.match(JSON.parse(backup.stdout), { key: 'environment' })
    t.notOk((await readdir(folder)).includes('encryption.key'))
  })

  await t.test('when it is restored, then only with that key', async (t) => {
    const there = await readdir(home.dataDir)
    const without = await runCommand(withKey(undefined), ['restore', folder])
    t.match(without, { code: 1, stderr: /made with ENCRYPTION_KEY/ })
    const another = await runCommand(withKey(key()), ['restore', folder])
    t.match(another, { code: 1, stderr: /cannot be decrypted with ENCRYPTION_KEY/ })
    t.same((await readdir(home.dataDir)).toSorted(), there.toSorted())
    t.equal((await runCommand(home, ['restore', folder])).code, 0)
  })
})

t.test('given servers of the operator', async (t) => {
  const home = await givenHome(t, {
    DATABASE_URL: 'postgres://ada:secret@db.example.com:5433/fan%20fare?sslmode=require',
    EVENTSTORE_URL: 'esdb://events.example.com:2113?tls=false',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  })
  const folder = join(await emptyFolder(t), "Ada's backup")

  for (const command of ['backup', 'restore']) {
    await t.test(`when ${command} is asked for, then it prints what to run, and does nothing`, async (t) => {
      const result = await runCommand(home, [command, folder])
      t.match(result, { code: 1, stderr: /^Nothing was .*: DATABASE_URL and EVENTSTORE_URL are set/m })
      const database = "--dbname='postgres://ada@db.example.com:5433/fan%20fare?sslmode=require'"
      t.match(result.stdout, database)
      t.match(result.stdout, command === 'backup' ? 'rsync -a *.chk' : 'fanfare serve --restored')
      t.notMatch(result.stdout + result.stderr, 'secret')
      // As it stands it is a script that a shell can read.
      await t.resolves(run('sh', ['-n', '-c', result.stdout]))
      const listed = await runCommand(home, [command, folder, '--json'])
      t.match(JSON.parse(listed.stdout), { done: false, steps: [{ what: String }] })
      t.equal(listed.code, 1)
      await t.rejects(stat(folder), { code: 'ENOENT' })
    })
  }
})

t.test('given a restore that is cut off between any two renames', async (t) => {
  const givenData = async () => {
    const dataDir = await emptyFolder(t)
    const from = join(dataDir, '.restore.new.1')
    for (const [folder, what] of [
      [dataDir, 'old'],
      [from, 'new'],
    ] as const) {
      for (const name of ['postgres', 'media']) {
        await mkdir(join(folder, name), { recursive: true })
        await writeFile(join(folder, name, 'content'), what)
      }
      for (const name of ['postgres.password', 'encryption.key']) await writeFile(join(folder, name), what)
    }
    await writeFile(join(dataDir, 'log-head.json'), 'old')
    const plan: Plan = {
      from: '.restore.new.1',
      kept: 'before-restore-1',
      items: ITEMS,
      restored: { folder: '/backup' },
    }
    return { dataDir, plan }
  }
  const contentOf = async (folder: string) =>
    Object.fromEntries(
      await Promise.all(
        (await readdir(folder)).map(async (name) => {
          const path = join(folder, name)
          const isFolder = (await stat(path)).isDirectory()
          return [
            name,
            await readFile(isFolder ? join(path, 'content') : path, 'utf8').catch(() => 'a folder'),
          ] as const
        }),
      ),
    )
  const items = (what: string) => Object.fromEntries(ITEMS.map((name) => [name, what]))
  const RENAMES = 9

  await t.test('when the plan is not written yet, then the service starts on the data as they were', async (t) => {
    const { dataDir } = await givenData()
    await refuseHalfRestored(dataDir)
    t.match(await contentOf(dataDir), { ...items('old'), 'log-head.json': 'old' })
  })

  for (let cut = 0; cut <= RENAMES; cut += 1) {
    for (const moment of ['before', 'after'] as const) {
      await t.test(`when it dies ${moment} rename ${cut}, then the next one finishes it`, async (t) => {
        const { dataDir, plan } = await givenData()
        await writePlan(dataDir, plan)
        await t.rejects(writePlan(dataDir, plan), /Another restore is running/)
        let moves = 0
        const dying: typeof rename = async (from, to) => {
          const dies = moves === cut
          if (dies && moment === 'before') throw new Error('dead')
          await rename(from, to)
          moves += 1
          if (dies) throw new Error('dead')
        }
        const died = await carryOut(dataDir, plan, dying).then(
          () => false,
          () => true,
        )
        t.equal(died, cut < RENAMES, `${moves} renames`)
        if (died) {
          await t.rejects(refuseHalfRestored(dataDir), /run the same fanfare restore <folder> again/)
          const again = await unfinishedPlan(dataDir)
          t.same(again, plan)
          await carryOut(dataDir, plan)
        }
        const kept = { ...items('old'), 'log-head.json': 'old' }
        t.same(await contentOf(dataDir), { ...items('new'), 'before-restore-1': 'a folder' })
        t.same(await contentOf(join(dataDir, 'before-restore-1')), kept)
        await refuseHalfRestored(dataDir)
      })
    }
  }
})

t.test('given the command line of restore', async (t) => {
  const home = await givenHome(t)

  await t.test('when it is asked for something, then it says something useful', async (t) => {
    const help = await runCommand(home, ['restore', '--help'])
    t.match(help, { code: 0, stdout: /<folder>[^]*status[^]*release/ })
    t.match(await runCommand(home, ['restore', 'nosuch']), { code: 1, stderr: /no folder \S+nosuch.*--help/ })
    t.match(await runCommand(home, ['restore']), { code: 2, stderr: /missing required argument 'folder'/ })
    t.match(await runCommand(home, ['restore', 'nosuch', '--nosuch']), { code: 2, stderr: /unknown option/ })
    t.same(await heldIn(home), { toLookFor: 0, waiting: [] })
  })

  await t.test('when a restore was cut off amid its renames, then no other command starts on the data', async (t) => {
    await writeFile(join(home.dataDir, 'restore.json'), '{}')
    const result = await runCommand(home, ['workspaces', 'create', 'mine'])
    t.match(result, { code: 1, stderr: /^A restore into .* run the same fanfare restore <folder> again\.\n$/ })
  })
})
