import t, { type Test } from 'tap'
import type { MediaFacts } from '../infra/media/media.ts'
import { x } from '../platforms/x/index.ts'
import { allowanceOf, brokenRules } from '../platforms/x/rules.ts'
import { weightedLength } from '../platforms/x/weighted-length.ts'
import { findPost } from '../projections/models/posts.ts'
import type { FaultScript } from '../packages/sandbox/faults.ts'
import { xStandIn } from '../packages/sandbox/x.ts'
import { fused, type CrashPoint } from './support/fuse.ts'
import { clipOf, clipThat, fault, givenX, mediaHost, pictureThat, prepared, refusal } from './support/x.ts'
import { givenProcess, givenWorld, type World } from './support/world.ts'

t.test('given a text, then its length is what twitter-text 3.1.0 says', async (t) => {
  const url = `https://example.com/${'a'.repeat(80)}`
  // Each value is that of the package itself.
  for (const [text, length] of [
    ['Hello, world! 👋', 16],
    [url, 23],
    ['👨‍👩‍👧‍👦', 2],
    ['日本語', 6],
    ['a'.repeat(281), 281],
    ['', 0],
    ['example.com', 23],
    ['See example.com.', 28],
    ['example.com/a_(b)?c=d&e, yes', 28],
    ['詳細はexample.comへ', 31],
    ['https://bücher.example/x', 7 + 17],
    ['https://bücher.de/x', 23],
    ['mail@example.com', 16],
    ['@example.com #example.com $example.com', 38],
    ['-example.com', 12],
    ['a.b c.d 1.2 file.txt', 20],
    ['http://a.museum:8080/x#y(z)', 23],
    ['example.com…', 25],
    ['https://example.com/a https://example.com/b', 47],
    ['e\u0301', 1],
    ['“quoted” – it’s', 15],
    ['ﷺ', 2],
    ['👋🏽🇩🇪❤️1️⃣', 8],
    ['©®™', 4],
  ] as const) {
    t.equal(weightedLength(text), length, JSON.stringify(text))
  }
})

const facts = (more: Partial<MediaFacts>): MediaFacts => ({
  mediaType: 'image',
  mimeType: 'image/jpeg',
  bytes: 1_000,
  width: 720,
  height: 1280,
  ...more,
})
const video = (more: Partial<MediaFacts> = {}): MediaFacts =>
  facts({ mediaType: 'video', mimeType: 'video/mp4', durationMs: 10_000, ...more })

t.test('given a post, then every rule of X that it breaks is named with limit and value', async (t) => {
  const broken = (text: string, of?: MediaFacts) => x.check({ text, mediaType: of?.mediaType ?? 'image' }, of)
  for (const fine of [
    facts({}),
    facts({ mimeType: 'image/png', bytes: 5_000_000 }),
    facts({ mimeType: 'image/webp' }),
    facts({ mimeType: 'image/gif', bytes: 15_000_000, width: 1280, height: 1080 }),
    video(),
    video({ mimeType: 'video/quicktime', width: 1280, height: 1024, durationMs: 20 * 60_000, bytes: 8e9 }),
    video({ width: 1080, height: 1920, durationMs: 3 * 60_000, bytes: 600_000_000 }),
    video({ durationMs: 500 }),
    { mediaType: 'video', mimeType: 'video/mp4', bytes: 1_000 } as const,
  ]) {
    t.same(broken('a'.repeat(280), fine), [])
  }
  t.same(broken('', facts({})), [])
  t.same(broken(`${'日'.repeat(140)}字`), [
    'X accepts posts of at most 280 characters, counting a link as 23 and emoji and most Asian characters as 2; this one has 282.',
  ])
  t.match(broken('a'.repeat(50_001)), [/more than 50000/])
  t.same(broken('$ABC and $DEF.A'), ['X accepts at most 1 cashtag in a post; this one has 2.'])
  t.same(broken('$ABC, US$DEF, $5'), [])
  t.match(broken('a\ufeffb'), [/U\+FEFF/])
  for (const [of, sentence] of [
    [facts({ mimeType: 'image/avif' }), 'X accepts images as JPEG, PNG, GIF or WebP; this one is image/avif.'],
    [facts({ bytes: 5_000_001 }), 'X accepts images of at most 5 MB; this one has 5.000001 MB.'],
    [
      facts({ mimeType: 'image/gif', bytes: 15_000_001 }),
      'X accepts GIFs of at most 15 MB; this one has 15.000001 MB.',
    ],
    [video({ mimeType: 'video/webm' }), 'X accepts videos as MP4 or MOV; this one is video/webm.'],
    [
      video({ bytes: 8_000_000_001 }),
      'X accepts videos of at most 8 GB from this account; this one has 8.000000001 GB.',
    ],
    [video({ width: 30, height: 30 }), 'X accepts videos of at least 32x32 pixels; this one is 30x30.'],
    [video({ width: 100, height: 301 }), 'X accepts videos with a ratio from 1:3 to 3:1; this one is 100x301.'],
    [
      video({ durationMs: 499 }),
      'X accepts videos of 0.5 seconds to 20 minutes from this account; this one is 0.499 seconds.',
    ],
    [
      video({ durationMs: 1_200_001 }),
      'X accepts videos of 0.5 seconds to 20 minutes from this account; this one is 1200.001 seconds.',
    ],
  ] as const) {
    t.same(broken('', of), [sentence])
  }
  t.match(broken('', facts({ mimeType: 'image/gif', width: 1281 })), [/1280x1080 pixels; this one is 1281x1280/])
  t.equal(broken('a'.repeat(281), video({ width: 30, height: 30, durationMs: 1 })).length, 3, 'all of them')

  const warned = (of?: MediaFacts) => x.warnings?.({ text: '', mediaType: of?.mediaType ?? 'image' }, of)
  for (const [width, height] of [
    [1080, 1920],
    [1920, 1080],
    [1080, 1080],
    [1080, 1350],
  ] as const) {
    t.match(warned(video({ width, height })), [new RegExp(`1280x1024 .*; this one is ${width}x${height}`)])
  }
  for (const quiet of [undefined, facts({ width: 4000 }), video(), video({ width: 1024, height: 1280 })]) {
    t.same(warned(quiet), [])
  }
})

t.test('given rules that are broken, when it is prepared, then X is not called', async (t) => {
  const scene = await givenX(t)
  const { job, proxy, host } = scene
  t.match(await refusal(prepared(scene, { ...job, text: 'a'.repeat(281) })), { kind: 'permanent', message: /281/ })
  const large = { ...job, mediaUrl: host.serve('/large.jpg', pictureThat('x'.repeat(5_000_000))) }
  t.match(await refusal(prepared(scene, large)), { kind: 'permanent', message: /5 MB/ })
  const wrong = { ...job, mediaType: 'video' as const }
  t.match(await refusal(prepared(scene, wrong)), { kind: 'permanent' })
  t.same(proxy.calls, [])
})

t.test('given an account with Premium, when its post is long, then its own limit holds', async (t) => {
  const scene = await givenX(t, {}, 'premium someone')
  const { io, job, credentials } = scene
  await credentials.renew(await credentials.read(), async (kept) => ({
    ...kept,
    maxChars: '25000',
    tier: 'enterprise',
  }))
  const long = { ...job, text: 'Hello. '.repeat(600).trim() }
  const { handle } = await prepared(scene, long)
  t.match(await x.publish(long, handle, io), { outcome: 'published' })
  t.match(await refusal(prepared(scene, { ...job, text: 'a'.repeat(25_001) })), { message: /25000.*25001/ })
  await t.resolves(prepared(scene, { ...job, text: '$A $B' }), 'an app of an enterprise may write more cashtags')
  // https://docs.x.com/x-api/media/quickstart/best-practices, "X Premium / verified accounts".
  const lasting = (minutes: number) =>
    brokenRules({ text: '' }, video({ durationMs: minutes * 60_000, bytes: 16e9 }), {
      ...allowanceOf({ maxChars: '25000' }),
    })
  t.same(lasting(125), [])
  t.match(lasting(126), [/to 125 minutes.*7560 seconds/])
})

async function givenXWorld(t: Test): Promise<World> {
  return givenWorld(t, { platforms: { x }, standIns: [xStandIn] })
}

t.test('given the whole service and an account on X', async (t) => {
  const lostAnswers: readonly (readonly [string, readonly FaultScript[]])[] = [
    ['all goes well', []],
    ['the answer is lost', [fault({ kind: 'accept_then_timeout' })]],
    ['X fails after it took the post', [fault({ kind: 'server_error', accepted: true })]],
    ['X fails and took nothing', [fault({ kind: 'server_error', times: 2 })]],
    ['the access has expired', [fault({ kind: 'token_expired' })]],
    ['a limit is reached', [fault({ kind: 'rate_limit', retryAfterSeconds: 900 })]],
    ['the renewal fails for now', [fault({ kind: 'token_expired' }), fault({ kind: 'server_error', call: 'refresh' })]],
  ]
  const world = await givenXWorld(t)
  const service = await givenProcess(world)
  const host = await mediaHost(t)
  const posts = () => world.sandbox.ledger.posts('x')
  for (const [mediaType, mediaUrl] of [
    ['image', `${world.sandbox.url}/media/sample.jpg`],
    ['video', `${world.sandbox.url}/media/sample.mp4`],
  ] as const) {
    for (const [name, faults] of lostAnswers) {
      await t.test(`when a ${mediaType} is posted and ${name}, then it is live exactly once`, async (t) => {
        const accountId = await world.account('x')
        const before = posts().length
        faults.forEach((script) => world.sandbox.faults.script(script))
        const id = await service.queue({ selections: { x: [accountId] }, mediaType, mediaUrl, hashtags: ['one'] })
        await service.drain()
        const row = await findPost(world.db, id)
        t.equal(row?.status, 'published')
        t.match(row?.results['x'], [{ accountId, ok: true, url: /^https:\/\/x\.com\/user\d+\/status\/\d+$/ }])
        t.equal(posts().length, before + 1)
        t.match(posts().at(-1), { caption: 'A caption\n\n#one', mediaType })
        t.same(world.sandbox.faults.pending(), [])
      })
    }
  }

  await t.test('when a reel of 1080x1920 lasts three minutes, then it is published', async (t) => {
    const accountId = await world.account('x')
    const mediaUrl = host.serve('/reel.mp4', clipOf(1080, 1920, 180))
    const id = await service.queue({ selections: { x: [accountId] }, mediaType: 'video', mediaUrl })
    await service.drain()
    t.match(await findPost(world.db, id), { status: 'published' })
  })

  await t.test('when X refuses a post, its media or its text, then that is final and says why', async (t) => {
    const accountId = await world.account('x')
    const before = posts().length
    const failing = async (more: object): Promise<unknown> => {
      const id = await service.queue({ selections: { x: [accountId] }, ...more })
      await service.drain()
      return findPost(world.db, id)
    }
    const failed = (error: RegExp) => ({ status: 'publish_failed', results: { x: [{ ok: false, error }] } })
    world.sandbox.faults.script(fault({ kind: 'reject' }))
    t.match(await failing({}), failed(/not permitted to perform this action/))
    t.match(await failing({ caption: 'a'.repeat(300) }), failed(/280 characters.*300/))
    const rejected = host.serve('/rejected.mp4', clipThat('error:InvalidMedia'))
    t.match(await failing({ mediaType: 'video', mediaUrl: rejected }), failed(/InvalidMedia/))
    const dear = host.serve('/dear.jpg', pictureThat('no-credits'))
    t.match(await failing({ mediaUrl: dear }), failed(/no API credit/))
    t.equal(posts().length, before)
  })

  await t.test('when the same text was posted before and X refuses it, then that is final', async (t) => {
    const accountId = await world.account('x')
    const mediaUrl = host.serve('/same.jpg', pictureThat('duplicate'))
    const publish = async () => {
      const id = await service.queue({ selections: { x: [accountId] }, mediaUrl })
      await service.drain()
      return findPost(world.db, id)
    }
    t.match(await publish(), { status: 'published' })
    t.match(await publish(), {
      status: 'publish_failed',
      results: { x: [{ ok: false, error: /may already be published/ }] },
    })
  })
})

t.test(
  'given a process that dies before or after any of its acts, then another one posts the video once',
  async (t) => {
    const world = await givenXWorld(t)
    const accountId = await world.account('x')
    const posts = () => world.sandbox.ledger.posts('x').length
    const run = async (point?: CrashPoint) => {
      const queuing = await givenProcess(world)
      const id = await queuing.queue({
        selections: { x: [accountId] },
        mediaType: 'video',
        mediaUrl: `${world.sandbox.url}/media/sample.mp4`,
      })
      const fuse = fused(world, point)
      const mortal = await givenProcess(world, { ...fuse, slots: 1 })
      await mortal.drain().catch((error: unknown) => {
        if (!fuse.dead()) throw error
      })
      await (await givenProcess(world, { slots: 1 })).drain()
      return { row: await findPost(world.db, id), acts: fuse.acts, died: fuse.dead() }
    }
    const { acts } = await run()
    t.ok(acts.includes('POST /x/2/tweets'))
    for (let act = 0; act < acts.length; act += 1) {
      for (const moment of ['before', 'after'] as const) {
        const before = posts()
        const { row, died } = await run({ act, moment })
        const at = `died ${moment} ${acts[act]}`
        t.ok(died, at)
        t.match(row, { status: 'published', results: { x: [{ ok: true }] } }, at)
        t.equal(posts(), before + 1, `${at}: live once`)
      }
    }
  },
)
