import t, { type Test } from 'tap'
import { blueskyPlatform } from '../platforms/bluesky/index.ts'
import { blueskyVideoService } from '../platforms/bluesky/video.ts'
import { outboundPolicy } from '../infra/http/outbound-guard.ts'
import { systemClock, type Clock } from '../infra/runtime/clock.ts'
import { prepare, publish } from './support/connector.ts'
import { connected, jobOf, mediaHost, platformError, postsOf, referenceServer } from './support/bluesky.ts'
import { client } from './support/outbound-servers.ts'
import { startPds } from './support/pds.ts'
import { fakeVideoService, type VideoScript } from './support/video-service.ts'

const http = client(t, { policy: outboundPolicy('127.0.0.1, localhost') })
const pds = await startPds()
t.teardown(() => pds.close())
// By the name that the server's own DID has: the service's token must name it.
const server = { ...referenceServer(pds), url: pds.url.replace('127.0.0.1', 'localhost') }
const author = await server.createAccount()
const media = await mediaHost(t)
const VIDEO_BYTES = 144_245

/** Waits not at all, and lets no other time pass than what it was to wait. */
function hurriedClock(): Clock & { readonly slept: readonly number[] } {
  const slept: number[] = []
  let now = systemClock.now()
  return {
    slept,
    now: () => now,
    sleep: async (ms) => {
      slept.push(ms)
      now += ms
    },
  }
}

/** The account as one of a server that the video service works for: connected without a base URL. */
async function scene(t: Test, script: VideoScript = {}) {
  const service = await fakeVideoService(t, server.url, script)
  const platform = blueskyPlatform({ url: service.url, serves: (host) => host === server.url })
  const { account, io } = await connected(http, author, server.url, platform)
  const { baseUrl: _, ...atHome } = account
  const job = jobOf(atHome, { mediaUrl: `${media.url}/sample.mp4`, mediaType: 'video', text: 'Moving' })
  return { service, platform, job, io: { ...io, clock: hurriedClock() } }
}

for (const wrapped of [false, true]) {
  t.test(`a video is transcoded before it is published, the status ${wrapped ? 'wrapped' : 'bare'}`, async (t) => {
    const { service, platform, job, io } = await scene(t, { wrapped })
    const handle = await prepare(platform, job, io)
    await publish(platform, job, handle, io)

    const [post] = await postsOf(http, server, author.did)
    t.match(post?.value, {
      text: 'Moving',
      embed: {
        $type: 'app.bsky.embed.video',
        video: { mimeType: 'video/mp4', size: VIDEO_BYTES },
        aspectRatio: { width: 720, height: 1280 },
      },
    })
    const now = Math.floor(Date.now() / 1000)
    const [upload] = service.uploads
    t.match(upload, { did: author.did, name: /^[2-7a-z]{13}\.mp4$/, bytes: VIDEO_BYTES })
    t.match(upload?.claims, { iss: author.did, aud: 'did:web:localhost', lxm: 'com.atproto.repo.uploadBlob' })
    const lifetime = Number(upload?.claims['exp']) - now
    t.ok(lifetime > 1_700 && lifetime <= 1_800, `the token lives ${lifetime} s`)
    t.equal(service.polls(), 3)
    t.same(io.clock.slept, [2_000, 2_000, 2_000])
  })
}

t.test('the same video again is found done, whatever status that comes with', async (t) => {
  const { service, platform, job, io } = await scene(t)
  const first = await prepare(platform, job, io)
  const polls = service.polls()
  t.same(await prepare(platform, job, io), first)
  t.equal(service.uploads.length, 2)
  t.equal(service.uploads[0]?.name, service.uploads[1]?.name)
  t.equal(service.polls(), polls, 'there was nothing to wait for')
})

t.test('a poll that fails is asked again', async (t) => {
  const { service, platform, job, io } = await scene(t, { pending: 0, failingPolls: 2 })
  await prepare(platform, job, io)
  t.equal(service.polls(), 3)
  t.equal(service.uploads.length, 1)
})

t.test('a video that the service cannot process fails with the reason', async (t) => {
  const kinds = {
    validation_failure: 'permanent',
    encoding_failure: 'permanent',
    pds_upload_unsupported_blob_size: 'permanent',
    pds_upload_failure: 'retryable',
    generic_failure: 'retryable',
  }
  for (const [failureCode, kind] of Object.entries(kinds)) {
    const { platform, job, io } = await scene(t, { failureCode })
    const error = await platformError(prepare(platform, job, io))
    t.match(error, { kind, message: new RegExp(`${failureCode}, it failed`) }, failureCode)
  }
})

t.test('an upload that the service refuses fails with the reason, whatever status that comes with', async (t) => {
  for (const status of [200, 401]) {
    const refusal = { status, error: 'unconfirmed_email' }
    const { service, platform, job, io } = await scene(t, { refusal })
    const error = await platformError(prepare(platform, job, io))
    t.match(error, { kind: 'permanent', message: /confirmed e-mail address/ }, `${status}`)
    t.equal(service.polls(), 0)
  }
})

t.test('a job that never ends is given up after ten minutes', async (t) => {
  const { service, platform, job, io } = await scene(t, { pending: Infinity })
  t.match(await platformError(prepare(platform, job, io)), { kind: 'retryable', message: /still processing/ })
  t.equal(
    io.clock.slept.reduce((sum, ms) => sum + ms, 0),
    600_000,
  )
  t.equal(service.polls(), 299)
})

t.test('waiting for a video ends with the time of the work', async (t) => {
  const { service, platform, job, io } = await scene(t, { pending: Infinity })
  const work = new AbortController()
  const clock: Clock = {
    now: systemClock.now,
    sleep: async (_ms, signal) => {
      t.equal(signal, work.signal, 'the clock receives the signal to stop')
      if (service.polls() === 2) work.abort()
    },
  }
  t.match(await platformError(prepare(platform, job, { ...io, clock, signal: work.signal })), { kind: 'retryable' })
  t.equal(service.polls(), 2)
})

t.test('where a base URL is given the video goes there and nowhere else', async (t) => {
  const { service, platform, job, io } = await scene(t)
  const account = { ...job.account, baseUrl: server.url }
  const given = { ...job, account }
  await publish(platform, given, await prepare(platform, given, io), io)
  t.same(service.uploads, [])
})

t.test('images and the videos of other servers need no video service', async (t) => {
  const { service, platform, job, io } = await scene(t)
  await prepare(platform, { ...job, mediaUrl: `${media.url}/sample.jpg`, mediaType: 'image' }, io)
  const elsewhere = blueskyPlatform({ url: service.url, serves: () => false })
  await prepare(elsewhere, job, io)
  t.same(service.uploads, [])
})

t.test('the video service of Bluesky works for the servers of Bluesky', (t) => {
  t.ok(blueskyVideoService.serves('https://morel.us-east.host.bsky.network'))
  for (const other of ['https://bsky.social', 'https://pds.example.com', 'https://host.bsky.network.example.com']) {
    t.notOk(blueskyVideoService.serves(other), other)
  }
  t.end()
})
