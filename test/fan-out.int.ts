import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { healthChecks } from '../app/wiring/health-checks.ts'
import { RECONNECTED } from '../infra/postgres/signal.ts'
import { requireReauth } from '../commands/account-standing.ts'
import { handle } from '../commands/handle.ts'
import { account, type AccountEvent, type AccountState } from '../domain/account/account.ts'
import { deliveryId } from '../domain/webhook/delivery.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { START, type EventLog } from '../event-log/event-log.ts'
import { postgresLog } from '../event-log/postgres/log.ts'
import { PROJECTED } from '../projections/engine/apply-batch.ts'
import { findPost } from '../projections/models/posts.ts'
import { watchSeen } from '../projections/engine/seen.ts'
import { FAN_OUT } from '../reactors/webhooks/fan-out.ts'
import { checkpointOf, waitingSince } from '../reactors/runtime/follower-checkpoint.ts'
import { systemClock, type Clock } from '../infra/runtime/clock.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { createLogger, type Logger } from '../infra/runtime/logger.ts'
import { dyingDatabase, tapped } from './support/dying-database.ts'
import { newEvent, unchecked, until } from './support/event-log-helpers.ts'
import {
  deliveries,
  failed,
  follower,
  givenScene,
  goOn,
  neverWaking,
  newWorkspace,
  projectorOf,
  queued,
  recordedIn,
  register,
  retry,
  settle,
  silent,
  succeeded,
  toldTo,
  unregister,
  type Parts,
  type Scene,
} from './support/fan-out.ts'
import { causedBy } from './support/world.ts'
import { fused } from './support/fuse.ts'
import { memoryLog, memoryLogData, setReachable } from './support/memory-log.ts'
import { givenHttp, ids } from './support/sandbox.ts'
import { virtualClock, type VirtualClock } from './support/virtual-clock.ts'

t.test('given webhooks of two workspaces', async (t) => {
  const scene = await givenScene(t)
  const [own, other] = [newWorkspace(), newWorkspace()]
  const early = await settle(scene, own)
  const both = await register(scene, own)
  const failures = await register(scene, own, ['post.failed', 'comment.received'])
  const others = await register(scene, other)
  const deleted = await register(scene, own)
  const published = await settle(scene, own)
  const refused = await settle(scene, own, failed)
  await unregister(scene, deleted)
  const late = await register(scene, own)
  const elsewhere = await settle(scene, other)
  await retry(scene, refused, succeeded)
  await follower(scene).catchUp()

  await t.test(
    'then each webhook receives the events it subscribed to, of its workspace, since it was registered',
    async (t) => {
      const told = [`post.published ${published}`, `post.failed ${refused}`, `post.published ${refused}`]
      t.same(await toldTo(scene, both), told)
      t.same(await toldTo(scene, failures), [told[1]])
      t.same(await toldTo(scene, late), [told[2]])
      t.same(await toldTo(scene, others), [`post.published ${elsewhere}`])
      t.same(await toldTo(scene, deleted), [])
      t.notOk((await deliveries(scene)).some(({ body }) => body.includes(early)))
    },
  )

  await t.test('then a delivery has the body that all receivers get, and says where it comes from', async (t) => {
    const event = (await recordedIn(scene, 'post')).findLast(({ type }) => type === 'PostFinished')
    const publicEventOf = (await deliveries(scene)).filter(
      ({ recorded }) => recorded.metadata.causationId === event?.id,
    )
    t.same(
      publicEventOf.map(({ webhookId }) => webhookId),
      [both, late],
    )
    const [first, second] = publicEventOf
    const results = { x: [{ accountId: 'acc_1', ok: true, postId: '1', url: 'https://x.example/1' }] }
    const [data, createdAt] = [{ runId: refused, results, okCount: 1, total: 1 }, event?.metadata.at]
    const body = JSON.stringify({ id: first?.eventId, event: 'post.published', createdAt, data })
    t.match(first, { workspaceId: own, event: 'post.published', eventId: /^evt_[0-9A-HJKMNP-TV-Z]{26}$/, body })
    t.equal(second?.body, body)
    t.equal(first?.recorded.stream, `delivery-${deliveryId(first?.eventId ?? '', both)}`)
    t.match(first?.recorded.metadata, { correlationId: refused, actor: { kind: 'reactor', id: 'fan-out' } })
  })

  await t.test('when the log is followed again from its start, then nothing is sent twice', async (t) => {
    const before = (await deliveries(scene)).map(({ recorded }) => recorded)
    await scene.db.query('delete from service.followers')
    await follower(scene, { batchSize: 2 }).catchUp()
    await scene.db.query('update service.followers set position = -1')
    await Promise.all([1, 3, 1_000].map((batchSize) => follower(scene, { batchSize }).catchUp()))
    t.same(
      (await deliveries(scene)).map(({ recorded }) => recorded),
      before,
    )
    t.equal(await waitingSince(scene, FAN_OUT), undefined)
  })
})

t.test('given webhooks for more than the events of the contract', async (t) => {
  const scene = await givenScene(t)
  const workspaceId = newWorkspace()
  const hook = await register(scene, workspaceId, ['post.partially_failed', 'post.scheduled', 'account.needs_reauth'])
  const usual = await register(scene, workspaceId)
  const two = { x: ['acc_1'], bluesky: ['acc_2'] }
  const other = { ...failed, data: { ...failed.data, platform: 'bluesky', accountId: 'acc_2' } } as PostEvent
  const partly = resourceId('post', ids.ulid())
  await goOn(scene, partly, () => [queued(workspaceId, two), succeeded, other])
  const whole = await settle(scene, workspaceId)
  const scheduled = resourceId('post', ids.ulid())
  const due = { date: '2026-12-01', time: '10:00', timezone: 'Europe/Berlin', dueAt: '2026-12-01T09:00:00.000Z' }
  await goOn(scene, scheduled, () => {
    const { origin: _, ...content } = (queued(workspaceId, two) as Extract<PostEvent, { type: 'PostQueued' }>).data
    return [{ type: 'PostScheduled', data: { ...content, ...due } }]
  })
  const lost = resourceId('acc', ids.ulid())
  const connected = { workspaceId, platform: 'x', externalId: '1', label: 'Shop' } as const
  for (const decide of [
    (): readonly AccountEvent[] => [{ type: 'AccountConnected', data: connected }],
    (state: AccountState) => requireReauth(state, 'The access was revoked.'),
    (state: AccountState) => requireReauth(state, 'It still is.'),
  ])
    await handle({ log: scene.log, clock: systemClock }, account, lost, causedBy(ids.token()), decide)
  await follower(scene).catchUp()

  await t.test('then each has its own body, once, and the others get what they always did', async (t) => {
    const sent = (await deliveries(scene)).filter(({ webhookId }) => webhookId === hook)
    t.match(
      sent.map(({ body }) => JSON.parse(body)),
      [
        { event: 'post.partially_failed', data: { runId: partly, okCount: 1, total: 2 } },
        { event: 'post.scheduled', data: { runId: scheduled, scheduledFor: due.dueAt, selections: two } },
        { event: 'account.needs_reauth', data: { accountId: lost, platform: 'x', reason: 'The access was revoked.' } },
      ],
    )
    t.equal(sent.length, 3)
    t.same(await toldTo(scene, usual), [`post.published ${partly}`, `post.published ${whole}`])
    const eventIds = (await deliveries(scene)).map(({ eventId }) => eventId)
    t.equal(new Set(eventIds).size, eventIds.length, 'the two events of one post have ids of their own')
  })
})

t.test('given two posts and two webhooks, when it dies at any step, then the next one ends it', async (t) => {
  const scene = await givenScene(t)
  const workspaceId = newWorkspace()
  const webhooks = [await register(scene, workspaceId), await register(scene, workspaceId)]
  const http = givenHttp(t)
  let deaths = 0
  const run = async (at: string, { dead, ...parts }: Parts & { readonly dead: () => boolean }) => {
    const posts = [await settle(scene, workspaceId), await settle(scene, workspaceId, failed)]
    await follower(scene, parts)
      .catchUp()
      .catch((error: unknown) => {
        if (!dead()) throw error
      })
    if (dead()) deaths += 1
    await follower(scene).catchUp()
    for (const id of webhooks) {
      const told = (await toldTo(scene, id)).slice(-2)
      t.same(told.toSorted(), [`post.failed ${posts[1]}`, `post.published ${posts[0]}`], at)
    }
  }
  for (const moment of ['before', 'after'] as const) {
    for (let act = 0; act < 4; act += 1)
      await run(`${moment} append ${act}`, fused({ ...scene, http }, { act, moment }))
    for (let query = 0; query < 4; query += 1) {
      await run(`${moment} query ${query}`, dyingDatabase(scene.db, query, moment))
    }
  }
  t.equal(deaths, 16)
  t.equal((await deliveries(scene)).length, 16 * 4)
})

t.test('given an idle service, when a post settles, then its event is queued without a polling delay', async (t) => {
  const scene = await givenScene(t, { clock: neverWaking })
  const workspaceId = newWorkspace()
  const id = await register(scene, workspaceId)
  const seen = watchSeen({ ...scene, clock: neverWaking })
  const stopping = new AbortController()
  const running = [
    projectorOf(scene, neverWaking).run(stopping.signal),
    follower(scene, { seen, clock: neverWaking }).run(stopping.signal),
  ]
  for (let round = 1; round <= 20; round += 1) {
    await settle(scene, workspaceId)
    await until(`delivery ${round}`, async () => (await toldTo(scene, id)).length === round, 10_000)
  }
  stopping.abort()
  await Promise.all(running)
  seen.close()
})

t.test('given a process that stops amid a batch, then the next one does the rest', async (t) => {
  const scene = await givenScene(t)
  const workspaceId = newWorkspace()
  await register(scene, workspaceId)
  await Promise.all(Array.from({ length: 100 }, () => settle(scene, workspaceId)))
  const stopping = new AbortController()
  const log: EventLog = {
    ...scene.log,
    append: async (...args) => {
      const appended = await scene.log.append(...args)
      stopping.abort()
      return appended
    },
  }
  await follower(scene, { log }).run(stopping.signal)
  const told = (await deliveries(scene)).length
  t.ok(told > 0 && told < 100, `${told} were told before`)
  await follower(scene).catchUp()
  t.equal((await deliveries(scene)).length, 100)
})

t.test('given a process that was overtaken, then it stands by, and looks again after a second', async (t) => {
  const scene = await givenScene(t)
  const workspaceId = newWorkspace()
  const id = await register(scene, workspaceId)
  const [clock, slept]: [VirtualClock, number[]] = [virtualClock(), []]
  const sleep: Clock['sleep'] = (ms, signal) => (slept.push(ms), clock.sleep(ms, signal))
  const held: (() => void)[] = []
  const seen = { waitFor: () => new Promise<boolean>((resolve) => held.push(() => resolve(true))) }
  const stopping = new AbortController()
  const running = follower(scene, { seen, clock: { ...clock, sleep } }).run(stopping.signal)

  await settle(scene, workspaceId)
  await until('it has the event', () => held.length === 1)
  await follower(scene).catchUp()
  held.shift()?.()
  await settle(scene, workspaceId)
  await follower(scene).catchUp()
  const last = await settle(scene, workspaceId)
  await until('it stands by', () => slept.length > 0)
  t.same([slept, held], [[1_000], []])
  await clock.advanceTo(clock.now() + 1_000)
  await until('it looks again', () => held.length === 1)
  await projectorOf(scene).catchUp()
  held.shift()?.()
  await until('it goes on where the other was', async () => (await toldTo(scene, id)).length === 3)
  t.equal((await toldTo(scene, id)).at(-1), `post.published ${last}`)
  stopping.abort()
  await running
})

t.test('given two processes, when one after the other stops, then no event is missed or sent twice', async (t) => {
  const scene = await givenScene(t)
  const workspaceId = newWorkspace()
  const id = await register(scene, workspaceId)
  const seen = watchSeen({ ...scene, clock: systemClock })
  const projecting = new AbortController()
  const projected = projectorOf(scene).run(projecting.signal)
  const start = () => {
    const stopping = new AbortController()
    const running = follower(scene, { seen, batchSize: 5 }).run(stopping.signal)
    return async () => {
      stopping.abort()
      await running
    }
  }
  const stops = [start(), start()]
  const posts: string[] = []
  for (let round = 0; round < 4; round += 1) {
    posts.push(...(await Promise.all(Array.from({ length: 25 }, () => settle(scene, workspaceId)))))
    await stops.shift()?.()
    stops.push(start())
  }
  await until('all are sent', async () => (await toldTo(scene, id)).length >= posts.length)
  // A process that stops between a batch and its checkpoint leaves the batch to the next one.
  await until('the checkpoint follows', async () => (await waitingSince(scene, FAN_OUT)) === undefined)
  for (const stop of stops) await stop()
  t.same((await toldTo(scene, id)).toSorted(), posts.map((each) => `post.published ${each}`).toSorted())
  t.equal(await waitingSince(scene, FAN_OUT), undefined)
  projecting.abort()
  await projected
  seen.close()
})

t.test('given 5,000 posts that settle at once, then each is sent once', async (t) => {
  const scene = await givenScene(t)
  const workspaceId = newWorkspace()
  await register(scene, workspaceId)
  await Promise.all(Array.from({ length: 5_000 }, () => settle(scene, workspaceId)))
  await projectorOf(scene).catchUp()
  const start = systemClock.now()
  await follower(scene).catchUp()
  const ms = systemClock.now() - start
  t.comment(`${Math.round(5_000 / (ms / 1000))} deliveries a second`)
  const told = (await deliveries(scene)).map(({ eventId }) => eventId)
  t.equal(told.length, 5_000)
  t.equal(new Set(told).size, 5_000)
})

t.test('given no webhooks, when posts settle, then the database is queried little', async (t) => {
  const scene = await givenScene(t)
  const workspaceId = newWorkspace()
  await Promise.all(Array.from({ length: 100 }, () => settle(scene, workspaceId)))
  await projectorOf(scene).catchUp()
  const queries: string[] = []
  const db = tapped(scene.db, { before: (sql) => void queries.push(sql) })
  const seen = { waitFor: () => Promise.resolve(true) }
  await follower(scene, { db, seen }).catchUp()
  const asked = [/^insert into service.followers/, /^select position/, /service.holds/, /read.webhooks/, /^with moved/]
  t.match(queries, asked)
  t.equal(queries.length, asked.length)

  await t.test('when they only begin, then only its place is noted', async (t) => {
    const begin = () => goOn(scene, resourceId('post', ids.ulid()), () => [queued(workspaceId, { x: ['acc_1'] })])
    await Promise.all(Array.from({ length: 150 }, begin))
    queries.length = 0
    await follower(scene, { db, seen }).catchUp()
    const noted = [/^insert into service.followers/, /^select position/, /^with moved/]
    t.match(queries, noted)
    t.equal(queries.length, noted.length)
    t.equal(await waitingSince(scene, FAN_OUT), undefined, 'none of them waits')

    await Promise.all(Array.from({ length: 250 }, begin))
    t.ok(await waitingSince(scene, FAN_OUT), 'but a follower that lives would have come by')
    await follower(scene, { db, seen }).catchUp()
    t.equal(await waitingSince(scene, FAN_OUT), undefined)
  })
})

t.test('given a read model that does not know a webhook yet, then its events wait for it', async (t) => {
  const scene = await givenScene(t)
  const workspaceId = newWorkspace()
  const id = await register(scene, workspaceId)
  const published = await settle(scene, workspaceId)
  const eager = follower(scene, { seen: { waitFor: () => Promise.resolve(true) } })
  await t.rejects(eager.catchUp(), /read model of webhooks is behind/)
  t.equal(await checkpointOf(scene.db, FAN_OUT.name), START)
  // The registration is the first thing that it has to take note of.
  const [registered] = await scene.log.read(`webhook-${id}`)
  const at = Date.parse(registered?.metadata.at ?? '')
  const readiness = async (ms: number) =>
    healthChecks({ ...scene, clock: { ...neverWaking, now: () => at + ms } })['webhooks']?.()
  t.same(await readiness(60_000), { behindMs: 60_000 })
  await t.rejects(readiness(61_000), {
    message: 'the fan-out of events is 61 s behind; is a reactor running?',
  })
  await projectorOf(scene).catchUp()
  await eager.catchUp()
  t.same(await toldTo(scene, id), [`post.published ${published}`])
  t.same(await readiness(61_000), { behindMs: 0 })
})

t.test('given a webhook that another process has passed, then events after it wait for it all the same', async (t) => {
  const scene = await givenScene(t)
  const workspaceId = newWorkspace()
  await settle(scene, workspaceId)
  const seen = { waitFor: () => Promise.resolve(true) }
  const [one, other] = [follower(scene, { seen }), follower(scene, { seen })]
  await projectorOf(scene).catchUp()
  await one.catchUp()
  const id = await register(scene, workspaceId)
  await other.catchUp()
  const published = await settle(scene, workspaceId)
  await t.rejects(one.catchUp(), /read model of webhooks is behind/)
  await projectorOf(scene).catchUp()
  await one.catchUp()
  t.same(await toldTo(scene, id), [`post.published ${published}`])
})

t.test('given an event of a wrong shape, then it is skipped with an error, and the others are sent', async (t) => {
  const lines: string[] = []
  const logger = createLogger('warn', { write: (line) => void lines.push(line) })
  const scene = await givenScene(t)
  const faulty = postgresLog({ ...scene, clock: systemClock, codec: unchecked })
  const workspaceId = newWorkspace()
  const id = await register(scene, workspaceId)
  const posts = [await settle(scene, workspaceId)]
  await faulty.append('post-post_strange', [newEvent({ workspaceId, status: 'lost' }, 'PostFinished')], -1)
  posts.push(await settle(scene, workspaceId))
  await follower(scene, { logger }).catchUp()
  t.same(
    await toldTo(scene, id),
    posts.map((each) => `post.published ${each}`),
  )
  t.equal(lines.length, 1)
  t.match(JSON.parse(lines[0] ?? ''), {
    level: 50,
    err: { message: /^PostFinished of post-post_strange cannot be read: .*status/ },
  })
  await faulty.append('post-post_strange', [newEvent({ workspaceId, status: 'lost' }, 'PostFinished')], 0)
  await follower(scene, { logger }).catchUp()
  t.equal(await waitingSince(scene, FAN_OUT), undefined, 'also when it is the last')
})

t.test(
  'given events that cannot be handled, then they are tried again ever more seldom, and go out in the end',
  async (t) => {
    const data = memoryLogData()
    const scene = await givenScene(t, { log: memoryLog(data) })
    const workspaceId = newWorkspace()
    const id = await register(scene, workspaceId)
    await settle(scene, workspaceId)
    const delays: number[] = []
    const warn = ({ delayMs }: { readonly delayMs: number }) => void delays.push(delayMs)
    const clock = virtualClock()
    let broken = true
    const seen = {
      waitFor: () =>
        broken
          ? Promise.reject(new Error('a bug'))
          : projectorOf(scene)
              .catchUp()
              .then(() => true),
    }
    const stopping = new AbortController()
    const running = follower(scene, { seen, clock, logger: { ...silent, warn } as Logger }).run(stopping.signal)
    const failures = async (count: number) => {
      while (delays.length < count) {
        const known = delays.length
        await until('it fails again', () => delays.length > known)
        await clock.advanceTo(clock.now() + (delays.at(-1) ?? 0) - 1)
        t.equal(delays.length, known + 1, 'not before its time')
        await clock.advanceTo(clock.now() + 1)
      }
    }
    await failures(8)
    t.same(delays.slice(0, 8), [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])

    await t.test('when the log is away meanwhile, then it is asked for twice a second', async (t) => {
      broken = false
      await until('it is told', async () => (await toldTo(scene, id)).length === 1)
      setReachable(data, false)
      const known = delays.length
      await failures(known + 10)
      t.same(
        delays.slice(known, known + 10),
        Array.from({ length: 10 }, () => 500),
      )
      setReachable(data, true)
      await clock.advanceTo(clock.now() + 500)
      await settle(scene, workspaceId)
      await until('it is told of the next', async () => (await toldTo(scene, id)).length === 2)
    })
    stopping.abort()
    await running
  },
)

t.test(
  'given a database that crashed and lost the checkpoint, then following continues from where it stands',
  async (t) => {
    const scene = await givenScene(t)
    const workspaceId = newWorkspace()
    const id = await register(scene, workspaceId)
    await settle(scene, workspaceId)
    const stopping = new AbortController()
    const running = follower(scene, { clock: neverWaking }).run(stopping.signal)
    const checkpoint = () => checkpointOf(scene.db, FAN_OUT.name)
    await until('it has followed', async () => (await checkpoint()) > START)
    const [told, position] = [await deliveries(scene), await checkpoint()]
    await scene.db.query('update service.followers set position = -1')
    scene.signals.send(PROJECTED, RECONNECTED)
    await until('it has followed again', async () => (await checkpoint()) === position)
    t.same(await deliveries(scene), told)
    t.equal((await toldTo(scene, id)).length, 1)
    stopping.abort()
    await running
  },
)

/** The accounts of one post: in which order they settle, how, and how often the failed ones are asked for again. */
const history = fc.record({
  accounts: fc.uniqueArray(fc.tuple(fc.constantFrom('x', 'bluesky', 'facebook'), fc.constantFrom('acc_1', 'acc_2')), {
    minLength: 1,
    selector: String,
  }),
  refused: fc.uniqueArray(fc.constantFrom('nowhere', 'tiktok')),
  oks: fc.array(fc.boolean(), { minLength: 18, maxLength: 18 }),
  retries: fc.nat({ max: 2 }),
  comment: fc.option(fc.boolean(), { nil: undefined }),
})
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

/** Lives through a history; returns how often the post was finished. */
async function live(scene: Scene, workspaceId: string, id: string, made: History): Promise<number> {
  const selections: Record<string, string[]> = {}
  for (const [platform, accountId] of made.accounts) (selections[platform] ??= []).push(accountId)
  await goOn(scene, id, () => [
    queued(workspaceId, selections),
    ...made.refused.map((platform): PostEvent => ({ type: 'PlatformRefused', data: { platform, error: 'None.' } })),
  ])
  const oks = made.oks.values()
  let open = made.accounts
  let rounds = 0
  for (;;) {
    const failures: typeof open = []
    for (const [platform, accountId] of open) {
      const of = { platform, accountId, attempt: rounds + 1 }
      if (oks.next().value === false) {
        failures.push([platform, accountId])
        await goOn(scene, id, () => [
          { type: 'AccountPublishFailed', data: { ...of, error: 'ä'.repeat(9), code: 'unknown' } },
        ])
        continue
      }
      const published: PostEvent = { type: 'AccountPublished', data: { ...of, postId: `${platform}-1` } }
      if (made.comment === undefined) await goOn(scene, id, () => [published])
      else {
        await goOn(scene, id, () => [published, { type: 'FirstCommentQueued', data: { platform, accountId } }])
        const ended: PostEvent = made.comment
          ? { type: 'FirstCommentPosted', data: of }
          : { type: 'FirstCommentFailed', data: { ...of, error: 'No.' } }
        await goOn(scene, id, () => [ended])
      }
    }
    rounds += 1
    if (failures.length === 0 || rounds > made.retries) return rounds
    open = failures
    for (const [platform, accountId] of open) {
      await goOn(scene, id, () => [{ type: 'RetryRequested', data: { platform, accountIds: [accountId] } }])
    }
  }
}

t.test('given any history of a post, then its webhooks receive what GET /posts/{id} shows', async (t) => {
  const scene = await givenScene(t, { log: memoryLog() })
  const projector = projectorOf(scene)
  await fc.assert(
    fc.asyncProperty(history, async (made) => {
      const [workspaceId, id] = [newWorkspace(), resourceId('post', ids.ulid())]
      const told = await register(scene, workspaceId)
      const rounds = await live(scene, workspaceId, id, made)
      await follower(scene).catchUp()
      await projector.catchUp()
      const own = (await deliveries(scene)).filter(({ webhookId }) => webhookId === told)
      assert.equal(own.length, rounds)
      const row = await findPost(scene.db, id)
      const okCount = Object.values(row?.results ?? {})
        .flat()
        .filter(({ ok }) => ok).length
      const total = made.accounts.length + made.refused.length
      const { data, event } = JSON.parse(own.at(-1)?.body ?? '')
      assert.deepEqual(data, { runId: id, results: row?.results, okCount, total })
      assert.equal(event, okCount > 0 ? 'post.published' : 'post.failed')
      assert.equal(row?.status, okCount > 0 ? 'published' : 'publish_failed')
    }),
    { numRuns: 30 },
  )
})
