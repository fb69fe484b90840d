import t, { type Test } from 'tap'
import { prove } from '../app/cli/prove.ts'
import { auditLog } from '../app/cli/audit-log.ts'
import { closeWorkspace } from '../commands/close-workspace.ts'
import { createWorkspace } from '../commands/create-workspace.ts'
import { endWorkspace } from '../commands/end-workspace.ts'
import { handle, load } from '../commands/handle.ts'
import { setAutomation } from '../commands/set-automation.ts'
import { createUser, removeUser } from '../commands/user.ts'
import { account } from '../domain/account/account.ts'
import { user, userIdOf } from '../domain/workspace/user.ts'
import { workspace } from '../domain/workspace/workspace.ts'
import { NO_STREAM } from '../event-log/event-log.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { createProjector } from '../projections/engine/projector.ts'
import { projections } from '../projections/models/index.ts'
import { rebuild } from '../projections/rebuild/rebuild.ts'
import { givenApi, type ApiWorld } from './support/api.ts'
import { newEvent } from './support/event-log-helpers.ts'
import { fused, type CrashPoint } from './support/fuse.ts'
import { ids } from './support/sandbox.ts'
import { givenTenant, type Tenant } from './support/tenants.ts'
import { givenVerifier, treeOf } from './support/tree.ts'
import { causedBy, givenProcess, givenWorld, logOf, type World } from './support/world.ts'

/* Erasing a whole workspace (decision 47). */

/** A workspace with one of everything, and the texts that only it has. */
async function givenWhole(api: ApiWorld, name: string): Promise<Tenant> {
  const { world } = api
  const label = `workspace of ${name}`
  const tenant = await givenTenant(api, name, label)
  const { workspaceId } = tenant
  const person = `${name}@example.com`
  const created = { workspaceId, name: person, passwordId: ids.token(), role: 'owner' } as const
  await handle(world, user, userIdOf(person), causedBy(ids.token()), (state) => createUser(state, created))
  await world.db.query('insert into service.passwords (id, hash) values ($1, $1)', [created.passwordId])
  const instruction = `instruction of ${name}`
  const accountId = tenant.ids['accounts'] ?? ''
  await handle(world, account, accountId, causedBy(ids.token()), (state) => setAutomation(state, { instruction }))
  return { ...tenant, texts: [...tenant.texts, label, person, instruction] }
}

/** A row of `service.event_keys`. */
const KEY = /^\([a-z_]+-/

/** Every row of every table of these schemas, as text. */
async function rowsOf(world: World, schemas: readonly string[]): Promise<readonly string[]> {
  const { rows: tables } = await world.db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any($1)`,
    [schemas],
  )
  const found = await Promise.all(
    tables.map(({ name }) => world.db.query<{ row: string }>(`select r::text as row from ${name} r`)),
  )
  return found.flatMap(({ rows }) => rows.map(({ row }) => row))
}

async function hasPassword(world: World, name: string): Promise<boolean> {
  const state = await load(world.log, user, userIdOf(`${name}@example.com`))
  if (state.status === 'absent') return false
  const { rowCount } = await world.db.query('select from service.passwords where id = $1', [state.passwordId])
  return rowCount !== 0
}

function close(world: World, workspaceId: string, name: string) {
  return handle(world, workspace, workspaceId, causedBy(ids.token()), (state) => closeWorkspace(state, name))
}

function anyOf(texts: readonly string[]): RegExp {
  return new RegExp(texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|'))
}

async function mustBeWhole(t: Test, world: World): Promise<void> {
  const { faults } = await auditLog({ log: logOf(world) })
  t.same(
    faults.filter((fault) => !/AccountPublished/.test(fault)),
    [],
  )
  const projector = createProjector({ ...world, log: logOf(world), projections, logger: createLogger('silent') })
  await projector.catchUp()
  const { signal } = new AbortController()
  const building = { ...world, log: logOf(world), projector, signal, progress: () => undefined }
  const found = await rebuild(building, projections, {})
  t.same(
    found.filter(({ compared }) => compared !== 'equal'),
    [],
    'the read models are what the log says',
  )
}

t.test('given two workspaces with one of everything', async (t) => {
  const api = await givenApi(t)
  const { world } = api
  const [left, right] = [await givenWhole(api, 'left'), await givenWhole(api, 'right')]
  const service = await givenProcess(world)
  const moved = userIdOf('moved@example.com')
  for (const { workspaceId } of [left, right]) {
    const created = { workspaceId, name: 'moved@example.com', passwordId: ids.token(), role: 'owner' } as const
    const state = await load(world.log, user, moved)
    if (state.status === 'active') await handle(world, user, moved, causedBy(ids.token()), removeUser)
    await handle(world, user, moved, causedBy(ids.token()), (before) => createUser(before, created))
  }
  // As `api/http/run-route.ts` names a user of the dashboard.
  await world.db.query(
    `insert into service.idempotency_keys (api_key_id, route, key, resource_id, created_at, body)
     values ($1, 'POST /v1/posts', 'k', 'post_1', now(), 'caption of left')`,
    [`${userIdOf('left@example.com')} ${left.workspaceId}`],
  )
  await service.drain()
  const erase = (body: object) => api.call({ method: 'POST', path: '/v1/erasures/workspace', key: left.key, body })

  await t.test('then the log has none of their texts in plain text', async (t) => {
    const log = (await rowsOf(world, ['log'])).join('\n')
    for (const { texts } of [left, right]) for (const text of texts) t.notOk(log.includes(text), text)
  })

  await t.test('when the name is not that of the workspace, then it is not closed', async (t) => {
    const message = 'name is not that of this workspace'
    const wrong = await erase({ name: 'workspace of right' })
    t.match(wrong, { status: 400, body: { error: { code: 'invalid_request', message } } })
    t.equal((await erase({})).status, 400)
    t.equal((await erase({ name: 'workspace of left', also: 'right' })).status, 400)
    await t.rejects(close(world, resourceId('ws', ids.ulid()), ''), { message: 'No such workspace.' })
  })

  await t.test('when the process stops while it looks for what is to end, then it does not go on', async (t) => {
    const { workspaceId } = left
    await t.rejects(endWorkspace(world, workspaceId, causedBy('end'), AbortSignal.abort()), { name: 'AbortError' })
    t.equal((await api.call({ path: '/v1/posts', key: left.key })).status, 200)
  })

  await t.test('when one is erased, then nothing is left of it, and nothing of the other is gone', async (t) => {
    t.ok(await hasPassword(world, 'left'))
    const before = await rowsOf(world, ['read', 'service'])
    const others = before.filter((row) => row.includes(right.workspaceId))
    t.match(await erase({ name: 'workspace of left' }), { status: 202, body: { workspaceId: left.workspaceId } })
    await service.drain()
    t.match(await load(world.log, workspace, left.workspaceId), { status: 'erased' })
    const after = await rowsOf(world, ['read', 'service'])
    t.notOk(await hasPassword(world, 'left'))
    const own = [...left.texts, left.workspaceId, ...Object.values(left.ids)]
    const kept = after.filter((row) => anyOf(own).test(row))
    t.same(
      kept.filter((row) => !KEY.test(row)),
      [],
      'only the rows of its keys are left',
    )
    for (const row of others) t.ok(after.includes(row), row)
    t.match(await load(world.log, user, moved), { status: 'active', workspaceId: right.workspaceId })
    t.equal((await api.call({ path: '/v1/posts', key: left.key })).status, 401)
    t.equal((await api.call({ path: '/v1/posts', key: right.key })).status, 200)
    const log = logOf(world)
    for (const id of [left.ids['posts'], left.ids['scheduled-posts']]) {
      const read = await log.read(`post-${id}`)
      t.match(read[0], { isErased: true })
      t.notMatch(
        JSON.stringify(read, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
        anyOf(left.texts),
      )
    }
    await log.close()
    await mustBeWhole(t, world)
  })

  await t.test('then what happened to its posts can still be proved, without what they said', async (t) => {
    const verifier = await givenVerifier(t)
    const out = verifier.path('erased.json')
    await prove({ log: logOf(world), tree: async () => treeOf(world) }, left.ids['posts'] ?? '', { out })
    const { code, output } = await verifier.verified(out)
    t.equal(code, 0)
    t.match(output, /PostQueued .*"\(personal data\)": "\[erased\]".*AccountPublished by/s)
    t.notMatch(output, anyOf(left.texts))
  })

  await t.test('then its streams take no more personal data', async (t) => {
    const { workspaceId } = left
    const added = {
      workspaceId,
      url: 'https://example.com',
      selections: {},
      captionTemplate: '',
      checkIntervalMinutes: 15,
    }
    const append = logOf(world).append('feed-feed_1', [newEvent(added, 'FeedAdded')], NO_STREAM)
    await t.rejects(append, { name: 'RevisionConflict' })
  })

  await t.test('when it is erased again, then there is none', async (t) => {
    await t.rejects(close(world, left.workspaceId, 'workspace of left'), { message: 'No such workspace.' })
  })
})

t.test(
  'given a workspace to erase, when the process dies before or after any act, then the next one finishes it',
  async (t) => {
    const world = await givenWorld(t)
    const run = async (point?: CrashPoint) => {
      const workspaceId = resourceId('ws', ids.ulid())
      await handle(world, workspace, workspaceId, causedBy(workspaceId), (state) =>
        createWorkspace(state, { name: 'Ada Lovelace' }),
      )
      const first = await givenProcess(world)
      const accountId = await world.account('bluesky', workspaceId)
      await first.queue({ workspaceId, caption: 'Ada wrote this', selections: { bluesky: [accountId] } })
      await first.drain()
      await close(world, workspaceId, 'Ada Lovelace')
      const fuse = fused(world, point)
      const mortal = await givenProcess(world, { ...fuse, slots: 1 })
      await mortal.drain().catch((error: unknown) => {
        if (!fuse.dead()) throw error
      })
      await (await givenProcess(world)).drain()
      return { workspaceId, acts: fuse.acts }
    }
    const { acts } = await run()
    t.ok(acts.length >= 6, acts.join(', '))
    for (const act of acts.keys()) {
      for (const moment of ['before', 'after'] as const) {
        const { workspaceId } = await run({ act, moment })
        t.match(await load(world.log, workspace, workspaceId), { status: 'erased' }, `${moment} ${acts[act]}`)
        const rows = await rowsOf(world, ['read', 'service'])
        t.notMatch((await rowsOf(world, ['log'])).join('\n'), /Ada (Lovelace|wrote)/, 'nor in the log')
        t.same(
          rows.filter((row) => /Ada (Lovelace|wrote)/.test(row)),
          [],
          `${moment} ${acts[act]}`,
        )
        t.same(
          rows.filter((row) => row.includes(workspaceId) && !KEY.test(row)),
          [],
          'and no other rows',
        )
      }
    }
    await mustBeWhole(t, world)
  },
)

t.test('given a post that is being published, when its workspace is erased, then its end is awaited', async (t) => {
  const world = await givenWorld(t)
  const workspaceId = resourceId('ws', ids.ulid())
  await handle(world, workspace, workspaceId, causedBy(workspaceId), (state) =>
    createWorkspace(state, { name: 'Ada Lovelace' }),
  )
  const service = await givenProcess(world)
  const accountId = await world.account('x', workspaceId)
  const busy = { platform: 'x', call: 'publish', kind: 'server_error', times: 1, delayMs: 0 } as const
  world.sandbox.faults.script({ ...busy, retryAfterSeconds: 1, accepted: false })
  const postId = await service.queue({ workspaceId, caption: 'Ada wrote this', selections: { x: [accountId] } })
  await service.step()
  await close(world, workspaceId, 'Ada Lovelace')
  await service.drain()
  const types = (await logOf(world).read(`post-${postId}`)).map(({ type }) => type)
  t.equal(types.at(-1), 'PostFinished')
  const rows = await rowsOf(world, ['read', 'service'])
  t.same(
    rows.filter((row) => row.includes(workspaceId) && !KEY.test(row)),
    [],
  )
  await mustBeWhole(t, world)
})
