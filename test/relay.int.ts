import fastify from 'fastify'
import t from 'tap'
import { mediaRoutes } from '../api/ops/media.ts'
import { verificationRoutes } from '../api/ops/verification.ts'
import type { MediaType } from '../domain/core/platform.ts'
import { media } from '../domain/media/media.ts'
import { eventOf, type RecordedEvent } from '../domain/core/event.ts'
import { intentBook } from '../domain/core/intents.ts'
import { START } from '../event-log/event-log.ts'
import type { MediaStore } from '../infra/media/store.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { findPost } from '../projections/models/posts.ts'
import { RELAYED_MS } from '../reactors/media/relay-media.ts'
import { publicMedia } from '../reactors/platform-calls/public-media.ts'
import { movableClock } from './support/movable-clock.ts'
import { fail, givenReachable } from './support/reachable.ts'
import { postJson } from './support/sandbox.ts'
import { givenProcess, givenWorld, type World } from './support/world.ts'

const logger = createLogger('silent')

async function mediaEvents({ log }: World): Promise<readonly string[]> {
  const seen: RecordedEvent[] = []
  for await (const delivery of log.subscribe(START)) {
    if (delivery.kind === 'caught-up') break
    seen.push(...delivery.events)
  }
  const book = intentBook()
  t.same(
    seen.map((event) => book.missing(event)).filter((why) => why !== undefined),
    [],
  )
  return seen.flatMap((event) => eventOf(media, event)?.type ?? [])
}

t.test('given a photo on another host, when it is posted on TikTok, then it is relayed for two hours', async (t) => {
  const { world, publicUrl, accountId, files, foreign } = await givenReachable(t)
  const service = await givenProcess(world)
  const id = await service.queue({ mediaUrl: foreign, selections: { tiktok: [accountId] } })
  await service.drain()
  t.match(await findPost(world.db, id), { status: 'published', mediaUrl: foreign })
  const [{ mediaUrl = '' } = {}] = world.sandbox.ledger.posts('tiktok')
  t.match(mediaUrl, new RegExp(`^${publicUrl}/media/[0-9a-v]{32}[0-9a-z]{26}\\.jpg$`))
  const { body, headers } = await world.http.request(mediaUrl)
  t.match(headers, { 'content-type': 'image/jpeg' })
  t.same(body, (await world.http.request(foreign)).body)
  t.same(await mediaEvents(world), ['MediaRelayed'])

  await world.clock.advanceTo(world.clock.now() + RELAYED_MS)
  await service.drain()
  t.equal((await world.http.request(mediaUrl)).status, 404)
  t.same(await files(), [])
  t.same(await mediaEvents(world), ['MediaRelayed', 'MediaDeleted', 'MediaFilesDeleted'])
})

t.test('given a failure of the media store, then the photo is relayed later, and nothing is left behind', async (t) => {
  const { world, accountId, files, foreign } = await givenReachable(t)
  let failures = 1
  const put: MediaStore['put'] = async (name, content, signal) => {
    await world.mediaStore.put(name, content, signal)
    if ((failures -= 1) >= 0) throw new Error('it was stored, but nobody heard')
  }
  const service = await givenProcess({ ...world, mediaStore: { ...world.mediaStore, put } })
  const id = await service.queue({ mediaUrl: foreign, selections: { tiktok: [accountId] } })
  await service.drain()
  t.match(await findPost(world.db, id), { status: 'published' })
  t.equal(world.sandbox.ledger.posts('tiktok').length, 1)
  await world.clock.advanceTo(world.clock.now() + RELAYED_MS)
  await service.drain()
  t.same(await files(), [])
  const events = await mediaEvents(world)
  t.same(
    ['MediaRelayed', 'MediaFilesDeleted'].map((type) => events.filter((one) => one === type).length),
    [2, 2],
  )
})

t.test('given a domain that is not verified at TikTok, then the post says so', async (t) => {
  const { world, accountId, foreign } = await givenReachable(t, { verified: () => ['fanfare.example.com'] })
  const service = await givenProcess(world)
  const id = await service.queue({ mediaUrl: foreign, selections: { tiktok: [accountId] } })
  await service.drain()
  t.match(await findPost(world.db, id), {
    status: 'publish_failed',
    results: {
      tiktok: [{ ok: false, error: /usually that of PUBLIC_URL, is not\. Verify it .*url_ownership_unverified/ }],
    },
  })
  t.same(world.sandbox.ledger.posts('tiktok'), [])
})

t.test('given a photo that TikTok does not take, then nothing is relayed', async (t) => {
  const { world, accountId, files } = await givenReachable(t)
  const service = await givenProcess(world)
  const page = `${world.sandbox.url}/feed.xml`
  const id = await service.queue({ mediaUrl: page, selections: { tiktok: [accountId] } })
  await service.drain()
  t.match(await findPost(world.db, id), { status: 'publish_failed' })
  t.same(await files(), [])
  t.same(await mediaEvents(world), [])
})

t.test('given no PUBLIC_URL, then a preview says what is missing, unless the URL is verified itself', async (t) => {
  const world = await givenWorld(t)
  const { tiktok, pinterest } = world.platforms
  const item = (url: string, type: MediaType = 'image') => [{ url, type }] as const
  const [foreign, verified] = ['https://example.com/a.jpg', 'https://cdn.example.com/a.jpg']
  const url = () => 'http://127.0.0.1:3000'
  const own = publicMedia({ log: world.log, url, isPublic: false, verified: ['https://cdn.example.com/'] })
  t.match(
    await own.whyOutOfReach(tiktok, {}, item(foreign)),
    /^TikTok fetches the image only from a domain that you have verified there: set PUBLIC_URL /,
  )
  t.equal(await own.whyOutOfReach(pinterest, {}, item(foreign)), undefined)
  t.equal(await own.whyOutOfReach(tiktok, {}, item(foreign, 'video')), undefined)
  t.equal(await own.whyOutOfReach(tiktok, {}, item(verified)), undefined)
  const reachable = publicMedia({ log: world.log, url, isPublic: true, verified: ['https://cdn.example.com/'] })
  t.equal(await reachable.whyOutOfReach(tiktok, {}, item(foreign)), undefined)
  t.same(
    await Promise.all([foreign, verified].map((url) => reachable.mustRelay(url))),
    [true, false],
    'what is verified is fetched from where it is',
  )
})

t.test('given the URL properties of an app, then the stand-in takes them as TikTok does', async (t) => {
  const { world } = await givenReachable(t)
  const set = (body: object) => postJson(world.http, `${world.sandbox.url}/_control/url-properties`, body)
  t.equal((await set({ platform: 'tiktok', verified: ['https://example.com/videos'] })).status, 400)
  t.equal((await set({ platform: 'bluesky', verified: [] })).status, 400)
  t.same((await set({ platform: 'tiktok' })).json(), { platform: 'tiktok' })
})

t.test('given verification files, then each is served where a platform looks for it', async (t) => {
  const app = fastify()
  t.teardown(() => app.close())
  const content = 'tiktok-developers-site-verification=AbC'
  verificationRoutes(app, new Map([['tiktokAbC.txt', content]]))
  mediaRoutes(app, { store: { put: fail, delete: fail, find: async () => undefined }, clock: movableClock(), logger })
  for (const url of ['/tiktokAbC.txt', '/media/tiktokAbC.txt']) {
    t.match(await app.inject({ url }), { statusCode: 200, body: content, headers: { 'content-type': /^text\/plain/ } })
  }
  t.equal((await app.inject({ url: '/tiktokX.txt' })).statusCode, 404)
})
