import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import fc from 'fast-check'
import { addFeed, changeFeed, deleteFeed, requestFeedCheck } from '../commands/feed.ts'
import { handle } from '../commands/handle.ts'
import { eventOf } from '../domain/core/event.ts'
import { post } from '../domain/post/post.ts'
import { START } from '../event-log/event-log.ts'
import { feed as kind, type FeedEvent, type FeedState, type Seeding } from '../domain/feed/rss-feed.ts'
import { listFeedItems } from '../projections/models/feed-items.ts'
import { findFeed } from '../projections/models/feeds.ts'
import { newestFirst } from '../projections/engine/newest-first.ts'
import { posts as postsModel } from '../projections/models/posts.ts'
import { seenItem } from '../reactors/feeds/feed-items.ts'
import { captionOf, processItem } from '../reactors/feeds/process-item.ts'
import { olderItems, seedingOf } from '../reactors/feeds/older-items.ts'
import { oldestFirst, type FeedItem } from '../reactors/feeds/reading/feed.ts'
import type { FeedParser } from '../reactors/feeds/reading/feed-parser.ts'
import { parseFeed } from '../reactors/feeds/reading/parse-feed.ts'
import { readUntilCaughtUp } from './support/event-log-helpers.ts'
import { rssOf } from './support/feed-writers.ts'
import { givenForecast } from './support/forecast.ts'
import { fused } from './support/fuse.ts'
import { httpServer, until } from './support/outbound-servers.ts'
import { causedBy, givenProcess, givenWorld, logOf, type Process, type World } from './support/world.ts'

const HOUR = 3_600_000

/** A feed's server: what it lists, and how it answers. */
interface Source {
  items: readonly FeedItem[]
  status: number
  etag: string | undefined
  /** Whether its documents break off, and what they wait for. */
  isCutOff: boolean
  held: Promise<void> | undefined
  readonly url: string
  /** How often it sent the whole document. */
  readonly sent: () => number
  /** How often it was asked at all. */
  readonly asked: () => number
}

async function givenSource(t: Test): Promise<Source> {
  let sent = 0
  let asked = 0
  const source: Omit<Source, 'url' | 'sent' | 'asked'> = {
    ...{ items: [], status: 200, etag: undefined, isCutOff: false, held: undefined },
  }
  const answer: RequestListener = (request, response) => {
    if (source.status !== 200) return void response.writeHead(source.status).end()
    if (source.etag !== undefined && request.headers['if-none-match'] === source.etag) {
      return void response.writeHead(304).end()
    }
    sent += 1
    const headers = { 'content-type': 'application/rss+xml', ...(source.etag !== undefined && { etag: source.etag }) }
    response.writeHead(200, headers).end(rssOf(source.items).slice(0, source.isCutOff ? -20 : undefined))
  }
  const server = await httpServer(t, (request, response) => {
    asked += 1
    void (source.held ?? Promise.resolve()).then(() => answer(request, response))
  })
  return Object.assign(source, { url: `${server.url}/feed.xml`, sent: () => sent, asked: () => asked })
}

const item = (n: number, more: Partial<FeedItem> = {}): FeedItem => ({
  identity: `guid-${n}`,
  title: `Title ${n}`,
  link: `https://blog.example/${n}`,
  imageUrl: `https://blog.example/${n}.jpg`,
  publishedAt: new Date(Date.UTC(2026, 0, 1) + n * HOUR).toISOString(),
  ...more,
})

async function givenFeed(t: Test) {
  const world = await givenWorld(t)
  const service = await givenProcess(world)
  const source = await givenSource(t)
  const account = await world.account('bluesky')
  const id = 'feed_1'
  let commands = 0
  const decide = (decision: (state: FeedState) => readonly FeedEvent[]) =>
    handle(world, kind, id, causedBy(`${(commands += 1)}`), decision)
  const add = () =>
    decide((state) =>
      addFeed(state, {
        ...{ workspaceId: world.workspaceId, url: source.url, selections: { bluesky: [account] } },
        ...{ captionTemplate: '{title}\n\n{link}', checkIntervalMinutes: 60 },
      }),
    )
  return { world, service, source, decide, add, id, feed: () => findFeed(world.db, id) }
}

/** All that is due by now, and what comes of it. */
async function work(service: Process): Promise<void> {
  while ((await service.step()) > 0);
}

async function pass(world: World, service: Process, ms = HOUR): Promise<void> {
  await world.clock.advanceTo(world.clock.now() + ms)
  await work(service)
}

/** In the order of the log: posts of one millisecond have none in a list. */
async function titlesPosted(world: World): Promise<readonly string[]> {
  const log = logOf(world)
  const events = await readUntilCaughtUp(log, START)
  await log.close()
  return events.flatMap((recorded) => {
    const event = eventOf(post, recorded)
    const isOwn = event?.type === 'PostQueued' && event.data.workspaceId === world.workspaceId
    return isOwn ? [event.data.caption.split('\n')[0] ?? ''] : []
  })
}

t.test('given a feed with items', async (t) => {
  const { world, service, source, add, decide, feed, id } = await givenFeed(t)
  source.items = [item(2), item(1)]
  await add()

  await t.test('when it is checked for the first time, then what is there is known and not posted', async (t) => {
    await work(service)
    t.match(await feed(), { lastError: null, postedCount: 0, lastCheckedAt: String, active: true })
    const seen = await listFeedItems(world.db, { feedId: id, limit: 10, after: undefined })
    t.same([...new Set(seen.map(({ status }) => status))], ['seeded'])
    t.same(await titlesPosted(world), [])
  })

  await t.test(
    'when new items come, then each is posted, the oldest first, those without an image skipped',
    async (t) => {
      const { imageUrl: _, ...imageless } = item(4)
      source.items = [item(5), imageless, item(3), item(2), item(1)]
      await pass(world, service)
      t.same(await titlesPosted(world), ['Title 3', 'Title 5'])
      const now = world.clock.now()
      const warned = async (at: number) => {
        const { entries } = await givenForecast(world)({ workspaceId: world.workspaceId, now: at, until: at + HOUR })
        return entries.filter(({ kind }) => kind === 'warning').map(({ sentence }) => sentence)
      }
      const sentence = /^The feed of 127\.0\.0\.1:\d+ made 2 posts in the last 28 days\. /
      t.match(await warned(now), [sentence])
      t.same(await warned(now + 29 * 24 * HOUR), [], 'what was earlier says nothing of its pace')
      const posts = await newestFirst(world.db, postsModel, { workspaceId: world.workspaceId, limit: 10 })
      const post = posts.find(({ caption }) => caption.startsWith('Title 5'))
      t.match(post, { origin: 'rss', caption: 'Title 5\n\nhttps://blog.example/5', mediaUrl: item(5).imageUrl })
      const [queued] = await world.log.read(`post-${post?.id}`)
      t.match(queued?.metadata, { correlationId: id, actor: { kind: 'reactor', id: 'feed' } })
      const seen = await listFeedItems(world.db, { feedId: id, limit: 10, after: undefined })
      t.match(
        seen.find(({ title }) => title === 'Title 4'),
        { status: 'skipped', reason: /no image/, postId: null },
      )
      t.match(
        seen.find(({ title }) => title === 'Title 5'),
        { status: 'posted', postId: post?.id },
      )
      t.match(await feed(), { postedCount: 2 })
    },
  )

  await t.test('when the same items come in another form, then none is posted twice', async (t) => {
    const before = await titlesPosted(world)
    const all = source.items
    const forms: Readonly<Record<string, readonly FeedItem[]>> = {
      'in new order': all.toReversed(),
      'with changed links': all.map((one, n) => ({ ...one, link: `https://new.example/moved/${n}` })),
      'with other guids': all.map((one, n) => ({ ...one, identity: `reset-${n}` })),
      'with other guids, by https and with what counts readers': all.map((one, n) => ({
        ...one,
        identity: `again-${n}`,
        link: `${one.link.replace('https://', 'http://www.')}/?utm_source=rss`,
      })),
      // Those that were only known by title and link are known by their new ids since.
      'with changed titles under other guids': all.map((one, n) => ({
        ...one,
        identity: `reset-${n}`,
        title: `${one.title}?`,
      })),
      'with changed titles': all.map((one) => ({ ...one, title: `${one.title}!` })),
      'with an image at last': all.map((one) => ({ ...one, imageUrl: 'https://blog.example/late.jpg' })),
      'with two names at once': all.flatMap((one) => [one, { ...one, identity: `${one.identity}-twin` }]),
    }
    for (const [name, items] of Object.entries(forms)) {
      source.items = items
      await pass(world, service)
      t.same(await titlesPosted(world), before, name)
    }
    source.items = all
  })

  await t.test('when the document has not changed, then it is not downloaded again', async (t) => {
    source.etag = '"v1"'
    await pass(world, service)
    const sent = source.sent()
    await pass(world, service, 5 * HOUR)
    await pass(world, service, 5 * HOUR)
    t.equal(source.sent(), sent)
    const checked = (await feed())?.lastCheckedAt ?? ''
    t.equal(Date.parse(checked), world.clock.now())
    source.etag = '"v2"'
    source.items = [item(6), ...source.items]
    await pass(world, service)
    t.ok((await titlesPosted(world)).includes('Title 6'))
  })

  await t.test('when its server fails, then that is shown until a check succeeds, and nothing is lost', async (t) => {
    source.status = 503
    source.items = [item(7), ...source.items]
    source.etag = undefined
    await pass(world, service)
    t.match(await feed(), { lastError: /responded with HTTP 503/ })
    const events = (await world.log.read(`feed-${id}`)).length
    await pass(world, service)
    await pass(world, service)
    t.equal((await world.log.read(`feed-${id}`)).length, events, 'the same failure is recorded once')
    source.status = 200
    await pass(world, service)
    t.match(await feed(), { lastError: null })
    t.ok((await titlesPosted(world)).includes('Title 7'))
  })

  await t.test(
    'when it is paused, then it is not checked; when it is resumed, then it is checked at once',
    async (t) => {
      await decide((state) => changeFeed(state, { active: false }))
      source.items = [item(8), ...source.items]
      await pass(world, service, 48 * HOUR)
      t.notOk((await titlesPosted(world)).includes('Title 8'))
      await t.rejects(decide(requestFeedCheck), { code: 'failed_precondition', message: /paused/ })
      await decide((state) => changeFeed(state, { active: true, captionTemplate: 'New: {title}' }))
      await work(service)
      t.ok((await titlesPosted(world)).includes('New: Title 8'))
    },
  )

  await t.test('when a check is requested, then it happens now', async (t) => {
    source.items = [item(9), ...source.items]
    await decide(requestFeedCheck)
    await work(service)
    t.ok((await titlesPosted(world)).includes('New: Title 9'))
  })

  await t.test('when the read models are rebuilt, then nothing is posted again', async (t) => {
    const before = await titlesPosted(world)
    await world.db
      .query(`truncate read.agenda, read.feeds, read.feed_items, read.posts, read.scheduled_posts, read.accounts;
      update read.checkpoints set position = -1`)
    await work(service)
    await pass(world, service)
    t.same((await titlesPosted(world)).toSorted(), before.toSorted())
  })

  await t.test('when it is deleted, then it is no longer checked', async (t) => {
    await decide(deleteFeed)
    source.items = [item(10), ...source.items]
    await pass(world, service, 48 * HOUR)
    t.notOk((await titlesPosted(world)).includes('New: Title 10'))
    t.same(await feed(), undefined)
    await t.rejects(decide(deleteFeed), { code: 'not_found' })
  })
})

t.test(
  'given new items, when the process dies before or after any act of a check, then each is posted once',
  async (t) => {
    const { world, service, source, add, feed } = await givenFeed(t)
    await add()
    await work(service)
    let n = 0
    const check = async (point?: { act: number; moment: 'before' | 'after' }) => {
      const titles = [1, 2].map((more) => `Title ${n + more}`)
      source.items = [item(n + 2), item(n + 1), ...source.items].slice(0, 50)
      n += 2
      await world.clock.advanceTo(world.clock.now() + HOUR)
      const fuse = fused(world, point)
      const mortal = await givenProcess(world, { ...fuse, slots: 1 })
      await work(mortal).catch((error: unknown) => {
        if (!fuse.dead()) throw error
      })
      await pass(world, await givenProcess(world))
      const posted = await titlesPosted(world)
      return { acts: fuse.acts, counts: titles.map((title) => posted.filter((one) => one === title).length) }
    }
    const whole = await check()
    t.same(whole.counts, [1, 1])
    const acts = whole.acts.slice(0, whole.acts.findIndex((act) => act.includes('PublishStarted')) >>> 0)
    t.comment(acts.join(', '))
    t.ok(acts.length >= 5)
    for (let act = 0; act < acts.length; act += 1) {
      for (const moment of ['before', 'after'] as const) {
        t.same((await check({ act, moment })).counts, [1, 1], `died ${moment} ${acts[act]}`)
      }
    }
    t.match(await feed(), { postedCount: n, lastError: null })
  },
)

t.test(
  'given any history of a feed, then no item is posted twice, and none that came after it was added is lost',
  async (t) => {
    const { world, service, source, add } = await givenFeed(t)
    source.items = [item(1)]
    await add()
    await work(service)
    const came = new Set<string>()
    let n = 1
    const act = fc.constantFrom('new', 'new', 'shuffle', 'guids', 'links', 'down', 'up', 'drop', 'twice')
    for (const step of fc.sample(act, { numRuns: 30 })) {
      const all = source.items
      if (step === 'new') {
        n += 1
        source.items = [item(n, { identity: `guid-${n}-${Math.random()}` }), ...all]
        came.add(`Title ${n}`)
      } else if (step === 'shuffle') source.items = all.toSorted(() => Math.random() - 0.5)
      else if (step === 'guids') source.items = all.map((one) => ({ ...one, identity: `${Math.random()}` }))
      else if (step === 'links')
        source.items = all.map((one) => ({ ...one, link: `${one.link.split('?')[0]}?utm_medium=${Math.random()}` }))
      else if (step === 'down') source.status = 500
      else if (step === 'up') source.status = 200
      // Old ones fall out of a feed, and come back.
      else if (step === 'drop' && source.status === 200) source.items = all.slice(0, Math.max(1, all.length - 1))
      else if (step === 'twice') await work(await givenProcess(world))
      await pass(world, service)
    }
    source.status = 200
    await pass(world, service)
    const posted = await titlesPosted(world)
    t.same(
      posted.filter((title, index) => posted.indexOf(title) !== index),
      [],
      'none twice',
    )
    t.same(
      [...came].filter((title) => !posted.includes(title)),
      [],
      'none lost',
    )
    t.equal(posted.length, came.size, 'nothing else')
  },
)

t.test('given a post that is larger than the log takes, when its item is new, then it is skipped', async (t) => {
  const { world, service, source, decide, id, feed } = await givenFeed(t)
  const accounts = Array.from({ length: 200 }, (_, n) => `${n}${'語'.repeat(97)}`)
  await decide((state) =>
    addFeed(state, {
      ...{ workspaceId: world.workspaceId, url: source.url, selections: { bluesky: accounts } },
      ...{ captionTemplate: '{title}'.repeat(230), checkIntervalMinutes: 60 },
    }),
  )
  await work(service)
  source.items = [item(1, { title: '語'.repeat(300) })]
  await pass(world, service)
  t.match(await listFeedItems(world.db, { feedId: id, limit: 10, after: undefined }), [
    { status: 'skipped', reason: /^caption is too large to store: .* the limit is 262144$/, postId: null },
  ])
  t.match(await feed(), { lastCheckedAt: new Date(world.clock.now()).toISOString() })
})

t.test(
  'given a workspace with many feeds that are due, when another has one, then that one is checked too',
  async (t) => {
    const { world, service, source } = await givenFeed(t)
    // What the account itself is owed shares the hands.
    await work(service)
    const addFor = (id: string, workspaceId: string) => {
      const feed = { workspaceId, url: source.url, selections: { bluesky: ['acc_1'] } }
      return handle(world, kind, id, causedBy(id), (state) =>
        addFeed(state, { ...feed, captionTemplate: '{title}', checkIntervalMinutes: 60 }),
      )
    }
    for (let n = 0; n < 6; n += 1) await addFor(`feed_busy_${n}`, 'ws_busy')
    await world.clock.advanceTo(world.clock.now() + 1)
    await addFor('feed_other', 'ws_other')
    await service.step()
    t.match(await findFeed(world.db, 'feed_other'), { lastCheckedAt: String })

    await t.test('also when it has been paused since', async (t) => {
      for (const active of [false, true]) {
        await handle(world, kind, 'feed_other', causedBy(`active: ${active}`), (state) => changeFeed(state, { active }))
        await service.step()
      }
      const lanes = await world.db.query(`select distinct lane from read.agenda where kind = 'feed' order by lane`)
      t.same(lanes.rows, [{ lane: 'feed/ws_busy' }, { lane: 'feed/ws_other' }])
    })
  },
)

t.test('given items that have just appeared in a feed', async (t) => {
  const undated = (n: number): FeedItem => {
    const { publishedAt: _, ...rest } = item(n)
    return rest
  }

  await t.test('when they are older than what was there when it was added, then they are not posted', async (t) => {
    const { world, service, source, add, id } = await givenFeed(t)
    await world.clock.advanceTo(Date.parse(item(24).publishedAt ?? ''))
    source.items = [item(5), item(4), item(3)]
    await add()
    await work(service)
    source.items = [item(6), item(4), item(3), item(2)]
    await pass(world, service)
    t.same(await titlesPosted(world), ['Title 6'])
    const seen = await listFeedItems(world.db, { feedId: id, limit: 10, after: undefined })
    t.match(
      seen.find(({ title }) => title === 'Title 2'),
      { status: 'skipped', reason: /^The item is not new/ },
    )
    // Of one day with the newest that was there, and put down where new ones are.
    source.items = [item(7, { publishedAt: item(5).publishedAt ?? '' }), undated(8), ...source.items]
    await pass(world, service)
    t.same((await titlesPosted(world)).toSorted(), ['Title 6', 'Title 7', 'Title 8'])
  })

  await t.test('when others were dated ahead, or there were none, then later ones are posted all the same', (t) => {
    const newest = (...items: readonly FeedItem[]) => {
      const seen = items.map((one) => seenItem('feed_1', one))
      return seedingOf(seen, true, Date.parse(item(29).publishedAt ?? '')).newestAt
    }
    t.equal(newest(item(99), item(28), item(4)), item(28).publishedAt, 'one ahead does not count')
    t.equal(newest(item(99), item(29)), item(29).publishedAt)
    t.equal(newest(item(99), undated(1)), item(29).publishedAt, 'but where there is no other')
    t.equal(newest(undated(1)), undefined)
    t.equal(newest(), item(24).publishedAt, 'the start of the day')
    t.end()
  })

  await t.test('when some have only a day as their date, then days are compared', (t) => {
    const isOlder = (at: FeedItem, newest: FeedItem) => {
      const one = seenItem('feed_1', at)
      return olderItems([one], () => false, seedingOf([seenItem('feed_1', newest)], true, Infinity)).has(one)
    }
    const [day, hours] = [item(48), item(56)]
    t.notOk(isOlder(day, hours), 'it may have come later that day')
    t.notOk(isOlder(hours, day))
    t.notOk(isOlder(day, day))
    t.ok(isOlder(item(24), hours))
    t.ok(isOlder(item(47), day))
    t.ok(isOlder(item(55), hours), 'both have a time')
    t.end()
  })

  await t.test('when it was empty until then, then those of earlier days are not posted', async (t) => {
    const { world, service, source, add } = await givenFeed(t)
    await world.clock.advanceTo(Date.parse(item(30).publishedAt ?? ''))
    await add()
    await work(service)
    source.items = [item(31), item(24), item(23), item(2)]
    await pass(world, service)
    t.same((await titlesPosted(world)).toSorted(), ['Title 24', 'Title 31'])
  })

  await t.test('when its document was cut off before, then they are still known', async (t) => {
    const { world, service, source, add, feed } = await givenFeed(t)
    source.items = [undated(3), undated(2), undated(1)]
    source.isCutOff = true
    source.etag = '"v1"'
    await add()
    await work(service)
    t.match(await feed(), { lastError: /^The feed is incomplete/, lastCheckedAt: String })
    source.status = 503
    await pass(world, service)
    source.status = 200
    await pass(world, service)
    t.match(await feed(), { lastError: /^The feed is incomplete/ }, 'twice, but not in a row')
    source.isCutOff = false
    source.items = [undated(4), ...source.items]
    await pass(world, service)
    t.match(await feed(), { lastError: null })
    source.isCutOff = true
    source.etag = undefined
    source.items = [undated(5), ...source.items]
    await pass(world, service)
    t.match(await feed(), { lastError: null })
    t.same(await titlesPosted(world), ['Title 5'])
  })

  await t.test('when its document is cut off every time, then it is used as it is', async (t) => {
    const { world, service, source, add, feed } = await givenFeed(t)
    source.items = [undated(3), undated(2), undated(1)]
    source.isCutOff = true
    await add()
    await work(service)
    await pass(world, service)
    t.match(await feed(), { lastError: null })
    source.items = [undated(4), ...source.items]
    await pass(world, service)
    t.same(await titlesPosted(world), ['Title 4'])
  })

  await t.test('when a check beside this one was the first, then this one stops', async (t) => {
    const { world, service, source, add, decide, feed, id } = await givenFeed(t)
    await world.clock.advanceTo(Date.parse(item(5).publishedAt ?? ''))
    // The looks at its account take the same hands.
    await work(service)
    source.items = [item(5), item(4), item(3)]
    let letGo = (): void => {}
    source.held = new Promise((resolve) => (letGo = resolve))
    await add()
    const slow = service.step()
    await until(() => source.asked() === 1)
    source.held = undefined
    await decide(requestFeedCheck)
    await work(await givenProcess(world))
    t.equal(source.asked(), 2)
    source.items = [item(5), item(4), item(2)]
    source.isCutOff = true
    letGo()
    await slow
    t.equal(source.sent(), 2)
    t.match(await feed(), { lastError: null })
    t.equal((await listFeedItems(world.db, { feedId: id, limit: 10, after: undefined })).length, 3)
    // It may also end in the midst of this one.
    const old = seenItem(id, item(2))
    t.notOk(await processItem(world, id, old, { isFirst: true, noNews: undefined }))
    t.ok(await processItem(world, id, old, { isFirst: false, noNews: 'It is old.' }))
    await work(service)
    t.same(await titlesPosted(world), [])
  })

  await t.test('when they were in the middle of a feed too long to be read whole, then neither', async (t) => {
    const { world, source, add } = await givenFeed(t)
    const parse: FeedParser['parse'] = (blocks, contentType, url) => parseFeed({ blocks, contentType, url }, 20)
    const service = await givenProcess({ ...world, parser: { ...world.parser, parse } })
    const old = Array.from({ length: 50 }, (_, n) => undated(50 - n))
    source.items = old
    await add()
    await work(service)
    t.equal((await listFeedItems(world.db, { feedId: 'feed_1', limit: 100, after: undefined })).length, 40)
    source.items = [undated(101), ...old.toSpliced(8, 3).slice(0, -2), undated(102)]
    await pass(world, service)
    t.same((await titlesPosted(world)).toSorted(), ['Title 101', 'Title 102'])
    // Now it can be read whole.
    source.items = source.items.toSpliced(4, 10)
    await pass(world, service)
    t.same((await titlesPosted(world)).toSorted(), ['Title 101', 'Title 102'])
  })
})

/* A feed of which only the ends can be read: what becomes of its items, over checks that die. */

/** Items of each end that are read. As many changes between two checks, and nothing can tell any more. */
const END = 4

interface LongFeed {
  items: readonly FeedItem[]
  readonly met: Map<string, 'seeded' | 'older' | 'posted'>
  seeded: Seeding | undefined
}

/** As the reactor does it. @param dies after how many items that were not met yet */
function checkLong(feed: LongFeed, now: number, dies = Infinity): boolean {
  const isWhole = feed.items.length <= 2 * END
  const read = isWhole ? feed.items : [...feed.items.slice(0, END), ...feed.items.slice(-END)]
  const items = read.map((one) => seenItem('feed_1', one))
  const isMet = ({ identity }: FeedItem) => feed.met.has(identity)
  const older = feed.seeded ? olderItems(items, isMet, feed.seeded) : new Set()
  for (const [index, one] of oldestFirst(items, isMet)
    .filter((one) => !isMet(one))
    .entries()) {
    if (index >= dies) return false
    feed.met.set(one.identity, !feed.seeded ? 'seeded' : older.has(one) ? 'older' : 'posted')
  }
  feed.seeded ??= seedingOf(items, isWhole, now)
  return true
}

const change = fc.record({
  act: fc.constantFrom('come' as const, 'delete' as const, 'fall out' as const, 'check' as const, 'die' as const),
  at: fc.nat(1_000),
})

t.test('given a long feed, whatever comes and goes, then what is new is posted and what was hidden is not', (t) => {
  let posted = 0
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom('newest first', 'oldest first'),
      fc.constantFrom('undated', 'days', 'hours'),
      fc.array(change, { maxLength: 60, size: 'max' }),
      (length, order, dates, changes) => {
        const day = (n: number) => item(24 * Math.floor(n / 24)).publishedAt ?? ''
        const made = (n: number): FeedItem => {
          const { publishedAt = '', ...rest } = item(n)
          return dates === 'undated' ? rest : { ...rest, publishedAt: dates === 'days' ? day(n) : publishedAt }
        }
        const placed = (all: readonly FeedItem[], one: FeedItem) =>
          order === 'newest first' ? [one, ...all] : [...all, one]
        const feed: LongFeed = { items: [], met: new Map(), seeded: undefined }
        let n = 0
        while (n < length) feed.items = placed(feed.items, made((n += 1)))
        const now = Date.parse(item(n).publishedAt ?? '')
        checkLong(feed, now)
        let sinceCheck = 0
        for (const { act, at } of [...changes, { act: 'check' as const, at: 0 }]) {
          if (act === 'check' || act === 'die') {
            if (checkLong(feed, now, act === 'die' ? at % 4 : Infinity)) sinceCheck = 0
          } else if ((sinceCheck += 1) < END) {
            const all = feed.items
            if (act === 'come') feed.items = placed(all, made((n += 1)))
            else if (act === 'delete') feed.items = all.toSpliced(at % (all.length || 1), 1)
            else feed.items = order === 'newest first' ? all.slice(0, -1) : all.slice(1)
          }
        }
        for (const [identity, became] of feed.met) {
          const isNew = Number(identity.split('-')[1]) > length
          assert.equal(became === 'posted', isNew, `${identity} became ${became}`)
          if (isNew) posted += 1
        }
        // Those that are new and there by now.
        const news = feed.items.filter(({ identity }) => Number(identity.split('-')[1]) > length)
        for (const { identity } of news) assert.ok(feed.met.has(identity), `${identity} was not met`)
      },
    ),
    { numRuns: 2_000 },
  )
  t.comment(`${posted} posted`)
  t.ok(posted > 1_000)
  t.end()
})

t.test('how captions are made, and how items are identified', async (t) => {
  const made = (template: string, title = 'T') => captionOf(template, { title, link: 'L' })
  t.equal(made('{title} - {link} {title}'), 'T - L T')
  t.equal(made('{Title} {name} {'), '{Title} {name} {')
  t.equal(made('{title}', '{link} $& $1'), '{link} $& $1', 'what is put in stays as it is')
  const one = seenItem('feed_1', item(1))
  t.not(seenItem('feed_2', item(1)).id, one.id, 'each feed has its own')
  t.not(seenItem('feed_1', item(1, { title: 'Other' })).fingerprint, one.fingerprint)
  t.not(seenItem('feed_1', item(1, { link: 'https://blog.example/1?page=2' })).fingerprint, one.fingerprint)
  t.equal(seenItem('feed_1', item(1, { link: 'not a link' })).fingerprint.length, 32)
})
