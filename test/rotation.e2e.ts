import { hkdfSync } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { createIdempotency } from '../api/http/idempotency.ts'
import { createCursors } from '../api/http/pagination.ts'
import { examineKeys } from '../app/cli/doctor/keys.ts'
import { processesAt } from '../app/cli/move/installation.ts'
import { rotateMaster } from '../app/cli/rotate-master.ts'
import { INSTALLATION } from '../infra/postgres/derivation-secret.ts'
import {
  currentKey,
  namedKeys,
  unwrapDataKey,
  UnknownMasterKey,
  wrapDataKey,
  type WrappedKey,
} from '../infra/postgres/master-key.ts'
import { transaction } from '../infra/postgres/pool.ts'
import { open, seal } from '../infra/postgres/seal.ts'
import { listenForSignals } from '../infra/postgres/signal.ts'
import { boundTo } from '../infra/postgres/vault.ts'
import { KEY_RING_ID, keyRing } from '../domain/workspace/key-ring.ts'
import { streamName } from '../domain/core/event.ts'
import { mediaName } from '../infra/media/media-name.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { ownKeyRing } from '../infra/runtime/encryption-key.ts'
import { fixedKeyRing, masterKey, type KeyRing } from '../infra/runtime/key-ring.ts'
import { readSettings } from '../infra/runtime/settings.ts'
import { givenInstallation, mortal, processOf, type Installation } from './support/rotation.ts'
import { ids } from './support/sandbox.ts'
import { emptyDatabase } from './support/postgres.ts'
import { givenVerifier } from './support/tree.ts'
import { givenHome, givenServing, runCommand, startProcess, until } from './support/service-process.ts'

const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const base64 = (...keys: readonly Buffer[]) => keys.map((key) => key.toString('base64')).join(',')

const linesOf = async (path: string) => (await readFile(path, 'utf8')).split('\n').filter(Boolean)
const keyFile = ({ dataDir }: Installation) => join(dataDir, 'encryption.key')
const rotations = async ({ log }: Installation) =>
  (await log.read(streamName(keyRing, KEY_RING_ID))).map(({ data }) => data)

/** What the doctor says of the keys. */
const diagnosis = async ({ db }: Installation, ring: KeyRing) => {
  const [told] = await examineKeys({ db, ring })
  return `${told?.level}: ${told?.finding} ${told?.remedy ?? ''}`.trim()
}

interface Sealed extends WrappedKey {
  readonly id: string
  readonly sealed: Buffer
}

const sealedIn = async ({ db }: Installation) =>
  (
    await db.query<Sealed>(
      'select id, workspace_id, sealed, wrapped, key_id from service.secrets join service.data_keys using (workspace_id)',
    )
  ).rows

/** Whether a master key, or a data key of before, opens anything that lies in the tables. */
async function opensAnything(installation: Installation, key: Buffer, before: readonly Sealed[]): Promise<boolean> {
  const tried = await Promise.all(
    (await sealedIn(installation))
      .flatMap((row) => [
        unwrapDataKey(fixedKeyRing([key]), { ...row, key_id: null }),
        ...before.map(async (earlier) =>
          open(await unwrapDataKey(fixedKeyRing([key]), earlier), boundTo(row.workspace_id, row.id), row.sealed),
        ),
      ])
      .map((attempt) =>
        attempt.then(
          () => true,
          () => false,
        ),
      ),
  )
  return tried.length > 0 && tried.some(Boolean)
}

t.test('given writers in two processes, when the key is rotated again and again, then no write is lost', async (t) => {
  const installation = await givenInstallation(t)
  const first = await processOf(installation)
  await first.rotation.derivationSecret()
  const workspaces = ['ws_a', 'ws_b', 'ws_c']
  const counters = workspaces.flatMap((workspaceId) =>
    [1, 2].map((nth) => ({ workspaceId, id: `acc_${workspaceId}${nth}` })),
  )
  for (const { workspaceId, id } of counters) await first.vault.put(workspaceId, id, { n: '0' })
  const before = await sealedIn(installation)
  const oldKey = first.rotation.ring.keys()[0]?.key ?? OLD

  const written = new Map<string, number>()
  const put = new Map<string, string>()
  let isOver = false
  const writer = async (name: string) => {
    const { vault } = await processOf(installation)
    for (let n = 0; !isOver; n += 1) {
      for (const { workspaceId, id } of counters) {
        await vault.renew(id, await vault.get(id), async ({ n: count }) => {
          written.set(id, (written.get(id) ?? 0) + 1)
          return { n: String(Number(count) + 1) }
        })
        const own = `acc_${name}${workspaceId}`
        await vault.put(workspaceId, own, { n: String(n) })
        put.set(own, String(n))
      }
      const added = `acc_${name}${n}`
      await vault.put(`ws_${name}${n}`, added, { n: 'new' })
      put.set(added, 'new')
    }
  }
  const writers = Promise.all(['p', 'q'].map(writer))
  const rotator = await processOf(installation)
  for (let round = 0; round < 4; round += 1) {
    const writtenBefore = put.size
    const rotated = await rotateMaster(rotator.rotation)
    t.ok(rotated.workspaces >= workspaces.length)
    await until('a write after the rotation', 10_000, async () => (put.size > writtenBefore ? true : undefined))
  }
  isOver = true
  await writers

  const { vault } = await processOf(installation)
  for (const { id } of counters) t.equal((await vault.get(id))['n'], String(written.get(id)), id)
  for (const [id, n] of put) t.same(await vault.get(id), { n }, id)
  t.ok([...written.values()].every((count) => count > 4))
  const [line = '', ...others] = await linesOf(keyFile(installation))
  t.same(others, [], 'the file holds the new key alone')
  const { id } = masterKey(Buffer.from(line, 'base64'))
  t.same([...new Set((await sealedIn(installation)).map((row) => row.key_id))], [id])
  t.equal((await rotations(installation)).length, 4)
  t.notOk(
    await opensAnything(installation, oldKey, before),
    'the old key opens nothing, with the old data keys or without',
  )
  t.ok(await opensAnything(installation, Buffer.from(line, 'base64'), before), 'unlike the new one')
})

t.test('given a rotation that is killed at any of its acts', async (t) => {
  const installation = await givenInstallation(t)
  const running = await processOf(installation)
  await running.rotation.derivationSecret()
  const secrets = new Map([
    ['acc_1', { token: 'one' }],
    ['acc_2', { token: 'two' }],
    ['acc_3', { token: 'three' }],
  ])
  for (const [id, secret] of secrets) await running.vault.put(id === 'acc_3' ? 'ws_2' : 'ws_1', id, secret)
  const isWhole = async (t: Test, what: string) => {
    for (const { vault, rotation } of [running, await processOf(installation)]) {
      for (const [id, secret] of secrets) t.same(await vault.get(id), secret, what)
      t.same(await rotation.derivationSecret(), derivation, what)
    }
  }
  const derivation = await running.rotation.derivationSecret()
  const diagnosed = async () => diagnosis(installation, (await processOf(installation)).rotation.ring)
  const whole = mortal((await processOf(installation)).rotation)
  await rotateMaster(whole.deps)
  t.ok(whole.acts.includes('add') && whole.acts.includes('append') && whole.acts.includes('drop'))

  await t.test('when it is run again, then everything is under the new key, and was readable meanwhile', async (t) => {
    for (const moment of ['before', 'after'] as const) {
      for (const [nth, act] of whole.acts.entries()) {
        const what = `dead ${moment} ${act.slice(0, 40)}`
        const told = (await rotations(installation)).length
        const dying = mortal((await processOf(installation)).rotation, nth, moment)
        await t.rejects(rotateMaster(dying.deps), what)
        await isWhole(t, what)
        if ((await linesOf(keyFile(installation))).length > 1) t.match(await diagnosed(), /^warning: .*rotate-master$/)
        // What a process writes now, the rest of the rotation brings along.
        secrets.set('acc_1', { token: what })
        await running.vault.put('ws_1', 'acc_1', { token: what })
        const { keyId } = await rotateMaster((await processOf(installation)).rotation)
        await isWhole(t, `again, ${what}`)
        t.equal((await linesOf(keyFile(installation))).length, 1, what)
        t.same([...new Set((await sealedIn(installation)).map((row) => row.key_id))], [keyId])
        // Dead after its last act, it was whole, and the next one was another.
        const isWholeOne = moment === 'after' && act === 'drop'
        t.equal((await rotations(installation)).length, told + (isWholeOne ? 2 : 1), what)
      }
    }
  })

  await t.test('then no draft of the file is left, and no one else may read it', async (t) => {
    await writeFile(`${keyFile(installation)}.next`, 'half of a k')
    await rotateMaster((await processOf(installation)).rotation)
    t.same(await readdir(installation.dataDir), ['encryption.key'])
    t.equal((await stat(keyFile(installation))).mode & 0o777, 0o600)
  })
})

t.test(
  'given a file whose second line is cut off, when it is read, then the line is named and the file kept',
  async (t) => {
    const installation = await givenInstallation(t)
    await processOf(installation)
    const text = `${base64(NEW)}\n${base64(OLD).slice(0, 9)}\n`
    await writeFile(keyFile(installation), text)
    await t.rejects(ownKeyRing(installation.dataDir), /^line 2 of .*encryption\.key does not contain a 32-byte key/)
    t.equal(await readFile(keyFile(installation), 'utf8'), text)
  },
)

t.test('given keys in ENCRYPTION_KEY', async (t) => {
  const installation = await givenInstallation(t)
  const { connectionString, db } = installation
  const [old, next] = [masterKey(OLD).id, masterKey(NEW).id]
  const inUse = await processOf(installation, fixedKeyRing([OLD]))
  await inUse.rotation.derivationSecret()
  await inUse.vault.put('ws_1', 'acc_1', { token: 'a' })
  const before = await sealedIn(installation)
  const rotateWith = async (...keys: readonly Buffer[]) =>
    rotateMaster((await processOf(installation, fixedKeyRing(keys))).rotation)

  const told = (...keys: readonly Buffer[]) => diagnosis(installation, fixedKeyRing(keys))

  await t.test('when there is one, or the one in use is first, then it is refused with what to do', async (t) => {
    const one = { code: 'failed_precondition', message: /one key\. Generate another with `openssl rand -base64 32`/ }
    await t.rejects(rotateWith(OLD), one)
    const order = { message: `ENCRYPTION_KEY begins with the key in use, ${old}: put the new key first` }
    await t.rejects(rotateWith(OLD, NEW), order)
    t.same(await sealedIn(installation), before)
  })

  await t.test('when a process with two runs, then it seals with the one in use', async (t) => {
    const { vault } = await processOf(installation, fixedKeyRing([NEW, OLD]))
    await vault.put('ws_2', 'acc_2', { token: 'b' })
    t.same(await inUse.vault.get('acc_2'), { token: 'b' })
    t.equal(await told(OLD), `ok: everything is encrypted under the master key ${old}`)
    t.match(await told(NEW, OLD), `warning: ENCRYPTION_KEY begins with ${next}, but ${old} is in use`)
  })

  await t.test('when a process runs without the new one, then it is refused until that is restarted', async (t) => {
    const signals = listenForSignals({ connectionString, channels: ['test'], clock: systemClock, keyIds: [old] })
    const processes = async (count: number) =>
      until(`${count} processes`, 10_000, async () => ((await processesAt(db)) === count ? true : undefined))
    await processes(1)
    await t.rejects(rotateWith(NEW, OLD), { message: `1 running processes do not have the key ${next} yet` })
    t.equal((await namedKeys(db)).current, old)
    await signals.close()
    await processes(0)
  })

  await t.test('when the new one is first, then all is sealed under it, and a repeat changes nothing', async (t) => {
    const rotated = await rotateWith(NEW, OLD)
    t.match(rotated, { keyId: next, previousKeyId: old, workspaces: 2, secrets: 3 })
    t.match(rotated.next, `with only the key ${next} in`)
    const after = await sealedIn(installation)
    t.same(await rotateWith(NEW, OLD), rotated)
    t.same(await sealedIn(installation), after)
    const data = { keyId: next, previousKeyId: old, workspaces: 2, secrets: 3 }
    t.same(await rotations(installation), [data])
    t.match(await told(NEW, OLD), `warning: ENCRYPTION_KEY has ${old}, which is no longer needed`)
    t.match(await told(NEW), /^ok/)
    t.match(
      await told(OLD),
      `problem: 3 workspaces are encrypted under the master key ${next}, but ENCRYPTION_KEY has ${old}`,
    )
  })

  await t.test('then only the new one works, and the old one decrypts and encrypts nothing', async (t) => {
    const { vault, rotation } = await processOf(installation, fixedKeyRing([NEW]))
    t.same(await vault.get('acc_1'), { token: 'a' })
    t.same(
      await rotation.derivationSecret(),
      await (await processOf(installation, fixedKeyRing([NEW, OLD]))).rotation.derivationSecret(),
    )
    t.notOk(await opensAnything(installation, OLD, before))
    const lacks = { message: `ENCRYPTION_KEY has the key ${old}, but ${next} is required` }
    await t.rejects(inUse.vault.get('acc_1'), lacks)
    await t.rejects(inUse.vault.put('ws_3', 'acc_3', { token: 'c' }), lacks)
    await t.rejects(inUse.rotation.derivationSecret(), lacks)
    t.same((await db.query('select 1 from service.data_keys where workspace_id = $1', ['ws_3'])).rows, [])
  })

  await t.test(
    'when a workspace is sealed with a lost key, then it is named, and the others are rotated',
    async (t) => {
      await db.query(`update service.data_keys set key_id = null, wrapped = '\\x00' where workspace_id = 'ws_2'`)
      const LATER = Buffer.alloc(32, 3)
      const lost = { code: 'failed_precondition', message: /^1 workspaces .* ws_2: .*"A lost key"/ }
      await t.rejects(rotateWith(LATER, NEW), lost)
      const { vault } = await processOf(installation, fixedKeyRing([LATER]))
      t.same(await vault.get('acc_1'), { token: 'a' })
      await db.query(`delete from service.data_keys where workspace_id = 'ws_2'`)
      t.match(await rotateWith(LATER, NEW), { keyId: masterKey(LATER).id, previousKeyId: next, workspaces: 1 })
    },
  )
})

t.test(
  'given a data key that is made while a rotation begins, when it is kept, then the rotation has it',
  async (t) => {
    const installation = await givenInstallation(t)
    const { db } = installation
    const { rotation } = await processOf(installation)
    await rotation.derivationSecret()
    const { rotating } = await transaction(db, async (client) => {
      const master = await currentKey(client, rotation.ring)
      const rotating = rotateMaster((await processOf(installation)).rotation)
      await until('the rotation to wait', 10_000, async () => {
        const { rows } = await db.query('select 1 from pg_locks where not granted')
        return rows[0]
      })
      await client.query('insert into service.data_keys values ($1, $2, $3)', [
        'ws_1',
        wrapDataKey(master, 'ws_1', Buffer.alloc(32, 9)),
        master.id,
      ])
      return { rotating }
    })
    const { keyId } = await rotating
    const { rows } = await db.query<WrappedKey>('select * from service.data_keys')
    t.same(rows.map(({ workspace_id, key_id }) => [workspace_id, key_id]).toSorted(), [
      [INSTALLATION, keyId],
      ['ws_1', keyId],
    ])
  },
)

t.test('given what a version without key rings has stored', async (t) => {
  const installation = await givenInstallation(t)
  const { db, log } = installation
  const [workspaceId, dataKey] = ['ws_1', Buffer.alloc(32, 5)]
  await db.query('insert into service.data_keys (workspace_id, wrapped) values ($1, $2)', [
    workspaceId,
    seal(OLD, `data-key:${workspaceId}`, dataKey),
  ])
  await db.query('insert into service.secrets (id, workspace_id, sealed) values ($1, $2, $3)', [
    'acc_1',
    workspaceId,
    seal(dataKey, `secret:${workspaceId}:acc_1`, Buffer.from('{"token":"a"}')),
  ])
  const scope = { callerId: 'key_1', route: 'POST /v1/webhooks {}', key: 'hook', confidential: true, workspaceId }
  const of = [scope.callerId, scope.route, scope.key]
  const answerKey = Buffer.from(hkdfSync('sha256', OLD, '', 'remembered answers', 32))
  await db.query(
    `insert into service.idempotency_keys (api_key_id, route, key, resource_id, created_at, status, body)
     values ($1, $2, $3, 'name', now(), 200, $4), ('key_1', 'POST /v1/posts {}', 'plain', 'name', now(), 202, '{"runId":"post_1"}')`,
    [...of, seal(answerKey, JSON.stringify(of), Buffer.from('{"secret":"whsec_1"}')).toString('base64')],
  )
  const created = { id: 'e1', type: 'WorkspaceCreated', data: { name: 'mine' } }
  const metadata = {
    at: '2026-01-01T00:00:00.000Z',
    actor: { kind: 'cli', id: 'me' },
    correlationId: 'c',
    causationId: 'c',
  } as const
  await log.append('workspace-ws_1', [{ ...created, metadata }], -1)
  const name = mediaName(OLD, ['vid_1', 0], 'mp4')
  const cursor = createCursors(OLD).encodePosition('events', workspaceId, 7n)

  const isAsBefore = async (t: Test, ...keys: readonly Buffer[]) => {
    const { vault, rotation } = await processOf(installation, fixedKeyRing(keys))
    const secret = await rotation.derivationSecret()
    t.equal(mediaName(secret, ['vid_1', 0], 'mp4'), name)
    t.equal(createCursors(secret).decodePosition('events', workspaceId, cursor), 7n)
    t.same(await vault.get('acc_1'), { token: 'a' })
    const idempotency = createIdempotency(db, systemClock, ids, vault)
    const again = { ...scope, route: 'POST /v1/posts {}', key: 'plain', confidential: false }
    const work = () => Promise.reject(new Error('it was done'))
    t.same(await idempotency.once(scope, work), { status: 200, body: { secret: 'whsec_1' }, replayed: true })
    t.same(await idempotency.once(again, work), { status: 202, body: { runId: 'post_1' }, replayed: true })
  }

  await t.test('when another key is given alone, then nothing is opened, and nothing changed', async (t) => {
    const { rotation } = await processOf(installation, fixedKeyRing([NEW]))
    await t.rejects(rotation.derivationSecret(), UnknownMasterKey)
    t.same(await namedKeys(db), { current: null, previous: null })
  })

  await t.test('when it starts with two keys, then names, cursors, secrets and answers are as before', (t) =>
    isAsBefore(t, NEW, OLD),
  )

  await t.test('when the key is rotated, then they still are, and the old key opens nothing', async (t) => {
    const before = await sealedIn(installation)
    await rotateMaster((await processOf(installation, fixedKeyRing([NEW, OLD]))).rotation)
    await isAsBefore(t, NEW)
    t.notOk(await opensAnything(installation, OLD, before))
    const { rows } = await db.query<{ body: string }>('select body from service.idempotency_keys')
    for (const { body } of rows) t.match(body, /^(\{|answer_\w{26}$)/)
  })
})

t.test('given a new installation, then nothing follows from its master key', async (t) => {
  const { rotation } = await processOf(await givenInstallation(t), fixedKeyRing([OLD]))
  const secret = await rotation.derivationSecret()
  t.equal(secret.length, 32)
  t.notSame(secret, OLD)
  t.same(await rotation.derivationSecret(), secret)
})

t.test('given settings with keys that cannot be used, then each is named by its place, and none shown', async (t) => {
  const wrong = (ENCRYPTION_KEY: string) => {
    try {
      return String(readSettings({ ENCRYPTION_KEY }).ENCRYPTION_KEY)
    } catch (error) {
      return String(error)
    }
  }
  t.match(wrong(base64(OLD).slice(4)), /ENCRYPTION_KEY: must be 32 random bytes in base64/)
  t.match(wrong(' , '), /ENCRYPTION_KEY: must be 32 random bytes in base64/)
  const cut = base64(OLD).slice(4)
  t.match(wrong(`${base64(NEW)},${cut}`), /ENCRYPTION_KEY: key 2 must be 32 random bytes in base64/)
  t.notMatch(wrong(`${base64(NEW)},${cut}`), cut)
  t.match(wrong(base64(NEW, OLD, NEW)), /ENCRYPTION_KEY: key 3 is the same as key 1/)
  t.match(wrong(base64(...[1, 2, 3, 4].map((n) => Buffer.alloc(32, n)))), /key 4 is one too many: at most 3/)
  t.equal(wrong(` ${base64(NEW)} , ${base64(OLD)},`), base64(NEW, OLD))
})

t.test(
  'given processes with keys in ENCRYPTION_KEY, when it is rotated, then they are restarted one by one',
  async (t) => {
    const DATABASE_URL = await emptyDatabase(t)
    const serving = (...keys: readonly Buffer[]) =>
      givenServing(t, { DATABASE_URL, ENCRYPTION_KEY: base64(...keys) }, 'api')
    const home = await givenHome(t, { DATABASE_URL, ENCRYPTION_KEY: base64(NEW, OLD) })
    const rotated = () => runCommand(home, ['keys', 'rotate-master'])
    const first = await serving(OLD)
    t.match(await rotated(), {
      code: 1,
      stdout: '',
      stderr: /^1 running processes do not have the key \w{10} yet: restart/,
    })
    await first.stop()
    await serving(NEW, OLD)
    await until('the rotation', 10_000, async () => {
      const { code, stdout } = await rotated()
      return code === 0 ? stdout.includes(`keyId          ${masterKey(NEW).id}\n`) || undefined : undefined
    })
    t.match(await fetch(`${(await serving(NEW)).url}/healthz`), { status: 200 })
    const refused =
      /ended before it was running: a secret cannot be decrypted: ENCRYPTION_KEY has the key \w{10}, but \w{10} is/
    await t.rejects(serving(OLD), { message: refused })
  },
)

t.test('given a service that publishes to its sandbox', async (t) => {
  const home = await givenHome(t, { OUTBOUND_ALLOW: '127.0.0.1' })
  const serve = async () => {
    const service = startProcess(home)
    await service.ready
    t.teardown(() => service.child.kill('SIGKILL'))
    return service
  }
  let service = await serve()
  const command = async (...args: readonly string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await runCommand(home, [...args, '--json'])
    t.equal(code, 0, `${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout)
  }
  const created = await command('keys', 'create', '--workspace', 'demo', '--scopes', 'all')
  const { key } = z.object({ key: z.string() }).parse(created)
  const call = async (method: string, path: string, body?: object, headers = {}) => {
    const answer = await fetch(`http://127.0.0.1:${home.port}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const isReplayed = answer.headers.get('idempotent-replayed') === 'true'
    return { status: answer.status, isReplayed, body: (await answer.json()) as Record<string, unknown> }
  }
  const accounts = z
    .object({ accounts: z.record(z.string(), z.array(z.object({ id: z.string() }))) })
    .parse((await call('GET', '/accounts')).body).accounts
  const selections = { bluesky: [accounts['bluesky']?.[0]?.id], x: [accounts['x']?.[0]?.id] }
  const runs: string[] = []
  const publish = async () => {
    const mediaUrl = `http://127.0.0.1:${home.sandboxPort}/media/sample.jpg`
    const caption = `post ${runs.length}`
    const { body } = await call('POST', '/posts', { mediaUrl, mediaType: 'image', caption, selections })
    runs.push(String(body['runId']))
  }
  const allPublished = async () => {
    for (const id of runs) {
      const post = await until(`the end of ${id}`, 60_000, async () => {
        const { body } = await call('GET', `/posts/${id}`)
        return body['status'] === 'processing' ? undefined : body
      })
      t.match(post, { status: 'published', publishResults: { bluesky: [{ ok: true }], x: [{ ok: true }] } })
    }
  }
  const hook = () =>
    call(
      ...(['POST', '/webhooks', { url: `http://127.0.0.1:${home.port}/hook`, events: ['post.published'] }] as const),
      { 'idempotency-key': 'hook' },
    )
  await publish()
  await publish()
  const first = await hook()
  t.match(first, { status: 200, body: { secret: /^whsec_/ }, isReplayed: false })
  const page = await call('GET', '/posts?limit=1')
  const oldKey = await linesOf(join(home.dataDir, 'encryption.key'))
  const verifier = await givenVerifier(t)
  const prove = async (...options: readonly string[]) => {
    const out = verifier.path('proof.json')
    const proof = z.object({ key: z.string(), size: z.number() })
    return { out, ...proof.parse(await command('audit', 'prove', runs[0] ?? '', '--out', out, ...options)) }
  }
  const proved = await prove()

  await t.test('when the key is rotated meanwhile, then every post is published', async (t) => {
    const ids: string[] = []
    for (let round = 0; round < 2; round += 1) {
      const rotating = command('keys', 'rotate-master')
      for (let n = 0; n < 5; n += 1) await publish()
      const rotated = z.object({ keyId: z.string(), workspaces: z.number(), secrets: z.number() }).parse(await rotating)
      ids.push(rotated.keyId)
      t.ok(rotated.workspaces >= 1 && rotated.secrets > 10)
      await publish()
    }
    await allPublished()
    const told = z
      .array(z.object({ type: z.string(), by: z.string(), data: z.object({ keyId: z.string() }) }))
      .parse(await command('audit', 'keyring_master'))
    t.same(
      told.map(({ type, data }) => [type, data.keyId]),
      ids.map((id) => ['MasterKeyRotated', id]),
    )
    t.match(told[0]?.by, /^cli /)
    const file = await linesOf(join(home.dataDir, 'encryption.key'))
    t.equal(file.length, 1)
    t.notSame(file, oldKey)
  })

  const goesOn = async (t: Test) => {
    const again = await hook()
    t.match(again, { status: 200, isReplayed: true })
    t.same([again.body['id'], again.body['secret']], [first.body['id'], first.body['secret']])
    const { status } = await call('GET', `/posts?limit=1&cursor=${String(page.body['nextCursor'])}`)
    t.equal(status, 200, 'a cursor of before')
  }
  await t.test('then what was remembered is answered again, and cursors go on', goesOn)

  await t.test('then the log is signed with the same key', async (t) => {
    const { key, out, size } = await prove('--since', String(proved.size))
    t.equal(key, proved.key)
    t.match(await verifier.verified(out, '--key', proved.key), { code: 0, output: /still begins with/ })
    t.ok(size > proved.size)
    const { heads } = z.object({ heads: z.array(z.string()) }).parse(await command('audit', 'heads', '--all'))
    // The service may have signed others, at its start or since.
    const sizes = heads.map((head) => Number(head.split('\n')[1]))
    t.ok(sizes.includes(proved.size) && sizes.includes(size), `${sizes}`)
    t.match(await command('audit', 'verify'), { intact: true, heads: heads.length })
  })

  await t.test('when it is killed and started with the new key alone, then it publishes on', async (t) => {
    service.child.kill('SIGKILL')
    await service.ended
    service = await serve()
    await publish()
    await allPublished()
    await goesOn(t)
    const { findings } = z
      .object({ findings: z.array(z.object({ check: z.string(), level: z.string() })) })
      .parse(await command('doctor'))
    t.same(
      findings.filter(({ check, level }) => ['secrets', 'keys'].includes(check) && level !== 'ok'),
      [],
    )
  })
})
