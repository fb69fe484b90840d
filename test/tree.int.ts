import t, { type Test } from 'tap'
import * as z from 'zod'
import { auditHeads, auditLog } from '../app/cli/audit-log.ts'
import { headsOf, prove, restartTree } from '../app/cli/prove.ts'
import { handle, load } from '../commands/handle.ts'
import { receiveComment } from '../commands/comment.ts'
import { requestErasure } from '../commands/erasure.ts'
import { approveReply, openReply } from '../commands/reply.ts'
import { createUser } from '../commands/user.ts'
import { comment, commentStreamId } from '../domain/conversation/comment.ts'
import { reply } from '../domain/conversation/reply.ts'
import { erasure } from '../domain/workspace/erasure.ts'
import { user, userIdOf } from '../domain/workspace/user.ts'
import { keepSigning, SIGN_EVERY_MS } from '../event-log/tree/keep-signing.ts'
import { HistoryChanged, type LogTree } from '../event-log/tree/log-tree.ts'
import { openHead } from '../event-log/tree/note.ts'
import { liftHold, placeHold } from '../infra/postgres/holds.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { givenInbox } from './support/comments.ts'
import { dyingDatabase } from './support/dying-database.ts'
import { newCategory, newEvents, until } from './support/event-log-helpers.ts'
import { givenRule, pass } from './support/recycling.ts'
import { ids } from './support/sandbox.ts'
import { changes, givenVerifier, tampered, treeOf } from './support/tree.ts'
import { causedBy, givenProcess, givenWorld, type World } from './support/world.ts'

/* Signed heads of the log, and proofs by them (decision 48). */

const proofSchema = z.looseObject({ head: z.string(), events: z.array(z.looseObject({ event: z.looseObject({}) })) })

function provable(world: World) {
  const core = { log: world.log, tree: async () => treeOf(world) }
  return {
    core,
    proved: (id: string, out: string, since?: string) => prove(core, id, { out, ...(since && { since }) }),
  }
}

async function appended(world: World, count: number): Promise<void> {
  await world.log.append(`${newCategory()}-1`, newEvents(count), -1)
}

async function headsIn(tree: LogTree) {
  const { publicKey, heads } = await tree.heads()
  return heads.map(({ note }) => openHead(note, publicKey))
}

t.test('given a published post', async (t) => {
  const world = await givenWorld(t)
  const verifier = await givenVerifier(t)
  const service = await givenProcess(world)
  const accountId = await world.account('bluesky')
  const id = await service.queue({ selections: { bluesky: [accountId] }, caption: 'Hello' })
  await service.drain()
  const strangers = resourceId('ws', ids.ulid())
  await world.account('bluesky', strangers)
  const { core, proved } = provable(world)
  const file = verifier.path('proof.json')
  const written = await proved(id, file)
  const proof = await verifier.read(file)

  await t.test('when it is proved, then a stranger sees what happened, by the script', async (t) => {
    const { code, output } = await verifier.verified(file, '--key', written.key)
    t.equal(code, 0, output)
    t.match(output, /PostQueued .*"caption": "Hello"/s)
    t.match(output, /Submitted:\n +\S+ +PostQueued by api-key key_test/)
    t.match(output, /Published:\n.* AccountPublished by reactor publish +bluesky acc_\S+ https/)
    t.match(output, /"label": /, 'the account is disclosed with its name')
    t.match(output, new RegExp(`PROVEN: ${written.events} of the ${written.size} events`))
    t.notMatch(JSON.stringify(proof), strangers, 'and nothing of other workspaces')
  })

  await t.test('when any part of it is changed, then the script refuses it', async (t) => {
    const tried = new Set<string>()
    for (const { path, value } of changes(proof)) {
      // One of each kind, of hundreds.
      const kind = path.replaceAll(/\d+/g, 'n')
      if (tried.has(kind)) continue
      tried.add(kind)
      const { code, output } = await verifier.verifiedAs(value)
      t.equal(code, 1, path)
      t.match(output, /^NOT PROVEN: /, path)
    }
    t.ok(tried.size > 30, `${tried.size} kinds of changes`)
  })

  await t.test('when another key is expected, or an event was left out, then the script refuses it', async (t) => {
    t.match(await verifier.verified(file, '--key', written.key.replace(/.$/, '-')), { code: 1, output: /another key/ })
    const whole = proofSchema.parse(proof)
    const events = whole.events.filter(({ event }) => event['type'] !== 'PublishPrepared')
    t.match(await verifier.verifiedAs({ ...whole, events }), { code: 1, output: /has a gap/ })
    t.match(await verifier.verified(verifier.path('none')), { code: 1, output: /^NOT PROVEN: ENOENT/ })
  })

  await t.test('when it is proved again later, then the earlier head is shown to be part of the history', async (t) => {
    await appended(world, 7)
    await proved(id, file, String(written.size))
    const later = proofSchema.extend({ since: z.object({ head: z.string(), path: z.array(z.string()) }) })
    const whole = later.parse(await verifier.read(file))
    t.equal(whole.since.head, proofSchema.parse(proof).head)
    t.match(await verifier.verified(file), { code: 0, output: /still begins with what this older head covers/ })
    for (const { path, value: since } of changes(whole.since)) {
      t.match(await verifier.verifiedAs({ ...whole, since }), { code: 1 }, path)
    }
    await t.rejects(proved(id, file, '2'), { code: 'not_found', message: /There is no head of 2 events/ })
    await t.rejects(proved(id, file, 'x'), { code: 'invalid_request' })
  })

  await t.test('when something else is asked for, then it is refused', async (t) => {
    await t.rejects(proved('post_nothing', file), { code: 'not_found' })
    await t.rejects(proved('nothing', file), { code: 'invalid_request' })
  })

  await t.test('when nothing may be signed, then what is not covered is not proved', async (t) => {
    await placeHold(world.db, 'test')
    const other = await service.queue({ selections: { bluesky: [accountId] }, caption: 'Later' })
    await t.rejects(proved(other, file), { code: 'failed_precondition', message: /not covered by a signed head yet/ })
    await liftHold(world.db, 'test')
    t.match(await proved(other, file), { file })
  })

  await t.test('then the log is what was signed', async (t) => {
    t.same(await treeOf(world).verify(), { heads: 3, faults: [] })
    const { key, heads } = await headsOf(core, false)
    t.equal(key, written.key)
    t.equal(heads.length, 1)
  })
})

t.test('given a reply that a model drafted, and a user approved', async (t) => {
  const world = await givenWorld(t)
  const { workspaceId } = world
  const verifier = await givenVerifier(t)
  const service = await givenProcess(world)
  const inbox = await givenInbox(world, 'instagram', service)
  const { accountId } = inbox
  const userId = userIdOf('Grace')
  await handle(world, user, userId, causedBy('user'), (state) =>
    createUser(state, { workspaceId, name: 'Grace', passwordId: 'pw', role: 'owner' }),
  )
  const commentId = await inbox.comment('Where is this?', 'Ada Lovelace')
  const key = { workspaceId, platform: inbox.platform, accountId, commentId, references: {} }
  await handle(world, comment, commentStreamId(accountId, commentId), causedBy('comment'), (state) =>
    receiveComment(state, {
      ...{ ...key, kind: 'comment', author: 'Ada Lovelace', text: 'Where is this?', replied: false },
      createdAt: isoTime(world.clock.now()),
    }),
  )
  const id = resourceId('rep', ids.ulid())
  const opened = { ...key, commentText: 'Where is this?', commentAuthor: 'Ada Lovelace', source: 'api' as const }
  const asked = { instruction: 'Be kind.', automatic: false }
  await handle(world, reply, id, causedBy('reply'), (state) => openReply(state, opened, asked))
  await service.drain()
  const byUser = { ...causedBy('approve'), actor: { kind: 'user' as const, id: userId } }
  await handle(world, reply, id, byUser, (state) => approveReply(state, undefined))
  await service.drain()
  t.match(await load(world.log, reply, id), { status: 'sent' })
  const { core, proved } = provable(world)
  const [before, after] = [verifier.path('before.json'), verifier.path('after.json')]
  const written = await proved(id, before)

  await t.test('then the proof tells the model, the user, and the words', async (t) => {
    const { code, output } = await verifier.verified(before)
    t.equal(code, 0, output)
    t.match(output, /Drafted by a model:\n +\S+ +DraftWritten by reactor draft-reply +sandbox sandbox/)
    t.match(output, new RegExp(`Approved:\\n +\\S+ +ReplyApproved by user ${userId}`))
    t.match(output, /UserCreated .*"name": "Grace"/s)
    t.match(output, /CommentReceived .*"author": "Ada Lovelace"/s)
    t.match(written, { erased: 0 })
  })

  await t.test('when events are left out, then it does not pass for the whole history', async (t) => {
    const whole = proofSchema.parse(await verifier.read(before))
    const others = { ...whole, streams: [`comment-${commentStreamId(accountId, commentId)}`] }
    t.match(await verifier.verifiedAs({ ...whole, streams: [] }), {
      code: 1,
      output: /not the whole history of anything/,
    })
    t.match(await verifier.verifiedAs(others, id), { code: 1, output: new RegExp(`not the whole history of ${id}`) })
    t.match(await verifier.verified(before, id), {
      code: 0,
      output: new RegExp(`Complete, from 0 to \\d+: reply-${id}`),
    })
    const { output } = await verifier.verifiedAs(others)
    t.match(output, new RegExp(`ReplyApproved by user ${userId} +\\(of the related reply-${id}\\)`))
  })

  await t.test('when personal data is taken out of the file, then it is shown as not disclosed', async (t) => {
    const whole = proofSchema.parse(await verifier.read(before))
    const events = whole.events.map(({ personal: _, ...rest }) => rest)
    const { code, output } = await verifier.verifiedAs({ ...whole, events })
    t.equal(code, 0)
    t.match(output, /\[not disclosed\]/)
    t.notMatch(output, /Lovelace/)
  })

  await t.test('when the comment is erased, then the same events are proved, as erased', async (t) => {
    const erasing = resourceId('ers', ids.ulid())
    await handle(world, erasure, erasing, causedBy('erase'), (state) =>
      requestErasure(state, { workspaceId, before: isoTime(world.clock.now() + 1) }),
    )
    await service.drain()
    t.match(await proved(id, after), { erased: 6 })
    const { code, output } = await verifier.verified(after)
    t.equal(code, 0, output)
    t.notMatch(output, /Lovelace|Where is this/)
    t.match(output, /DraftWritten .*"\(personal data\)": "\[erased\]"/s)
    t.match(output, /Approved:\n +\S+ +ReplyApproved by user/)
    t.match(await verifier.verified(before), { code: 0, output: /Lovelace/ }, 'what was given away stays valid')
    t.match(await auditHeads(core, await auditLog({ log: world.log })), { intact: true })
  })
})

t.test('given a post of a recycling rule, then its proof tells the rule, the model and the source', async (t) => {
  const world = await givenWorld(t)
  const verifier = await givenVerifier(t)
  const { service, sourcePostId } = await givenRule(world, { rewriteCaption: true }, { caption: 'Once' })
  await pass(world, service, 31 * 86_400_000)
  const { rows } = await world.db.query<{ id: string }>('select id from read.posts where id <> $1', [sourcePostId])
  const file = verifier.path('proof.json')
  await provable(world).proved(rows[0]?.id ?? '', file)
  const { code, output } = await verifier.verified(file)
  t.equal(code, 0, output)
  t.match(output, /RecyclingRuleAdded by api-key/)
  t.match(
    output,
    /Drafted by a model:\n +\S+ +CaptionRewritten by reactor recycle +\(of the related rule-\w+\) sandbox sandbox/,
  )
  t.match(output, new RegExp(`PostQueued +\\(post-${sourcePostId} at 0\\)`))
})

t.test('given a log that grows', async (t) => {
  const world = await givenWorld(t)
  await appended(world, 300)
  const expected = openHeadOf(await givenCopy(t, world))

  await t.test('when a process dies at any line while it signs, then the next one signs the same', async (t) => {
    for (const moment of ['before', 'after'] as const) {
      for (let query = 0, dead = true; dead; query += 1) {
        await world.db.query(
          'delete from service.tree_heads; delete from service.trees; insert into service.trees (id) values (1)',
        )
        const dying = dyingDatabase(world.db, query, moment)
        await treeOf(world, dying.db)
          .sign()
          .catch(() => undefined)
        dead = dying.dead()
        await treeOf(world).sign()
        t.same(
          (await headsIn(treeOf(world))).map(({ root }) => root),
          [(await expected).root],
          `${moment} ${query}`,
        )
      }
    }
  })

  await t.test('when the frontier is behind a head, then it catches up with it', async (t) => {
    await world.db.query(
      "update service.trees set size = 0, frontier = '', position = null, last_stream = null, last_leaf = null",
    )
    await treeOf(world).sign()
    t.equal((await headsIn(treeOf(world))).length, 1)
    t.match(await treeOf(world).verify(), { heads: 1, faults: [] })
  })

  await t.test('when several sign at once while events are added, then there is one history', async (t) => {
    for (let round = 0; round < 5; round += 1) {
      const signing = [treeOf(world), treeOf(world), treeOf(world)].map((tree) => tree.sign())
      await Promise.all([appended(world, 300), ...signing])
    }
    await treeOf(world).sign()
    const { heads, faults } = await treeOf(world).verify()
    t.same(faults, [])
    const sizes = (await headsIn(treeOf(world))).map(({ size }) => size)
    t.equal(sizes.at(-1), 1_800)
    t.equal(new Set(sizes).size, heads)
  })

  await t.test('when it has not grown, then nothing is signed', async (t) => {
    const before = await headsIn(treeOf(world))
    await treeOf(world).sign()
    t.same(await headsIn(treeOf(world)), before)
  })

  await t.test('when it is moved or restored, then another tree with another key begins', async (t) => {
    const { publicKey } = await treeOf(world).newest()
    const { key } = await restartTree({ db: world.db, tree: async () => treeOf(world) })
    t.match(key, /\/2\+/)
    await treeOf(world).sign()
    t.equal((await headsIn(treeOf(world))).length, 1)
    t.not((await treeOf(world).newest()).publicKey, publicKey)
  })
})

t.test('given a service that runs', async (t) => {
  const world = await givenWorld(t)
  await appended(world, 3)
  const errors: unknown[] = []
  const logger = { warn: () => undefined, error: (...given: unknown[]) => void errors.push(given) }
  const stop = new AbortController()
  const tree = treeOf(world)
  const running = keepSigning({ ...world, logger }, tree, stop.signal)
  const sizes = async () => (await headsIn(tree)).map(({ size }) => size)
  await until('the first head is signed', async () => (await sizes()).length === 1)

  await t.test('then it signs a head an hour', async (t) => {
    await appended(world, 4)
    await world.clock.advanceTo(world.clock.now() + SIGN_EVERY_MS - 1)
    t.same(await sizes(), [3])
    await until('an hour has passed', async () => {
      await world.clock.advanceTo(world.clock.now() + SIGN_EVERY_MS)
      return (await sizes()).length === 2
    })
    t.same(await sizes(), [3, 7])
  })

  await t.test('when the log is changed, then that is an error, and nothing is signed', async (t) => {
    // In this order: a head that is signed in between would have the new event, and leave nothing to look at.
    await tampered(world, `update log.events set data = '{"index": 9}' where position = 7`)
    await appended(world, 1)
    await until('it finds out', async () => {
      await world.clock.advanceTo(world.clock.now() + SIGN_EVERY_MS)
      return errors.length > 0
    })
    t.match(errors, [[{ err: { name: 'HistoryChanged' } }, /the log has changed/]])
    t.same(await sizes(), [3, 7])
  })

  await t.test('when it is stopped, then it stops', async () => {
    stop.abort()
    await running
  })
})

const CHANGES = {
  'an event was changed': `update log.events set data = '{"index": 9}' where position = 2`,
  'the actor of an event was changed': `update log.events set metadata = jsonb_set(metadata::jsonb, '{actor,id}', '"other"') where position = 4`,
  'the last event was deleted': 'delete from log.events where position = (select max(position) from log.events)',
  'the last event was changed': `update log.events set type = 'Other' where position = (select max(position) from log.events)`,
  'a head was changed': `update service.tree_heads set note = replace(note, E'\\n10\\n', E'\\n9\\n')`,
  'the frontier was changed': `update service.trees set frontier = set_byte(frontier, 0, get_byte(frontier, 0) # 1)`,
}

for (const [what, statement] of Object.entries(CHANGES)) {
  t.test(`given a signed log, when ${what}, then it is found, and nothing is signed until it is undone`, async (t) => {
    const world = await givenWorld(t)
    await appended(world, 10)
    await treeOf(world).sign()
    const restore = await kept(world)
    await tampered(world, statement)
    const sound = { events: 10, streams: 1, position: '10', intact: true, faults: [], faultCount: 0 }
    const found = await auditHeads({ tree: async () => treeOf(world) }, sound)
    t.match(found, { intact: false, faultCount: 1, faults: [String] })
    await t.rejects(treeOf(world).sign(), HistoryChanged)
    await restore()
    t.match(await treeOf(world).verify(), { faults: [] })
    await appended(world, 1)
    await treeOf(world).sign()
    t.equal((await headsIn(treeOf(world))).length, 2)
  })
}

/** Returns what brings the log and its tree back. */
async function kept(world: World): Promise<() => Promise<void>> {
  const tables = ['log.events', 'service.tree_heads', 'service.trees']
  for (const table of tables) await world.db.query(`create table public.${table.replace('.', '_')} as table ${table}`)
  return () =>
    tampered(
      world,
      ['log.events', 'service.tree_heads']
        .map((table) => `delete from ${table}; insert into ${table} table public.${table.replace('.', '_')}`)
        .join('; ') +
        '; update service.trees as t set frontier = k.frontier from public.service_trees as k where k.id = t.id',
    )
}

/** The head of the log when nothing goes wrong. */
async function givenCopy(_t: Test, world: World) {
  await treeOf(world).sign()
  return headsIn(treeOf(world))
}

async function openHeadOf(heads: Awaited<ReturnType<typeof givenCopy>>) {
  const [head] = heads
  if (!head) throw new Error('there is no head')
  return head
}
