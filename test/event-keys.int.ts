import t from 'tap'
import { ERASED } from '../domain/core/personal-data.ts'
import { NO_STREAM, START } from '../event-log/event-log.ts'
import { postgresLog } from '../event-log/postgres/log.ts'
import { createErasableKeys } from '../event-log/postgres/erasable-keys.ts'
import { createEventKeys } from '../event-log/postgres/event-keys.ts'
import { sealedUnder } from '../infra/postgres/rotate-keys.ts'
import { createProjector } from '../projections/engine/projector.ts'
import { projections } from '../projections/models/index.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { newEvent, readUntilCaughtUp } from './support/event-log-helpers.ts'
import { givenWorld, logOf, RING, vaultOf, type World } from './support/world.ts'

/* Personal data in events is encrypted with a key per stream (decision 46). */

const KEPT_MS = 1_000
/** By then, no process uses a key that was deleted. */
const FORGOTTEN_MS = 5_001

const at = '2026-01-02T03:04:05.678Z'
const COMMENT_KEY = { workspaceId: 'ws_1', platform: 'x', accountId: 'acc_1', commentId: '1' }

function received(text: string, workspaceId = 'ws_1') {
  const data = {
    ...{ ...COMMENT_KEY, workspaceId, commentId: text, kind: 'mention', author: 'Jane Roe' },
    ...{ authorId: 'id of Jane', text, createdAt: '2026-01-02T03:04:05.678Z', references: {}, replied: false },
  }
  return newEvent(data, 'CommentReceived')
}

/** Another process on the same data. */
function anotherLog(world: World) {
  return logOf(world, { cacheMs: KEPT_MS })
}

t.test('given comments in the log', async (t) => {
  const world = await givenWorld(t)
  const { db, clock, log } = world
  for (const name of ['one', 'two']) await log.append(`comment-com_${name}`, [received(name)], NO_STREAM)

  await t.test('then what a backup contains has neither author nor text', async (t) => {
    const { rows } = await db.query<{ row: string }>(
      `select e::text as row from log.events e union all select k::text from service.event_keys k
       union all select s::text from service.secrets s`,
    )
    t.equal(rows.length, 2 + 2 + 1)
    const words = ['Jane Roe', 'id of Jane'].flatMap((word) => [word, Buffer.from(word).toString('hex')])
    for (const { row } of rows) t.notMatch(row, new RegExp(`${words.join('|')}|"text": "(one|two)"`))
  })

  await t.test('then the keys say whose data it is', async (t) => {
    const { rows } = await db.query(
      `select account_id, count(*)::int as streams, count(author)::int as names from service.event_keys
       group by account_id, author, author_id`,
    )
    t.same(rows, [{ account_id: 'acc_1', streams: 2, names: 2 }], 'both are of one author')
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

  await t.test('when two processes create the same keys at once, then both get the same ones', async (t) => {
    const subject = { workspaceId: 'ws_3' }
    for (let round = 0; round < 20; round += 1) {
      const streams = Array.from({ length: 400 }, (_, index) => `comment-com_${round}_${index}`)
      const [one = [], other = []] = await Promise.all(
        [streams, streams.toReversed()].map((order) => {
          const keys = createEventKeys({ db, vault: vaultOf({ db }), now: clock.now })
          return Promise.all(order.map((stream) => keys.create(stream, subject, { at })))
        }),
      )
      t.same(one, other.toReversed())
    }
  })

  await t.test('when a process dies between the key and the event, then the event is written later', async (t) => {
    const keys = createEventKeys({ db, vault: vaultOf({ db }), now: clock.now })
    await keys.create('comment-com_four', { workspaceId: 'ws_1' }, { at })
    await log.append('comment-com_four', [received('four')], NO_STREAM)
    t.match(await log.read('comment-com_four'), [{ data: { author: 'Jane Roe', text: 'four' } }])
  })

  await t.test('when a key is deleted, then its event is erased, everywhere and for good', async (t) => {
    const other = anotherLog(world)
    await other.read('comment-com_one')
    await db.query("delete from service.event_keys where stream = 'comment-com_one'")
    await clock.advanceTo(clock.now() + FORGOTTEN_MS)
    const erased = { isErased: true, data: { author: ERASED, text: ERASED, commentId: 'one' } } as const
    t.match(await other.read('comment-com_one'), [erased])
    const [own] = await readUntilCaughtUp(log, START)
    t.match(own, erased, 'also for the process that wrote it')
    t.match((await other.read('comment-com_two'))[0]?.isErased, undefined)
    await other.append('comment-com_one', [newEvent({}, 'CommentDismissed')], 0)
    t.match(await other.read('comment-com_one'), [erased, { type: 'CommentDismissed' }], 'and the stream goes on')
    await other.close()
    const projector = createProjector({ ...world, projections, logger: createLogger('silent'), log: anotherLog(world) })
    await projector.catchUp()
    const { rows } = await db.query("select author, text, dismissed from read.comments where id = 'com_one'")
    t.same(rows, [{ author: ERASED, text: ERASED, dismissed: true }])
  })

  await t.test('when a key is erased, then its stream takes no more personal data', async (t) => {
    const opened = { ...COMMENT_KEY, commentText: 'Hi', references: {}, source: 'api' }
    await log.append('reply-rep_2', [newEvent(opened, 'ReplyOpened')], NO_STREAM)
    await createErasableKeys({ db, vault: vaultOf({ db }) }).erase(['reply-rep_2'], 'ers_1', at)
    const other = anotherLog(world)
    t.match(await other.read('reply-rep_2'), [{ isErased: true, data: { commentText: ERASED } }])
    const conflict = { name: 'RevisionConflict' }
    await t.rejects(other.append('reply-rep_2', [newEvent({ text: 'Hello' }, 'DraftEdited')], 0), conflict)
    await t.rejects(other.append('reply-rep_2', [newEvent(opened, 'ReplyOpened')], NO_STREAM), conflict)
    await other.append('reply-rep_2', [newEvent({}, 'ReplyRejected')], 0)
    await other.close()
  })

  await t.test('when the secret of a workspace is gone, then all of its events are erased', async (t) => {
    await log.append('comment-com_five', [received('five', 'ws_2')], NO_STREAM)
    await vaultOf({ db }).remove('events_ws_2')
    const other = anotherLog(world)
    t.match(await other.read('comment-com_five'), [{ isErased: true }])
    t.match((await other.read('comment-com_two'))[0]?.isErased, undefined)
    await other.close()
  })

  await t.test(
    'when the master key was lost and another is used, then what is old is erased, and life goes on',
    async (t) => {
      const added = { workspaceId: 'ws_4', url: 'https://old.test', captionTemplate: 'Old' }
      const fed = (change: object) =>
        newEvent({ ...added, selections: {}, checkIntervalMinutes: 15, ...change }, 'FeedAdded')
      await log.append('feed-feed_1', [fed({})], NO_STREAM)
      // As in docs/operations.md, "A lost key".
      await db.query('delete from service.data_keys; delete from service.event_keys')
      const other = anotherLog(world)
      await other.append('feed-feed_2', [fed({ url: 'https://new.test' })], NO_STREAM)
      t.match(await other.read('feed-feed_1'), [{ isErased: true, data: { url: ERASED, captionTemplate: ERASED } }])
      t.match(await other.read('feed-feed_2'), [{ data: { url: 'https://new.test' } }])
      t.match((await other.read('comment-com_two'))[0]?.isErased, true)
      await other.close()
    },
  )

  await t.test('given a stream from before encryption, then it stays as it is', async (t) => {
    const opened = { ...COMMENT_KEY, commentText: 'Hi', references: {}, source: 'api' }
    const before = postgresLog(world)
    await before.append('reply-rep_1', [newEvent(opened, 'ReplyOpened')], NO_STREAM)
    await before.close()
    await log.append('reply-rep_1', [newEvent({ text: 'Hello' }, 'DraftEdited')], 0)
    const { rows } = await db.query("select data from log.events where stream = 'reply-rep_1' order by revision")
    t.match(rows, [{ data: { commentText: 'Hi' } }, { data: { text: 'Hello' } }])
    t.match(await log.read('reply-rep_1'), [{ data: { commentText: 'Hi' } }, { data: { text: 'Hello' } }])
  })
})
