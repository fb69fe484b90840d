import t, { type Test } from 'tap'
import * as z from 'zod'
import { auditLog } from '../app/cli/audit-log.ts'
import { dismissComment, receiveComment } from '../commands/comment.ts'
import { requestResend } from '../commands/delivery.ts'
import { requestErasure } from '../commands/erasure.ts'
import { handle, load } from '../commands/handle.ts'
import { joinWorkspace, removeMember } from '../commands/member.ts'
import { createUser, removeUser } from '../commands/user.ts'
import { approveReply, openReply, type ReplyRequest } from '../commands/reply.ts'
import { comment, commentStreamId, type CommentContent } from '../domain/conversation/comment.ts'
import { reply, type ReplyState } from '../domain/conversation/reply.ts'
import { ERASED } from '../domain/core/personal-data.ts'
import { PUBLIC_EVENTS } from '../domain/webhook/public-event.ts'
import { erasure, type ErasureFilter } from '../domain/workspace/erasure.ts'
import { member, memberIdOf, type MemberEvent, type MemberState } from '../domain/workspace/member.ts'
import { user, userIdOf, type UserEvent, type UserState } from '../domain/workspace/user.ts'
import type { RecordedEvent } from '../domain/core/event.ts'
import { createCodec } from '../event-log/codec.ts'
import { NO_STREAM, START } from '../event-log/event-log.ts'
import { createErasableKeys } from '../event-log/postgres/erasable-keys.ts'
import { createEventKeys } from '../event-log/postgres/event-keys.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { createProjector } from '../projections/engine/projector.ts'
import { eraseFurther } from '../reactors/privacy/erase.ts'
import { listUsers } from '../projections/models/users.ts'
import { projections } from '../projections/models/index.ts'
import { rebuild } from '../projections/rebuild/rebuild.ts'
import { givenApi } from './support/api.ts'
import { givenInbox } from './support/comments.ts'
import { readUntilCaughtUp } from './support/event-log-helpers.ts'
import { fused, type CrashPoint } from './support/fuse.ts'
import { decide, deliveryOf, givenReceiver, givenWebhook } from './support/receivers.ts'
import { ids } from './support/sandbox.ts'
import { causedBy, givenProcess, givenWorld, logOf, vaultOf, type World } from './support/world.ts'

/* Erasing personal data by its keys (decision 46). */

/* Names and ids that no random id or key can contain. */
const ADA = { author: 'Ada Lovelace', authorId: 'author-ada' }
const BOB = { author: 'Bob Martin', authorId: 'author-bob' }

async function given(t: Test, made?: World) {
  const world = made ?? (await givenWorld(t))
  const receiver = await givenReceiver(t, world)
  await givenWebhook(world, `${receiver.url}/hook`, PUBLIC_EVENTS)
  const service = await givenProcess(world)
  const inbox = await givenInbox(world, 'instagram', service)
  await service.drain()
  return { world, receiver, inbox, service, keys: createErasableKeys({ ...world, vault: vaultOf(world) }) }
}

type Scene = Awaited<ReturnType<typeof given>>

/** Somebody comments, and it is received; returns its stream's id. */
async function commented(scene: Scene, by: typeof ADA, text: string): Promise<string> {
  return received(scene, by, text, await scene.inbox.comment(text, by.author))
}

/** A check of the account finds a comment. */
async function received({ world, inbox }: Scene, by: typeof ADA, text: string, commentId: string): Promise<string> {
  const { accountId } = inbox
  const id = commentStreamId(accountId, commentId)
  const content: CommentContent = {
    ...{ workspaceId: world.workspaceId, platform: inbox.platform, accountId, commentId, kind: 'comment', ...by },
    ...{ text: `${by.author} wrote ${text}`, createdAt: isoTime(world.clock.now()), references: {}, replied: false },
  }
  await handle(world, comment, id, causedBy(ids.token()), (state) => receiveComment(state, content))
  return id
}

async function replied(world: World, commentId: string, request: ReplyRequest): Promise<string> {
  const state = await load(world.log, comment, commentId)
  if (state.status === 'absent') throw new Error(`there is no ${commentId}`)
  const { workspaceId, platform, accountId, references, author, text } = state
  const opened = { workspaceId, platform, accountId, references, commentId: state.commentId, source: 'api' as const }
  const id = resourceId('rep', ids.ulid())
  const all = { ...opened, commentText: text, commentAuthor: author }
  await handle(world, reply, id, causedBy(id), (before) => openReply(before, all, request))
  return id
}

async function requested(world: World, filter: Partial<ErasureFilter>): Promise<string> {
  const id = resourceId('ers', ids.ulid())
  const whole = { workspaceId: world.workspaceId, before: isoTime(world.clock.now() + 1), ...filter }
  await handle(world, erasure, id, causedBy(id), (state) => requestErasure(state, whole))
  return id
}

/** What stands in any row of the read models or, as a new process reads it, of the log. */
async function everything(world: World): Promise<string> {
  const log = logOf(world)
  const events = (await readUntilCaughtUp(log, START)).map(({ data }) => JSON.stringify(data))
  await log.close()
  const tables = await Promise.all(
    projections.map(({ name }) => world.db.query<{ row: string }>(`select r::text as row from read.${name} r`)),
  )
  return [...events, ...tables.flatMap(({ rows }) => rows.map(({ row }) => row))].join('\n')
}

/** It is intact, can be moved, and the read models are what it says. */
async function mustBeWhole(t: Test, world: World): Promise<void> {
  t.match(await auditLog({ log: logOf(world) }), { intact: true })
  const projector = createProjector({ ...world, log: logOf(world), projections, logger: createLogger('silent') })
  await projector.catchUp()
  const streams = new Map<string, RecordedEvent[]>()
  for (const event of await readUntilCaughtUp(logOf(world), START)) {
    streams.set(event.stream, [...(streams.get(event.stream) ?? []), event])
  }
  const codec = createCodec({ keys: createEventKeys({ ...world, vault: vaultOf(world), now: world.clock.now }) })
  for (const [stream, events] of streams) await codec.encode(stream, events, NO_STREAM)
  const { signal } = new AbortController()
  const found = await rebuild(
    { ...world, log: logOf(world), projector, signal, progress: () => undefined },
    projections,
    {},
  )
  const differing = found.filter(({ compared }) => compared !== 'equal')
  t.same(differing, [], 'the read models are what the log says')
}

/** Comments of both authors, with replies that were sent and one that waits for review. */
async function conversation(scene: Scene) {
  const { world, service } = scene
  const [ada, bob] = [await commented(scene, ADA, 'one'), await commented(scene, BOB, 'two')]
  const another = await commented(scene, ADA, 'one more')
  const adas = [await replied(world, ada, { text: 'Dear Ada' }), await replied(world, another, undefined)] as const
  await replied(world, bob, { text: 'Dear Bob' })
  await service.drain()
  return { ada, bob, adas }
}

t.test('given comments of two authors, with replies and webhook deliveries', async (t) => {
  const scene = await given(t)
  const { world, receiver, inbox, service, keys } = scene
  const { ada, adas } = await conversation(scene)
  const author = await keys.authorHash(world.workspaceId, ADA.authorId)
  const filter = { workspaceId: world.workspaceId, before: isoTime(world.clock.now() + 1), author }
  const delivered = receiver.received.length

  await t.test('then they are counted', async (t) => {
    t.same(await keys.count(filter), { comments: 2, replies: 2, deliveries: 3 })
    const byName = { ...filter, author: await keys.authorHash(world.workspaceId, ADA.author) }
    t.same(await keys.count(byName), { comments: 2, replies: 2, deliveries: 3 })
    t.same(await keys.count({ ...filter, workspaceId: 'ws_other' }), { comments: 0, replies: 0, deliveries: 0 })
  })

  await t.test(
    'when those of one author are erased, then nothing of it is left, and nothing else is gone',
    async (t) => {
      const id = await requested(world, filter)
      await service.drain()
      t.match(await load(world.log, erasure, id), { status: 'finished', comments: 2, replies: 2, deliveries: 3 })
      const all = await everything(world)
      t.notMatch(all, /\bAda\b|author-ada/)
      t.match(all, /Bob Martin wrote two/)
      t.match(all, /Dear Bob/)
      t.equal(receiver.received.length, delivered, 'and nothing is sent')
      await mustBeWhole(t, world)
      const { rows } = await world.db.query(
        'select count(*)::int as left from service.event_keys where erasure_id is not null and (author is not null or length(secret) > 0)',
      )
      t.same(rows, [{ left: 0 }], 'not even a hash')
      t.match(await load(world.log, reply, adas[0]), { status: 'sent', draft: ERASED })
    },
  )

  await t.test('then what was erased cannot be answered, dismissed or sent again', async (t) => {
    const approve = (state: ReplyState) => approveReply(state, 'Dear Ada again')
    await t.rejects(handle(world, reply, adas[1], causedBy('approve'), approve), { message: 'The reply was rejected.' })
    const dismissing = { workspaceId: world.workspaceId, platform: inbox.platform }
    const dismiss = handle(world, comment, ada, causedBy('dismiss'), (state) => dismissComment(state, dismissing))
    await t.rejects(dismiss, { message: 'No such comment.' })
    const { rows } = await world.db.query<{ stream: string }>(
      "select stream from service.event_keys where erasure_id is not null and stream like 'delivery-%'",
    )
    for (const { stream } of rows) {
      const id = stream.slice('delivery-'.length)
      t.match(await deliveryOf(world, id), { status: 'delivered', body: ERASED })
      await t.rejects(decide(world, id, requestResend), { message: 'The content of the delivery was erased.' })
    }
  })

  await t.test('when the platform still shows the comment, then it is not recorded again', async (t) => {
    const state = await load(world.log, comment, ada)
    if (state.status === 'received') t.equal(await received(scene, ADA, 'one', state.commentId), ada)
    await service.drain()
    t.notMatch(await everything(world), /\bAda\b/)
  })

  await t.test('when the author comments again, then that is new', async (t) => {
    await commented(scene, ADA, 'three')
    await service.drain()
    t.match(await everything(world), /Ada Lovelace wrote three/)
  })

  await t.test('when all that is older is erased, then only what is newer is left', async (t) => {
    await world.clock.advanceTo(world.clock.now() + 1_000)
    const before = isoTime(world.clock.now())
    await commented(scene, BOB, 'four')
    await service.drain()
    await requested(world, { before })
    await service.drain()
    const all = await everything(world)
    t.notMatch(all, /\bAda\b|wrote two|Dear Bob/)
    t.match(all, /Bob Martin wrote four/)
    await mustBeWhole(t, world)
  })
})

t.test('given a reply that is being sent, when it is to be erased, then its end is awaited', async (t) => {
  const scene = await given(t)
  const { world, inbox, service } = scene
  const commentId = await commented(scene, ADA, 'one')
  const id = await replied(world, commentId, { text: 'Dear Ada' })
  const busy = { platform: inbox.platform, call: 'reply', kind: 'server_error', times: 2, delayMs: 0 } as const
  world.sandbox.faults.script({ ...busy, retryAfterSeconds: 1, accepted: false })
  await service.step()
  await requested(world, {})
  await service.step()
  t.match(await load(world.log, reply, id), { status: 'sending', sending: { text: 'Dear Ada' } })
  t.match(await load(world.log, comment, commentId), { isErased: true }, 'the comment does not wait')
  await service.drain()
  t.match(await load(world.log, reply, id), { draft: ERASED, commentText: ERASED })
  t.notMatch(await everything(world), /\bAda\b/)
  await mustBeWhole(t, world)
})

t.test('given an event that is erased before it is fanned out, then nothing is sent', async (t) => {
  const scene = await given(t)
  const { world, receiver, service, keys } = scene
  const sent = receiver.received.length
  await commented(scene, ADA, 'one')
  await eraseFurther({ ...world, keys }, await requested(world, {}), new AbortController().signal)
  await world.clock.advanceTo(world.clock.now() + 5_001)
  await service.drain()
  t.equal(receiver.received.length, sent)
  t.notMatch(await everything(world), /\bAda\b/)
})

t.test('given an event that is fanned out while it is erased, then its deliveries are erased too', async (t) => {
  const scene = await given(t)
  const { world, receiver, service } = scene
  const sent = receiver.received.length
  const commentId = await commented(scene, ADA, 'one')
  const id = await requested(world, {})
  const log = logOf(world, { cacheMs: 20_000 })
  t.teardown(() => log.close())
  await log.read(`comment-${commentId}`)
  const slow = await givenProcess(world, { log })
  const erasing = { ...world, keys: scene.keys }
  const { signal } = new AbortController()
  await eraseFurther(erasing, id, signal)
  t.match(await eraseFurther(erasing, id, signal), { kind: 'park' }, 'another process waits as well')
  await slow.step()
  t.equal(receiver.received.length, sent + 1, 'it was still sent')
  await service.drain()
  t.match(await load(world.log, erasure, id), { status: 'finished', comments: 1 })
  t.notMatch(await everything(world), /\bAda\b/)
  await mustBeWhole(t, world)
})

t.test('given a user who was removed, when the name is erased, then it can be used again', async (t) => {
  const world = await givenWorld(t)
  const service = await givenProcess(world)
  const { workspaceId, log } = world
  const [name, id] = ['ada@example.com', userIdOf('ada@example.com')]
  const decideUser = (decision: (state: UserState) => readonly UserEvent[]) =>
    handle(world, user, id, causedBy(ids.token()), decision)
  const created = { workspaceId, name, passwordId: 'p', role: 'owner' } as const
  const shown = async () => (await listUsers(world.db, workspaceId)).map((row) => row.name)

  await decideUser((state) => createUser(state, created))
  await requested(world, {})
  await service.drain()
  t.same(await shown(), [name], 'a user who can sign in keeps the name')
  for (const round of [1, 2]) {
    await decideUser(removeUser)
    const erasureId = await requested(world, { userId: id })
    await service.drain()
    t.match(await load(log, erasure, erasureId), { status: 'finished' })
    t.same(await shown(), [ERASED])
    t.notMatch(await everything(world), name, `round ${round}`)
    await decideUser((state) => createUser(state, created))
    await service.step()
    t.same(await shown(), [name])
  }
  await mustBeWhole(t, world)
})

t.test('given a user of two workspaces, when the name is erased in one, then it stays in the other', async (t) => {
  const world = await givenWorld(t)
  const service = await givenProcess(world)
  const { workspaceId } = world
  const [name, id] = ['fred@example.com', userIdOf('fred@example.com')]
  const account = { workspaceId: 'ws_first', name, passwordId: 'p', role: 'owner' } as const
  await handle(world, user, id, causedBy('account'), (state) => createUser(state, account))
  const memberId = memberIdOf(id, workspaceId)
  const decideMember = (decision: (state: MemberState) => readonly MemberEvent[]) =>
    handle(world, member, memberId, causedBy(ids.token()), decision)
  const joined = { workspaceId, userId: id, name, role: 'author' } as const
  const shown = async (of: string) => (await listUsers(world.db, of)).map((row) => row.name)

  await decideMember((state) => joinWorkspace(state, joined))
  await requested(world, { userId: id })
  await service.drain()
  t.same(await shown(workspaceId), [name], 'a user of the workspace keeps the name')
  await decideMember(removeMember)
  await requested(world, { userId: id })
  await service.drain()
  t.same(await shown(workspaceId), [ERASED])
  t.same(await shown('ws_first'), [name])
  t.match(await load(world.log, user, id), { status: 'active', name })
  await decideMember((state) => joinWorkspace(state, joined))
  await service.step()
  t.same(await shown(workspaceId), [name])
  await mustBeWhole(t, world)
})

t.test('given an erasure, when the process dies before or after any act, then the next one finishes it', async (t) => {
  const scene = await given(t)
  const { world } = scene
  const run = async (point?: CrashPoint) => {
    await conversation(scene)
    const id = await requested(world, {})
    const fuse = fused(world, point)
    const mortal = await givenProcess(world, { ...fuse, slots: 1 })
    await mortal.drain().catch((error: unknown) => {
      if (!fuse.dead()) throw error
    })
    await (await givenProcess(world)).drain()
    return { id, acts: fuse.acts }
  }
  const { acts } = await run()
  t.ok(acts.length > 6)
  for (const act of acts.keys()) {
    for (const moment of ['before', 'after'] as const) {
      const { id } = await run({ act, moment })
      t.match(await load(world.log, erasure, id), { status: 'finished' }, `${moment} ${acts[act]}`)
      t.notMatch(await everything(world), /\b(Ada|Bob)\b/, `${moment} ${acts[act]}`)
    }
  }
  await mustBeWhole(t, world)
})

t.test('given the API', async (t) => {
  const api = await givenApi(t)
  const { world } = api
  const key = await api.key()
  const scene = await given(t, world)
  const post = (path: string, body: object, headers = {}) =>
    api.call({ method: 'POST', path: `/v1/erasures${path}`, key, body, headers })
  await commented(scene, ADA, 'one')
  await scene.service.drain()

  await t.test('when what is to be erased is not said clearly, then nothing is', async (t) => {
    const refused: readonly (readonly [body: object, message: string])[] = [
      [{}, 'body needs either author, accountId or before, or all set to true'],
      [{ all: true, author: 'Ada' }, 'body needs either author, accountId or before, or all set to true'],
      [{ acountId: 'acc_1' }, 'body has no field acountId: only author, accountId, before and all'],
      [{ author: '' }, 'author must not be empty'],
      [{ before: 'May' }, 'before must be a time such as 2026-05-31T16:00:00Z'],
      [{ before: '9999-01-01T00:00:00Z' }, 'before must not be in the future'],
      [{ all: false }, 'all must be true, or absent'],
    ]
    for (const [body, message] of refused) {
      for (const path of ['', '/preview']) {
        t.match(await post(path, body), { status: 400, body: { error: { code: 'invalid_request', message } } })
      }
    }
    t.match((await api.call({ path: '/v1/erasures', key })).body, { erasures: [] })
  })

  await t.test(
    'when an erasure is requested twice with one key, then there is one, and its progress is shown',
    async (t) => {
      t.match((await post('/preview', { author: 'Ada Lovelace' })).body, { comments: 1, replies: 0, deliveries: 1 })
      const headers = { 'idempotency-key': 'erase-ada' }
      const { status, body } = await post('', { author: 'Ada Lovelace' }, headers)
      t.match({ status, body }, { status: 202, body: { status: 'running', byAuthor: true, comments: 0 } })
      t.equal((await post('', { author: 'Ada Lovelace' }, headers)).body['id'], body['id'])
      const shown = async () => (await api.call({ path: `/v1/erasures/${String(body['id'])}`, key })).body
      await scene.service.step()
      t.match(await shown(), { status: 'running', comments: 1, deliveries: 1 })
      await scene.service.drain()
      t.match(await shown(), { status: 'finished', comments: 1, deliveries: 1, finishedAt: String })
      const list = (await api.call({ path: '/v1/erasures', key })).body
      t.match(list, { erasures: [{ id: body['id'], status: 'finished' }] })
      t.equal(z.array(z.unknown()).parse(list['erasures']).length, 1)
    },
  )

  await t.test('when a key was not made for it, then it can do neither', async (t) => {
    const weak = await api.key({ scopes: ['comments:read', 'comments:write'] })
    for (const path of ['/v1/erasures', '/v1/erasures/preview']) {
      t.equal((await api.call({ method: 'POST', path, key: weak, body: { all: true } })).status, 403)
    }
  })
})
