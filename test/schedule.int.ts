import t, { type Test } from 'tap'
import fc from 'fast-check'
import { cancelSchedule, editScheduledPost, schedulePost, type AnotherTime } from '../commands/schedule-post.ts'
import { handle } from '../commands/handle.ts'
import { retryPost } from '../commands/retry-post.ts'
import type { RecordedEvent } from '../domain/core/event.ts'
import { post, type PostContent, type PostState } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { dueAt, dueAtMoment } from '../domain/post/wall-time.ts'
import { encoded } from '../event-log/limits.ts'
import { findPost } from '../projections/models/posts.ts'
import { findScheduledPost } from '../projections/models/scheduled-posts.ts'
import { scheduleReactor } from '../reactors/publishing/schedule.ts'
import { memoryAgenda } from './support/memory-agenda.ts'
import { memoryLog, memoryLogData } from './support/memory-log.ts'
import { virtualClock } from './support/virtual-clock.ts'
import { causedBy, givenProcess, givenWorld, GRACE_MS, type World } from './support/world.ts'

const HOUR = 3_600_000
const content = (workspaceId: string, selections: Record<string, string[]>, mediaUrl: string): PostContent => ({
  ...{ workspaceId, selections, mediaUrl, mediaType: 'image', caption: 'Later' },
  ...{ captionOverrides: {}, hashtags: [] },
})

async function givenScheduled(t: Test, inMs: number) {
  const world = await givenWorld(t)
  const account = await world.account('x')
  const id = 'post_scheduled'
  const due = dueAtMoment(new Date(world.clock.now() + inMs).toISOString(), 'Europe/Berlin')
  const what = content(world.workspaceId, { x: [account] }, `${world.sandbox.url}/media/sample.jpg`)
  await handle(world, post, id, causedBy(id), (state) => schedulePost(state, what, due, world.clock.now()))
  return { world, id, due }
}

const live = (world: World) => world.sandbox.ledger.posts('x').length

t.test('given a scheduled post', async (t) => {
  await t.test(
    'when its time has not come, then nothing is published; when it has, it is published once',
    async (t) => {
      const { world, id } = await givenScheduled(t, 5 * HOUR)
      const service = await givenProcess(world)
      // Only the account itself is due by now: its comments, the numbers of its posts, and what may not be kept.
      while ((await service.step()) > 0);
      await world.clock.advanceTo(world.clock.now() + 5 * HOUR - 1)
      t.equal(await service.step(), 0)
      t.same(await findPost(world.db, id), undefined)
      t.match(await findScheduledPost(world.db, id), { status: 'pending', postStatus: null })
      await world.clock.advanceTo(world.clock.now() + 1)
      await service.drain()
      t.match(await findPost(world.db, id), { status: 'published', origin: 'schedule', results: { x: [{ ok: true }] } })
      t.match(await findScheduledPost(world.db, id), { status: 'publishing', postStatus: 'published' })
      t.equal(live(world), 1)
      const events = await world.log.read(`post-${id}`)
      t.same(
        events.map(({ type }) => type),
        ['PostScheduled', 'PostQueued', 'PublishStarted', 'PublishPrepared', 'AccountPublished', 'PostFinished'],
      )
      t.match(events[1]?.metadata, { actor: { kind: 'reactor', id: 'schedule' }, correlationId: id })
      const [scheduled, queued] = encoded(events)
      t.ok(scheduled && queued && queued.bytes <= scheduled.bytes, 'what can be scheduled can be queued')
    },
  )

  await t.test(
    'when the service was down at its time, but it is within the grace period, then it is published',
    async (t) => {
      const { world, id } = await givenScheduled(t, HOUR)
      await world.clock.advanceTo(world.clock.now() + HOUR + GRACE_MS)
      await (await givenProcess(world)).drain()
      t.match(await findPost(world.db, id), { status: 'published' })
      t.equal(live(world), 1)
    },
  )

  await t.test('when it is later than that, then it has failed as missed, and a retry sends it', async (t) => {
    const { world, id, due } = await givenScheduled(t, HOUR)
    await world.clock.advanceTo(world.clock.now() + HOUR + GRACE_MS + 1)
    const service = await givenProcess(world)
    await service.drain()
    t.match(await findPost(world.db, id), {
      status: 'publish_failed',
      results: { x: [{ ok: false, error: new RegExp(`^missed: the service was not running at ${due.dueAt}`) }] },
    })
    t.match(await findScheduledPost(world.db, id), { status: 'publishing', postStatus: 'publish_failed' })
    t.equal((await world.log.read(`post-${id}`)).at(-1)?.type, 'PostFinished')
    t.equal(live(world), 0)
    await handle(world, post, id, causedBy('retry'), (state) => retryPost(state, 'x'))
    await service.drain()
    t.match(await findPost(world.db, id), { status: 'published' })
    t.equal(live(world), 1)
  })

  await t.test(
    'when it is cancelled just as its time comes, then one of the two wins, and both know which',
    async (t) => {
      const round = async (t: Test) => {
        const { world, id } = await givenScheduled(t, HOUR)
        await world.clock.advanceTo(world.clock.now() + HOUR)
        const service = await givenProcess(world)
        const [cancelled] = await Promise.all([
          handle(world, post, id, causedBy('cancel'), cancelSchedule).then(
            () => true,
            (error: unknown) => (t.match(error, { code: 'failed_precondition' }), false),
          ),
          service.step(),
        ])
        await service.drain()
        t.equal(live(world), cancelled ? 0 : 1)
        t.match(await findScheduledPost(world.db, id), { status: cancelled ? 'cancelled' : 'publishing' })
      }
      // Each on its own, so that its database and connections are free for the next.
      for (let nth = 0; nth < 20; nth += 1) await t.test(`round ${nth}`, round)
    },
  )

  await t.test('when the read models are rebuilt from the log, then it is due as before', async (t) => {
    const { world, id } = await givenScheduled(t, HOUR)
    const service = await givenProcess(world)
    await service.step()
    await world.db.query(`truncate read.agenda, read.scheduled_posts; update read.checkpoints set position = -1`)
    await service.step()
    t.match(await findScheduledPost(world.db, id), { status: 'pending' })
    await service.drain()
    t.equal(live(world), 1)
  })
})

/* A model: what each of three posts should have come to, and a service that is restarted, races itself, and loses answers. */

interface Model {
  due: number | undefined
  status: 'absent' | 'pending' | 'cancelled' | 'fired'
}

type Step =
  | { readonly act: 'schedule' | 'reschedule'; readonly post: number; readonly inMinutes: number }
  | { readonly act: 'cancel'; readonly post: number }
  | { readonly act: 'pass'; readonly minutes: number }
  | { readonly act: 'work'; readonly workers: number; readonly dies: boolean; readonly stale: boolean }
  | { readonly act: 'restart' }

const POSTS = [0, 1, 2].map((n) => `post_${n}`)
const MINUTE = 60_000
const which = fc.nat(POSTS.length - 1)
const minutes = fc.integer({ min: 1, max: 3_000 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ act: fc.constantFrom('schedule' as const, 'reschedule' as const), post: which, inMinutes: minutes }),
    fc.record({ act: fc.constant('cancel' as const), post: which }),
    fc.record({ act: fc.constant('pass' as const), minutes }),
    fc.record({
      act: fc.constant('work' as const),
      workers: fc.integer({ min: 1, max: 3 }),
      dies: fc.boolean(),
      stale: fc.boolean(),
    }),
    fc.record({ act: fc.constant('restart' as const) }),
  ),
  { minLength: 8, maxLength: 40, size: 'max' },
)

/** A service in memory: the real decisions, the real agenda, the real reactor, over a log that may die under an append. */
function givenService() {
  const clock = virtualClock()
  const data = memoryLogData()
  const log = memoryLog(data)
  const owed = memoryAgenda(data)
  let token = 0
  /** @param stale by rows that were read before the last commands */
  const work = async (workers: number, dies: boolean, stale: boolean) => {
    if (!stale) owed.catchUp()
    const dying = { ...log, append: async () => Promise.reject(new Error('killed')) }
    const due = [...owed.rows.values()].filter(
      ({ kind, dueAt }) => kind === 'schedule' && Date.parse(dueAt) <= clock.now(),
    )
    const tries = due.flatMap((row) =>
      Array.from({ length: workers }, () => {
        const reactor = scheduleReactor({ log: dies ? dying : log, clock, graceMs: Infinity })
        return reactor({ ...row, token: `t${(token += 1)}` }, new AbortController().signal).catch(() => undefined)
      }),
    )
    await Promise.all(tries)
  }
  return {
    ...{ clock, log, data, work },
    restart: owed.forget,
  }
}

const queuedEvents = (events: readonly RecordedEvent[], id: string) =>
  events.filter(({ stream, type }) => stream === `post-${id}` && type === 'PostQueued')

t.test('whatever is scheduled, put off, cancelled and killed, nothing is lost and nothing fires twice', async (t) => {
  let fired = 0
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { clock, log, data, work, restart } = givenService()
      const models: Model[] = POSTS.map(() => ({ due: undefined, status: 'absent' }))
      let n = 0
      const decide = async (id: string, decision: (state: PostState) => readonly PostEvent[]) =>
        handle({ log, clock }, post, id, causedBy(`${(n += 1)}`), decision).then(
          () => true,
          () => false,
        )
      const settle = async (workers: number, dies: boolean, stale = false) => {
        await work(workers, dies, stale)
        if (stale) await work(workers, dies, false)
        for (const model of models) {
          const isDue = model.status === 'pending' && (model.due ?? 0) <= clock.now()
          if (isDue && !dies) model.status = 'fired'
        }
      }
      for (const step of all) {
        const model = 'post' in step ? models[step.post] : undefined
        const id = 'post' in step ? (POSTS[step.post] ?? '') : ''
        const at = 'inMinutes' in step ? clock.now() + step.inMinutes * MINUTE : 0
        const due = dueAtMoment(new Date(at).toISOString(), 'UTC')
        if (step.act === 'pass') await clock.advanceTo(clock.now() + step.minutes * MINUTE)
        else if (step.act === 'work') await settle(step.workers, step.dies, step.stale)
        else if (step.act === 'restart') restart()
        else if (!model) throw new Error('no post')
        else if (step.act === 'schedule') {
          const what = content('ws_1', { x: ['acc_1'] }, 'https://example.com/a.jpg')
          await decide(id, (state) => schedulePost(state, what, due, clock.now()))
          if (model.status === 'absent') Object.assign(model, { status: 'pending', due: at })
        } else if (step.act === 'reschedule') {
          const done = await decide(id, (state) =>
            editScheduledPost(state, { time: { scheduledAtUtc: due.dueAt } }, clock.now()),
          )
          if (done !== (model.status === 'pending')) return false
          if (done) model.due = at
        } else {
          const done = await decide(id, cancelSchedule)
          if (done !== (model.status === 'pending')) return false
          if (done) model.status = 'cancelled'
        }
      }
      // In the end all that is pending comes due, over a restart.
      restart()
      await clock.advanceTo(clock.now() + 4_000 * MINUTE)
      await settle(2, false)
      await settle(2, false)
      return models.every(({ status, due }, index) => {
        const events = queuedEvents(data.events, POSTS[index] ?? '')
        const early = events.some(({ metadata }) => Date.parse(metadata.at) < (due ?? 0))
        fired += events.length
        return events.length === (status === 'fired' ? 1 : 0) && !early
      })
    }),
    { numRuns: 2_000 },
  )
  t.comment(`${fired} posts fired in 2,000 runs`)
  t.ok(fired > 1_000)
})

t.test('given a wall time, when it is put off by one of its parts, then the other and the zone stay', async (t) => {
  const now = Date.UTC(2026, 0, 1)
  const what = content('ws_1', { x: ['acc_1'] }, 'https://example.com/a.jpg')
  const meta = {
    at: new Date(now).toISOString(),
    actor: { kind: 'cli', id: 'a' },
    correlationId: '',
    causationId: '',
  } as const
  const due = dueAt('2026-03-28', '02:30', 'Europe/Berlin')
  const state = schedulePost(post.initial, what, due, now).reduce((s, e) => post.evolve(s, e, meta), post.initial)
  const put = (time: AnotherTime) => editScheduledPost(state, { time }, now)[0]?.data
  t.match(put({ date: '2026-03-29' }), { date: '2026-03-29', time: '02:30', dueAt: '2026-03-29T01:30:00.000Z' })
  t.match(put({ time: '18:00' }), { date: '2026-03-28', time: '18:00', dueAt: '2026-03-28T17:00:00.000Z' })
  t.match(put({ scheduledAtUtc: '2026-07-01T10:00:30.000Z' }), {
    ...{ date: '2026-07-01', time: '12:00', timezone: 'Europe/Berlin', dueAt: '2026-07-01T10:00:30.000Z' },
  })
  t.throws(() => put({ date: '2025-12-31' }), {
    code: 'invalid_request',
    message: /^date and time must be in the future/,
  })
  t.throws(() => put({ scheduledAtUtc: '2025-12-31T00:00:00.000Z' }), { message: /^scheduledAtUtc must be/ })
})
