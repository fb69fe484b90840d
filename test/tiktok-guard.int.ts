import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { tiktok } from '../platforms/tiktok/index.ts'
import { findPost } from '../projections/models/posts.ts'
import type { FaultScript } from '../packages/sandbox/faults.ts'
import { tiktokStandIn, tiktokStandInWith } from '../packages/sandbox/tiktok.ts'
import { fused, type CrashPoint } from './support/fuse.ts'
import { sample } from './support/media-samples.ts'
import { httpServer } from './support/outbound-servers.ts'
import { errorOf } from './support/pinterest.ts'
import { postJson } from './support/sandbox.ts'
import { find, givenScene, prepared, sentPhoto, settled } from './support/tiktok.ts'
import { givenProcess, givenWorld, type World } from './support/world.ts'
import { hostOfVideo } from './support/youtube.ts'

const given = (t: Test): Promise<World> => givenWorld(t, { platforms: { tiktok }, standIns: [tiktokStandIn] })
type Fault = Partial<FaultScript> & Pick<FaultScript, 'kind'>

function script(world: World, fault: Fault): void {
  world.sandbox.faults.script({
    platform: 'tiktok',
    call: 'publish',
    times: 1,
    delayMs: 0,
    retryAfterSeconds: 900,
    accepted: false,
    ...fault,
  })
}

t.test('given a service with a TikTok account', async (t) => {
  const world = await given(t)
  const service = await givenProcess(world)

  /** Publishes and lets everything happen that is owed. */
  const published = async (
    mediaType: 'image' | 'video',
    faults: readonly Fault[],
    caption: string,
    mediaUrl?: string,
  ) => {
    const accountId = await world.account('tiktok')
    const before = world.sandbox.ledger.posts('tiktok').length
    faults.forEach((fault) => script(world, fault))
    const file = mediaType === 'image' ? 'sample.jpg' : 'sample.mp4'
    const url = mediaUrl ?? `${world.sandbox.url}/media/${file}`
    const id = await service.queue({ selections: { tiktok: [accountId] }, mediaType, mediaUrl: url, caption })
    await service.drain()
    const row = await findPost(world.db, id)
    t.same(world.sandbox.faults.pending(), [])
    return { row, result: row?.results['tiktok']?.[0], live: world.sandbox.ledger.posts('tiktok').slice(before) }
  }

  for (const [name, faults] of [
    ['all goes well', []],
    ['the answer is lost', [{ kind: 'accept_then_timeout' }]],
    ['it answers 500 after it took the post', [{ kind: 'server_error', accepted: true }]],
    ['the access has expired', [{ kind: 'token_expired' }]],
    [
      'the renewal of the access is lost',
      [{ kind: 'token_expired' }, { call: 'refresh', kind: 'accept_then_timeout' }],
    ],
    ['it is over its rate limit', [{ kind: 'rate_limit' }]],
    ['it is slow', [{ kind: 'slow' }]],
  ] as const) {
    for (const mediaType of ['image', 'video'] as const) {
      await t.test(`when ${name}, then the ${mediaType} is live once and known as published`, async (t) => {
        const { row, result, live } = await published(mediaType, faults, 'A walk')
        t.equal(live.length, 1)
        t.equal(row?.status, 'published')
        const kind = mediaType === 'image' ? 'photo' : 'video'
        const url = new RegExp(`^https://www\\.tiktok\\.com/@[\\w.%-]+/${kind}/${live[0]?.id}$`)
        t.match(result, { ok: true, postId: live[0]?.id, url })
      })
    }
  }

  for (const [name, faults, caption, count, expected] of [
    ['takes nothing of the last part twice', [{ kind: 'server_error', times: 2 }], 'A walk', 1, { ok: true }],
    ['fails at it once', [], '[sandbox fail=internal:1]', 1, { ok: true }],
    ['refuses it', [{ kind: 'reject' }], 'A walk', 0, { ok: false, error: /spam_risk/, outcome: undefined }],
    ['cannot use it', [], '[sandbox fail=frame_rate_check_failed]', 0, { ok: false, error: /frame rate/ }],
  ] as const) {
    await t.test(`when TikTok ${name}, then ${count} video is live`, async (t) => {
      const { result, live } = await published('video', faults, caption)
      t.match(result, expected)
      t.equal(live.length, count)
    })
  }

  await t.test(
    'when a photo is lost and not listed, then the outcome is unknown, and it is not sent again',
    async (t) => {
      const { result, live } = await published('image', [{ kind: 'accept_then_timeout' }], '[sandbox listed=no]')
      t.match(result, { ok: false, outcome: 'unknown' })
      t.equal(live.length, 1)
    },
  )

  await t.test('when a video has many parts, then it is live once, byte by byte', async (t) => {
    const host = await hostOfVideo(t, 15_000_000)
    const { result, live } = await published('video', [{ kind: 'accept_then_timeout' }], 'Long', host.url)
    t.match(result, { ok: true })
    t.same(
      live.map(({ id }) => world.sandbox.ledger.media('tiktok', id)?.sha256),
      [host.sha256],
    )
  })
})

t.test('given a video on its way, when the process dies before or after any act, then it is live once', async (t) => {
  const world = await given(t)
  const accountId = await world.account('tiktok')
  const host = await hostOfVideo(t, 12_000_000)
  const run = async (caption: string, point?: CrashPoint) => {
    world.sandbox.faults.clear()
    const command = { selections: { tiktok: [accountId] }, mediaType: 'video' as const, mediaUrl: host.url, caption }
    const id = await (await givenProcess(world)).queue(command)
    const fuse = fused(world, point)
    await (await givenProcess(world, { ...fuse, slots: 1 })).drain().catch((error: unknown) => {
      if (!fuse.dead()) throw error
    })
    await (await givenProcess(world, { slots: 1 })).drain()
    const live = world.sandbox.ledger.posts('tiktok').filter((post) => post.caption === caption)
    t.equal(live.length, 1, `${caption}: live once`)
    t.match(
      await findPost(world.db, id),
      { status: 'published', results: { tiktok: [{ postId: live[0]?.id }] } },
      caption,
    )
    return fuse.acts
  }
  const acts = await run('no crash')
  t.ok(acts.length >= 10, acts.join(', '))
  for (let act = 0; act < acts.length; act += 1) {
    for (const moment of ['before', 'after'] as const) await run(`${moment} ${act}, ${acts[act]}`, { act, moment })
  }
})

t.test('given a sandbox that ends with what it has, then the next one knows it', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-tiktok-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const images = await httpServer(t, (_request, response) => response.end(sample('picture.jpg')))
  const first = await givenScene(t, { dataDir })
  const image = { ...first.photo, mediaUrl: `${images.url}/picture.jpg` }
  const announced = await prepared(first, first.video)
  const complete = await prepared(first, first.video)
  await settled(first, () => tiktok.publish(first.video, complete, first.io))
  const photo = await sentPhoto(first, image)
  await first.sandbox.close()

  const second = await givenScene(t, { dataDir })
  const account = { ...first.video.account, baseUrl: second.account.baseUrl }
  const job = { ...first.video, mediaUrl: second.video.mediaUrl, account }
  const io = { ...second.io, credentials: first.store }
  const uploadUrl = String(announced['uploadUrl']).replace(first.sandbox.url, second.sandbox.url)
  const one = await settled(second, () => tiktok.publish(job, { ...announced, uploadUrl }, io))
  const two = await settled(second, () => tiktok.publish(job, complete, io))
  for (const _ of [1, 2]) await find({ ...second, io }, { ...image, account }, photo)
  t.match(await find({ ...second, io }, { ...image, account }, photo), { outcome: 'found' })
  const live = second.sandbox.ledger.posts('tiktok', { accountId: first.account.externalId })
  t.equal(live.length, 3)
  t.ok([one, two].every(({ postId }) => live.some(({ id }) => id === postId)))
})

t.test('given the stand-in, then it refuses what TikTok refuses', async (t) => {
  const scene = await givenScene(t, { standIn: tiktokStandInWith({ initsAMinute: 6 }) })
  const { plain, account, sandbox } = scene
  const url = `${sandbox.url}/tiktok`
  const bearer = { authorization: `Bearer ${account.credentials['accessToken']}` }
  const post = (path: string, body: object, headers: Record<string, string> = bearer) =>
    postJson(plain, `${url}/v2${path}`, body, headers)
  const info = { privacy_level: 'PUBLIC_TO_EVERYONE', brand_content_toggle: false, brand_organic_toggle: false }
  const source = { source: 'FILE_UPLOAD', video_size: 12, chunk_size: 12, total_chunk_count: 1 }
  const video = { post_info: info, source_info: source }
  const image = { source: 'PULL_FROM_URL', photo_cover_index: 0, photo_images: [scene.photo.mediaUrl] }
  const photo = { media_type: 'PHOTO', post_mode: 'DIRECT_POST', post_info: info, source_info: image }
  const INIT = '/post/publish/video/init/'
  const PHOTO = '/post/publish/content/init/'

  await t.test('when a post is wrong', async (t) => {
    const MB = 1_000_000
    for (const [path, body, status, code] of [
      [INIT, { ...video, x: 1 }, 400, 'invalid_param'],
      [INIT, { ...video, post_info: { ...info, title: 'x'.repeat(2_201) } }, 400, 'invalid_param'],
      [INIT, { ...video, post_info: { ...info, privacy_level: undefined } }, 400, 'invalid_param'],
      [
        INIT,
        { ...video, post_info: { ...info, privacy_level: 'FOLLOWER_OF_CREATOR' } },
        403,
        'privacy_level_option_mismatch',
      ],
      [INIT, { ...video, source_info: { ...source, chunk_size: 4 } }, 400, 'invalid_param'],
      [INIT, { ...video, source_info: { ...source, total_chunk_count: 2 } }, 400, 'invalid_param'],
      [
        INIT,
        { ...video, source_info: { ...source, video_size: 20 * MB, chunk_size: 6 * MB, total_chunk_count: 4 } },
        400,
        'invalid_param',
      ],
      [INIT, { ...video, source_info: { ...source, video_size: 70 * MB, chunk_size: 70 * MB } }, 400, 'invalid_param'],
      [
        INIT,
        { ...video, source_info: { source: 'PULL_FROM_URL', video_url: scene.video.mediaUrl } },
        400,
        'invalid_param',
      ],
      [PHOTO, { ...photo, post_mode: 'MEDIA_UPLOAD' }, 400, 'invalid_param'],
      [PHOTO, { ...photo, post_info: { ...info, title: 'x'.repeat(91) } }, 400, 'invalid_param'],
      [PHOTO, { ...photo, post_info: { ...info, description: 'x'.repeat(4_001) } }, 400, 'invalid_param'],
      [
        PHOTO,
        { ...photo, source_info: { ...image, photo_images: ['https://example.com/a.jpg'] } },
        403,
        'url_ownership_unverified',
      ],
      ['/post/publish/status/fetch/', { publish_id: 'v_pub_file~v2.1' }, 400, 'invalid_publish_id'],
      ['/post/publish/inbox/video/init/', video, 400, 'invalid_param'],
      ['/video/list/?fields=id', { max_count: 21 }, 400, 'invalid_params'],
      ['/video/list/?fields=x,id', {}, 200, 'ok'],
    ] as const) {
      const response = await post(path, body)
      t.equal(response.status, status, JSON.stringify(body).slice(0, 200))
      t.match(response.json(), { error: { code } })
    }
    t.match((await post(INIT, video, {})).json(), { error: { code: 'access_token_invalid' } })
    const other = await post(PHOTO, photo)
    const { publish_id } = (other.json() as { data: { publish_id: string } }).data
    const stranger = await givenScene(t)
    const headers = { authorization: `Bearer ${stranger.account.credentials['accessToken']}` }
    t.equal((await post('/post/publish/status/fetch/', { publish_id }, headers)).status, 401)
  })

  await t.test('when an upload is wrong', async (t) => {
    const { data } = (await post(INIT, video)).json() as { data: { upload_url: string } }
    const put = (headers: Record<string, string | undefined>, body = 'a film here!', to = data.upload_url) => {
      const all = { 'content-type': 'video/mp4', 'content-range': 'bytes 0-11/12', ...headers }
      const defined = Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined)
      return plain.request(to, { method: 'PUT', headers: Object.fromEntries(defined), body })
    }
    for (const [headers, body, status] of [
      [bearer, undefined, 400],
      [{ 'content-type': 'application/json' }, undefined, 400],
      [{ 'content-range': undefined }, undefined, 400],
      [{ 'content-range': 'bytes 0-11/13' }, undefined, 400],
      [{ 'content-range': 'bytes 0-5/12' }, 'a film', 400],
      [{}, 'a film', 400],
      [{}, undefined, 201],
      [{}, undefined, 416],
    ] as const) {
      t.equal((await put(headers, body)).status, status, JSON.stringify(headers))
    }
    t.equal((await put({}, undefined, `${url}/video/?upload_id=1&upload_token=x`)).status, 404)
    const { data: next } = (await post(INIT, video)).json() as { data: { upload_url: string } }
    await scene.later(3_600_000)
    t.equal((await put({}, undefined, next.upload_url)).status, 403)
    t.same(
      scene.live().filter(({ mediaType }) => mediaType === 'video'),
      [],
      'what was no video failed',
    )
  })

  await t.test('when more is begun than a minute has room for', async (t) => {
    for (let each = 0; each < 6; each += 1) t.equal((await post(INIT, video)).status, 200)
    t.match((await post(INIT, video)).json(), { error: { code: 'rate_limit_exceeded' } })
    t.match(await errorOf(tiktok.prepare(scene.video, scene.io, undefined)), {
      kind: 'retryable',
      retryAfterMs: 60_000,
      accountRests: true,
    })
    await scene.later(60_000)
    t.equal((await post(INIT, video)).status, 200)
  })

  await t.test('when a refresh token was replaced and the newer pair has been used', async (t) => {
    const { clientId = '', clientSecret = '', refreshToken = '' } = account.credentials
    const refresh = (over: Record<string, string> = {}) => {
      const form = {
        client_key: clientId,
        client_secret: clientSecret,
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      }
      return fetch(`${url}/v2/oauth/token/`, { method: 'POST', body: new URLSearchParams({ ...form, ...over }) })
    }
    t.match(await (await refresh({ client_secret: 'x' })).json(), { error: 'invalid_client' })
    t.match(await (await refresh({ scope: 'x' })).json(), { error: 'invalid_request' })
    const { access_token, expires_in } = (await (await refresh()).json()) as {
      access_token: string
      expires_in: number
    }
    t.equal(expires_in, 7_200)
    t.match((await post('/post/publish/creator_info/query/', {})).status, 401, 'the old access token is void')
    const headers = { authorization: `Bearer ${access_token}` }
    t.equal((await post('/post/publish/creator_info/query/', {}, headers)).status, 200)
    t.match(await (await refresh()).json(), { error: 'invalid_grant' })
  })
})
