import t from 'tap'
import { x } from '../platforms/x/index.ts'
import type { PublishHandle } from '../platforms/kit/platform.ts'
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { consent } from './support/browser.ts'
import { publish } from './support/connector.ts'
import { sample } from './support/media-samples.ts'
import { ioOf, memoryCredentials, memoryMedia, postJson } from './support/sandbox.ts'
import {
  clipThat,
  fault,
  gif,
  givenVideo,
  givenX,
  largeClip,
  live,
  memoryInUse,
  pictureThat,
  prepared,
  refusal,
  uploadSink,
  type Scene,
} from './support/x.ts'

const POST = 'tweets'
const problem = (status: number, detail: string, name?: string, title = 'Forbidden') =>
  JSON.stringify({
    title,
    detail,
    type: name === undefined ? 'about:blank' : `https://api.twitter.com/2/problems/${name}`,
    status,
  })
const ids = (handle: PublishHandle) => ({ mediaId: handle['mediaId'], mediaKey: handle['mediaKey'] })

/** What went live, told by the bytes that the stand-in was sent. */
async function shown({ http }: Scene, mediaUrl: string) {
  return (await http.request(mediaUrl)).json()
}
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

t.test('given an account', async (t) => {
  const scene = await givenX(t)
  const { job, io, proxy, sandbox } = scene

  await t.test('when an image is published, then it is posted once, unchanged, and can be found', async (t) => {
    const { handle, waits } = await prepared(scene)
    t.same(waits, [])
    t.same(live(scene), [], 'nothing is visible yet')
    t.same(await x.find?.(job, handle, io), { outcome: 'absent' })
    const published = await publish(x, job, handle, io)
    const [post] = live(scene)
    t.match(post, { id: published.postId, caption: job.text, mediaType: 'image' })
    t.match(await shown(scene, post?.mediaUrl ?? ''), {
      mimeType: 'image/jpeg',
      sha256: sha256(sample('picture.jpg')),
    })
    t.equal(published.url, `https://x.com/i/status/${published.postId}`, 'the name of the account was not stored')
    t.same(await x.find?.(job, handle, io), { outcome: 'found', found: published })
    t.same(proxy.calls.slice(0, 1), ['upload'])
  })

  await t.test('when a video is published, then it is uploaded in parts, processed and posted unchanged', async (t) => {
    const video = givenVideo(scene)
    const { handle, waits } = await prepared(scene, video)
    t.same(waits, [1_000, 1_000], 'at the pace of X')
    const { postId } = await publish(x, video, handle, io)
    const post = sandbox.ledger.post('x', postId)
    t.equal(post?.mediaType, 'video')
    t.match(await shown(scene, post?.mediaUrl ?? ''), { mimeType: 'video/mp4', sha256: sha256(sample('clip.mp4')) })
  })

  await t.test('when a GIF is animated, then X makes a video of it first; a still one is an image', async (t) => {
    for (const [pictures, looks, prefix] of [
      [1, 0, '3_'],
      [3, 2, '16_'],
    ] as const) {
      const content = gif(pictures)
      const picture = { ...job, mediaUrl: scene.host.serve(`/${pictures}.gif`, content) }
      const { handle, waits } = await prepared(scene, picture)
      t.equal(waits.length, looks)
      t.ok(String(handle['mediaKey']).startsWith(prefix))
      const { postId } = await publish(x, picture, handle, io)
      t.match(await shown(scene, sandbox.ledger.post('x', postId)?.mediaUrl ?? ''), { sha256: sha256(content) })
    }
  })

  await t.test('when there is no text, then an empty one is sent', async (t) => {
    const silent = { ...job, text: '' }
    const { postId } = await publish(x, silent, (await prepared(scene, silent)).handle, io)
    t.equal(sandbox.ledger.post('x', postId)?.caption, '')
  })

  await t.test('when it says who can reply, then X is told, and a wrong value is named before any call', async (t) => {
    const limited = { ...job, options: { replySettings: 'mentionedUsers' } }
    const { postId } = await publish(x, limited, (await prepared(scene, limited)).handle, io)
    t.match(sandbox.ledger.post('x', postId)?.details, { replySettings: 'mentionedUsers' })
    const calls = proxy.calls.length
    t.match(await refusal(prepared(scene, { ...job, options: { replySettings: 'everyone' } })), {
      kind: 'permanent',
      message: /options for X are invalid.*following, mentionedUsers, subscribers or verified.*replySettings/s,
    })
    t.equal(proxy.calls.length, calls)
  })

  await t.test(
    'when an upload is answered by its id only, which is all X guarantees, then the post is found',
    async (t) => {
      const { mediaId } = ids((await prepared(scene)).handle)
      // OpenAPI 2.167, MediaUploadResponseData: `"required": ["id"]`.
      proxy.next('upload', { kind: 'answer', status: 200, body: JSON.stringify({ data: { id: mediaId } }) })
      const { handle } = await prepared(scene)
      t.match(handle, { mediaId, mediaKey: mediaId, ready: true })
      const { postId } = await publish(x, job, handle, io)
      t.match(await x.find?.(job, handle, io), { outcome: 'found', found: { postId } })
    },
  )

  await t.test('when other posts of the same text are there, then none of them is taken for this one', async (t) => {
    const { handle } = await prepared(scene)
    t.same(await x.find?.(job, handle, io), { outcome: 'absent' })
  })
})

t.test('given a video of several parts, when it is uploaded, then it arrives whole', async (t) => {
  const scene = await givenX(t)
  const mediaUrl = scene.host.serve('/large.mp4', largeClip(9_000_000))
  const content = Buffer.from((await scene.http.request(mediaUrl, { maxBytes: 10_000_000 })).body)
  const job = { ...scene.job, mediaType: 'video', mediaUrl } as const
  const { handle } = await prepared(scene, job)
  t.equal(scene.proxy.calls.filter((call) => call === 'append').length, 3, 'in parts of 4 MB')
  const { postId } = await publish(x, job, handle, scene.io)
  t.match(await shown(scene, scene.sandbox.ledger.post('x', postId)?.mediaUrl ?? ''), { sha256: sha256(content) })
})

t.test('given a video of 100 MB, when it is uploaded, then memory grows by far less', async (t) => {
  const scene = await givenX(t)
  const before = memoryInUse()
  let peak = before
  // Not the stand-in, which holds whole parts in the memory of this same process.
  const sink = await uploadSink(t, () => (peak = Math.max(peak, memoryInUse())))
  const mediaUrl = scene.host.serve('/large.mp4', largeClip(100_000_000))
  const account = { ...scene.job.account, baseUrl: sink.url }
  await prepared(scene, { ...scene.job, mediaType: 'video', mediaUrl, account })
  t.ok(sink.received() > 100_000_000)
  const growth = Math.round((peak - before) / 1e6)
  t.comment(`memory grew by ${growth} MB`)
  t.ok(growth < 40, `grew by ${growth} MB at most`)
})

t.test('given a video that X is at work on', async (t) => {
  const scene = await givenX(t)
  const { io, proxy, clock } = scene

  await t.test('when processing takes long, then the same upload is checked again', async (t) => {
    const { waits } = await prepared(scene, givenVideo(scene, clipThat('processing:6')))
    t.equal(waits.length, 7)
    t.equal(proxy.calls.filter((call) => call === 'initialize').length, 1)
  })

  await t.test('when it never ends, then it is given up after an hour', async (t) => {
    const job = givenVideo(scene, clipThat('processing:9999'))
    const first = await x.prepare(job, io, undefined)
    clock.pass(3_599_000)
    t.match(await x.prepare(job, io, first.handle), { outcome: 'processing', handle: first.handle })
    clock.pass(1_000)
    t.match(await refusal(x.prepare(job, io, first.handle)), { kind: 'permanent', message: /60 minutes/ })
  })

  await t.test('when X rejects it, then the error has the reason', async (t) => {
    const job = givenVideo(scene, clipThat('error:UnsupportedMedia'))
    t.match(await refusal(prepared(scene, job)), {
      kind: 'permanent',
      message: 'X could not process the media: UnsupportedMedia: UnsupportedMedia file: not acceptable.',
    })
  })

  await t.test('when X has lost the upload, then it is uploaded again', async (t) => {
    const job = givenVideo(scene)
    const first = await x.prepare(job, io, undefined)
    for (const [status, body] of [
      [404, problem(404, 'gone', 'resource-not-found')],
      [400, problem(400, 'invalid', 'invalid-request')],
    ] as const) {
      proxy.next('upload', { kind: 'answer', status, body })
      const again = await x.prepare(job, io, first.handle)
      t.equal(again.outcome, 'processing')
      t.not(again.handle['mediaId'], first.handle['mediaId'])
      t.match(again.handle, { earlierKeys: [first.handle['mediaKey']], since: first.handle['since'] })
    }
    let handle: PublishHandle | undefined = first.handle
    const losing = async () => {
      for (;;) {
        proxy.next('upload', { kind: 'answer', status: 404, body: problem(404, 'gone') })
        handle = (await x.prepare(job, io, handle)).handle
      }
    }
    t.match(await refusal(losing()), { kind: 'permanent', message: /repeatedly lost/ })
  })

  await t.test('when the upload has expired, then it is uploaded again without asking', async (t) => {
    const job = givenVideo(scene)
    const { handle } = await prepared(scene, job)
    clock.pass(24 * 3_600_000)
    const before = proxy.calls.length
    const { handle: fresh } = await x.prepare(job, io, handle)
    t.notSame(ids(fresh), ids(handle))
    t.same(proxy.calls.slice(before), ['token', 'initialize', 'append', 'finalize'])
  })

  await t.test('when it was finished before, then it is used again, and an image uploaded again', async (t) => {
    const job = givenVideo(scene)
    const { handle } = await prepared(scene, job)
    const again = await x.prepare(job, io, handle)
    t.match(again, { outcome: 'ready', handle: { ...handle, sentBefore: true } })
    const image = await prepared(scene)
    const other = await x.prepare(scene.job, io, image.handle)
    t.match(other, { outcome: 'ready', handle: { earlierKeys: [image.handle['mediaKey']], sentBefore: true } })
  })

  await t.test('when a part is lost, then it is sent again once', async (t) => {
    const job = givenVideo(scene)
    proxy.next('append', { kind: 'lose-answer' })
    await prepared(scene, job)
    proxy.next('append', { kind: 'answer', status: 503, body: '' })
    proxy.next('append', { kind: 'cut' })
    t.match(await refusal(prepared(scene, job)), { kind: 'retryable' })
  })
})

t.test('given an error from X, when a post is sent, then its kind is recognized', async (t) => {
  const scene = await givenX(t)
  const { job, io, proxy } = scene
  const { handle } = await prepared(scene)
  const reset = Math.ceil(scene.clock.now() / 1_000) + 600
  const rows: readonly (readonly [number, string, Record<string, string>, object])[] = [
    [
      403,
      problem(403, 'Authenticating with OAuth 2.0 is forbidden', 'unsupported-authentication'),
      {},
      { kind: 'forbidden' },
    ],
    [403, problem(403, 'not configured', 'oauth1-permissions'), {}, { kind: 'forbidden' }],
    [403, problem(403, 'Missing required scope tweet.write'), {}, { kind: 'forbidden', message: /scope/ }],
    [
      403,
      JSON.stringify({
        reason: 'client-not-enrolled',
        detail: 'Enroll',
        type: 'https://api.twitter.com/2/problems/client-forbidden',
      }),
      {},
      { kind: 'permanent', message: /developer console.*Enroll/ },
    ],
    [
      403,
      problem(403, 'You are not allowed to create a Tweet with duplicate content.'),
      {},
      { kind: 'permanent', message: /may already be published/ },
    ],
    [
      403,
      problem(403, 'Reply not allowed because you have not been mentioned'),
      {},
      { kind: 'permanent', message: /mentioned/ },
    ],
    [
      403,
      problem(403, 'You are not permitted to perform this action.'),
      {},
      { kind: 'permanent', message: /HTTP 403, You are not permitted/ },
    ],
    // https://docs.x.com/x-api/media/quickstart/best-practices, "Posting errors".
    [
      403,
      problem(403, 'This user is not allowed to post a video longer than 20 minutes.'),
      {},
      { kind: 'permanent', message: /longer than X allows.*20 minutes/ },
    ],
    [400, problem(400, 'One or more parameters', 'invalid-request'), {}, { kind: 'permanent', startOver: false }],
    [
      400,
      JSON.stringify({
        errors: [{ parameters: { 'media.media_ids': ['1'] }, message: 'Your media IDs are invalid.' }],
        detail: 'One or more',
      }),
      {},
      { kind: 'retryable', startOver: true },
    ],
    [402, problem(402, 'No credits', 'credits', 'CreditsDepleted'), {}, { kind: 'permanent', message: /credit/ }],
    [404, problem(404, 'gone', 'resource-not-found'), {}, { kind: 'permanent' }],
    [
      429,
      problem(429, 'Too Many Requests', 'rate-limit-exceeded'),
      { 'x-rate-limit-reset': String(reset) },
      { kind: 'retryable', accountRests: true },
    ],
    [
      429,
      problem(429, 'Usage cap exceeded: Monthly product cap', 'usage-capped'),
      {},
      { kind: 'permanent', accountRests: false },
    ],
    [
      500,
      JSON.stringify({ errors: [{ code: 131, message: 'Internal error' }] }),
      {},
      { kind: 'ambiguous', message: /Internal error/ },
    ],
    [503, '<html>', {}, { kind: 'ambiguous', message: 'X failed (HTTP 503).' }],
    [408, '', {}, { kind: 'ambiguous' }],
    [302, '', {}, { kind: 'permanent' }],
    [200, '<html>', {}, { kind: 'ambiguous' }],
    [201, '{"data":{"id":12345678901234567890}}', {}, { kind: 'ambiguous' }],
  ]
  for (const [status, body, headers, expected] of rows) {
    proxy.next(POST, { kind: 'answer', status, body, headers })
    t.match(await refusal(publish(x, job, handle, io)), expected, `${status} ${body}`)
  }
  proxy.next(POST, { kind: 'cut' })
  t.match(await refusal(publish(x, job, handle, io)), { kind: 'ambiguous' }, 'a connection that broke')
  const nowhere = { ...job, account: { ...job.account, baseUrl: 'http://127.0.0.1:1' } }
  t.match(await refusal(publish(x, nowhere, handle, io)), { kind: 'retryable' }, 'one that never was')
  t.match(await refusal(publish(x, job, { mediaId: 7 }, io)), { kind: 'permanent' }, 'a handle that is none')
  t.same(live(scene), [])

  for (const [status, body] of [
    [500, ''],
    [200, '<html>'],
  ] as const) {
    proxy.next('upload', { kind: 'answer', status, body })
    t.match(await refusal(prepared(scene)), { kind: 'retryable' }, `an upload: ${status}`)
    proxy.next(POST, { kind: 'answer', status, body })
    t.match(await refusal(Promise.resolve(x.find?.(job, handle, io))), { kind: 'retryable' }, `a search: ${status}`)
  }
})

t.test('given a limit of X, then the account rests until it ends', async (t) => {
  const scene = await givenX(t)
  const { job, io, proxy, clock } = scene
  const { handle } = await prepared(scene)
  const inSeconds = (seconds: number) => String(Math.ceil(clock.now() / 1_000) + seconds)
  for (const [headers, least, most] of [
    [{ 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': inSeconds(900) }, 890_000, 901_000],
    [
      {
        'x-rate-limit-remaining': '5',
        'x-rate-limit-reset': inSeconds(60),
        'x-user-limit-24hour-remaining': '0',
        'x-user-limit-24hour-reset': inSeconds(9_000),
      },
      8_990_000,
      9_001_000,
    ],
    [{ 'x-rate-limit-reset': inSeconds(-60) }, 1_000, 1_000],
    [{ 'retry-after': '7' }, 7_000, 7_000],
  ] as const) {
    proxy.next(POST, { kind: 'answer', status: 429, body: '', headers })
    const error = await refusal(publish(x, job, handle, io))
    t.match(error, { kind: 'retryable', accountRests: true })
    t.ok(
      error.retryAfterMs !== undefined && error.retryAfterMs >= least && error.retryAfterMs <= most,
      JSON.stringify(headers),
    )
  }
  scene.sandbox.faults.script(fault({ kind: 'rate_limit', retryAfterSeconds: 120 }))
  const error = await refusal(publish(x, job, handle, io))
  t.ok(error.retryAfterMs !== undefined && error.retryAfterMs > 110_000, 'as the stand-in says it')
})

t.test('given a post whose answer was lost', async (t) => {
  const scene = await givenX(t)
  const { job, io, sandbox, proxy } = scene

  await t.test('when it is looked for, then it is found by its upload', async (t) => {
    const { handle } = await prepared(scene)
    sandbox.faults.script(fault({ kind: 'accept_then_timeout' }))
    t.match(await refusal(publish(x, job, handle, io)), { kind: 'ambiguous' })
    t.match(await x.find?.(job, handle, io), { outcome: 'found', found: { postId: live(scene).at(-1)?.id } })
    const later = await x.prepare(job, io, handle)
    t.match(await x.find?.(job, later.handle, io), { outcome: 'found' }, 'also after another upload for it')
  })

  await t.test('when X has renamed its parameters, then it is asked by the new names', async (t) => {
    const baseUrl = `${proxy.url}/sandbox=new-names`
    const renamed = { ...job, account: { ...job.account, baseUrl } }
    const { handle } = await prepared(scene, renamed)
    const { postId } = await publish(x, renamed, handle, io)
    const before = proxy.calls.length
    t.match(await x.find?.(renamed, handle, io), { outcome: 'found', found: { postId } })
    t.same(proxy.calls.slice(before), [POST, POST], 'asked once more')
  })

  await t.test('when two posts show the upload, or X leaves posts out, then the outcome is unknown', async (t) => {
    const { handle } = await prepared(scene)
    proxy.next(POST, { kind: 'answer', status: 200, body: '{"errors":[{"title":"Not Found"}],"meta":{}}' })
    t.same(await x.find?.(job, handle, io), { outcome: 'unknown' })
    await publish(x, job, handle, io)
    await publish(x, job, handle, io)
    t.same(await x.find?.(job, handle, io), { outcome: 'unknown' })
  })

  await t.test('when the account has many posts since, then all pages are looked through, up to a point', async (t) => {
    const { handle } = await prepared(scene)
    const { postId } = await publish(x, job, handle, io)
    const other = (await prepared(scene)).handle
    for (let posts = 0; posts < 120; posts += 1) await publish(x, job, other, io)
    t.match(await x.find?.(job, handle, io), { outcome: 'found', found: { postId } })
    const endless = JSON.stringify({ meta: { next_token: '100' } })
    for (let page = 0; page < 8; page += 1) proxy.next(POST, { kind: 'answer', status: 200, body: endless })
    t.same(await x.find?.(job, handle, io), { outcome: 'unknown' })
  })

  await t.test('when X calls it a duplicate after an earlier call, then only the search can tell', async (t) => {
    const mine = { ...job, text: 'Twice', mediaUrl: scene.host.serve('/twice.jpg', pictureThat('duplicate')) }
    const first = (await prepared(scene, mine)).handle
    await publish(x, mine, first, io)
    const again = (await x.prepare(mine, io, first)).handle
    t.match(await refusal(publish(x, mine, again, io)), { kind: 'ambiguous', message: /duplicate/ })
    t.match(await x.find?.(mine, again, io), { outcome: 'found' })
    const another = (await prepared(scene, mine)).handle
    t.match(await refusal(publish(x, mine, another, io)), { kind: 'permanent' }, 'without one it is none of ours')
  })
})

t.test('given media that X no longer has, when they are posted, then they are uploaded again once', async (t) => {
  const scene = await givenX(t)
  const { job, io, clock } = scene
  const { handle } = await prepared(scene)
  clock.pass(24 * 3_600_000)
  t.match(await refusal(publish(x, job, handle, io)), {
    kind: 'retryable',
    startOver: true,
    message: /media IDs are invalid/,
  })
  const again = (await x.prepare(job, io, handle)).handle
  clock.pass(24 * 3_600_000)
  t.match(await refusal(publish(x, job, again, io)), { kind: 'permanent' })
  t.match(
    await refusal(
      x
        .prepare({ ...job, mediaUrl: scene.host.serve('/no.jpg', pictureThat('no-credits')) }, io, undefined)
        .then(({ handle }) => publish(x, job, handle, io)),
    ),
    { kind: 'permanent', message: /CreditsDepleted|credit/ },
  )
})

t.test('given access that ends', async (t) => {
  const scene = await givenX(t)
  const { job, io, proxy, clock, sandbox, account, credentials } = scene
  const refreshes = () => proxy.calls.filter((call) => call === 'token').length
  const stored = () => sandbox.ledger.account('x', account.externalId)?.secrets ?? {}

  await t.test(
    'when it is about to end, then it is renewed ahead, once for all, and the new tokens kept',
    async (t) => {
      clock.pass(2 * 3_600_000 - 4 * 60_000)
      const handles = await Promise.all([1, 2, 3, 4].map(() => prepared(scene)))
      t.equal(refreshes(), 1)
      t.equal(new Set(handles.map(({ handle }) => handle['mediaId'])).size, 4)
      const { accessToken, refreshToken, clientId } = await credentials.read()
      t.match(stored(), { accessToken, refreshToken, clientId })
      t.not(refreshToken, account.credentials['refreshToken'], 'X rotates it')
      t.ok(Date.parse((await credentials.read())['expiresAt'] ?? '') > clock.now() + 7_000_000)
    },
  )

  await t.test(
    'when X says that the token has expired, then it is renewed and the post is published once',
    async (t) => {
      const { handle } = await prepared(scene)
      const before = live(scene).length
      sandbox.faults.script(fault({ kind: 'token_expired' }))
      await publish(x, job, handle, io)
      t.equal(refreshes(), 2)
      t.equal(live(scene).length, before + 1)
    },
  )

  await t.test('when the new ones are refused too, then the account has to be connected again', async (t) => {
    const { handle } = await prepared(scene)
    sandbox.faults.script(fault({ kind: 'token_expired', times: 4 }))
    t.match(await refusal(publish(x, job, handle, io)), { kind: 'needs-reauth' })
  })

  await t.test('when a renewal fails, then the error says whether to retry', async (t) => {
    const { handle } = await prepared(scene)
    for (const [script, kind] of [
      [{ kind: 'rate_limit' }, 'retryable'],
      [{ kind: 'server_error' }, 'retryable'],
      [{ kind: 'reject' }, 'needs-reauth'],
    ] as const) {
      sandbox.faults.script(fault({ ...script, call: 'refresh' }))
      const void_ = ioOf(scene.http, { ...(await credentials.read()), accessToken: 'void' }, { clock })
      t.match(await refusal(publish(x, job, handle, void_)), { kind }, script.kind)
    }
  })

  await t.test('when something to renew it with is missing or wrong, then it is named', async (t) => {
    const { handle } = await prepared(scene)
    const { refreshToken: _refresh, ...noRefresh } = await credentials.read()
    const { clientId: _client, ...noClient } = await credentials.read()
    const wrongSecret = { ...(await credentials.read()), clientSecret: 'wrong' }
    for (const [given, message] of [
      [noRefresh, /no refresh token/],
      [noClient, /no client id/],
      [wrongSecret, /client id or secret/],
    ] as const) {
      const error = await refusal(
        publish(x, job, handle, ioOf(scene.http, { ...given, accessToken: 'void' }, { clock })),
      )
      t.match(error, { kind: 'needs-reauth', message })
      for (const secret of ['refreshToken', 'clientSecret']) {
        t.notOk(error.message.includes(account.credentials[secret] ?? 'none'))
      }
    }
  })

  await t.test('when a refresh token is used twice, then X revokes the access', async (t) => {
    const spent = ioOf(scene.http, { ...account.credentials, accessToken: 'void' }, { clock })
    const { handle } = await prepared(scene)
    t.match(await refusal(publish(x, job, handle, spent)), { kind: 'needs-reauth', message: /already used/ })
    t.match(await refusal(publish(x, job, handle, io)), { kind: 'needs-reauth' })
  })
})

t.test('given credentials, when the account is connected, then X says whose they are', async (t) => {
  const scene = await givenX(t)
  const { account, io, sandbox } = scene
  const { baseUrl, externalId, credentials: given } = account
  const username = `user${externalId}`
  t.same(await x.connect(given, baseUrl, io), {
    externalId,
    label: `@${username}`,
    credentials: { ...given, username },
  })
  const kept = { ...given, username }
  const { handle } = await prepared(scene)
  t.match(await publish(x, scene.job, handle, ioOf(scene.http, kept)), {
    url: new RegExp(`^https://x.com/${username}/status/\\d+$`),
  })

  for (const [wrong, message] of [
    [{}, /accessToken/],
    [{ ...given, maxChars: '30000' }, /maxChars: 280-25000/],
    [{ ...given, tier: 'free' }, /tier/],
    [{ ...given, expiresAt: 'soon' }, /expiresAt/],
  ] as const) {
    t.match(await refusal(x.connect(wrong, baseUrl, io)), { kind: 'permanent', message })
  }
  t.match(await refusal(x.connect({ accessToken: 'wrong' }, baseUrl, io)), { kind: 'needs-reauth' })
  const renewed = await x.connect({ ...given, accessToken: 'old' }, baseUrl, io)
  t.match(sandbox.ledger.account('x', externalId)?.secrets, {
    accessToken: renewed.credentials['accessToken'],
    refreshToken: renewed.credentials['refreshToken'],
  })
  t.match(await refusal(x.connect(given, baseUrl, io)), { kind: 'needs-reauth' }, 'those are spent now')
})

t.test('given an app without a secret, when its access is renewed, then it is known by its id', async (t) => {
  const scene = await givenX(t)
  const { sandbox, account, http } = scene
  const { clientSecret: _, ...secrets } = account.credentials
  const saved = sandbox.ledger.account('x', account.externalId)
  if (!saved) return t.fail('the account is in the ledger')
  sandbox.ledger.saveAccount({ ...saved, secrets })
  const store = memoryCredentials({ ...secrets, accessToken: 'void' })
  const media = memoryMedia(http)
  await prepared(
    scene,
    { ...scene.job, mediaUrl: `${sandbox.url}/media/sample.jpg` },
    ioOf(http, store, { media, clock: scene.clock }),
  )
  t.equal((await store.read())['accessToken'], sandbox.ledger.account('x', account.externalId)?.secrets['accessToken'])
  t.equal(media.kept, 0, 'the fetched media are disposed of')
})

t.test('given an owner who grants fewer scopes', async (t) => {
  const scene = await givenX(t)
  const { http, sandbox, account, io } = scene
  const redirectUri = 'http://127.0.0.1:3000/connect/x/callback'
  const made = await postJson(http, `${sandbox.url}/_control/apps`, { platform: 'x', redirectUri })
  const app = z.object({ clientId: z.string(), clientSecret: z.string() }).parse(made.json())
  const verifier = 'v'.repeat(43)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const codeFor = async (scopes: readonly string[]) => {
    const request = { scopes, redirectUri, state: 'state', challenge }
    const page = x.logins[0]?.authorization.consentUrl(app, request, account.baseUrl) ?? ''
    const back = new URL(await consent(page, account.externalId, 'allow'))
    return { code: back.searchParams.get('code') ?? '', redirectUri, verifier }
  }
  const exchanged = async (...scopes: readonly string[]) =>
    x.logins[0]?.authorization.exchange(app, await codeFor(scopes), account.baseUrl, io)

  await t.test('when the code is exchanged, then the missing ones are named', async (t) => {
    t.match(await refusal(exchanged('tweet.read', 'users.read', 'tweet.write', 'offline.access')), {
      kind: 'permanent',
      message: 'X did not grant media.write. Publishing needs it: start again and allow it.',
    })
    t.match(await refusal(exchanged('tweet.read', 'tweet.write', 'users.read', 'media.write')), {
      message: /did not grant offline\.access/,
    })
    t.match(await exchanged('tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'), {
      accessToken: /./,
      refreshToken: /./,
    })
  })

  await t.test('when such an access uploads, then X only says "Forbidden", and the error says why', async (t) => {
    await refusal(exchanged('tweet.read', 'users.read', 'tweet.write', 'offline.access'))
    const { accessToken = '' } = sandbox.ledger.account('x', account.externalId)?.secrets ?? {}
    const limited = ioOf(http, { accessToken }, { media: io.media, clock: io.clock })
    const missing = { kind: 'forbidden', message: /scope media\.write.*"Read and write".*\(HTTP 403, Forbidden/ }
    t.match(await refusal(prepared(scene, scene.job, limited)), missing)
    // As users of other clients report it, without `type` and `status`.
    const body = '{"title":"Forbidden","detail":"Forbidden"}'
    scene.proxy.next('upload', { kind: 'answer', status: 403, body })
    t.match(await refusal(prepared(scene)), missing)
  })
})

t.test('given any answer of X to a user, then it tells the state of the rate limit', async (t) => {
  const { http, account, clock } = await givenX(t)
  const headers = { authorization: `Bearer ${account.credentials['accessToken']}` }
  const left = async (path: string) => {
    const { status, headers: told } = await http.request(account.baseUrl + path, { headers })
    const { 'x-rate-limit-limit': limit, 'x-rate-limit-remaining': remaining, 'x-rate-limit-reset': reset } = told
    t.ok(Number(reset) * 1_000 > clock.now())
    return { status, limit, remaining }
  }
  t.same(await left('/2/users/me'), { status: 200, limit: '75', remaining: '74' })
  t.same(await left('/2/users/me'), { status: 200, limit: '75', remaining: '73' })
  t.same(await left('/2/tweets?ids=none'), { status: 400, limit: '5000', remaining: '4999' })
  clock.pass(15 * 60_000)
  t.same(await left('/2/users/me'), { status: 200, limit: '75', remaining: '74' }, 'a new window')
})
