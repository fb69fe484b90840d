import t from 'tap'
import { pinterest } from '../platforms/pinterest/index.ts'
import type { OtherPosts, Others } from '../platforms/kit/platform.ts'
import { pinText } from '../platforms/pinterest/text.ts'
import type { MediaFacts } from '../infra/media/media.ts'
import { publish } from './support/connector.ts'
import { answering, errorOf, givenScene, prepared, videoHost, watched } from './support/pinterest.ts'
import { ioOf, memoryMedia } from './support/sandbox.ts'

const API = 'https://www.pinterest.com/pin'

t.test(
  'given an account, when an image is published, then one Pin is live that says and shows what was asked',
  async (t) => {
    const scene = await givenScene(t)
    const { io, image, account, sandbox } = scene
    const calls = watched(scene.http)
    const { handle, looks } = await prepared(scene, image, { ...io, http: calls.http })
    t.same(looks, [], 'it is ready at once')
    t.same(calls.calls, [], 'and Pinterest was not asked for it')
    t.same(scene.live(), [])

    const published = await publish(pinterest, image, handle, io)
    const [pin, ...others] = scene.live()
    t.same(others, [])
    t.same(published, { postId: pin?.id, url: `${API}/${pin?.id}/` })
    t.match(pin, {
      accountId: account.externalId,
      caption: image.text,
      mediaUrl: `${sandbox.url}/media/sample.jpg`,
      mediaType: 'image',
      details: { boardId: account.credentials['boardId'], title: 'Golden hour 🌄', description: image.text },
    })
    t.same(await pinterest.find?.(image, handle, io), { outcome: 'found', found: published })
  },
)

t.test('given a section and a link, then the Pin has both, and is found by them', async (t) => {
  const scene = await givenScene(t)
  const { image, account, http } = scene
  const boardSectionId = `${account.credentials['boardId']}7`
  const more = { boardSectionId, link: 'https://example.com/a?b=1&c' }
  const io = { ...scene.io, credentials: ioOf(http, { ...account.credentials, ...more }).credentials }
  const { handle } = await prepared(scene, image, io)
  const published = await publish(pinterest, image, handle, io)
  t.match(scene.live()[0]?.details, more)
  t.same(await pinterest.find?.(image, handle, io), { outcome: 'found', found: published })
})

t.test('given a blank caption, then the Pin has neither title nor description', async (t) => {
  const scene = await givenScene(t)
  const job = { ...scene.image, text: ' \n ' }
  const { handle } = await prepared(scene, job, scene.io)
  const published = await publish(pinterest, job, handle, scene.io)
  t.same(scene.live()[0]?.caption, '')
  t.same(await pinterest.find?.(job, handle, scene.io), { outcome: 'found', found: published })
})

t.test("given a video, when it is prepared, then it is uploaded once and checked at Pinterest's pace", async (t) => {
  const scene = await givenScene(t)
  const host = await videoHost(t)
  const job = { ...scene.image, mediaUrl: `${host.url}/video?end=sandbox=processing:20`, mediaType: 'video' as const }
  const { http, calls } = watched(scene.http)
  const io = { ...scene.io, http }
  const { handle, looks } = await prepared(scene, job, io)
  t.same(looks.slice(0, 12), Array(12).fill(5_000), 'every 5 s for a minute')
  t.same(new Set(looks.slice(12)), new Set([12_000]), 'then slower')
  t.same(calls.slice(0, 3), ['POST /v5/media', 'POST /upload', 'GET /v5/media/:id'])
  t.equal(calls.filter((call) => call === 'POST /upload').length, 1)
  t.same(scene.live(), [], 'nothing is visible yet')
  t.ok(JSON.stringify(handle).length < 500, 'the handle is small')
  t.notMatch(JSON.stringify(handle), /x-amz/, 'and keeps nothing of the signed form')

  const published = await publish(pinterest, job, handle, io)
  const [pin, ...others] = scene.live()
  t.same(others, [])
  t.equal(pin?.id, published.postId)
  t.match(pin, { caption: job.text, mediaType: 'video' })
  const mediaId = pin?.mediaUrl.split('/').at(-1) ?? ''
  const { bytes, mimeType } = scene.sandbox.ledger.media('pinterest', mediaId) ?? {}
  const sent = await scene.http.request(job.mediaUrl)
  t.same({ bytes, mimeType }, { bytes: sent.body.length, mimeType: 'video/mp4' }, 'it arrived whole')
  t.same(await pinterest.find?.(job, handle, io), { outcome: 'found', found: published })
})

t.test('given a video of 200 MB, when it is uploaded, then memory grows by far less', async (t) => {
  const scene = await givenScene(t)
  const host = await videoHost(t)
  const job = { ...scene.image, mediaUrl: `${host.url}/video?zeros=200000000`, mediaType: 'video' as const }
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5)
  t.teardown(() => clearInterval(timer))
  await pinterest.prepare(job, scene.io, undefined)
  clearInterval(timer)
  const growth = Math.round((peak - before) / 1e6)
  t.ok(growth < 100, `grew by ${growth} MB at most`)
})

t.test('given a video that Pinterest cannot process, then that is final and says so', async (t) => {
  const scene = await givenScene(t)
  const host = await videoHost(t)
  const video = (end: string) => ({
    ...scene.image,
    mediaUrl: `${host.url}/video?end=${end}`,
    mediaType: 'video' as const,
  })
  t.match(await errorOf(prepared(scene, video('sandbox=failed'), scene.io)), {
    kind: 'permanent',
    message: 'Pinterest could not process the video.',
  })
  const start = scene.clock.now()
  t.match(await errorOf(prepared(scene, video('sandbox=processing:1000'), scene.io)), {
    kind: 'permanent',
    message: 'Pinterest did not finish processing the video within 10 minutes.',
  })
  const minutes = (scene.clock.now() - start) / 60_000
  t.ok(minutes >= 10 && minutes < 10.5, `${minutes} minutes`)
})

t.test(
  'given an upload that Pinterest no longer knows, then the video is uploaded again, but not for ever',
  async (t) => {
    const scene = await givenScene(t)
    const host = await videoHost(t)
    const video = (end: string) => ({
      ...scene.image,
      mediaUrl: `${host.url}/video?end=${end}`,
      mediaType: 'video' as const,
    })
    const { http, calls } = watched(scene.http)
    const io = { ...scene.io, http }
    const once = video('sandbox=lost:1')
    const first = await pinterest.prepare(once, io, undefined)
    await scene.clock.advanceTo(scene.clock.now() + 60_000)
    const { handle } = await prepared(scene, once, io, first.handle)
    t.equal(calls.filter((call) => call === 'POST /upload').length, 2)
    t.not(handle['upload'], first.handle['upload'])
    t.equal(handle['since'], first.handle['since'], 'a lost Pin is searched from the first attempt on')
    await publish(pinterest, once, handle, io)

    t.match(await errorOf(prepared(scene, video('sandbox=lost:9'), io)), {
      kind: 'permanent',
      message: /lost the uploaded video 3 times/,
    })

    const gone = { ...handle, upload: { mediaId: '123', uploadedAt: '2026-03-01T10:00:00.000Z', uploads: 1 } }
    const error = await errorOf(publish(pinterest, once, gone, io))
    t.match(
      error,
      { kind: 'retryable', message: /no longer has the uploaded video/ },
      'the next attempt prepares it again',
    )
  },
)

t.test('given a check of a video that fails, then it can be checked again without another upload', async (t) => {
  const scene = await givenScene(t)
  const job = { ...scene.image, mediaUrl: `${scene.sandbox.url}/media/sample.mp4`, mediaType: 'video' as const }
  const { handle } = await pinterest.prepare(job, scene.io, undefined)
  const failing = watched(scene.http, async (_call, ask) =>
    answering(await ask(), { status: 502, body: 'Bad gateway' }),
  )
  t.match(await errorOf(pinterest.prepare(job, { ...scene.io, http: failing.http }, handle)), { kind: 'retryable' })
  const { http, calls } = watched(scene.http)
  await prepared(scene, job, { ...scene.io, http }, handle)
  t.same(new Set(calls), new Set(['GET /v5/media/:id']))
})

t.test('given a response of the storage to an upload, then each error has its own outcome', async (t) => {
  const scene = await givenScene(t)
  const host = await videoHost(t)
  for (const [status, code, kind] of [
    [403, 'AccessDenied', 'retryable'],
    [400, 'EntityTooLarge', 'permanent'],
    [400, 'RequestTimeout', 'retryable'],
    [400, 'InvalidArgument', 'permanent'],
    [429, 'TooManyRequests', 'retryable'],
    [503, 'SlowDown', 'retryable'],
  ] as const) {
    const mediaUrl = `${host.url}/video?end=sandbox=upload:${status}:${code}`
    const job = { ...scene.image, mediaUrl, mediaType: 'video' as const }
    const message = `Pinterest's storage did not accept the video (HTTP ${status}, ${code}).`
    t.match(await errorOf(pinterest.prepare(job, scene.io, undefined)), { kind, message }, code)
    if (kind === 'retryable') t.equal((await pinterest.prepare(job, scene.io, undefined)).outcome, 'processing')
  }
})

t.test('given a video whose first frame is no cover, then the next second is taken, and one Pin is live', async (t) => {
  const scene = await givenScene(t)
  const host = await videoHost(t)
  const job = { ...scene.image, mediaUrl: `${host.url}/video?end=sandbox=dark-start`, mediaType: 'video' as const }
  const { handle } = await prepared(scene, job, scene.io)
  const { http, calls } = watched(scene.http)
  await publish(pinterest, job, handle, { ...scene.io, http })
  t.same(calls, ['POST /v5/pins', 'POST /v5/pins'])
  t.equal(scene.live().length, 1)
})

t.test('given a post that breaks rules, then each is named with its limit, and nothing is called', async (t) => {
  const image: MediaFacts = { mediaType: 'image', mimeType: 'image/jpeg', bytes: 1_000, width: 10, height: 10 }
  const video: MediaFacts = { mediaType: 'video', mimeType: 'video/mp4', bytes: 1_000, durationMs: 4_000 }
  const post = (text: string, mediaType = image.mediaType) => ({ text, mediaType })
  t.same(pinterest.check(post(`${'🎺'.repeat(100)}\n${'x'.repeat(699)}`), image), [])
  t.same(pinterest.check(post('x'.repeat(801)), undefined), [
    'Pinterest accepts descriptions of at most 800 characters; this caption has 801 with its hashtags.',
  ])
  const paragraph = `\r\n${'x'.repeat(101)}\r\n`
  t.same(pinterest.check(post(paragraph), undefined), [])
  t.same(pinText(paragraph), { description: paragraph }, 'a first line too long for a title is none')
  for (const [facts, broken] of [
    [
      { ...image, mimeType: 'image/avif' },
      'Pinterest accepts images as JPEG, PNG, WebP, GIF, BMP or TIFF; this one is image/avif.',
    ],
    [{ ...image, bytes: 20_000_001 }, 'Pinterest accepts images of at most 20000000 bytes; this one has 20000001.'],
    [{ ...video, mimeType: 'video/webm' }, 'Pinterest accepts videos as MP4, MOV or M4V; this one is video/webm.'],
    [
      { ...video, bytes: 2_000_000_001 },
      'Pinterest accepts videos of at most 2000000000 bytes; this one has 2000000001.',
    ],
    [{ ...video, durationMs: 3_999 }, 'Pinterest accepts videos of at least 4 seconds; this one is 3.999 seconds.'],
    [
      { ...video, durationMs: 900_001 },
      'Pinterest accepts videos of at most 15 minutes (900 seconds); this one is 900.001 seconds.',
    ],
  ] as const) {
    t.same(pinterest.check(post('ok', facts.mediaType), facts), [broken])
  }
  t.same(pinterest.check(post('ok', 'video'), { ...video, durationMs: 900_000 }), [])

  const scene = await givenScene(t)
  const media = memoryMedia(scene.http)
  const { http, calls } = watched(scene.http)
  const io = { ...scene.io, http, media }
  t.match(await errorOf(pinterest.prepare({ ...scene.image, text: 'x'.repeat(801) }, io, undefined)), {
    kind: 'permanent',
    message: /has 801 with its hashtags\.$/,
  })
  t.match(
    await pinterest.prepare(scene.image, io, { mediaId: '1' }),
    { outcome: 'ready' },
    'after a foreign handle, again',
  )
  const feed = { ...scene.image, mediaType: 'video' as const, mediaUrl: `${scene.sandbox.url}/feed.xml` }
  t.match(await errorOf(pinterest.prepare(feed, io, undefined)), { kind: 'permanent' })
  t.same(calls, [])
  t.equal(media.kept, 0, 'the media are disposed of')
  t.match(
    await errorOf(publish(pinterest, scene.image, { mediaId: '1' }, io)),
    { kind: 'permanent' },
    'a foreign handle',
  )
})

t.test('given an error of Pinterest, then it has its own outcome, is quoted, and no Pin is live', async (t) => {
  const scene = await givenScene(t)
  const plain = await scene.http.request(scene.sandbox.url)
  const { handle } = await prepared(scene, scene.image, scene.io)
  const says = (code: number, message: string) => ({ code, message })
  for (const [status, body, expected] of [
    [401, says(7, 'No permission'), { kind: 'forbidden', message: /lacks a permission/ }],
    [401, says(7, 'Missing scope'), { kind: 'forbidden', message: /lacks a scope/ }],
    [401, says(3, 'Your token lacks a scope'), { kind: 'forbidden', message: /lacks a scope/ }],
    [
      401,
      says(3, 'Your application consumer type is not supported, please contact support.'),
      { kind: 'permanent', limit: 'app_not_approved', message: /has not approved the app/ },
    ],
    [401, says(99, 'Whatever'), { kind: 'needs-reauth', message: /does not accept the access token/ }],
    [403, says(7, 'Not permitted'), { kind: 'permanent', message: /The board may belong to another account/ }],
    [403, says(29, 'Not permitted'), { kind: 'permanent', message: /The board may belong to another account/ }],
    [403, says(29, 'Apps with Trial access may not'), { kind: 'permanent', message: /Standard access/ }],
    [400, says(1, 'bad board_id'), { kind: 'permanent', message: /HTTP 400, code 1, bad board_id/ }],
    [400, says(1, 'cover_image_url is required'), { kind: 'permanent', message: /cover/ }],
    [429, says(8, 'Slow down'), { kind: 'retryable', retryAfterMs: 60_000, accountRests: true }],
    [408, 'gone', { kind: 'ambiguous' }],
    [500, says(12, 'Oops'), { kind: 'ambiguous' }],
    [502, '<html>', { kind: 'ambiguous' }],
    [201, '<html>', { kind: 'ambiguous' }],
    [201, { id: 9007199254740993 }, { kind: 'ambiguous' }],
    [302, '', { kind: 'permanent' }],
    [404, '', { kind: 'permanent' }],
  ] as const) {
    const { http } = watched(scene.http, async (call, ask) =>
      call === 'POST /v5/pins' ? answering(plain, { status, body }) : ask(),
    )
    const error = await errorOf(publish(pinterest, scene.image, handle, { ...scene.io, http }))
    t.match(error, expected, `${status} ${JSON.stringify(body)}: ${error.message}`)
    for (const secret of Object.values(await scene.credentials.read()).filter((value) => value.length > 30)) {
      t.notOk(error.message.includes(secret))
    }
  }
  t.same(scene.live(), [])
})

t.test('given an image that Pinterest does not take, then its reason is passed on', async (t) => {
  const scene = await givenScene(t)
  const { handle } = await prepared(scene, scene.image, scene.io)
  const at = (url: string) =>
    publish(pinterest, { ...scene.image, mediaUrl: `${scene.sandbox.url}${url}` }, handle, scene.io)
  for (const [url, expected] of [
    ['/media/sample.jpg?sandbox=error:3', { kind: 'permanent', message: /Standard access/ }],
    ['/media/sample.jpg?sandbox=error:7', { kind: 'permanent', message: /The board may belong to another account/ }],
    ['/media/sample.jpg?sandbox=error:8', { kind: 'retryable', retryAfterMs: 60_000, accountRests: true }],
    ['/media/sample.jpg?sandbox=error:12', { kind: 'ambiguous' }],
    ['/media/sample.jpg?sandbox=error:29', { kind: 'forbidden', message: /scope/ }],
    ['/media/sample.jpg?sandbox=error:40', { kind: 'permanent', message: /could not find the board/ }],
    ['/media/sample.jpg?sandbox=error:50', { kind: 'permanent', message: /could not find the Pin/ }],
    ['/media/sample.jpg?sandbox=error:233', { kind: 'permanent', message: /too small/ }],
    ['/media/sample.jpg?sandbox=error:2031', { kind: 'permanent', message: /could not find the section/ }],
    ['/media/none.jpg', { kind: 'retryable', message: /could not fetch the image/ }],
    ['/feed.xml', { kind: 'permanent', message: /could not read the image/ }],
  ] as const) {
    t.match(await errorOf(at(url)), expected, url)
  }
  t.same(scene.live(), [])
})

t.test('given scripted faults, then each failed publish has its own outcome', async (t) => {
  const scene = await givenScene(t)
  const { handle } = await prepared(scene, scene.image, scene.io)
  let wentLive = 0
  for (const [fault, expected, accepted] of [
    [{ kind: 'reject' }, { kind: 'permanent', message: /community guidelines/ }, false],
    [
      { kind: 'rate_limit', retryAfterSeconds: 7 },
      { kind: 'retryable', retryAfterMs: 7_000, accountRests: true },
      false,
    ],
    [{ kind: 'server_error' }, { kind: 'ambiguous' }, false],
    [{ kind: 'server_error', accepted: true }, { kind: 'ambiguous' }, true],
    [{ kind: 'accept_then_timeout' }, { kind: 'ambiguous' }, true],
    [{ kind: 'token_expired', times: 4 }, { kind: 'needs-reauth' }, false],
  ] as const) {
    scene.script(fault)
    if (accepted) wentLive += 1
    t.match(await errorOf(publish(pinterest, scene.image, handle, scene.io)), expected, JSON.stringify(fault))
    t.equal(scene.live().length, wentLive)
  }
  const at = (baseUrl: string) => ({ ...scene.image, account: { ...scene.image.account, baseUrl } })
  const nowhere = errorOf(publish(pinterest, at('http://127.0.0.1:1/pinterest'), handle, scene.io))
  t.match(await nowhere, { kind: 'retryable' }, 'no connection: it surely did nothing')
  t.match(await errorOf(publish(pinterest, at('http://10.0.0.1'), handle, scene.io)), { kind: 'permanent' })
})

t.test('given a lost answer, then only what is certain is believed', async (t) => {
  const scene = await givenScene(t)
  const { image, io, http } = scene
  const { handle } = await prepared(scene, image, io)
  const find = (over: Parameters<typeof watched>[1], given = handle) =>
    pinterest.find?.(image, given, { ...io, http: watched(http, over).http })
  const told = async (more = {}) => (await pinterest.find?.(image, { ...handle, ...more }, io))?.outcome

  t.equal(await told(), 'absent')
  await publish(pinterest, { ...image, text: 'Something else' }, handle, io)
  t.equal(await told(), 'absent', 'another text is not it')

  await t.test('when its list lags, then it is found as soon as it shows', async (t) => {
    const late = { ...image, text: 'late', mediaUrl: `${image.mediaUrl}?sandbox=listed-after:50` }
    scene.script({ kind: 'accept_then_timeout' })
    t.match(await errorOf(publish(pinterest, late, handle, io)), { kind: 'ambiguous' })
    t.match(await pinterest.find?.(late, handle, io), { outcome: 'absent' })
    await scene.clock.advanceTo(scene.clock.now() + pinterest.visibleWithinMs)
    t.match(await pinterest.find?.(late, handle, io), { outcome: 'found' })
  })

  const { postId } = await publish(pinterest, image, handle, io)
  t.equal(await told(), 'found')
  t.equal(await told({ since: '2999-01-01T00:00:00.000Z' }), 'absent', 'one made before the attempt is not it')
  const { destination } = handle as { destination: object }
  t.equal(await told({ destination: { ...destination, link: 'https://example.com/' } }), 'unknown', 'another link')
  t.equal(await told({ destination: { ...destination, boardId: '1' } }), 'unknown', 'a board that is not there')
  t.equal(await told({ since: 'yesterday' }), 'unknown', 'a foreign handle')

  await t.test('when a list cannot be read, then nothing is known', async (t) => {
    const item = { id: postId, title: 'Golden hour 🌄', description: image.text }
    for (const body of [
      '<html>',
      {},
      { items: [{ ...item, id: 7 }] },
      { items: [item] },
      { items: [{ ...item, created_at: 'soon' }] },
    ]) {
      t.same(
        await find(async (_call, ask) => answering(await ask(), { body })),
        { outcome: 'unknown' },
        JSON.stringify(body),
      )
    }
    for (const status of [403, 404]) {
      t.same(await find(async (_call, ask) => answering(await ask(), { status, body: {} })), { outcome: 'unknown' })
    }
    const failing = find(async (_call, ask) => answering(await ask(), { status: 503, body: {} }))
    t.match(await errorOf(Promise.resolve(failing)), { kind: 'retryable' }, 'a failure passes')
  })

  await t.test('when Pinterest has joined white space or says the zone, then it is found all the same', async (t) => {
    const now = new Date(scene.clock.now()).toISOString()
    for (const created_at of [now, now.replace(/\.\d+Z/, '+00:00')]) {
      const description = image.text.replaceAll(/\s+/g, ' ')
      const items = [{ id: postId, created_at, title: ' Golden hour 🌄', description, link: '' }]
      t.match(await find(async (_call, ask) => answering(await ask(), { body: { items, bookmark: null } })), {
        outcome: 'found',
      })
    }
  })

  await t.test(
    'when lists are long, then they are read until they reach behind the attempt, and no further',
    async (t) => {
      const page = (ageMs: (index: number) => number) => (url: string) => {
        const start = Number(new URL(url).searchParams.get('bookmark') ?? 0)
        const items = Array.from({ length: 100 }, (_, index) => {
          const created_at = new Date(scene.clock.now() - ageMs(start + index)).toISOString().slice(0, 19)
          return { id: String(start + index + 1), created_at, title: 'x', description: 'x', link: null }
        })
        return { items, bookmark: String(start + 100) }
      }
      const newestFirst = page((index) => index * 1_000)
      const empty = { items: [], bookmark: null }
      for (const [name, make, outcome, pages] of [
        ['newest first', newestFirst, 'absent', 4],
        ['oldest first', page((index) => 86_400_000 - index * 1_000), 'unknown', 20],
        ['none is older', page(() => 0), 'unknown', 20],
        ['in no order', page((index) => ((index * 37) % 100) * 10_000), 'unknown', 20],
        [
          'one of the two has no end',
          (url: string) => (url.includes('/boards/') ? empty : page(() => 0)(url)),
          'unknown',
          11,
        ],
      ] as const) {
        let asked = 0
        const search = await find(async (_call, ask, url) => {
          asked += 1
          return answering(await ask(), { status: 200, body: make(url) })
        })
        t.equal(search?.outcome, outcome, name)
        t.equal(asked, pages, `${name}: ${asked} pages`)
      }
    },
  )

  await publish(pinterest, image, handle, io)
  t.equal(await told(), 'unknown', 'two that fit')
  const knowing =
    (isOther: (id: string) => boolean, doubt: Others['doubt'] = 'none'): OtherPosts =>
    async (listed) => ({ ruledOut: new Set(listed.map(({ id }) => id).filter(isOther)), doubt })
  const besides = (others: OtherPosts) => pinterest.find?.(image, handle, io, others)
  const found = { outcome: 'found', found: { postId: scene.live().at(-1)?.id } }
  t.match(await besides(knowing((id) => id === postId)), found, 'one is known to be another')
  const besidesIn = (doubt: Others['doubt']) => besides(knowing((id) => id === postId, doubt))
  t.match(await besidesIn('passing'), { outcome: 'processing' }, 'and a third may be the other,')
  t.same(await besidesIn('lasting'), { outcome: 'unknown' }, 'for a while or for ever')
  t.same(await besides(knowing(() => true)), { outcome: 'absent' })
})

t.test(
  'given an expired token, then the first caller to see it renews it once, and the new pair is kept',
  async (t) => {
    const scene = await givenScene(t)
    const { image, credentials, account, sandbox } = scene
    const { http, calls } = watched(scene.http)
    const io = { ...scene.io, http }
    const renewals = () => calls.filter((call) => call === 'POST /v5/oauth/token').length
    const { handle } = await prepared(scene, image, io)
    const jobs = Array.from({ length: 5 }, () => ({ ...image, key: crypto.randomUUID() }))
    const secrets = () => sandbox.ledger.account('pinterest', account.externalId)?.secrets

    scene.script({ kind: 'token_expired' })
    await Promise.all(jobs.map((job) => publish(pinterest, job, handle, io)))
    t.equal(renewals(), 1, 'refused while five were under way')
    t.equal(scene.live().length, 5, 'and each went out once')
    const first = await credentials.read()
    t.not(first['refreshToken'], account.credentials['refreshToken'])
    t.match(secrets(), { accessToken: first['accessToken'], refreshToken: first['refreshToken'] })
    t.match(first, { clientId: account.credentials['clientId'], boardId: account.credentials['boardId'] })

    await scene.clock.advanceTo(scene.clock.now() + 30 * 86_400_000 - 300_000)
    await Promise.all(jobs.map((job) => publish(pinterest, job, handle, io)))
    t.equal(renewals(), 2, 'ahead of its end')
    const second = await credentials.read()
    t.ok(Date.parse(second['expiresAt'] ?? '') > scene.clock.now() + 29 * 86_400_000)
    t.ok(Date.parse(second['refreshExpiresAt'] ?? '') > scene.clock.now() + 59 * 86_400_000)

    await scene.clock.advanceTo(scene.clock.now() + 50 * 86_400_000)
    await publish(pinterest, image, handle, io)
    t.equal(renewals(), 3, 'the 60 days of a refresh token start over each time')
  },
)

t.test('given a renewal that fails, then the error says whether the account must be connected again', async (t) => {
  const scene = await givenScene(t)
  const { handle } = await prepared(scene, scene.image, scene.io)
  const stale = { ...scene.account.credentials, accessToken: 'void' }
  const tried = (credentials: Record<string, string>) =>
    errorOf(publish(pinterest, scene.image, handle, ioOf(scene.http, credentials, { clock: scene.clock })))
  for (const [fault, expected] of [
    [{ kind: 'reject' }, { kind: 'needs-reauth', message: /Connect the account again/ }],
    [{ kind: 'token_expired' }, { kind: 'needs-reauth' }],
    [{ kind: 'rate_limit' }, { kind: 'retryable', retryAfterMs: 30_000 }],
    [{ kind: 'server_error' }, { kind: 'retryable' }],
    [{ kind: 'accept_then_timeout' }, { kind: 'retryable' }],
  ] as const) {
    scene.script({ ...fault, call: 'refresh' })
    t.match(await tried(stale), expected, fault.kind)
  }
  t.match(await tried({ ...stale, clientSecret: 'wrong' }), {
    kind: 'permanent',
    message: /clientId or clientSecret is wrong/,
  })
  t.match(await tried({ ...stale, refreshToken: 'pinr_x' }), { kind: 'needs-reauth' })
  for (const missing of ['refreshToken', 'clientId', 'clientSecret']) {
    const { [missing]: _, ...rest }: Record<string, string> = { ...stale, expiresAt: '2026-01-01T00:00:00.000Z' }
    t.match(
      await tried(rest),
      { kind: 'needs-reauth', message: /requires refreshToken, clientId and clientSecret/ },
      missing,
    )
  }
  t.ok(
    await publish(pinterest, scene.image, handle, ioOf(scene.http, stale, { clock: scene.clock })),
    'a lost renewal is repeated',
  )
  t.equal(scene.live().length, 1)

  const { refreshToken: _, ...fixed } = {
    ...scene.account.credentials,
    ...scene.sandbox.ledger.account('pinterest', scene.account.externalId)?.secrets,
  }
  await scene.clock.advanceTo(scene.clock.now() + 20 * 86_400_000)
  const io = ioOf(scene.http, fixed, { clock: scene.clock })
  t.ok(await publish(pinterest, scene.image, handle, io), 'a token that cannot be renewed is used until its end')
  scene.script({ kind: 'token_expired', times: 4 })
  t.match(await errorOf(publish(pinterest, scene.image, handle, io)), { kind: 'needs-reauth' })
})

t.test('given credentials, when they are connected, then they are checked with harmless calls', async (t) => {
  const { io, account } = await givenScene(t)
  const { baseUrl, externalId, label, credentials } = account
  const connect = (over: Record<string, string>) => pinterest.connect({ ...credentials, ...over }, baseUrl, io)
  t.same(await connect({}), { externalId, label, credentials })
  const renewed = await connect({ accessToken: 'void' })
  t.equal(renewed.externalId, externalId)
  t.not(renewed.credentials['refreshToken'], credentials['refreshToken'])

  const fresh = renewed.credentials
  for (const [over, kind, message] of [
    [
      { ...fresh, boardId: '12' },
      'permanent',
      /^boardId: the token has no access to board 12 .* \d+1 \(Trails\), \d+2 \(Huts\), \d+3 \(Fanfare\)\.$/,
    ],
    [{ ...fresh, boardId: 'user/board' }, 'permanent', /boardId: must be the numeric id/],
    [{ ...fresh, link: 'ftp://example.com' }, 'permanent', /link: /],
    [{ ...fresh, accessToken: '' }, 'permanent', /accessToken: /],
    [{ ...fresh, accessToken: 'void', refreshToken: 'void' }, 'needs-reauth', /Connect the account again/],
  ] as const) {
    t.match(await errorOf(connect(over)), { kind, message }, JSON.stringify(over))
  }
  const { boardId: _, ...without } = fresh
  t.match(await errorOf(pinterest.connect(without, baseUrl, io)), { kind: 'permanent', message: /boardId: / })
})
