import t from 'tap'
import * as z from 'zod'
import { auditLog } from '../app/cli/audit-log.ts'
import { auditOf, timeline } from '../app/cli/audit.ts'
import { grantCredits } from '../commands/credits.ts'
import { handle } from '../commands/handle.ts'
import { credits } from '../domain/video/credits.ts'
import { streamName, type NewEvent } from '../domain/core/event.ts'
import { derivedId } from '../domain/core/ids.ts'
import { intentBook } from '../domain/core/intents.ts'
import { post } from '../domain/post/post.ts'
import { START, type EventLog } from '../event-log/event-log.ts'
import { rowAt } from '../projections/engine/row-at.ts'
import { posts } from '../projections/models/posts.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { givenApi } from './support/api.ts'
import { unchecked } from './support/event-log-helpers.ts'
import { countingProvider } from './support/generation.ts'
import { memoryLog, memoryLogData } from './support/memory-log.ts'
import { movableClock } from './support/movable-clock.ts'
import { causedBy, givenProcess } from './support/world.ts'

const eventSchema = z.object({
  revision: z.number(),
  type: z.string(),
  at: z.string(),
  summary: z.string(),
  by: z.object({ kind: z.string(), id: z.string(), label: z.string().optional() }),
  requestId: z.string().optional(),
})
const pageSchema = z.object({ events: z.array(eventSchema), nextCursor: z.string().nullable() })

t.test('given a post, a video and their workspace', async (t) => {
  const clock = movableClock()
  const api = await givenApi(t, { clock })
  const { world } = api
  const key = await api.key()
  const { videoModel, speechModel } = countingProvider('opaque', `${world.sandbox.url}/media/sample.mp4`)
  const service = await givenProcess(world, { videoModel, speechModel })
  const call = (method: string, path: string, body?: object) => api.call({ method, path: `/v1${path}`, key, body })
  const eventsOf = async (path: string) => pageSchema.parse((await call('GET', path)).body)
  const { workspaceId } = world
  await handle(world, credits, workspaceId, causedBy('granted'), (state) =>
    grantCredits(state, { workspaceId, amount: 5 }),
  )
  await service.step()
  const accountId = await world.account('bluesky')
  const made = await call('POST', '/posts', {
    ...{ mediaUrl: `${world.sandbox.url}/media/sample.jpg`, mediaType: 'image', caption: 'Hello' },
    selections: { bluesky: [accountId] },
  })
  const id = String(made.body['id'])
  const before = isoTime(clock.now())
  await clock.advanceTo(clock.now() + 60_000)
  await service.drain()
  const video = String((await call('POST', '/videos', { prompt: 'A cat' })).body['id'])
  await service.drain()

  await t.test('when its events are asked for, then they tell who did what, in order', async (t) => {
    const { events, nextCursor } = await eventsOf(`/posts/${id}/events`)
    t.same(
      events.map(({ type }) => type),
      ['PostQueued', 'PublishStarted', 'PublishPrepared', 'AccountPublished', 'PostFinished'],
    )
    t.same(
      events.map(({ revision }) => revision),
      [0, 1, 2, 3, 4],
    )
    t.match(events[0]?.by, { kind: 'api-key', label: 'test' })
    t.equal(events[0]?.requestId, made.requestId)
    t.match(events[1]?.by, { kind: 'reactor' })
    t.ok(events.every(({ summary, type }) => summary.length > 0 && summary !== type))
    t.equal(nextCursor, null)
  })

  await t.test('when they are asked for by pages, then each is there once', async (t) => {
    const seen: number[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: z.infer<typeof pageSchema> = await eventsOf(
        `/posts/${id}/events?limit=2${cursor && `&cursor=${cursor}`}`,
      )
      seen.push(...page.events.map(({ revision }) => revision))
      cursor = page.nextCursor
    }
    t.same(seen, [0, 1, 2, 3, 4])
  })

  await t.test('when it is asked for as it was, then it is as it was', async (t) => {
    t.match(await call('GET', `/posts/${id}`), { status: 200, body: { status: 'published' } })
    t.match(await call('GET', `/posts/${id}?at=${before}`), {
      status: 200,
      body: { status: 'processing', publishResults: {} },
    })
    t.equal((await eventsOf(`/posts/${id}/events?at=${before}`)).events.length, 1)
    t.match(await call('GET', `/posts/${id}?at=2001-01-01T00:00:00Z`), {
      status: 404,
      message: /This post did not exist at/,
    })
    t.match(await call('GET', `/posts/${id}?at=yesterday`), { status: 400, message: /^at must be a time/ })
    for (const at of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59']) {
      t.match(await call('GET', `/credits?at=${at}`), { status: 400, message: /^at must be a time in the years/ }, at)
    }
  })

  await t.test('when a read model’s row is rebuilt from the events, then it is the one that is there', async (t) => {
    const now = isoTime(clock.now())
    const row = await rowAt(world.log, posts, streamName(post, id), id, now)
    const { rows } = await world.db.query<{ status: string }>('select status from read.posts where id = $1', [id])
    t.equal(row?.status, rows[0]?.status)
  })

  await t.test('when the video and the credits are asked for, then their events tell of each other', async (t) => {
    const { events } = await eventsOf(`/videos/${video}/events`)
    t.same(
      events.map(({ type }) => type),
      ['VideoRequested', 'RenderStarted', 'RenderSubmitted', 'PartRendered', 'VideoReady'],
    )
    const spent = (await eventsOf('/credits/events')).events
    t.same(
      spent.map(({ type }) => type),
      ['CreditsGranted', 'CreditsCharged'],
    )
    t.match(spent[1]?.summary, new RegExp(video))
  })

  await t.test('when the command line is asked, then it has the same as lines, also of a workspace', async (t) => {
    const entries = await auditOf(world, id)
    t.same(
      entries.map(({ type }) => type),
      (await eventsOf(`/posts/${id}/events`)).events.map(({ type }) => type),
    )
    const lines = timeline(entries).split('\n')
    t.equal(lines.length, 5)
    t.ok(lines.every((line) => /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}(key test|system publishing) +\S/.test(line)))
    t.match(
      (await auditOf(world, workspaceId)).map(({ type }) => type),
      ['CreditsGranted', 'CreditsCharged'],
    )
    await t.rejects(auditOf(world, 'nonsense'), /is not an id; ids begin with post_/)
    await t.rejects(auditOf(world, 'post_nothing'), /There are no events for post_nothing/)
  })

  await t.test('when others are asked for as they were, then they are as they were', async (t) => {
    t.match(await call('GET', '/credits'), { body: { credits: 4 } })
    t.match(await call('GET', `/credits?at=${before}`), { body: { credits: 5 } })
    const idOf = async (path: string, body: object) => String((await call('POST', path, body)).body['id'])
    const feed = await idOf('/rss-feeds', {
      ...{ url: `${world.sandbox.url}/feed.xml`, selections: { bluesky: [accountId] } },
    })
    const hook = await idOf('/webhooks', { url: 'https://example.com/hook', events: ['post.published'] })
    const tested = await idOf(`/webhooks/${hook}/test`, {})
    const scheduled = await idOf('/posts/scheduled', {
      ...{ mediaUrl: `${world.sandbox.url}/media/sample.jpg`, mediaType: 'image', caption: 'Later' },
      ...{ selections: { bluesky: [accountId] }, date: '2030-01-01', time: '10:00', timezone: 'Europe/Oslo' },
    })
    const then = isoTime(clock.now())
    await clock.advanceTo(clock.now() + 60_000)
    await call('PATCH', `/rss-feeds/${feed}`, { active: false })
    await call('PATCH', `/scheduled-posts/${scheduled}`, { date: '2030-01-02', time: '10:00' })
    const both = async (path: string) => [
      (await call('GET', path)).body,
      (await call('GET', `${path}?at=${then}`)).body,
    ]
    t.match(await both(`/rss-feeds/${feed}`), [{ active: false }, { active: true, postedCount: 0 }])
    t.match(await both(`/scheduled-posts/${scheduled}`), [
      { date: '2030-01-02', status: 'pending' },
      { date: '2030-01-01', status: 'pending' },
    ])
    t.match(await both(`/webhooks/${hook}`), [{ id: hook }, { id: hook }])
    t.match(await both(`/webhooks/${hook}/deliveries/${tested}`), [{ event: 'webhook.test' }, { status: 'pending' }])
    for (const path of [`/rss-feeds/${feed}`, `/scheduled-posts/${scheduled}`, `/webhooks/${hook}`]) {
      t.match(await call('GET', `${path}?at=${before}`), { status: 404, message: /This .* did not exist at/ })
    }
  })

  await t.test('when the log is verified, then it is intact', async (t) => {
    const found = await auditLog(world)
    t.match(found, { intact: true, faults: [], faultCount: 0 })
    t.ok(found.events > 10 && found.streams >= 4)
  })
})

t.test('given a damaged log, when it is verified, then each fault is reported', async (t) => {
  const metadata = {
    at: '2026-01-01T00:00:00.000Z',
    actor: { kind: 'cli', id: 'me' },
    correlationId: 'c',
    causationId: 'c',
  } as const
  const event = (type: string, data: object): NewEvent => ({
    id: derivedId(type, JSON.stringify(data)),
    type,
    data,
    metadata,
  })
  const target = { platform: 'x', accountId: 'acc_1' }
  const queued = event('PostQueued', {
    ...{ workspaceId: 'ws_1', origin: 'api', mediaUrl: 'https://a.test/a.jpg', mediaType: 'image', caption: '' },
    ...{ captionOverrides: {}, hashtags: [], selections: { x: ['acc_1'] } },
  })
  const started = event('PublishStarted', { ...target, attempt: 1 })
  const prepared = event('PublishPrepared', { ...target, attempt: 1, handle: {} })
  const published = event('AccountPublished', { ...target, attempt: 1, postId: '1' })
  const given = async (events: readonly NewEvent[]) => {
    const data = memoryLogData()
    await memoryLog(data, unchecked).append('post-post_1', events, -1)
    return { data, verified: () => auditLog({ log: memoryLog(data) }) }
  }

  await t.test('nothing, where nothing is wrong', async (t) => {
    t.match(await (await given([queued, started, prepared, published])).verified(), {
      intact: true,
      events: 4,
      streams: 1,
    })
  })

  await t.test('an event that is gone', async (t) => {
    const { data, verified } = await given([queued, started, prepared, published])
    data.events.splice(2, 1)
    const { intact, faults } = await verified()
    t.equal(intact, false)
    t.match(faults.join('\n'), /post-post_1 revision 3: revision 2 was expected/)
    t.match(faults.join('\n'), /AccountPublished without PublishPrepared before it/)
  })

  await t.test('an outcome of another attempt than the one that was begun', async (t) => {
    const other = event('AccountPublished', { ...target, attempt: 2, postId: '1' })
    t.match((await (await given([queued, started, prepared, other])).verified()).faults, [/without PublishPrepared/])
  })

  await t.test('data that is not what its type says, and a type that is none', async (t) => {
    const odd = [event('PublishStarted', { platform: 'x' }), event('PostExploded', {})]
    const { faults } = await (await given([queued, ...odd])).verified()
    t.match(faults, [
      /PublishStarted cannot be read: it does not match its schema: accountId/,
      /PostExploded is not an event of a post/,
    ])
  })

  await t.test('events out of order', async (t) => {
    const { data } = await given([queued, started])
    const log: EventLog = {
      ...memoryLog(data),
      subscribe: async function* () {
        yield { kind: 'events', events: data.events.toReversed() }
        yield { kind: 'caught-up', position: START }
      },
    }
    t.match((await auditLog({ log })).faults, [/revision 0 was expected/, /is not after/])
  })
})

t.test(
  'given events of processes whose clocks differ, when a row is asked for as it was, then it once was so',
  async (t) => {
    const log = memoryLog()
    const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`
    const content = {
      ...{ workspaceId: 'ws_1', origin: 'api', mediaUrl: 'https://a.test/a.jpg', mediaType: 'image', caption: '' },
      ...{ captionOverrides: {}, hashtags: [], selections: { x: ['acc_1'] } },
    }
    const target = { platform: 'x', accountId: 'acc_1', attempt: 1 }
    const finished = { status: 'published', okCount: 1, total: 1, workspaceId: 'ws_1', results: {} }
    const happened = [
      ['PostQueued', content, at(1)],
      ['AccountPublished', { ...target, postId: '1' }, at(5)],
      ['PostFinished', finished, at(3)],
    ] as const
    const events = happened.map(([type, data, at]): NewEvent => {
      const metadata = { at, actor: { kind: 'cli', id: 'me' }, correlationId: 'c', causationId: 'c' } as const
      return { id: derivedId(type), type, data, metadata }
    })
    await log.append('post-post_1', events, -1)
    const then = async (time: string) => rowAt(log, posts, 'post-post_1', 'post_1', time)
    t.equal(await then(at(0)), undefined)
    t.match(await then(at(4)), { status: 'processing', results: {} })
    t.match(await then(at(5)), { status: 'published' })
  },
)

t.test('an intent is of one outcome only where all agrees that both name', (t) => {
  const book = intentBook()
  const told = (type: string, data: object) => book.missing({ stream: 'video-vid_1', type, data })
  t.equal(told('RenderStarted', { part: 0, attempt: 1 }), undefined)
  t.equal(told('PartRendered', { part: 0, attempt: 1 }), undefined)
  t.match(told('PartRendered', { part: 1, attempt: 1 }), /without RenderStarted/)
  t.match(book.missing({ stream: 'video-vid_2', type: 'PartRendered', data: { part: 0, attempt: 1 } }), /without/)
  t.end()
})
