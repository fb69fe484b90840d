import { readdir } from 'node:fs/promises'
import fastify from 'fastify'
import t, { type Test } from 'tap'
import { handle } from '../commands/handle.ts'
import { createMediaRoom } from '../commands/media-room.ts'
import { retryPost } from '../commands/retry-post.ts'
import { cancelSchedule, editScheduledPost, schedulePost } from '../commands/schedule-post.ts'
import { post, type PostContent, type PostState } from '../domain/post/post.ts'
import { dueAtMoment } from '../domain/post/wall-time.ts'
import type { EventLog } from '../event-log/event-log.ts'
import { keptMedia } from '../projections/models/kept-media.ts'
import { listUploads } from '../projections/models/media.ts'
import { findPost } from '../projections/models/posts.ts'
import { findScheduledPost } from '../projections/models/scheduled-posts.ts'
import { publicMedia } from '../reactors/platform-calls/public-media.ts'
import { sample } from './support/media-samples.ts'
import { causedBy, givenProcess, givenWorld } from './support/world.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const STILL = sample('picture.jpg')

/** A post that is due in two days, with media on a host that may fail. */
async function givenScheduled(t: Test) {
  const world = await givenWorld(t)
  const host = { status: 200, requests: 0 }
  const app = fastify()
  app.get('/*', (_request, reply) => {
    host.requests += 1
    return host.status === 200 ? reply.type('image/jpeg').send(STILL) : reply.code(host.status).send()
  })
  const origin = await app.listen()
  t.teardown(() => app.close())
  const id = 'post_pinned'
  const selections = { bluesky: [await world.account('bluesky')] }
  const content = (url: string): PostContent => ({
    ...{ workspaceId: world.workspaceId, selections, mediaUrl: url, mediaType: 'image', caption: 'Later' },
    ...{ captionOverrides: {}, hashtags: [] },
  })
  const due = dueAtMoment(new Date(world.clock.now() + 2 * DAY).toISOString(), 'UTC')
  const first = `${origin}/first.jpg`
  await handle(world, post, id, causedBy(id), (state) => schedulePost(state, content(first), due, world.clock.now()))
  const service = await givenProcess(world, { pins: true })
  const settle = async () => {
    while ((await service.step()) > 0);
  }
  const files = async () =>
    (await readdir(world.mediaDirectory, { recursive: true })).filter((name) => /\.(jpg|part|media)$/.test(name))
  return { ...{ world, host, origin, id, first, content, service, settle, files } }
}

t.test(
  'given a scheduled post, when its host loses the file, then the copy is published, and later deleted',
  async (t) => {
    const { world, host, id, first, service, settle, files } = await givenScheduled(t)
    await settle()
    t.match(await findScheduledPost(world.db, id), { pinned: [{ url: first, pinnedUrl: /\/media\/\w{58}\.jpg$/ }] })
    t.equal((await files()).length, 1)
    t.same(await listUploads(world.db, { workspaceId: world.workspaceId, limit: 10 }), [], 'it is no upload')
    t.match(await keptMedia(world.db, world.workspaceId, world.clock.now()), [
      { isReady: false, files: [{ bytes: STILL.length }] },
    ])
    host.status = 404
    await world.clock.advanceTo(world.clock.now() + 2 * DAY)
    await service.drain()
    t.match(await findPost(world.db, id), { status: 'published', mediaUrl: first })
    t.equal(world.sandbox.ledger.posts('bluesky').length, 1)
    t.equal(host.requests, 1)
    for (const ms of [DAY, HOUR]) {
      await world.clock.advanceTo(world.clock.now() + ms)
      await settle()
    }
    t.same(await files(), [], 'nothing is left on the disk')
    const types = (await world.log.read(`post-${id}`)).map(({ type }) => type)
    t.same(types.slice(0, 3), ['PostScheduled', 'PostMediaPinned', 'PostQueued'])
  },
)

t.test('given a file that is not there, then the scheduled post says so, and an edit tries again', async (t) => {
  const { world, host, origin, id, first, content, settle } = await givenScheduled(t)
  host.status = 404
  await settle()
  const error = "the media's host returned HTTP 404"
  t.match(await findScheduledPost(world.db, id), { pinned: [{ url: first, error }] })
  const edit = (name: string, url: string) =>
    handle(world, post, id, causedBy(name), (state) =>
      editScheduledPost(state, { content: () => content(url) }, world.clock.now()),
    )
  host.status = 200
  await edit('again', first)
  await settle()
  t.match(await findScheduledPost(world.db, id), { pinned: [{ url: first, pinnedUrl: String }] })
  await edit('another', `${origin}/second.jpg`)
  await settle()
  t.match(await findScheduledPost(world.db, id), { pinned: [{ url: `${origin}/second.jpg`, pinnedUrl: String }] })
  t.equal(host.requests, 3, 'each file is fetched once')
})

t.test(
  'given a host that is down, then it is tried for an hour, and the post is published from it later',
  async (t) => {
    const { world, host, id, service, settle } = await givenScheduled(t)
    host.status = 503
    await settle()
    t.match(await findScheduledPost(world.db, id), { pinned: [] })
    for (let minutes = 0; minutes < 120; minutes += 5) {
      await world.clock.advanceTo(world.clock.now() + 5 * MINUTE)
      await settle()
    }
    t.ok(host.requests > 3 && host.requests < 30, `${host.requests} requests`)
    t.match(await findScheduledPost(world.db, id), { pinned: [{ error: "the media's host returned HTTP 503" }] })
    host.status = 200
    await world.clock.advanceTo(world.clock.now() + 2 * DAY)
    await service.drain()
    t.match(await findPost(world.db, id), { status: 'published' })
  },
)

t.test('given a post that failed on one account, then its copy is kept for a retry', async (t) => {
  const { world, host, id, content, service, settle, files } = await givenScheduled(t)
  const selections = { bluesky: [await world.account('bluesky')], x: [await world.account('x')] }
  const both = (before: PostContent) => ({ ...content(before.mediaUrl), selections })
  await handle(world, post, id, causedBy('both'), (state) =>
    editScheduledPost(state, { content: both }, world.clock.now()),
  )
  await settle()
  host.status = 404
  world.sandbox.faults.script({
    ...{ platform: 'x', call: 'publish', kind: 'reject', times: 1, delayMs: 0, retryAfterSeconds: 30, accepted: false },
  })
  await world.clock.advanceTo(world.clock.now() + 2 * DAY)
  await service.drain()
  t.match(await findPost(world.db, id), {
    status: 'published',
    results: { bluesky: [{ ok: true }], x: [{ ok: false }] },
  })
  await world.clock.advanceTo(world.clock.now() + 3 * DAY)
  await settle()
  t.equal((await files()).length, 1)
  world.sandbox.faults.clear()
  await handle(world, post, id, causedBy('retry'), (state) => retryPost(state, 'x'))
  await service.drain()
  t.match(await findPost(world.db, id), { results: { x: [{ ok: true }] } })
  await world.clock.advanceTo(world.clock.now() + 2 * DAY)
  for (const ms of [DAY, HOUR]) {
    await world.clock.advanceTo(world.clock.now() + ms)
    await settle()
  }
  t.same(await files(), [])
})

t.test('given a workspace without room, then the post is published from its host', async (t) => {
  const { world, id, content: _, ...given } = await givenScheduled(t)
  const { log, clock, db } = world
  const room = createMediaRoom({
    log,
    clock,
    maxBytes: 10,
    keptMedia: (workspaceId) => keptMedia(db, workspaceId, clock.now()),
  })
  const service = await givenProcess(world, { pins: true, room })
  while ((await service.step()) > 0);
  t.match(await findScheduledPost(db, id), { pinned: [{ error: /MEDIA_STORE_MAX/ }] })
  t.same(await given.files(), [])
})

t.test('given a thumbnail among the options, when its host loses it, then the video has the copy', async (t) => {
  const { world, host, origin, content, service, settle } = await givenScheduled(t)
  const thumbnailUrl = `${origin}/cover.jpg`
  const walk: PostContent = {
    ...content(`${world.sandbox.url}/media/sample.mp4`),
    ...{ mediaType: 'video', selections: { youtube: [await world.account('youtube')] } },
    platformOptions: { youtube: { thumbnailUrl } },
  }
  const due = dueAtMoment(new Date(world.clock.now() + DAY).toISOString(), 'UTC')
  const decide = (state: PostState) => schedulePost(state, walk, due, world.clock.now())
  await handle(world, post, 'post_walk', causedBy('walk'), decide)
  await settle()
  const { pinned = [] } = (await findScheduledPost(world.db, 'post_walk')) ?? {}
  t.match(
    pinned.find(({ url }) => url === thumbnailUrl),
    { pinnedUrl: String },
  )
  host.status = 404
  await world.clock.advanceTo(world.clock.now() + DAY)
  await service.drain()
  const [video] = world.sandbox.ledger.posts('youtube')
  t.match(world.sandbox.ledger.media('youtube', video?.id ?? ''), { details: { thumbnail: { bytes: STILL.length } } })
})

t.test('given a platform that fetches media itself, then it gets the copy if it can reach it', async (t) => {
  const { world, first, id, settle } = await givenScheduled(t)
  await settle()
  const { pinned = [] } = (await findScheduledPost(world.db, id)) ?? {}
  const item = [{ url: first, type: 'image' }] as const
  const { instagram, bluesky } = world.platforms
  const copy = { url: /^https:\/\/fanfare\.example\.com\/media\/\w{58}\.jpg$/ }
  for (const isPublic of [false, true]) {
    const own = publicMedia({ log: world.log, url: () => 'https://fanfare.example.com', isPublic })
    t.match(await own.atPresent(item, pinned, instagram, {}), [isPublic ? copy : { url: first }])
    t.match(await own.atPresent(item, pinned, instagram, { baseUrl: world.sandbox.url }), [copy])
    t.match(await own.atPresent(item, pinned, bluesky, {}), [copy])
    t.match(await own.atPresent(item, [], bluesky, {}), [{ url: first }])
  }
})

t.test(
  'given a crash at any point of pinning, then the file is kept once, and deleted with a canceled post',
  async (t) => {
    const crash = async () => Promise.reject(new Error('crashed'))
    for (const when of ['MediaPinned', 'put', 'PostMediaPinned'] as const) {
      const { world, id, settle, files } = await givenScheduled(t)
      const log: EventLog = {
        ...world.log,
        append: async (stream, events, expected) =>
          events.some(({ type }) => type === when) ? crash() : world.log.append(stream, events, expected),
      }
      const mediaStore = when === 'put' ? { ...world.mediaStore, put: crash } : world.mediaStore
      const dying = await givenProcess({ ...world, mediaStore }, { pins: true, log })
      await dying.step()
      t.match(await findScheduledPost(world.db, id), { pinned: [] }, when)
      await world.clock.advanceTo(world.clock.now() + HOUR)
      await settle()
      t.match(await findScheduledPost(world.db, id), { pinned: [{ pinnedUrl: String }] }, when)
      t.equal((await files()).length, 1, when)
      await handle(world, post, id, causedBy('cancel'), cancelSchedule)
      for (const ms of [DAY, HOUR]) {
        await world.clock.advanceTo(world.clock.now() + ms)
        await settle()
      }
      t.same(await files(), [], when)
    }
  },
)
