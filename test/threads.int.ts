import t from 'tap'
import type { HttpResponse } from '../infra/http/http.ts'
import type { MediaFacts } from '../infra/media/media.ts'
import type { PublishJob } from '../platforms/kit/platform.ts'
import { threads } from '../platforms/threads/index.ts'
import { findPost } from '../projections/models/posts.ts'
import type { FaultScript } from '../packages/sandbox/faults.ts'
import { threadsStandIn } from '../packages/sandbox/threads.ts'
import { publish } from './support/connector.ts'
import { testRestarts } from './support/meta.ts'
import { givenAccount, ioOf, memoryCredentials, memoryMedia, postJson } from './support/sandbox.ts'
import {
  answering,
  errorOf,
  fault,
  givenScene,
  largeVideoHost,
  prepared,
  watched,
  type Scene,
} from './support/threads.ts'
import { givenProcess, givenWorld, type World } from './support/world.ts'

const DAY_MS = 86_400_000
const PERMALINK = /^https:\/\/www\.threads\.com\/@ada\/post\/[\w-]{11}$/

t.test('given an account, when an image or a video is published, then one post is live as it was asked', async (t) => {
  for (const kind of ['image', 'video'] as const) {
    const scene = await givenScene(t)
    const { [kind]: job, account } = scene
    const { calls, http } = watched(scene.http)
    const { handle, looks } = await prepared(scene, job, { ...scene.io, http })
    t.equal(looks[0], 3_000)
    t.equal(looks.at(-1), 2_000, 'a finished container is given two seconds more')
    t.same(calls.slice(0, 2), ['GET /:id/threads_publishing_limit', 'POST /:id/threads'])
    t.equal(calls.filter((call) => call.startsWith('POST')).length, 1)
    t.same(scene.live(), [], 'nothing is visible yet')
    t.ok(JSON.stringify(handle).length < 500)
    t.notMatch(JSON.stringify(handle), account.credentials['accessToken'])

    const published = await publish(threads, job, handle, scene.io)
    const [post, ...others] = scene.live()
    t.same(others, [])
    t.match(published, { postId: post?.id, url: PERMALINK })
    t.match(post, { accountId: account.externalId, caption: job.text, mediaUrl: job.mediaUrl, mediaType: kind })
    t.same(await threads.find?.(job, handle, scene.io), { outcome: 'found', found: published })
  }
})

t.test('given a topic and who can reply, then the post has them, and wrong ones are named', async (t) => {
  const scene = await givenScene(t)
  const options = { topic: 'Sourdough bread', replyControl: 'followers_only' }
  for (const media of [undefined, [1, 2].map(() => ({ url: scene.image.mediaUrl, type: 'image' as const }))]) {
    const job = { ...scene.image, options, ...(media && { media }) }
    const { handle } = await prepared(scene, job, scene.io)
    await publish(threads, job, handle, scene.io)
    t.match(scene.live().at(-1), {
      items: { length: media?.length ?? 1 },
      details: { topic_tag: 'Sourdough bread', reply_control: 'followers_only' },
    })
  }
  for (const [wrong, message] of [
    [{ topic: 'Bread & butter' }, /options for Threads are invalid.*1 to 50 characters, without \. and &.*topic/s],
    [{ replyControl: 'nobody' }, /must be one of everyone, accounts_you_follow,/],
  ] as const) {
    const error = await errorOf(prepared(scene, { ...scene.image, options: wrong }, scene.io))
    t.match(error, { kind: 'permanent', message })
  }
})

t.test('given a post without text, then it has none, and is found', async (t) => {
  const scene = await givenScene(t)
  const job = { ...scene.image, text: '' }
  const { handle } = await prepared(scene, job, scene.io)
  const published = await publish(threads, job, handle, scene.io)
  t.equal(scene.live()[0]?.caption, '')
  t.same(await threads.find?.(job, handle, scene.io), { outcome: 'found', found: published })
})

t.test('given a video of 200 MB, when it is prepared, then memory grows by far less', async (t) => {
  const scene = await givenScene(t)
  const host = await largeVideoHost(t, 200_000_000)
  await prepared(scene, scene.video, scene.io)
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5)
  t.teardown(() => clearInterval(timer))
  await prepared(scene, { ...scene.video, mediaUrl: `${host.url}/video.mp4` }, scene.io)
  clearInterval(timer)
  const growth = Math.round((peak - before) / 1e6)
  t.ok(growth < 80, `grew by ${growth} MB at most`)
})

t.test('given slow processing, then it is checked at the pace of Threads, and given up after a day', async (t) => {
  const scene = await givenScene(t)
  const slow = await prepared(scene, scene.scripted('processing:30'), scene.io)
  t.same(new Set(slow.looks.slice(0, 20)), new Set([3_000]), 'every 3 s for a minute')
  t.same(new Set(slow.looks.slice(21, 30)), new Set([15_000]))

  const start = scene.clock.now()
  const { calls, http } = watched(scene.http)
  const error = await errorOf(prepared(scene, scene.scripted('processing:1000000'), { ...scene.io, http }))
  t.match(error, { kind: 'permanent', message: /expire/ })
  t.ok(scene.clock.now() - start < 2.1 * DAY_MS)
  t.ok(scene.clock.now() - start >= 2 * DAY_MS, 'an expired container is made again once')
  t.equal(calls.filter((call) => call === 'POST /:id/threads').length, 2)
  t.same(scene.live(), [])
})

t.test('given a container that fails, then it is made again as often as that may help', async (t) => {
  const scene = await givenScene(t)
  for (const [word, containers, message] of [
    ['FAILED_DOWNLOADING_VIDEO', 2, /could not fetch .*FAILED_DOWNLOADING_VIDEO\. Fanfare tried 2 times\.$/],
    ['FAILED_PROCESSING_AUDIO', 1, /cannot use the media: FAILED_PROCESSING_AUDIO\.$/],
    ['FAILED_PROCESSING_VIDEO', 1, /FAILED_PROCESSING_VIDEO/],
    ['INVALID_ASPEC_RATIO', 1, /INVALID_ASPEC_RATIO/],
    ['INVALID_BIT_RATE', 1, /INVALID_BIT_RATE/],
    ['INVALID_DURATION', 1, /INVALID_DURATION/],
    ['INVALID_FRAME_RATE', 1, /INVALID_FRAME_RATE/],
    ['INVALID_AUDIO_CHANNELS', 1, /INVALID_AUDIO_CHANNELS/],
    ['INVALID_AUDIO_CHANNEL_LAYOUT', 1, /INVALID_AUDIO_CHANNEL_LAYOUT/],
    ['UNKNOWN', 2, /Threads failed: UNKNOWN/],
    ['SOMETHING_NEW', 2, /Threads failed: SOMETHING_NEW/],
  ] as const) {
    const { calls, http } = watched(scene.http)
    const job = scene.scripted(`error:${word}`)
    t.match(await errorOf(prepared(scene, job, { ...scene.io, http })), { kind: 'permanent', message }, word)
    t.equal(calls.filter((call) => call === 'POST /:id/threads').length, containers, word)
  }
  const job = scene.scripted('error:UNKNOWN:1')
  const { handle } = await prepared(scene, job, scene.io)
  await publish(threads, job, handle, scene.io)
  t.equal(scene.live().length, 1)
})

t.test('given a finished container that vanishes, then it is looked for in the list, and made again', async (t) => {
  const scene = await givenScene(t)
  const job = scene.scripted('vanishes:1')
  const { calls, http } = watched(scene.http)
  const { handle } = await prepared(scene, job, { ...scene.io, http })
  t.equal(calls.filter((call) => call === 'POST /:id/threads').length, 2)
  t.ok(calls.filter((call) => call === 'GET /:id/threads').length >= 3)
  await publish(threads, job, handle, scene.io)
  t.equal(scene.live().length, 1)

  const other = scene.scripted('unreadable-after')
  const ready = await prepared(scene, other, scene.io)
  const { postId } = await publish(threads, other, ready.handle, scene.io)
  const again = await prepared(scene, other, scene.io, ready.handle)
  t.match(again.handle, { published: true }, 'the list shows that it is published')
  t.match(await publish(threads, other, again.handle, scene.io), { postId, url: PERMALINK })
  t.equal(scene.live().length, 2, 'it is not sent again')
})

t.test(
  'given a container that is not known to be there when it is published, then the same one is sent again',
  async (t) => {
    const scene = await givenScene(t)
    const job = scene.scripted('late-to-publish:2')
    let { handle } = await prepared(scene, job, scene.io)
    for (let call = 0; call < 2; call += 1) {
      const error = await errorOf(publish(threads, job, handle, scene.io))
      t.match(error, { kind: 'retryable', retryAfterMs: 5_000, accountRests: false })
      const before = handle['containerId']
      handle = (await prepared(scene, job, scene.io, handle)).handle
      t.equal(handle['containerId'], before)
    }
    await publish(threads, job, handle, scene.io)
    t.equal(scene.live().length, 1)
  },
)

t.test(
  'given a lost response, when the container is checked, then it knows the outcome, and the list has the post',
  async (t) => {
    const scene = await givenScene(t)
    const lose = async (job: PublishJob) => {
      const { handle } = await prepared(scene, job, scene.io)
      scene.sandbox.faults.script(fault({ kind: 'server_error', accepted: true }))
      t.match(await errorOf(publish(threads, job, handle, scene.io)), { kind: 'ambiguous' })
      return handle
    }
    const found = (postId: unknown, url: unknown = PERMALINK) => ({ outcome: 'found', found: { postId, url } })

    const first = await lose(scene.image)
    t.match(await threads.find?.(scene.image, first, scene.io), found(scene.live()[0]?.id))

    const { handle: unsent } = await prepared(scene, scene.image, scene.io)
    t.same(await threads.find?.(scene.image, unsent, scene.io), { outcome: 'absent' })
    t.same(unsent['others'], [scene.live()[0]?.id], 'the earlier post of the same text is not taken for it')

    const { handle: mine } = await prepared(scene, scene.image, scene.io)
    for (const one of [unsent, mine]) await publish(threads, scene.image, one, scene.io)
    const several = { outcome: 'found', found: { postId: mine['containerId'] } }
    t.same(await threads.find?.(scene.image, mine, scene.io), several, 'either of two could be it')

    const late = { ...scene.scripted('listed-after:30'), text: 'late' }
    const lateHandle = await lose(late)
    t.same(await threads.find?.(late, lateHandle, scene.io), { outcome: 'processing', lookAgainMs: 10_000 })
    await scene.clock.advanceTo(scene.clock.now() + 31_000)
    t.match(await threads.find?.(late, lateHandle, scene.io), found(scene.live().at(-1)?.id))

    const never = { ...scene.scripted('listed-after:100000'), text: 'never' }
    const neverHandle = await lose(never)
    await scene.clock.advanceTo(scene.clock.now() + 120_000)
    t.same(await threads.find?.(never, neverHandle, scene.io), {
      outcome: 'found',
      found: { postId: neverHandle['containerId'] },
    })

    const hidden = { ...scene.scripted('unreadable-after'), text: 'hidden' }
    const hiddenHandle = await lose(hidden)
    t.match(await threads.find?.(hidden, hiddenHandle, scene.io), found(scene.live().at(-1)?.id))
    t.match(await threads.find?.({ ...hidden, text: 'other' }, hiddenHandle, scene.io), { outcome: 'processing' })
    await scene.clock.advanceTo(scene.clock.now() + 120_000)
    t.same(await threads.find?.({ ...hidden, text: 'other' }, hiddenHandle, scene.io), { outcome: 'unknown' })
  },
)

t.test('given the status of a container, then each has its own outcome', async (t) => {
  const scene = await givenScene(t)
  const { handle } = await prepared(scene, scene.image, scene.io)
  const find = async (response: HttpResponse) => {
    const { http } = watched(scene.http, (call, ask) => (call === 'GET /:id' ? Promise.resolve(response) : ask()))
    return threads.find?.(scene.image, handle, { ...scene.io, http })
  }
  const says = (status: string) => answering(200, { id: '1', status })
  t.same(await find(says('IN_PROGRESS')), { outcome: 'processing', lookAgainMs: 3_000 })
  t.same(await find(says('EXPIRED')), { outcome: 'absent' })
  t.same(await find(says('ERROR')), { outcome: 'absent' })
  t.match(await errorOf(find(says('PUZZLED'))), { kind: 'retryable', message: /PUZZLED/ })
  t.match(await errorOf(find(answering(502, '<html>'))), { kind: 'retryable' })
  await scene.clock.advanceTo(scene.clock.now() + 120_000)
  const noStatus = { error: { code: 100, message: '(#100) Tried accessing nonexisting field (status)' } }
  t.match(await find(answering(400, noStatus)), { outcome: 'found', found: { postId: handle['containerId'] } })
})

t.test('given a post that breaks rules, then each is named with its limit, and nothing is called', async (t) => {
  const image: MediaFacts = { mediaType: 'image', mimeType: 'image/jpeg', bytes: 1_000, width: 10, height: 10 }
  const video: MediaFacts = { mediaType: 'video', mimeType: 'video/mp4', bytes: 1_000, width: 1080, height: 1920 }
  const check = (text: string) => threads.check({ text, mediaType: 'image' }, undefined)
  const tooLong = (length: number) => [
    `Threads accepts texts of at most 500 characters, with emoji counted as their bytes; this one has ${length}.`,
  ]
  t.same(check('ü'.repeat(500)), [])
  t.same(check('x'.repeat(501)), tooLong(501))
  t.same(check('🎺'.repeat(125)), [])
  t.same(check(`${'🎺'.repeat(125)}.`), tooLong(501))
  t.same(check('👩‍🚀'.repeat(46)), tooLong(506), 'with what joins its parts')
  t.same(check('🇩🇪'.repeat(63)), tooLong(504))
  t.same(check('1️⃣'.repeat(72)), tooLong(504))
  const links = (count: number) => Array.from({ length: count }, (_, n) => `https://example.com/${n}`).join(', ')
  t.same(check(`${links(5)} (https://example.com/1).`), [], 'the same link counts once')
  t.same(check(links(6)), ['Threads accepts at most 5 different links; this text has 6.'])
  for (const [facts, broken] of [
    [
      { ...image, mimeType: 'image/webp' },
      'Threads accepts images as JPEG or PNG (image/jpeg, image/png); this one is image/webp.',
    ],
    [
      { ...image, width: 1010, height: 100 },
      'Threads accepts images with a ratio of at most 10:1; this one is 1010x100, 10.1:1.',
    ],
    [
      { ...video, mimeType: 'video/webm' },
      'Threads accepts videos as MP4 or MOV (video/mp4, video/quicktime); this one is video/webm.',
    ],
    [
      { ...video, width: 1921, height: 1000 },
      'Threads accepts videos of at most 1920 pixels in width; this one has 1921.',
    ],
    [
      { ...video, width: 1010, height: 100 },
      'Threads accepts videos with a ratio between 0.01:1 and 10:1; this one is 1010x100, 10.1:1.',
    ],
    [
      { ...video, width: 9, height: 1000 },
      'Threads accepts videos with a ratio between 0.01:1 and 10:1; this one is 9x1000, 0.009:1.',
    ],
    [{ ...video, durationMs: 300_001 }, 'Threads accepts videos of at most 300 s; this one is 300.001 s.'],
  ] as const) {
    t.same(threads.check({ text: 'ok', mediaType: facts.mediaType }, facts), [broken])
  }
  t.same(threads.check({ text: 'ok', mediaType: 'video' }, { ...video, durationMs: 300_000 }), [])
  t.match(threads.takes, {
    image: { maxBytes: 8_000_000, isFetched: true },
    video: { maxBytes: 1_000_000_000, isFetched: true },
  })

  const scene = await givenScene(t)
  const { calls, http } = watched(scene.http)
  const media = memoryMedia(scene.http)
  const io = { ...scene.io, http, media }
  const long = { ...scene.image, text: `${'x'.repeat(501)} ${links(6)}` }
  t.match(await errorOf(threads.prepare(long, io, undefined)), { kind: 'permanent', message: /has \d+\. .*has 6\.$/ })
  const feed = { ...scene.image, mediaUrl: `${scene.sandbox.url}/feed.xml` }
  t.match(await errorOf(threads.prepare(feed, io, undefined)), { kind: 'permanent' })
  t.same(calls, [])
  t.equal(media.kept, 0, 'the media are disposed of')
  t.match(await errorOf(publish(threads, scene.image, { mediaId: '1' }, io)), { kind: 'permanent' }, 'a foreign handle')
})

t.test('given an error of Threads, then visible and invisible calls are distinguished, and it is quoted', async (t) => {
  const scene = await givenScene(t)
  const { handle } = await prepared(scene, scene.image, scene.io)
  const hour = { retryAfterMs: 3_600_000, accountRests: true }
  const rows: readonly (readonly [number, unknown, hidden: object, visible?: object | undefined])[] = [
    ...[190, 102].map((code) => [401, { code }, { kind: 'needs-reauth' }] as const),
    ...[460, 463, 467].map((sub) => [400, { code: 190, error_subcode: sub }, { kind: 'needs-reauth' }] as const),
    ...[10, 200, 299].map((code) => [403, { code }, { kind: 'forbidden', message: /permission/ }] as const),
    [400, { code: 24, error_subcode: 4279013 }, { kind: 'permanent', message: /restricted/ }],
    [400, { code: 100, error_subcode: 2207051 }, { kind: 'permanent' }, { kind: 'ambiguous', message: /spam/ }],
    [400, { code: 368 }, { kind: 'permanent', message: /policies/ }],
    ...[4, 17, 32, 613].map((code) => [400, { code }, { kind: 'retryable', ...hour }] as const),
    [429, 'slow down', { kind: 'retryable', ...hour }],
    [429, { code: 99999 }, { kind: 'retryable', ...hour }],
    [400, { code: 24, error_subcode: 4279009 }, { kind: 'permanent' }, { kind: 'retryable', retryAfterMs: 5_000 }],
    [400, { code: 100, message: 'text must be at most 500' }, { kind: 'permanent', message: /at most 500/ }],
    [400, { code: 100, message: 'THREADS_API__LINK_LIMIT_EXCEEDED' }, { kind: 'permanent' }],
    [400, { code: 100, error_subcode: 33 }, { kind: 'retryable' }, { kind: 'ambiguous' }],
    [400, { code: 100, error_subcode: 2207052 }, { kind: 'permanent' }, { kind: 'ambiguous' }],
    [400, { code: 77777 }, { kind: 'permanent', message: /refused/ }],
    [400, { code: 77777, is_transient: true }, { kind: 'retryable' }, { kind: 'ambiguous' }],
    ...[1, 2].map((code) => [500, { code }, { kind: 'retryable' }, { kind: 'ambiguous' }] as const),
    [503, { code: 77777 }, { kind: 'retryable' }, { kind: 'ambiguous' }],
    [502, '<html>', { kind: 'retryable' }, { kind: 'ambiguous' }],
    [200, '<html>', { kind: 'retryable' }, { kind: 'ambiguous' }],
    [200, { id: 5 }, { kind: 'retryable' }, { kind: 'ambiguous' }],
  ]
  const token = scene.account.credentials['accessToken'] ?? ''
  for (const [status, said, hidden, visible = hidden] of rows) {
    const quoting = { message: `Oh ${token}`, fbtrace_id: 'Trace1' }
    const body = typeof said === 'object' && status !== 200 ? { error: { ...quoting, ...said } } : said
    const { http } = watched(scene.http, (call, ask) =>
      call.startsWith('POST') ? Promise.resolve(answering(status, body)) : ask(),
    )
    const io = { ...scene.io, http }
    const name = `${status} ${JSON.stringify(said)}`
    const unseen = await errorOf(threads.prepare(scene.image, io, undefined))
    const seen = await errorOf(publish(threads, scene.image, handle, io))
    t.match(unseen, hidden, name)
    t.match(seen, visible, name)
    for (const { message } of [unseen, seen]) t.notOk(message.includes(token), 'no token is shown')
  }
  const { http } = watched(scene.http, (call, ask) =>
    call.startsWith('POST') ? Promise.resolve(answering(400, { error: { code: 4 } }, { 'retry-after': '90' })) : ask(),
  )
  const limited = await errorOf(publish(threads, scene.image, handle, { ...scene.io, http }))
  t.match(limited, { kind: 'retryable', retryAfterMs: 90_000, accountRests: true })
  t.same(scene.live(), [])
})

t.test('given media that were not fetched when the container was made, then that is tried once more', async (t) => {
  const scene = await givenScene(t)
  let failures = 0
  const { http } = watched(scene.http, (call, ask) => {
    if (call !== 'POST /:id/threads' || (failures += 1) > 1) return ask()
    return Promise.resolve(answering(400, { error: { code: 100, error_subcode: 2207052 } }))
  })
  await prepared(scene, scene.image, { ...scene.io, http })
  t.equal(failures, 2)
})

t.test('given a full quota, then the account rests, and a quota that cannot be read is no obstacle', async (t) => {
  const scene = await givenScene(t)
  const limit = (response: HttpResponse) => {
    const { http } = watched(scene.http, (call, ask) =>
      call === 'GET /:id/threads_publishing_limit' ? Promise.resolve(response) : ask(),
    )
    return threads.prepare(scene.image, { ...scene.io, http }, undefined)
  }
  const full = { data: [{ quota_usage: 250, config: { quota_total: 250, quota_duration: 86_400 } }] }
  t.match(await errorOf(limit(answering(200, full))), {
    kind: 'retryable',
    accountRests: true,
    retryAfterMs: 21_600_000,
    message: /250 of 250/,
  })
  t.match(await errorOf(limit(answering(429, ''))), { kind: 'retryable', accountRests: true })
  t.match(await limit(answering(500, '')), { outcome: 'processing' })
})

t.test('given a token near its end, then it is renewed once for all, and kept; a failed renewal waits', async (t) => {
  const scene = await givenScene(t)
  const stored = async () => (await scene.credentials.read())['accessToken']
  const start = scene.clock.now()
  const connected = await threads.connect(scene.account.credentials, scene.account.baseUrl, scene.io)
  const credentials = memoryCredentials(connected.credentials)
  const first = connected.credentials['accessToken']
  await scene.clock.advanceTo(start + 49 * DAY_MS)
  const { calls, http } = watched(scene.http)
  const io = { ...scene.io, http, credentials }
  const refreshes = () => calls.filter((call) => call === 'GET /refresh_access_token').length
  const look = () => threads.prepare(scene.image, io, undefined)
  await look()
  t.equal(refreshes(), 0)

  await scene.clock.advanceTo(start + 51 * DAY_MS)
  scene.sandbox.faults.script(fault({ call: 'refresh', kind: 'server_error' }))
  await look()
  t.equal((await credentials.read())['accessToken'], first, 'the old one is good for a while yet')
  await Promise.all([look(), look(), look()])
  t.equal(refreshes(), 2, 'one failed, and one was for all three')
  const renewed = await credentials.read()
  t.not(renewed['accessToken'], first)
  t.equal(Date.parse(renewed['expiresAt'] ?? '') > start + 110 * DAY_MS, true)

  await scene.clock.advanceTo(start + 200 * DAY_MS)
  t.match(await errorOf(look()), { kind: 'needs-reauth' }, 'a token that has ended cannot be renewed')
  t.equal(await stored(), scene.account.credentials['accessToken'])
})

t.test(
  'given a token that Threads declares void, then a renewal is tried where it may help, and else not',
  async (t) => {
    const scene = await givenScene(t)
    const { credentials } = await threads.connect(scene.account.credentials, scene.account.baseUrl, scene.io)
    for (const [days, refreshes] of [
      [0, 0],
      [2, 1],
    ] as const) {
      const account = await givenAccount(scene.http, scene.sandbox, 'threads', { externalId: scene.account.externalId })
      const { handle } = await prepared(scene, scene.image, {
        ...scene.io,
        credentials: memoryCredentials(account.credentials),
      })
      await scene.clock.advanceTo(scene.clock.now() + days * DAY_MS)
      scene.sandbox.faults.script(fault({ kind: 'token_expired' }))
      const { calls, http } = watched(scene.http)
      const io = ioOf(http, { ...credentials, ...account.credentials }, { clock: scene.clock })
      const fresh =
        days === 0 ? handle : (await prepared(scene, scene.image, { ...scene.io, ...io, media: scene.io.media })).handle
      t.match(await errorOf(publish(threads, scene.image, fresh, io)), { kind: 'needs-reauth', message: /Connect/ })
      t.equal(calls.filter((call) => call === 'GET /refresh_access_token').length, refreshes)
    }
    t.same(scene.live(), [])
  },
)

t.test(
  'given credentials, when they are connected, then the owner is found, or the error says what is wrong',
  async (t) => {
    const scene = await givenScene(t)
    const { accessToken = '', expiresAt = '' } = scene.account.credentials
    const connect = (given: Readonly<Record<string, string>>) => threads.connect(given, scene.account.baseUrl, scene.io)
    t.match(await connect({ accessToken, expiresAt }), {
      externalId: scene.account.externalId,
      label: 'ada',
      credentials: { accessToken, expiresAt, issuedAt: String },
    })
    const young = await connect({ accessToken })
    t.equal(young.credentials['accessToken'], accessToken, 'too young to be renewed')
    await scene.clock.advanceTo(scene.clock.now() + 2 * DAY_MS)
    const old = await connect({ accessToken })
    t.not(old.credentials['accessToken'], accessToken, 'renewed, to learn its end')
    t.match(await errorOf(connect({})), { kind: 'permanent', message: /accessToken/ })
    t.match(await errorOf(connect({ accessToken, expiresAt: 'soon' })), { kind: 'permanent', message: /expiresAt/ })
    t.match(await errorOf(connect({ accessToken: 'wrong' })), { kind: 'needs-reauth' })
    t.match(
      await errorOf(
        threads.publish(scene.image, { containerId: '1', createdAt: expiresAt, failures: 0 }, ioOf(scene.http, {})),
      ),
      {
        kind: 'needs-reauth',
      },
    )
  },
)

t.test('given wrong requests, then the stand-in refuses them as Threads does', async (t) => {
  const scene = await givenScene(t)
  const { externalId, credentials, baseUrl } = scene.account
  const call = async (method: 'GET' | 'POST', path: string, form?: Readonly<Record<string, string>>) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const token = new URLSearchParams({ access_token: credentials['accessToken'] ?? '' })
    const url = `${baseUrl}${path}${path.includes('?') ? '&' : '?'}${token}`
    const more = form ? { headers, body: new URLSearchParams(form).toString() } : {}
    const { status, text } = await scene.http.request(url, { method, ...more })
    return `${status} ${text()}`
  }
  const own = `/v1.0/${externalId}`
  const image = { media_type: 'IMAGE', image_url: scene.image.mediaUrl }
  const create = (form: Readonly<Record<string, string>>) => call('POST', `${own}/threads`, form)
  t.match(await create({ image_url: scene.image.mediaUrl }), /^400 .*media_type.*"code":100/)
  t.match(await create({ media_type: 'VIDEO', image_url: scene.image.mediaUrl }), /^400 .*"code":100/)
  t.match(await create({ ...image, image_url: 'http://example.com/a.jpg' }), /^400 .*HTTPS/)
  t.match(await create({ ...image, text: 'x'.repeat(501) }), /^400 .*at most 500 characters/)
  t.match(await create({ ...image, text: '🎺'.repeat(126) }), /^400 .*at most 500 characters/)
  t.match(await create({ ...image, text: [1, 2, 3, 4, 5, 6].map((n) => `https://a.b/${n}`).join(' ') }), /LINK_LIMIT/)
  t.match(await create({ ...image, caption: 'no' }), /^400 .*caption/)
  t.match(await create({ ...image, topic_tag: 'a.b' }), /^400 .*topic_tag/)
  t.match(await create(image), /^200 /)
  t.match(await call('POST', `/v1.0/1234/threads`, image), /^400 .*"code":10,/)
  t.match(await call('POST', `${own}/threads_publish`, { creation_id: '1' }), /^400 .*4279009/)
  t.match(await call('GET', '/v1.0/1'), /^400 .*"code":24/)
  t.match(await call('GET', `${own}/threads?since=1`), /^400 .*since/)
  t.match(await call('GET', `${own}/threads?limit=101`), /^400 .*limit/)
  t.match(await call('GET', '/refresh_access_token?grant_type=ig_refresh_token'), /^400 .*grant_type/)
  t.match(await call('GET', '/refresh_access_token?grant_type=th_refresh_token'), /^400 .*24 hours/)
  t.match(await call('GET', '/v2.0/me/x/y'), /^404 /)
  t.match(await create({ ...image, image_url: scene.video.mediaUrl }), /^200 /, 'what it is shows later')
  const post = await published(scene)
  t.match(await call('GET', `/v1.0/${post}?fields=status`), /^400 .*nonexisting field \(status\)/)
  t.match((await postJson(scene.http, `${baseUrl}${own}/threads`, image)).status, 415)
})

async function published(scene: Scene): Promise<string> {
  const { handle } = await prepared(scene, scene.image, scene.io)
  return (await publish(threads, scene.image, handle, scene.io)).postId
}

t.test('given more posts than a page, then all are looked through, by cursor', async (t) => {
  const scene = await givenScene(t)
  const { handle } = await prepared(scene, scene.image, scene.io)
  const { postId } = await publish(threads, scene.image, handle, scene.io)
  const [post] = scene.live()
  if (!post) throw new Error('no post')
  for (let n = 0; n < 230; n += 1) scene.sandbox.ledger.addPost({ ...post, id: `8${n}`, caption: 'x', token: `8${n}` })
  const { calls, http } = watched(scene.http)
  const answer = await threads.find?.(scene.image, handle, { ...scene.io, http })
  t.match(answer, { outcome: 'found', found: { postId } })
  t.equal(calls.filter((call) => call === 'GET /:id/threads').length, 4, 'the last page is empty')
})

const postOf = async (world: World, id: string) => (await findPost(world.db, id)) ?? t.fail('no post')

t.test('given the whole guard', async (t) => {
  const scenarios: readonly [name: string, fault: FaultScript | undefined, query: string][] = [
    ['all goes well', undefined, ''],
    ['the answer to the publish is lost', fault({ kind: 'accept_then_timeout' }), ''],
    ['it answers 500 after it took the post', fault({ kind: 'server_error', accepted: true }), ''],
    ['it answers 500 and took nothing', fault({ kind: 'server_error' }), ''],
    ['it is over its rate limit', fault({ kind: 'rate_limit', retryAfterSeconds: 900 }), ''],
    ['the container is known late', undefined, '?sandbox=late-to-publish:3'],
    ['the container cannot be read any more', fault({ kind: 'accept_then_timeout' }), '?sandbox=unreadable-after'],
    ['the post is listed late', fault({ kind: 'accept_then_timeout' }), '?sandbox=listed-after:10'],
  ]
  for (const [name, script, query] of scenarios) {
    await t.test(`when ${name}, then exactly one post is live, and the post is published`, async (t) => {
      const world = await givenWorld(t, { platforms: { threads }, standIns: [threadsStandIn] })
      const accountId = await world.account('threads')
      if (script) world.sandbox.faults.script(script)
      const mediaUrl = `${world.sandbox.url}/media/sample.jpg${query}`
      const queue = { selections: { threads: [accountId] }, mediaUrl, hashtags: ['one'] }
      const id = await (await givenProcess(world)).queue(queue)
      // Each step by another process: nothing is kept but what is recorded.
      for (let steps = 0; steps < 3; steps += 1) await (await givenProcess(world)).step()
      await (await givenProcess(world)).drain()
      const [live, ...others] = world.sandbox.ledger.posts('threads')
      t.same(others, [])
      t.equal(live?.caption, 'A caption\n\n#one')
      t.match(await postOf(world, id), {
        status: 'published',
        results: { threads: [{ accountId, ok: true, postId: live?.id, url: /^https:\/\/www\.threads\.com\// }] },
      })
    })
  }
})

t.test('given a container, when the sandbox is closed and opened on the same folder', (t) =>
  testRestarts(t, threads, threadsStandIn),
)
