import { DateTime } from 'luxon'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { chargeCredits, grantCredits } from '../commands/credits.ts'
import { handle, load } from '../commands/handle.ts'
import { createMediaRoom } from '../commands/media-room.ts'
import { orderVideo } from '../commands/order-video.ts'
import { partFailed, startRender } from '../commands/render.ts'
import { requestVideo } from '../commands/video.ts'
import { streamName } from '../domain/core/event.ts'
import { credits } from '../domain/video/credits.ts'
import { planVideo } from '../domain/video/video-plan.ts'
import type { VideoEvent } from '../domain/video/video-events.ts'
import { video, type VideoState } from '../domain/video/video.ts'
import { isMediaName } from '../infra/media/media-name.ts'
import { keptMedia } from '../projections/models/kept-media.ts'
import { givenApi } from './support/api.ts'
import { countingProvider } from './support/generation.ts'
import { movableClock } from './support/movable-clock.ts'
import { causedBy, givenProcess } from './support/world.ts'

const videoSchema = z.object({
  id: z.string(),
  status: z.string(),
  progressPct: z.number(),
  statusMessage: z.string(),
  videoUrl: z.string().optional(),
  voiceoverUrl: z.string().optional(),
  aiVoiceover: z.boolean(),
  voiceId: z.string().optional(),
  scenes: z.array(
    z.object({
      status: z.string(),
      aiPrompt: z.string().optional(),
      mediaUrl: z.string().optional(),
      error: z.string().optional(),
    }),
  ),
})
const listSchema = z.object({ videos: z.array(videoSchema), nextCursor: z.string().nullable() })
const ledgerSchema = z.object({
  entries: z.array(
    z.object({
      kind: z.string(),
      amount: z.number(),
      balance: z.number(),
      videoId: z.string().optional(),
      reason: z.string().optional(),
    }),
  ),
  nextCursor: z.string().nullable(),
})

/** An API with a provider that does as it is told, and a workspace with credits. */
async function givenVideos(t: Test, balance = 10) {
  const clock = movableClock()
  const api = await givenApi(t, { clock })
  const { world } = api
  const key = await api.key()
  const provider = countingProvider('opaque', `${world.sandbox.url}/media/sample.mp4`)
  const { videoModel, speechModel } = provider
  const service = await givenProcess(world, { videoModel, speechModel })
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    api.call({ method, path: `/v1${path}`, key, body, headers })
  let grants = 0
  const grant = (amount: number, workspaceId = world.workspaceId) =>
    handle(world, credits, workspaceId, causedBy(`grant ${workspaceId} ${(grants += 1)}`), (state) =>
      grantCredits(state, { workspaceId, amount, reason: 'for tests' }),
    )
  if (balance > 0) await grant(balance)
  await service.step()
  return {
    ...{ api, world, key, provider, service, call, grant, clock },
    request: async (body: object = { prompt: 'A cat' }) =>
      String((await call('POST', '/videos', body)).body['videoId']),
    get: async (id: string) => videoSchema.parse((await call('GET', `/videos/${id}`)).body),
    balance: async () => (await call('GET', '/credits')).body['credits'],
    ledger: async (query = '') => ledgerSchema.parse((await call('GET', `/credits/ledger${query}`)).body),
  }
}

t.test('given a workspace with credits, when a video is asked for', async (t) => {
  const { call, request, get, balance, ledger, service, provider, world } = await givenVideos(t)

  await t.test('then it is charged at once, made, and ready with its clips', async (t) => {
    const body = {
      prompt: 'A cat on a roof',
      scenes: [
        {},
        { aiPrompt: 'It jumps', voiceoverScript: 'There it goes.' },
        { mediaUrl: `${world.sandbox.url}/media/sample.mp4` },
      ],
      aiVoiceover: true,
    }
    const answer = await call('POST', '/videos', body)
    t.match(answer, { status: 202, body: { videoId: /^vid_[0-9A-HJKMNP-TV-Z]{26}$/, creditsRemaining: 7 } })
    const id = String(answer.body['videoId'])
    t.equal(answer.body['id'], id)
    const before = await get(id)
    t.match(before, { status: 'processing', progressPct: 0, statusMessage: 'Next: scene 1 of 3.' })
    t.equal(before.videoUrl, undefined)
    const seen = new Set([before.progressPct])
    for (let rounds = 0; rounds < 50 && (await get(id)).status === 'processing'; rounds += 1) {
      if ((await service.step()) === 0) await service.drain()
      seen.add((await get(id)).progressPct)
    }
    t.ok(seen.size >= 3, `progress was ${[...seen].join(', ')}`)
    const { status, progressPct, statusMessage, videoUrl = '', voiceoverUrl = '', scenes } = await get(id)
    t.same({ status, progressPct, statusMessage }, { status: 'ready', progressPct: 100, statusMessage: 'Ready.' })
    t.equal(videoUrl, scenes[0]?.mediaUrl)
    t.match(scenes, [{ status: 'done' }, { status: 'done' }, { status: 'done', mediaUrl: /sample\.mp4$/ }])
    const files = [videoUrl, scenes[1]?.mediaUrl ?? '', voiceoverUrl].map((url) => url.split('/').at(-1) ?? '')
    t.ok(files.every(isMediaName), files.join(' '))
    t.equal(new Set(files).size, 3)
    t.equal(await balance(), 7)
    t.match(await ledger(), {
      entries: [
        { kind: 'charged', amount: 3, balance: 7, videoId: id },
        { kind: 'granted', amount: 10, balance: 10, reason: 'for tests' },
      ],
      nextCursor: null,
    })
  })

  await t.test('when it only has uploads, then it costs nothing', async (t) => {
    const id = await request({ scenes: [{ mediaSource: 'upload', mediaUrl: `${world.sandbox.url}/media/sample.mp4` }] })
    t.equal(await balance(), 7)
    await service.drain()
    t.match(await get(id), { status: 'ready', videoUrl: /sample\.mp4$/ })
  })

  await t.test('when an upload is no video, then it fails and says so', async (t) => {
    const id = await request({ scenes: [{ mediaUrl: `${world.sandbox.url}/media/sample.jpg` }] })
    await service.drain()
    t.match(await get(id), { status: 'failed', statusMessage: /image/ })
  })

  await t.test('when the key is used again, then it is the same video and charged once', async (t) => {
    const before = await balance()
    const once = () => call('POST', '/videos', { prompt: 'Once' }, { 'idempotency-key': 'once' })
    const [first, second] = await Promise.all([once(), once()])
    t.equal(second.body['videoId'], first.body['videoId'])
    t.equal(await balance(), Number(before) - 1)
  })

  await t.test('when it is saved as draft, then nothing is made or charged', async (t) => {
    const before = await balance()
    const begun = provider.begun().size
    const answer = await call('POST', '/videos', {
      prompt: 'Later',
      aiVoiceover: true,
      voiceId: 'de',
      saveAsDraft: true,
    })
    t.match(answer, { status: 202, body: { creditsRemaining: before } })
    const id = String(answer.body['videoId'])
    await service.drain()
    t.match(await get(id), {
      status: 'draft',
      progressPct: 0,
      scenes: [{ aiPrompt: 'Later' }],
      aiVoiceover: true,
      voiceId: 'de',
    })
    t.equal(provider.begun().size, begun + 1, 'but for the video before')
    t.match(await call('DELETE', `/videos/${id}`), { status: 200, body: { id, deleted: true } })
    t.match(await call('GET', `/videos/${id}`), { status: 404 })
  })

  await t.test('when there are not enough credits, then it is refused and nothing is left behind', async (t) => {
    const before = await balance()
    const { entries } = await ledger()
    const answer = await call('POST', '/videos', { prompt: 'Long', scenes: Array.from({ length: 20 }, () => ({})) })
    t.match(answer, { status: 429, body: { error: { code: 'resource_exhausted', message: /costs 20 credits/ } } })
    t.equal(await balance(), before)
    t.equal((await ledger()).entries.length, entries.length)
  })
})

t.test('given a video that fails', async (t) => {
  const { call, request, get, balance, ledger, service, provider } = await givenVideos(t)

  await t.test('when its provider refuses it, then it has failed, says why, and is refunded once', async (t) => {
    provider.script(['refuse'])
    const id = await request()
    t.equal(await balance(), 9)
    await service.drain()
    t.match(await get(id), {
      status: 'failed',
      statusMessage: /The provider refuses this\./,
      scenes: [{ status: 'failed' }],
    })
    t.equal(await balance(), 10)
    t.match((await ledger()).entries[0], { kind: 'refunded', amount: 1, balance: 10, videoId: id, reason: 'failed' })
    await call('DELETE', `/videos/${id}`)
    await service.drain()
    t.equal(await balance(), 10)
  })

  await t.test('when one scene of two fails, then it is ready with the other, and not refunded', async (t) => {
    provider.script(['refuse', 'well'])
    const id = await request({ prompt: 'Two', scenes: [{}, {}] })
    await service.drain()
    const { status, statusMessage, videoUrl, scenes } = await get(id)
    t.match({ status, statusMessage }, { status: 'ready', statusMessage: /Scene 1 could not be created/ })
    t.equal(videoUrl, scenes[1]?.mediaUrl)
    t.match(scenes, [{ status: 'failed', error: /refuses/, mediaUrl: undefined }, { status: 'done' }])
    t.equal(await balance(), 8)
  })

  await t.test('when the voiceover fails, then it is ready without', async (t) => {
    provider.script(['well', 'refuse'])
    const id = await request({ prompt: 'Mute', aiVoiceover: true })
    await service.drain()
    t.match(await get(id), {
      status: 'ready',
      statusMessage: /The voiceover could not be created/,
      voiceoverUrl: undefined,
    })
  })

  await t.test('when the provider is busy, then it is asked again', async (t) => {
    provider.script(['busy', 'busy'])
    const id = await request()
    await service.drain()
    t.match(await get(id), { status: 'ready' })
  })

  await t.test('when its job fails at the provider, then it has failed', async (t) => {
    provider.fail(true)
    const id = await request()
    await service.drain()
    provider.fail(false)
    t.match(await get(id), { status: 'failed', statusMessage: /The job has failed/ })
  })

  await t.test(
    'when the provider’s response is lost, then nothing is begun twice and the outcome is reported',
    async (t) => {
      provider.script(['taken'])
      const id = await request()
      await service.drain()
      t.match(await get(id), { status: 'failed', statusMessage: /may have started it.*charged twice/ })
      t.same(
        [...provider.begun().values()].filter((times) => times > 1),
        [],
      )
    },
  )

  await t.test('when it is deleted while it is made, then it is gone and refunded', async (t) => {
    const before = Number(await balance())
    const id = await request({ prompt: 'Never mind', scenes: [{}, {}] })
    await service.step()
    t.equal(await balance(), before - 2)
    t.match(await call('DELETE', `/videos/${id}`), { status: 200 })
    t.match(await call('GET', `/videos/${id}`), { status: 404 })
    t.match(await call('DELETE', `/videos/${id}`), { status: 404 })
    await service.drain()
    t.equal(await balance(), before)
    t.match((await ledger()).entries[0], { kind: 'refunded', amount: 2, videoId: id, reason: 'deleted' })
  })
})

t.test('given a video that is ready, when it is deleted, then its files are too', async (t) => {
  const { call, request, get, service, world, balance } = await givenVideos(t)
  const id = await request({ prompt: 'A cat', aiVoiceover: true })
  await service.drain()
  const { videoUrl = '', voiceoverUrl = '' } = await get(id)
  const names = [videoUrl, voiceoverUrl].map((url) => url.split('/').at(-1) ?? '')
  const { signal } = new AbortController()
  const found = async () =>
    Promise.all(names.map(async (name) => (await world.mediaStore.find(name, signal)) !== undefined))
  t.same(await found(), [true, true])
  const before = await balance()
  await call('DELETE', `/videos/${id}`)
  await service.step()
  t.same(await found(), [false, false])
  await service.drain()
  t.equal(await balance(), before, 'what is ready was worth its price')
})

t.test('given a workspace whose media are full, when a video is asked for', async (t) => {
  const { api, world, key, provider, call, request, get, service: roomy, balance } = await givenVideos(t)
  const { signal } = new AbortController()
  const fileOf = async (id: string) => {
    const { videoUrl = '' } = await get(id)
    return { mediaUrl: videoUrl, name: videoUrl.split('/').at(-1) ?? '' }
  }
  const [needed, unneeded] = [await request(), await request()]
  await roomy.drain()
  const files = [await fileOf(needed), await fileOf(unneeded)]
  const kept = async () =>
    Promise.all(files.map(async ({ name }) => (await world.mediaStore.find(name, signal))?.bytes))
  const [bytes = 0] = await kept()
  const schedule = ({ mediaUrl }: { readonly mediaUrl: string }) =>
    call('POST', '/posts/scheduled', { mediaUrl, mediaType: 'video', selections: { x: ['a'] }, date: '2099-01-01' })
  t.match(await schedule(await fileOf(needed)), { status: 201 })
  const room = createMediaRoom({
    ...{ log: world.log, clock: world.clock, maxBytes: 2 * bytes },
    keptMedia: (workspaceId) => keptMedia(world.db, workspaceId, world.clock.now()),
  })
  const { videoModel, speechModel } = provider
  const service = await givenProcess(world, { videoModel, speechModel, room })
  const server = await api.server({ services: { mediaRoom: room } })
  const order = () => server.call({ method: 'POST', path: '/v1/videos', key, body: { prompt: 'A dog' } })

  await t.test('then the oldest that nothing needs goes, and stays listed without its URLs', async (t) => {
    const third = String((await order()).body['videoId'])
    await service.drain()
    t.same(await kept(), [bytes, undefined])
    const expired = await get(unneeded)
    t.match(expired, { status: 'ready', statusMessage: /removed to make room/ })
    t.equal(expired.videoUrl, undefined)
    t.match((await call('GET', `/videos/${unneeded}`)).body, { mediaExpiredAt: String })
    t.match(await get(third), { status: 'ready', videoUrl: String })
    t.match(await schedule(await fileOf(third)), { status: 201 })
    t.match(await call('DELETE', `/videos/${unneeded}`), { status: 200 })
    await service.drain()
  })

  await t.test('then it is refused before any charge when all are needed', async (t) => {
    const before = await balance()
    await service.drain()
    const refused = { status: 409, body: { error: { code: 'failed_precondition', message: /MEDIA_STORE_MAX/ } } }
    t.match(await order(), refused)
    t.equal(await balance(), before)
    t.equal((await kept())[0], bytes)
  })

  await t.test('then a clip that no longer fits when it is made is not kept, and is paid back', async (t) => {
    const before = await balance()
    const late = await request()
    await service.drain()
    t.match(await get(late), { status: 'failed', statusMessage: /MEDIA_STORE_MAX/ })
    t.equal(await balance(), before)
  })
})

t.test(
  'given a post that failed, when its workspace needs room, then its media stay for as long as a retry is likely',
  async (t) => {
    const { api, world, key, provider, call, request, get, service: roomy } = await givenVideos(t)
    const [older, newer] = [await request(), await request()]
    await roomy.drain()
    const { videoUrl: mediaUrl = '' } = await get(older)
    const stored = await world.mediaStore.find(mediaUrl.split('/').at(-1) ?? '', new AbortController().signal)
    const failing = { mediaUrl, mediaType: 'video', selections: { x: ['acc_none'] }, caption: 'x' }
    const { id: postId } = (await call('POST', '/posts', failing)).body
    const room = createMediaRoom({
      ...{ log: world.log, clock: world.clock, maxBytes: 2 * (stored?.bytes ?? 0) },
      keptMedia: (workspaceId) => keptMedia(world.db, workspaceId, world.clock.now()),
    })
    const { videoModel, speechModel } = provider
    const service = await givenProcess(world, { videoModel, speechModel, room })
    const server = await api.server({ services: { mediaRoom: room } })
    const made = async () => {
      const { body } = await server.call({ method: 'POST', path: '/v1/videos', key, body: { prompt: 'A dog' } })
      await service.drain()
      return get(String(body['videoId']))
    }
    await service.drain()
    t.match((await call('GET', `/posts/${String(postId)}`)).body, { status: 'publish_failed' })
    t.match(await made(), { status: 'ready' })
    t.match([await get(older), await get(newer)], [{ videoUrl: String }, { statusMessage: /removed to make room/ }])
    await world.clock.advanceTo(world.clock.now() + 8 * 86_400_000)
    t.match(await made(), { status: 'ready' })
    t.match(await get(older), { statusMessage: /removed to make room/ })
  },
)

t.test(
  'given a charge that is on the agenda, when its video begins and ends at once, then nothing is due',
  async (t) => {
    const { world, service } = await givenVideos(t)
    const { workspaceId } = world
    const settings = planVideo(workspaceId, { prompt: 'A cat', aspectRatio: '9:16', aiVoiceover: false })
    const rows = async () => (await world.db.query(`select subject, part from read.agenda where kind = 'video'`)).rows
    const charge = { workspaceId, videoId: 'vid_1', amount: 1 }
    await handle(world, credits, workspaceId, causedBy('charged'), (state) => chargeCredits(state, charge))
    await service.step()
    t.same(await rows(), [{ subject: 'vid_1', part: workspaceId }])
    const decide = (step: string, decision: (state: VideoState) => readonly VideoEvent[]) =>
      handle(world, video, 'vid_1', causedBy(step), decision)
    await decide('begun', (state) => requestVideo(state, settings, 1))
    await decide('started', (state) => startRender(state, 0))
    await decide('failed', (state) => partFailed(state, { part: 0, attempt: 1 }, { code: 'permanent', error: 'No.' }))
    await service.step()
    t.same(await rows(), [])
  },
)

t.test('given an order that was interrupted after its charge', async (t) => {
  const { call, service, world, balance, ledger } = await givenVideos(t)
  const { workspaceId } = world
  const settings = planVideo(workspaceId, { prompt: 'A cat', aspectRatio: '9:16', aiVoiceover: false })
  const order = (id: string) => orderVideo(world, id, { settings, amount: 1 }, causedBy(`order ${id}`))
  const interrupted = async (id: string) => {
    const charge = { workspaceId, videoId: id, amount: 1 }
    await handle(world, credits, workspaceId, causedBy(`order ${id}`), (state) => chargeCredits(state, charge))
    await service.step()
  }

  await t.test('when it is repeated within 15 minutes, then it continues and is charged once', async (t) => {
    await interrupted('vid_1')
    await order('vid_1')
    await service.drain()
    t.match((await call('GET', '/videos/vid_1')).body, { status: 'ready' })
    t.equal(await balance(), 9)
  })

  await t.test('when it is not, then it is canceled and refunded, and cannot be repeated', async (t) => {
    await interrupted('vid_2')
    t.equal(await balance(), 8)
    await service.drain()
    t.equal(await balance(), 9)
    t.match((await ledger()).entries[0], { kind: 'refund', amount: 1, videoId: 'vid_2' })
    t.equal((await call('GET', '/videos/vid_2')).status, 404)
    t.match((await call('GET', '/videos')).body, { videos: [{ id: 'vid_1' }] })
    await t.rejects(order('vid_2'), { code: 'failed_precondition', message: /Order the video again/ })
    t.equal(await balance(), 9)
  })
})

t.test('given a month of credits, when it ends, then the books are closed', async (t) => {
  const { call, request, service, world, clock, balance, ledger } = await givenVideos(t)
  const { workspaceId } = world
  const settings = planVideo(workspaceId, { prompt: 'A cat', aspectRatio: '9:16', aiVoiceover: false })
  const order = (id: string, amount: number) => orderVideo(world, id, { settings, amount }, causedBy(`order ${id}`))
  await order('vid_1', 1)
  await service.drain()
  const entries = await ledger()
  const closings = async () =>
    (await world.log.read(streamName(credits, workspaceId))).filter(({ type }) => type === 'CreditsClosed')

  await clock.advanceTo(DateTime.fromMillis(clock.now(), { zone: 'utc' }).endOf('month').toMillis() - 60_000)
  const open = await request()
  await service.step()
  t.same(await closings(), [], 'not before it ends')
  await clock.advanceTo(clock.now() + 61_000)
  await service.step()
  t.match(await closings(), [
    { data: { balance: 8, entries: 3, granted: 10, charged: 2, refunded: 0, open: [{ videoId: open, amount: 1 }] } },
  ])
  t.same((await ledger()).entries.slice(1), entries.entries, 'the entries stay listed')
  t.equal((await load(world.log, credits, workspaceId)).totals.entries, 0, 'the closed entries are not read')

  t.equal((await order('vid_1', 1)).balance, 8, 'an order from before is still known')
  await call('DELETE', '/videos/vid_1')
  await service.drain()
  t.equal(await balance(), 8, 'its charge is final')
  await t.rejects(order('vid_2', 9), { code: 'resource_exhausted' })
  await request()
  t.equal(await balance(), 7)
})

t.test('given a body that breaks a rule, then its field is named and nothing is charged', async (t) => {
  const { call, balance, ledger } = await givenVideos(t)
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /^prompt is required/],
    [{}, /^prompt is required/],
    [{ prompt: '   ' }, /^prompt is required/],
    [{ prompt: 7 }, /^prompt/],
    [{ prompt: 'p'.repeat(4001) }, /^prompt/],
    [{ prompt: 'a', scenes: [] }, /^scenes must contain at least one scene/],
    [{ prompt: 'a', scenes: {} }, /^scenes/],
    [{ prompt: 'a', scenes: Array.from({ length: 21 }, () => ({})) }, /^scenes must contain at most 20 scenes/],
    [{ prompt: 'a', scenes: ['cat'] }, /^scenes\[0\]/],
    [{ scenes: [{ aiPrompt: 'a' }, {}] }, /^scenes\[1\]\.aiPrompt is required/],
    [{ scenes: [{ mediaSource: 'upload' }] }, /^scenes\[0\]\.mediaUrl is required/],
    [{ scenes: [{ mediaSource: 'film', aiPrompt: 'a' }] }, /^scenes\[0\]\.mediaSource must be ai or upload/],
    [{ scenes: [{ mediaUrl: 'file:///etc/passwd' }] }, /^scenes\[0\]\.mediaUrl must be a public URL/],
    [{ scenes: [{ aiPrompt: 1 }] }, /^scenes\[0\]\.aiPrompt/],
    [{ prompt: 'a', scenes: [{ voiceoverScript: 'v'.repeat(4001) }] }, /^scenes\[0\]\.voiceoverScript/],
    [{ prompt: 'a', aspectRatio: '4:3' }, /^aspectRatio must be one of 9:16, 1:1, 16:9/],
    [{ prompt: 'a', aiVoiceover: 'yes' }, /^aiVoiceover/],
    [{ scenes: [{ aiPrompt: 'a' }], aiVoiceover: true }, /^aiVoiceover needs text to speak/],
    [{ prompt: 'a', aiVoiceover: true, voiceId: 'klingon' }, /^voiceId must be one of en, de/],
    [{ prompt: 'a', voiceId: '' }, /^voiceId/],
    [{ prompt: 'a', saveAsDraft: 1 }, /^saveAsDraft/],
    [{ saveAsDraft: true }, /^prompt is required/],
    ['a cat', /./],
  ]
  for (const [body, message] of wrong) {
    t.match(
      await call('POST', '/videos', body),
      { status: 400, body: { error: { code: 'invalid_request', message } } },
      JSON.stringify(body)?.slice(0, 80) ?? 'none',
    )
  }
  t.equal(await balance(), 10)
  t.equal((await ledger()).entries.length, 1)
})

t.test('given a service without providers, when a video needs one, then it is refused before any charge', async (t) => {
  const { api, key, balance } = await givenVideos(t)
  const videos = {
    prices: { perScene: 1, voiceover: 1 },
    generates: { video: false, speech: false },
    voices: undefined,
    urlOf: String,
  }
  const server = await api.server({ services: { videos } })
  const post = (body: object) => server.call({ method: 'POST', path: '/v1/videos', key, body })
  t.match(await post({ prompt: 'a' }), { status: 409, body: { error: { message: /VIDEO_PROVIDER/ } } })
  const upload = [{ mediaUrl: 'https://example.com/a.mp4', voiceoverScript: 'Hello' }]
  t.match(await post({ scenes: upload, aiVoiceover: true }), {
    status: 409,
    body: { error: { message: /SPEECH_PROVIDER/ } },
  })
  t.match(await post({ scenes: upload }), { status: 202 })
  t.match(await post({ prompt: 'a', saveAsDraft: true }), { status: 202 })
  t.equal(await balance(), 10)
})

t.test(
  'given fewer credits than callers, when a hundred ask at once, then as many are served as are paid for',
  async (t) => {
    const { call, balance, ledger, service } = await givenVideos(t, 30)
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => call('POST', '/videos', { prompt: 'a', scenes: [{}, {}, {}] })),
    )
    const statuses = answers.map(({ status }) => status)
    t.equal(statuses.filter((status) => status === 202).length, 10)
    t.equal(statuses.filter((status) => status === 429).length, 90)
    t.same(
      answers
        .flatMap(({ body }) => body['creditsRemaining'] ?? [])
        .toSorted((one, other) => Number(other) - Number(one)),
      [27, 24, 21, 18, 15, 12, 9, 6, 3, 0],
    )
    t.equal(await balance(), 0)
    await service.drain()
    t.equal(await balance(), 0)
    const { entries } = await ledger('?limit=100')
    t.equal(new Set(entries.flatMap(({ videoId }) => videoId ?? [])).size, 10)
  },
)

t.test(
  'given many videos and entries, when they are listed by pages, then each is there once, newest first',
  async (t) => {
    const { call, request, ledger, clock } = await givenVideos(t, 10)
    const made: string[] = []
    for (let n = 0; n < 5; n += 1) {
      made.unshift(await request())
      await clock.advanceTo(clock.now() + 1)
    }
    const pages = async <Item>(
      path: string,
      items: (body: unknown) => { items: readonly Item[]; nextCursor: string | null },
    ) => {
      const all: Item[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: { items: readonly Item[]; nextCursor: string | null } = items(
          (await call('GET', `${path}?limit=2${cursor && `&cursor=${cursor}`}`)).body,
        )
        t.ok(page.items.length <= 2)
        all.push(...page.items)
        cursor = page.nextCursor
      }
      return all
    }
    const videos = await pages('/videos', (body) => {
      const { videos: items, nextCursor } = listSchema.parse(body)
      return { items, nextCursor }
    })
    t.same(
      videos.map(({ id }) => id),
      made,
    )
    const entries = await pages('/credits/ledger', (body) => {
      const { entries: items, nextCursor } = ledgerSchema.parse(body)
      return { items, nextCursor }
    })
    t.same(
      entries.map(({ balance }) => balance),
      [5, 6, 7, 8, 9, 10],
    )
    t.same(entries, (await ledger()).entries)
    t.match(await call('GET', '/credits/ledger?cursor=made-up'), { status: 400 })
  },
)
