import t from 'tap'
import { instagram } from '../platforms/instagram/index.ts'
import { withCover } from '../platforms/kit/options-for.ts'
import type { PublishJob } from '../platforms/kit/platform.ts'
import { findPost } from '../projections/models/posts.ts'
import { instagramStandIn } from '../packages/sandbox/instagram.ts'
import { publish } from './support/connector.ts'
import { fused } from './support/fuse.ts'
import { givenScene, graphError, json, ready, refusal, START, tokenOf } from './support/instagram.ts'
import { box, sample } from './support/media-samples.ts'
import { testRestarts } from './support/meta.ts'
import { ioOf, memoryMedia, postJson } from './support/sandbox.ts'
import { givenProcess, givenWorld } from './support/world.ts'

const LOGINS = ['instagram', 'facebook'] as const
const SECRET = 'the-secret-of-the-sandbox-app'

for (const login of LOGINS) {
  t.test(`given an account connected through ${login} login`, async (t) => {
    const scene = await givenScene(t, { login, secret: SECRET })
    const { job, io, sandbox } = scene
    for (const [mediaType, file, waits] of [
      ['image', 'sample.jpg', [3_000, 3_000]],
      ['video', 'sample.mp4', [3_000, 3_000, 3_000]],
    ] as const) {
      await t.test(`when a ${mediaType} is published, then it is live as asked, and found`, async (t) => {
        const post = {
          ...job,
          mediaType,
          mediaUrl: `${sandbox.url}/media/${file}`,
          text: `The ${mediaType} 🥖 & #more`,
        }
        const before = scene.live().length
        const prepared = await ready(scene, post)
        t.same(prepared.waits, waits, 'at the pace of Instagram')
        t.equal(scene.live().length, before, 'nothing is visible yet')
        t.same(await instagram.find?.(post, prepared.handle, io), { outcome: 'absent' })

        const published = await publish(instagram, post, prepared.handle, io)
        const live = scene.live().slice(before)
        t.match(live, [{ id: published.postId, caption: post.text, mediaUrl: post.mediaUrl, mediaType }])
        t.equal(live.length, 1)
        t.match(
          await (await fetch(published.url ?? '')).text(),
          /The (image|video) 🥖 &#38; #more/,
          'its permalink leads to it',
        )
        t.same(await instagram.find?.(post, prepared.handle, io), { outcome: 'found', found: published })
      })
    }
  })
}

t.test('given options, then an image, a reel and a carousel have them, and wrong ones are named', async (t) => {
  const scene = await givenScene(t)
  const [image, video] = ['sample.jpg', 'sample.mp4'].map((file) => `${scene.sandbox.url}/media/${file}`)
  const reel = { mediaType: 'video', mediaUrl: video ?? '' } as const
  const album = { media: [`${image}?1`, `${image}?2`].map((url) => ({ url, type: 'image' as const })) }
  const [tagged, sent] = [[{ username: 'bea.bakes', x: 0.25, y: 1 }], { collaborators: ['cy_1'], locationId: '106078' }]
  const common = { collaborators: '["cy_1"]', location_id: '106078' }
  for (const [more, options, details] of [
    [{}, { userTags: tagged }, { user_tags: JSON.stringify(tagged) }],
    [
      reel,
      { userTags: tagged, shareToFeed: false },
      { user_tags: '[{"username":"bea.bakes"}]', share_to_feed: 'false' },
    ],
    [album, { userTags: tagged }, { user_tags: JSON.stringify(tagged) }],
  ] as const) {
    const job = { ...scene.job, ...more, options: { ...sent, ...options } }
    await publish(instagram, job, (await ready(scene, job)).handle, scene.io)
    t.match(scene.live().at(-1)?.details, { ...common, ...details })
  }

  for (const [more, options, message] of [
    [{}, { collaborators: ['@bea'] }, /options for Instagram are invalid.*username without @.*collaborators\[0\]/s],
    [{}, { collaborators: ['a', 'b', 'c', 'd'] }, /at most 3 accounts/],
    [{}, { userTags: [{ username: 'bea' }] }, /requires x and y/],
    [{}, { locationId: 'Berlin' }, /numeric ID of a Facebook Page.*locationId/s],
    [{ media: [{ url: video, type: 'video' }, ...album.media] }, { userTags: tagged }, /must be an image/],
  ] as const) {
    const job = { ...scene.job, ...more, options } as PublishJob
    t.match(await refusal(ready(scene, job)), { kind: 'permanent', message })
  }
})

t.test('given an empty caption and a URL that is not ASCII, then the post is published all the same', async (t) => {
  const scene = await givenScene(t)
  const job = { ...scene.job, text: '', mediaUrl: `${scene.sandbox.url}/media/sample.jpg?name=brød 1` }
  const { handle } = await ready(scene, job)
  const published = await publish(instagram, job, handle, scene.io)
  t.match(scene.live(), [{ caption: '', mediaUrl: `${scene.sandbox.url}/media/sample.jpg?name=br%C3%B8d%201` }])
  t.same(await instagram.find?.(job, handle, scene.io), { outcome: 'found', found: published })
})

t.test(
  'given more hashtags or mentions than Instagram has announced, then there is a warning and no broken rule',
  async (t) => {
    const tags = (count: number, mark: string) => Array.from({ length: count }, (_, n) => `${mark}name${n}`).join(' ')
    for (const [text, expected] of [
      [`${tags(5, '#')} ${tags(3, '@')}`, []],
      [tags(6, '#'), ['Instagram has announced a limit of 5 hashtags; this caption has 6.']],
      [tags(4, '@'), ['Instagram has announced a limit of 3 mentions; this caption has 4.']],
    ] as const) {
      t.same(instagram.warnings?.({ text, mediaType: 'image' }, undefined), expected)
      t.same(instagram.check({ text, mediaType: 'image' }, undefined), [])
    }
  },
)

t.test('given a post that breaks rules, then each is named, and nothing is called', async (t) => {
  const image = { mediaType: 'image', mimeType: 'image/jpeg', bytes: 1_000 } as const
  const video = { mediaType: 'video', mimeType: 'video/mp4', bytes: 1_000 } as const
  const tags = (count: number, mark: string) => Array.from({ length: count }, (_, n) => `${mark}name${n}`).join(' ')
  for (const [text, facts, rules] of [
    ['🥖'.repeat(2_200), undefined, []],
    ['a'.repeat(2_201), undefined, ['Instagram accepts captions of at most 2200 characters; this one has 2201.']],
    [tags(30, '#'), undefined, []],
    [tags(31, '#'), undefined, ['Instagram accepts at most 30 hashtags; this caption has 31.']],
    ['&#39; a#b '.repeat(31), undefined, []],
    [`${tags(20, '@')} me@example.com`, undefined, []],
    [tags(21, '@'), undefined, ['Instagram accepts at most 20 mentions; this caption has 21.']],
    ['', { ...image, width: 1_080, height: 1_350 }, []],
    ['', { ...image, width: 1_200, height: 628 }, []],
    ['', { ...image, mimeType: 'image/png' }, [/as JPEG \(image\/jpeg\); this one is image\/png\.$/]],
    ['', { ...image, bytes: 8_000_001 }, [/at most 8000000 bytes; this one has 8000001\.$/]],
    ['', { ...image, width: 1_080, height: 1_351 }, [/between 4:5 and 1\.91:1; this one is 1080x1351, 0\.799:1\.$/]],
    ['', { ...image, width: 1_920, height: 1_000 }, [/this one is 1920x1000, 1\.92:1\.$/]],
    ['', { ...video, width: 1_080, height: 1_920, durationMs: 3_000 }, []],
    ['', { ...video, mimeType: 'video/quicktime', durationMs: 900_000 }, []],
    ['', { ...video, mimeType: 'video/webm' }, [/as MP4 or MOV .*; this one is video\/webm\.$/]],
    ['', { ...video, bytes: 300_000_001 }, [/at most 300000000 bytes; this one has 300000001\.$/]],
    ['', { ...video, width: 1_921, height: 1_080 }, [/at most 1920 pixels in width; this one has 1921\.$/]],
    ['', { ...video, width: 1_100, height: 100 }, [/between 0\.01:1 and 10:1; this one is 1100x100, 11:1\.$/]],
    ['', { ...video, durationMs: 2_999 }, [/at least 3 s; this one is 2\.999 s\.$/]],
    ['', { ...video, durationMs: 900_001 }, [/at most 900 s; this one is 900\.001 s\.$/]],
    [tags(31, '#') + 'a'.repeat(2_200), { ...image, mimeType: 'image/gif' }, [/captions/, /hashtags/, /JPEG/]],
  ] as const) {
    const found = instagram.check({ text, mediaType: facts?.mediaType ?? 'image' }, facts)
    t.equal(found.length, rules.length, JSON.stringify({ text: text.slice(0, 20), ...facts }))
    t.match(found, [...rules])
  }

  const scene = await givenScene(t)
  const connected = scene.proxy.calls.length
  for (const [job, message] of [
    [{ ...scene.job, text: 'a'.repeat(2_201) }, /2201/],
    [scene.withMedia(sample('picture.png')), /this one is image\/png/],
    [scene.withMedia(Buffer.concat([sample('picture.jpg'), Buffer.alloc(8_000_000)])), /the limit is 8 MB/],
    [scene.withMedia(sample('clip.mp4'), { mediaType: 'video' }), /at least 3 s; this one is 1\.2 s/],
    [scene.withMedia(sample('clip.webm'), { mediaType: 'video' }), /video\/webm/],
    [scene.withMedia(sample('clip.mp4')), /was expected/],
  ] satisfies [PublishJob, RegExp][]) {
    t.match(await refusal(instagram.prepare(job, scene.io, undefined)), { kind: 'permanent', message })
  }
  t.equal(scene.proxy.calls.length, connected)
  const media = memoryMedia(scene.http)
  const slow = { ...scene.io, media }
  scene.proxy.next('/media', graphError(36003, 2207009))
  t.equal((await refusal(instagram.prepare(scene.job, slow, undefined))).kind, 'permanent')
  t.equal(media.kept, 0, 'the media are let go in any case')
})

t.test('given the option shareToFeed, when it is no reel, then a warning says that it is left out', async (t) => {
  const warned = (mediaType: 'image' | 'video', items: number) =>
    instagram.warnings?.({ text: '', mediaType, items, options: { shareToFeed: false } }, undefined)
  t.same(warned('video', 1), [])
  for (const none of [warned('image', 1), warned('image', 2), warned('video', 2)]) {
    t.match(none, [/shareToFeed is only for a reel/])
  }
})

t.test('given a container that Instagram works at', async (t) => {
  const scene = await givenScene(t)
  const { job, io, clock, sandbox, proxy } = scene
  const asking = (directive: string): PublishJob => ({
    ...job,
    mediaUrl: `${sandbox.url}/media/sample.jpg?sandbox=${directive}&run=${crypto.randomUUID()}`,
  })

  await t.test('when it takes long, then it is checked less and less often, and one handle is enough', async (t) => {
    const slow = asking('processing:60')
    const { handle, waits } = await ready(scene, slow)
    t.equal(waits.length, 61)
    t.same([...new Set(waits)], [3_000, 15_000, 60_000])
    await publish(instagram, slow, handle, io)
    t.match(scene.live(), [{ mediaUrl: slow.mediaUrl }])
  })

  await t.test('when it is not done within 24 hours, then the error says so', async (t) => {
    const first = await instagram.prepare(asking('processing:1000000'), io, undefined)
    t.equal(first.outcome, 'processing')
    await clock.advanceTo(clock.now() + 86_399_000)
    t.match(await instagram.prepare(job, io, first.handle), { outcome: 'processing', lookAgainMs: 300_000 })
    await clock.advanceTo(clock.now() + 1_000)
    proxy.next(String(first.handle['containerId']), json({ status_code: 'IN_PROGRESS', status: 'In Progress' }))
    const error = await refusal(instagram.prepare(job, io, first.handle))
    t.match(error, { kind: 'permanent', message: /did not finish processing the media within 24 hours/ })
  })

  for (const [directive, message, containers] of [
    ['error:2207026', /^Instagram refused the request: Error: .*2207026/, 1],
    ['error:2207009', /^Instagram refused the request/, 1],
    ['error:2207050', /^Instagram has restricted the account/, 1],
    ['error:2207052', /could not fetch the media from its URL.* Fanfare tried 2 times\.$/, 2],
    ['error:2207082', /could not process the media.* Fanfare tried 2 times\.$/, 2],
    ['error:2207085', /Fanfare tried 2 times\.$/, 2],
    ['error:2207077', /Fanfare tried 2 times\.$/, 2],
    ['error:2207999', /could not process the media: .*2207999.* Fanfare tried 2 times\.$/, 2],
    ['error:2207003', /Fanfare tried 4 times\.$/, 4],
    ['error:2207001', /Fanfare tried 4 times\.$/, 4],
    ['error:2207032', /Fanfare tried 4 times\.$/, 4],
    ['error:2207053', /Fanfare tried 4 times\.$/, 4],
    ['error:2207020', /Fanfare tried 4 times\.$/, 4],
  ] as const) {
    await t.test(
      `when it ends in ${directive}, then ${containers} are made and the error has the reason`,
      async (t) => {
        const before = proxy.calls.filter((call) => call === 'media').length
        t.match(await refusal(ready(scene, asking(directive))), { kind: 'permanent', message })
        t.equal(proxy.calls.filter((call) => call === 'media').length - before, containers)
      },
    )
  }

  for (const directive of ['error:2207052:1', 'error:2207082:1', 'error:2207001:3', 'create:2207052:1']) {
    await t.test(`when ${directive} passes, then another one is published`, async (t) => {
      const again = asking(directive)
      const before = scene.live().length
      await publish(instagram, again, (await ready(scene, again)).handle, io)
      t.match(scene.live().slice(before), [{ mediaUrl: again.mediaUrl }])
    })
  }

  await t.test('when it waits for longer than it lives, then another one is made', async (t) => {
    const { handle } = await ready(scene, job)
    await clock.advanceTo(clock.now() + 86_400_000)
    t.match(await refusal(publish(instagram, job, handle, io)), { kind: 'retryable', retryAfterMs: 60_000 })
    const again = await ready(scene, job, handle)
    t.not(again.handle['containerId'], handle['containerId'])
    const before = scene.live().length
    await publish(instagram, job, again.handle, io)
    t.equal(scene.live().length - before, 1)
  })

  await t.test(
    'when it is not known, then it is asked for twice more, a minute apart, before another one',
    async (t) => {
      const { handle } = await instagram.prepare(job, io, undefined)
      const id = String(handle['containerId'])
      for (const error of [graphError(24, 2207006), graphError(100, 33), graphError(24, 2207008)]) proxy.next(id, error)
      const again = await ready(scene, job, handle)
      t.same(again.waits.slice(0, 2), [60_000, 60_000])
      t.not(again.handle['containerId'], id)
      t.match(again.handle, { failures: 1 })
    },
  )

  await t.test('when it cannot be checked, then it is checked again, whatever the response was', async (t) => {
    const { handle } = await instagram.prepare(job, io, undefined)
    const id = String(handle['containerId'])
    const page = { kind: 'answer', status: 502, body: '<html>Bad gateway</html>' } as const
    const strange = json({ status_code: 'WAITING' })
    const failures = [
      graphError(1),
      graphError(2, undefined, { status: 500 }),
      page,
      json({}),
      strange,
      { kind: 'cut' },
    ]
    for (const failure of failures) proxy.next(id, failure as typeof page)
    const again = await ready(scene, job, handle)
    t.same(
      again.waits.slice(0, 6),
      failures.map(() => 30_000),
    )
    t.equal(again.handle['containerId'], id)
  })

  await t.test('when it is found ready again, then the same one is published', async (t) => {
    const { handle } = await ready(scene, job)
    await clock.advanceTo(clock.now() + 3_600_000)
    t.same(await instagram.prepare(job, io, handle), { outcome: 'ready', handle })
  })

  await t.test('when it may have been published and cannot be read, then no other one is made', async (t) => {
    const { handle } = await ready(scene, job)
    for (let looks = 0; looks < 5; looks += 1) {
      proxy.next(String(handle['containerId']), graphError(100, 33))
      t.same(await instagram.prepare(job, io, handle), { outcome: 'processing', handle, lookAgainMs: 60_000 })
    }
  })

  await t.test('when it turns out to be published already, then it is not published again', async (t) => {
    const own = { ...job, text: 'Published late' }
    const { handle } = await ready(scene, own)
    const published = await publish(instagram, own, handle, io)
    const again = await ready(scene, own, handle)
    t.same(await publish(instagram, own, again.handle, io), published)
    proxy.next('/media', graphError(2, undefined, { status: 500 }))
    t.same(await publish(instagram, own, again.handle, io), { postId: handle['containerId'] }, 'it is out all the same')
    t.equal(scene.live().filter(({ caption }) => caption === own.text).length, 1)
  })

  await t.test('when the handle is of another connector, then it is refused', async (t) => {
    const strange = { mediaId: '1' }
    const expected = { kind: 'permanent', message: /could not be read/ }
    t.match(await refusal(instagram.prepare(job, io, strange)), expected)
    t.match(await refusal((async () => instagram.publish(job, strange, io))()), expected)
  })
})

t.test('given the answer to a publish was lost', async (t) => {
  const scene = await givenScene(t)
  const { job, io, clock, proxy, sandbox } = scene
  let run = 0
  const submitted = async (more: Partial<PublishJob> = {}) => {
    const own = { ...job, text: `Lost ${run++}`, ...more }
    const { handle } = await ready(scene, own)
    return { own, handle, id: String(handle['containerId']) }
  }
  const lost = async (own: PublishJob, handle: Awaited<ReturnType<typeof submitted>>['handle']) => {
    scene.fault({ kind: 'accept_then_timeout' })
    t.match(await refusal(publish(instagram, own, handle, io)), { kind: 'ambiguous' })
    return scene.live().at(-1)?.id
  }

  await t.test('when it is out, then it is found with its id and address', async (t) => {
    const { own, handle } = await submitted()
    const postId = await lost(own, handle)
    t.match(await instagram.find?.(own, handle, io), { outcome: 'found', found: { postId, url: /\/p\// } })
  })

  await t.test('when it is listed late, then it is waited for', async (t) => {
    const mediaUrl = `${sandbox.url}/media/sample.jpg?sandbox=listed-after:10`
    const { own, handle } = await submitted({ mediaUrl })
    const postId = await lost(own, handle)
    t.same(await instagram.find?.(own, handle, io), { outcome: 'processing', lookAgainMs: 5_000 })
    await clock.advanceTo(clock.now() + 10_000)
    t.match(await instagram.find?.(own, handle, io), { outcome: 'found', found: { postId } })
  })

  await t.test('when it is never listed, then it is found without its address', async (t) => {
    const { own, handle, id } = await submitted({
      mediaUrl: `${sandbox.url}/media/sample.jpg?sandbox=listed-after:1000`,
    })
    await lost(own, handle)
    await clock.advanceTo(clock.now() + 120_000)
    t.same(await instagram.find?.(own, handle, io), { outcome: 'found', found: { postId: id } })
    proxy.next('/media', graphError(2, undefined, { status: 500 }))
    t.same(await instagram.find?.(own, handle, io), { outcome: 'found', found: { postId: id } }, 'nor is the list')
  })

  await t.test('when one with the same text was there before, then it is not mistaken for it', async (t) => {
    const first = await submitted({ text: 'Twice' })
    await publish(instagram, first.own, first.handle, io)
    const second = await submitted({ text: 'Twice' })
    const postId = await lost(second.own, second.handle)
    t.match(await instagram.find?.(second.own, second.handle, io), { outcome: 'found', found: { postId } })
  })

  await t.test('when two of the same words went out since, then the newest is not taken blindly', async (t) => {
    const [one, other] = [await submitted({ text: 'At once' }), await submitted({ text: 'At once' })]
    await lost(one.own, one.handle)
    await publish(instagram, other.own, other.handle, io)
    await clock.advanceTo(clock.now() + 120_000)
    const found = { outcome: 'found', found: { postId: one.id } }
    t.same(await instagram.find?.(one.own, one.handle, io), found)
    proxy.next(one.id, graphError(100, 33))
    t.match(await refusal(instagram.find?.(one.own, one.handle, io)), { kind: 'retryable' })
  })

  await t.test('when many came after it, then all pages are looked through', async (t) => {
    const { own, handle, id } = await submitted({ text: 'Page two' })
    const postId = await lost(own, handle)
    const page = (ids: string[], after: string, more: boolean) =>
      json({
        data: ids.map((each) => ({
          id: each,
          caption: each === postId ? own.text : 'another',
          media_type: 'IMAGE',
          timestamp: new Date(clock.now()).toISOString().replace(/\..*/, '+0000'),
        })),
        paging: { cursors: { after }, ...(more && { next: 'https://elsewhere.example/next' }) },
      })
    proxy.next('/media', page(['1', '2'], '2', true))
    proxy.next('/media', page(['3', postId ?? ''], '4', false))
    t.same(await instagram.find?.(own, handle, io), { outcome: 'found', found: { postId } })
    proxy.next('/media', page(['1'], '1', true))
    proxy.next('/media', page(['2'], '2', false))
    proxy.next(id, graphError(100, 33))
    t.match(await refusal(instagram.find?.(own, handle, io)), { kind: 'retryable' })
  })

  await t.test('when the container says what excludes it, then it is absent', async (t) => {
    const { own, handle, id } = await submitted()
    for (const code of ['FINISHED', 'ERROR', 'EXPIRED']) {
      proxy.next(id, json({ status_code: code, id }))
      t.same(await instagram.find?.(own, handle, io), { outcome: 'absent' }, code)
    }
    proxy.next(id, json({ status_code: 'IN_PROGRESS', id }))
    t.match(await instagram.find?.(own, handle, io), { outcome: 'processing' })
  })

  await t.test(
    'when the container cannot be read, then the list has the outcome, or it is checked again, or unknown',
    async (t) => {
      const { own, handle, id } = await submitted()
      for (const error of [graphError(100, 33), graphError(24, 2207006), graphError(1)]) {
        proxy.next(id, error)
        t.match(await refusal(instagram.find?.(own, handle, io)), { kind: 'retryable' })
      }
      const postId = await lost(own, handle)
      proxy.next(id, graphError(100, 33))
      t.match(await instagram.find?.(own, handle, io), { outcome: 'found', found: { postId } })

      const other = await submitted()
      await clock.advanceTo(clock.now() + 86_400_000)
      proxy.next(other.id, graphError(100, 33))
      t.same(await instagram.find?.(other.own, other.handle, io), { outcome: 'unknown' })
    },
  )
})

t.test('given a post that is placed as a story', async (t) => {
  const DAY_MS = 86_400_000
  const tags = [{ username: 'bea.bakes' }, { username: 'cy_1', x: 0.5, y: 0.25 }]
  const options = { placement: 'story', userTags: tags }

  for (const login of LOGINS) {
    for (const [mediaType, file] of [
      ['image', 'sample.jpg'],
      ['video', 'sample.mp4'],
    ] as const) {
      await t.test(`when ${mediaType} and ${login} login are used, then it is live as one, and found`, async (t) => {
        const scene = await givenScene(t, { login })
        const job = { ...scene.job, mediaType, mediaUrl: `${scene.sandbox.url}/media/${file}`, options }
        t.same(await instagram.findByContent?.(job, START, scene.io), { outcome: 'absent' })
        const { handle } = await ready(scene, job)
        t.same(await instagram.find?.(job, handle, scene.io), { outcome: 'absent' })

        const published = await publish(instagram, job, handle, scene.io)
        t.match(scene.live(), [
          {
            ...{ id: published.postId, caption: '', mediaType, mediaUrl: job.mediaUrl },
            details: { media_type: 'STORIES', user_tags: JSON.stringify(tags) },
          },
        ])
        t.same(await instagram.find?.(job, handle, scene.io), { outcome: 'found', found: published })
        t.same(await instagram.findByContent?.(job, START, scene.io), { outcome: 'unknown' }, 'it has no text')
        const others = { ruledOut: new Set([published.postId]), doubt: 'none' } as const
        t.same(await instagram.findByContent?.(job, START, scene.io, async () => others), { outcome: 'absent' })
        const { options: _, ...post } = job
        t.same(await instagram.findByContent?.(post, START, scene.io), { outcome: 'absent' }, 'posts are listed apart')

        await scene.clock.advanceTo(scene.clock.now() + DAY_MS)
        t.same(await instagram.findByContent?.(job, START, scene.io), { outcome: 'unknown' }, 'it is listed no more')
        if (login === 'instagram') return
        await instagram.unpublish?.(job.account, published, scene.io)
        t.same(scene.live(), [])
      })
    }
  }
})

t.test('given a reel with a cover, then the cover takes the place of the thumbnail', async (t) => {
  const scene = await givenScene(t)
  const [cover, url] = ['https://example.com/cover.jpg', `${scene.sandbox.url}/media/sample.mp4`]
  const options = { placement: 'reel', coverUrl: cover, thumbOffset: 1_500 }
  const given = [{ url, type: 'video', thumbnailUrl: 'https://example.com/thumbnail.jpg' }] as const
  const media = withCover(given, instagram, options)
  const job = { ...scene.job, mediaType: 'video', mediaUrl: url, media, options } as const
  await publish(instagram, job, (await ready(scene, job)).handle, scene.io)
  t.match(scene.live().at(-1)?.details, { media_type: 'REELS', cover_url: cover, thumb_offset: '1500' })
  for (const [items, set] of [
    [given, { placement: 'reel' }],
    [[...given, ...given], options],
    [[{ url, type: 'image' }], options],
  ] as const) {
    t.same(withCover(items, instagram, set), items)
  }
})

t.test('given a placement that the post cannot have, then the rule is named, and nothing is called', async (t) => {
  const scene = await givenScene(t)
  const called = scene.proxy.calls.length
  const url = `${scene.sandbox.url}/media/sample.jpg`
  const video = { mediaType: 'video', mediaUrl: `${scene.sandbox.url}/media/sample.mp4` } as const
  const album = {
    media: [
      { url, type: 'image' as const },
      { url: `${url}?2`, type: 'image' as const },
    ],
  }
  for (const [more, options, message] of [
    [{}, { placement: 'reel' }, 'A reel on Instagram is a video: choose another placement for an image.'],
    [album, { placement: 'story' }, 'Instagram takes one item per post here; this post has 2.'],
    [{}, { placement: 'story', locationId: '1' }, 'A story on Instagram has no locationId: leave it out.'],
    [video, { placement: 'story', coverUrl: url }, 'A story on Instagram has no coverUrl: leave it out.'],
    [{}, { coverUrl: url }, 'On Instagram, only a reel, which is one video, has coverUrl: leave it out.'],
    [{ firstComment: 'First!' }, { placement: 'story' }, 'First comment: A story on Instagram has no comments.'],
  ] as const) {
    const job = { ...scene.job, ...more, options } as PublishJob
    t.match(await refusal(ready(scene, job)), { kind: 'permanent', message })
  }
  t.equal(scene.proxy.calls.length, called)

  const story = { placement: 'story' }
  const image = { mediaType: 'image', mimeType: 'image/jpeg', bytes: 1_000, width: 1_080, height: 1_920 } as const
  const clip = { mediaType: 'video', mimeType: 'video/mp4', bytes: 1_000, durationMs: 60_001 } as const
  const long = '#a '.repeat(1_000)
  t.same(instagram.check({ text: long, mediaType: 'image', options: story }, image), [])
  t.same(instagram.check({ text: long, mediaType: 'video', options: story }, clip), [
    'Instagram accepts videos of at most 60 s; this one is 60.001 s.',
  ])
  t.same(instagram.warnings?.({ text: long, mediaType: 'video', options: story }, undefined), [
    'A story on Instagram has no caption: it is left out.',
  ])
})

t.test('given a first comment', async (t) => {
  const scene = await givenScene(t)
  const { job, io, proxy, sandbox, http } = scene
  const first = instagram.firstComment
  if (!first) return t.fail('Instagram takes a first comment')
  const published = await publish(instagram, job, (await ready(scene, job)).handle, io)
  const comment = { key: crypto.randomUUID(), text: 'And the link: https://example.com' }
  const under = () =>
    sandbox.ledger.commentsUnder('instagram', published.postId).filter((c) => c.writtenBy === 'account')
  const fan = { platform: 'instagram', accountId: scene.given.externalId, postId: published.postId, author: 'fan' }
  await postJson(http, `${sandbox.url}/_control/comments`, { ...fan, text: comment.text })

  await t.test('when it is posted and its answer lost, then it is found by author and text', async (t) => {
    t.same(
      await first.find(job, published, comment, io),
      { outcome: 'absent' },
      "another's of the same words is not it",
    )
    scene.fault({ call: 'comment', kind: 'accept_then_timeout' })
    t.match(await refusal(first.post(job, published, comment, io)), { kind: 'ambiguous' })
    t.same(await first.find(job, published, comment, io), { outcome: 'found', found: undefined })
    const untrimmed = { ...comment, text: `${comment.text}\r\n ` }
    t.same(
      await first.find(job, published, untrimmed, io),
      { outcome: 'found', found: undefined },
      'as Instagram trims',
    )
    t.same(await first.find(job, published, { ...comment, text: 'Another' }, io), { outcome: 'absent' })
    t.equal(under().length, 1)
  })

  await t.test('when more comments than a page came after it, then it is found', async (t) => {
    for (let n = 0; n < 60; n += 1)
      await postJson(http, `${sandbox.url}/_control/comments`, { ...fan, text: `Nice ${n}` })
    t.same(await first.find(job, published, comment, io), { outcome: 'found', found: undefined })
  })

  await t.test('when a field may not be read, then it is found without it', async (t) => {
    for (const error of [graphError(100), graphError(10)]) {
      proxy.next('/comments', error)
      t.same(await first.find(job, published, comment, io), { outcome: 'found', found: undefined })
    }
  })

  await t.test('when the list does not tell, then nor does the search', async (t) => {
    proxy.next('/comments', json({ data: [{ id: '1', text: comment.text }] }))
    t.same(await first.find(job, published, comment, io), { outcome: 'unknown' }, 'whose it is')
    proxy.next('/comments', graphError(368))
    t.same(await first.find(job, published, comment, io), { outcome: 'unknown' })
    for (let page = 0; page < 20; page += 1) {
      proxy.next('/comments', json({ data: [], paging: { next: 'https://x.example', cursors: { after: 'x' } } }))
    }
    t.same(await first.find(job, published, comment, io), { outcome: 'unknown' }, 'too many')
    for (const error of [graphError(100, 33), graphError(2, undefined, { status: 500 })]) {
      proxy.next('/comments', error)
      t.match(await refusal(first.find(job, published, comment, io)), { kind: 'retryable' })
    }
  })

  await t.test('when Instagram cannot answer though it made it, then it is posted', async (t) => {
    proxy.next('/comments', graphError(20, 1772107))
    await t.resolves(first.post(job, published, comment, io))
  })

  await t.test('when the post is not known yet, then it is tried again soon', async (t) => {
    proxy.next('/comments', graphError(100, 33))
    t.match(await refusal(first.post(job, published, comment, io)), { kind: 'retryable', retryAfterMs: 5_000 })
  })
})

t.test('given a video of 240 MB, then memory grows by far less', async (t) => {
  const scene = await givenScene(t)
  const clip = sample('../../../packages/sandbox/media/sample.mp4')
  const block = Buffer.alloc(65_536)
  const head = box('free', Buffer.alloc(0))
  head.writeUInt32BE(8 + 3_660 * block.length, 0)
  const job = scene.withMedia(
    function* () {
      yield clip
      yield head
      for (let n = 0; n < 3_660; n += 1) yield block
    },
    { mediaType: 'video' },
  )
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5)
  t.teardown(() => clearInterval(timer))
  const { handle } = await ready(scene, job)
  clearInterval(timer)
  const growth = Math.round((peak - before) / 1e6)
  t.ok(growth < 100, `grew by ${growth} MB at most`)
  await publish(instagram, job, handle, scene.io)
  t.match(scene.live(), [{ mediaUrl: job.mediaUrl, mediaType: 'video' }])
})

t.test('given the whole guard', async (t) => {
  const world = await givenWorld(t, { platforms: { instagram }, standIns: [instagramStandIn] })
  const service = await givenProcess(world)
  const script = { platform: 'instagram', times: 1, delayMs: 0, retryAfterSeconds: 600, accepted: false } as const
  for (const [name, faults, mediaType] of [
    ['nothing goes wrong', [], 'image'],
    ['the post is a video', [], 'video'],
    ['the answer is lost', [{ kind: 'accept_then_timeout' }], 'image'],
    ['it fails after it took the post', [{ kind: 'server_error', accepted: true }], 'video'],
    ['it fails and took nothing', [{ kind: 'server_error', times: 2 }], 'image'],
    ['the account has to wait', [{ kind: 'rate_limit' }], 'image'],
    ['the answer to the first comment is lost', [{ kind: 'accept_then_timeout', call: 'comment' }], 'image'],
  ] as const) {
    await t.test(`when ${name}, then exactly one post is live, with one comment under it`, async (t) => {
      const accountId = await world.account('instagram')
      for (const fault of faults) world.sandbox.faults.script({ call: 'publish', ...script, ...fault })
      const before = world.sandbox.ledger.posts('instagram').length
      const mediaUrl = `${world.sandbox.url}/media/sample.${mediaType === 'image' ? 'jpg' : 'mp4'}`
      const id = await service.queue({
        selections: { instagram: [accountId] },
        mediaType,
        mediaUrl,
        firstComment: 'First!',
      })
      await service.drain()
      const row = await findPost(world.db, id)
      t.equal(row?.status, 'published')
      const live = world.sandbox.ledger.posts('instagram').slice(before)
      t.match(live, [{ caption: 'A caption', mediaType, mediaUrl }])
      t.equal(live.length, 1)
      const result = { accountId, ok: true, postId: live[0]?.id, url: /\/p\//, firstComment: { ok: true } }
      t.match(row?.results['instagram'], [result])
      t.equal(world.sandbox.ledger.commentsUnder('instagram', live[0]?.id ?? '').length, 1)
      t.same(world.sandbox.faults.pending(), [])
    })
  }

  await t.test('when the token is void, then the account has to be connected again, and nothing is live', async (t) => {
    const accountId = await world.account('instagram')
    world.sandbox.faults.script({ call: 'publish', ...script, kind: 'token_expired' })
    const before = world.sandbox.ledger.posts('instagram').length
    const id = await service.queue({ selections: { instagram: [accountId] } })
    await service.drain()
    const row = await findPost(world.db, id)
    t.equal(row?.status, 'publish_failed')
    t.match(row?.results['instagram'], [{ ok: false, error: /no longer accepts the access token/ }])
    t.equal(world.sandbox.ledger.posts('instagram').length, before)
  })

  await t.test('when the process dies before or after any act, then exactly one post is live', async (t) => {
    const accountId = await world.account('instagram')
    const run = async (point?: { act: number; moment: 'before' | 'after' }) => {
      const before = world.sandbox.ledger.posts('instagram').length
      const id = await service.queue({ selections: { instagram: [accountId] }, firstComment: 'First!' })
      const fuse = fused(world, point)
      const mortal = await givenProcess(world, { ...fuse, slots: 1 })
      await mortal.drain().catch((error: unknown) => {
        if (!fuse.dead()) throw error
      })
      await (await givenProcess(world, { slots: 1 })).drain()
      const row = await findPost(world.db, id)
      const live = world.sandbox.ledger.posts('instagram').slice(before)
      const where = point ? `died ${point.moment} ${fuse.acts[point.act]} (${point.act})` : 'lived'
      t.equal(live.length, 1, where)
      t.match(row, { status: 'published', results: { instagram: [{ ok: true, postId: live[0]?.id }] } }, where)
      t.equal(world.sandbox.ledger.commentsUnder('instagram', live[0]?.id ?? '').length, 1, where)
      return fuse.acts.length
    }
    const acts = await run()
    for (let act = 0; act < acts; act += 1) {
      for (const moment of ['before', 'after'] as const) await run({ act, moment })
    }
  })
})

t.test('given two accounts of one sandbox, then one has no part in the containers of the other', async (t) => {
  const scene = await givenScene(t)
  const { handle } = await ready(scene, scene.job)
  const other = await postJson(scene.http, `${scene.sandbox.url}/_control/accounts`, { platform: 'instagram' })
  const given = other.json() as typeof scene.given
  const connected = await instagram.connect(tokenOf(given, 'instagram'), given.baseUrl, scene.io)
  const account = { ...scene.job.account, externalId: given.externalId, baseUrl: given.baseUrl }
  const io = ioOf(scene.http, connected.credentials, { clock: scene.clock })
  await t.rejects(publish(instagram, { ...scene.job, account }, handle, io), { name: 'PlatformError', status: 400 })
  t.same(scene.live(), [])
})

t.test('given a container, when the sandbox is closed and opened on the same folder', (t) =>
  testRestarts(t, instagram, instagramStandIn),
)
