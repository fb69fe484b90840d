import t from 'tap'
import { comment } from '../domain/conversation/comment.ts'
import { ERASED } from '../domain/core/personal-data.ts'
import { createCodec } from '../event-log/codec.ts'
import { NO_STREAM, START } from '../event-log/event-log.ts'
import { postgresLog } from '../event-log/postgres/log.ts'
import { createEventKeys } from '../event-log/postgres/event-keys.ts'
import { sealedUnder } from '../infra/postgres/rotate-keys.ts'
import { createProjector } from '../projections/engine/projector.ts'
import { projections } from '../projections/models/index.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { newEvent, readUntilCaughtUp } from './support/event-log-helpers.ts'
import { givenWorld, RING, vaultOf, type World } from './support/world.ts'

/* Personal data in events is encrypted with a key per stream (decision 46). */

const KEPT_MS = 1_000

function received(text: string, workspaceId = 'ws_1') {
  const data = {
    ...{ workspaceId, platform: 'x', accountId: 'acc_1', commentId: text, kind: 'mention', author: 'Jane Roe' },
    ...{ authorId: '4711', text, createdAt: '2026-01-02T03:04:05.678Z', references: {}, replied: false },
  }
  return newEvent(data, 'CommentReceived')
}

/** Another process on the same data. */
function anotherLog({ db, signals, clock }: World) {
  const keys = createEventKeys({ db, vault: vaultOf({ db }), now: clock.now }, { cacheMs: KEPT_MS })
  return postgresLog({ db, signals, clock, codec: createCodec({ keys }) })
}

t.test('given comments in the log', async (t) => {
  const world = await givenWorld(t)
  const { db, clock, log } = world
  for (const name of ['one', 'two']) await log.append(`comment-com_${name}`, [received(name)], NO_STREAM)

  await t.test('then the database has neither author nor text outside the row of their key', async (t) => {
    const { rows } = await db.query<{ event: string }>('select e::text as event from log.events e')
    t.equal(rows.length, 2)
    for (const { event } of rows) t.notMatch(event, /Jane Roe|4711|"text": "(one|two)"/)
    const keys = await db.query('select stream, account_id, author, author_id from service.event_keys order by stream')
    const whose = { account_id: 'acc_1', author: 'Jane Roe', author_id: '4711' }
    t.same(keys.rows, [
      { stream: 'comment-com_one', ...whose },
      { stream: 'comment-com_two', ...whose },
    ])
    t.equal((await sealedUnder(db, RING.keys()[0]!)).secrets, 1, 'the vault has one secret for all of them')
  })

  await t.test('then another process reads them', async (t) => {
    const other = anotherLog(world)
    t.match(await readUntilCaughtUp(other, START), [{ data: { text: 'one' } }, { data: { text: 'two' } }])
    await other.close()
  })

  await t.test('when the same event is appended again, then nothing is written', async (t) => {
    const event = received('three')
    const first = await log.append('comment-com_three', [event], NO_STREAM)
    const other = anotherLog(world)
    t.same(await other.append('comment-com_three', [event], NO_STREAM), first)
    await other.close()
  })

  await t.test('when a process dies between the key and the event, then the event is written later', async (t) => {
    const keys = createEventKeys({ db, vault: vaultOf({ db }), now: clock.now })
    await keys.create('comment-com_four', { workspaceId: 'ws_1' })
    await log.append('comment-com_four', [received('four')], NO_STREAM)
    t.match(await log.read('comment-com_four'), [{ data: { author: 'Jane Roe', text: 'four' } }])
  })

  await t.test('when a key is deleted, then its event is erased, everywhere and for good', async (t) => {
    const other = anotherLog(world)
    await other.read('comment-com_one')
    await db.query("delete from service.event_keys where stream = 'comment-com_one'")
    await clock.advanceTo(clock.now() + KEPT_MS + 1)
    const erased = { isErased: true, data: { author: ERASED, text: ERASED, commentId: 'one' } } as const
    t.match(await other.read('comment-com_one'), [erased])
    t.match((await other.read('comment-com_two'))[0]?.isErased, undefined)
    await other.append('comment-com_one', [newEvent({}, 'CommentDismissed')], 0)
    t.match(await other.read('comment-com_one'), [erased, { type: 'CommentDismissed' }], 'and the stream goes on')
    await other.close()
    const projector = createProjector({ ...world, projections, logger: createLogger('silent'), log: anotherLog(world) })
    await projector.catchUp()
    const { rows } = await db.query("select author, text, dismissed from read.comments where id = 'com_one'")
    t.same(rows, [{ author: ERASED, text: ERASED, dismissed: true }])
  })

  await t.test('when the secret of a workspace is gone, then all of its events are erased', async (t) => {
    await log.append('comment-com_five', [received('five', 'ws_2')], NO_STREAM)
    await vaultOf({ db }).remove('events_ws_2')
    const other = anotherLog(world)
    t.match(await other.read('comment-com_five'), [{ isErased: true }])
    t.match((await other.read('comment-com_two'))[0]?.isErased, undefined)
    await other.close()
  })

  await t.test('then a stream that began unencrypted stays so', async (t) => {
    const plain = postgresLog(world)
    await plain.append('comment-com_six', [received('six')], NO_STREAM)
    t.match(await log.read('comment-com_six'), [{ data: { text: 'six' } }])
    t.equal(comment.personal?.erased['CommentReceived']?.['text'], ERASED)
    await plain.close()
  })
})
