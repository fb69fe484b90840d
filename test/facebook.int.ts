import t from 'tap'
import { facebook } from '../platforms/facebook/index.ts'
import type { PublishHandle, PublishJob } from '../platforms/kit/platform.ts'
import { findPost } from '../projections/models/posts.ts'
import { facebookStandIn } from '../packages/sandbox/facebook.ts'
import { publish } from './support/connector.ts'
import {
  asking,
  foundBy,
  givenScene,
  graphError,
  json,
  publishedBy,
  ready,
  refusal,
  SECRET,
  START,
} from './support/facebook.ts'
import { fused } from './support/fuse.ts'
import { box, sample } from './support/media-samples.ts'
import { movableClock } from './support/movable-clock.ts'
import { httpServer } from './support/outbound-servers.ts'
import { accountOf, givenAccount, givenHttp, givenSandbox, ioOf, memoryMedia, postJson } from './support/sandbox.ts'
import { givenProcess, givenWorld } from './support/world.ts'

const KINDS = ['image', 'reel', 'video'] as const
const HOUR = 3_600_000

for (const clientSecret of [undefined, SECRET]) {
  t.test(`given a Page${clientSecret ? ' of an app that demands a proof' : ''}`, async (t) => {
    const scene = await givenScene(t, clientSecret === undefined ? {} : { more: { clientSecret } })
    const { io, jobs } = scene
    for (const [kind, waits, url] of [
      ['image', [], /^https:\/\/www\.facebook\.com\/\d+\/posts\/\d+$/],
      ['reel', [0, 5_000, 5_000, 5_000], /^https:\/\/www\.facebook\.com\/reel\/\d+\/$/],
      ['video', [], /^https:\/\/www\.facebook\.com\/reel\/\d+\/$/],
    ] as const) {
      await t.test(`when a post of kind ${kind} is published, then it is live as asked, and found`, async (t) => {
        const job = { ...jobs[kind], text: `The ${kind} 🥖 & #more` }
        const before = scene.live().length
        const prepared = await ready(scene, job)
        t.same(prepared.waits, waits, 'at the pace of Facebook')
        t.equal(scene.live().length, before, 'nothing is visible yet')
        t.match(await facebook.find?.(job, prepared.handle, io), {
          outcome: kind === 'video' ? 'processing' : 'absent',
        })

        const published = await publishedBy(scene, job, prepared.handle)
        const { mediaUrl, mediaType, text: caption } = job
        const live = scene.live().slice(before)
        t.match(live, [{ id: published.postId, caption, mediaUrl, mediaType }])
        t.equal(live.length, 1)
        t.match(published.url, url)
        t.same(await facebook.find?.(job, prepared.handle, io), { outcome: 'found', found: published })
      })
    }
  })
}

t.test('given an empty text and a URL that is not ASCII, then the post is published all the same', async (t) => {
  const scene = await givenScene(t)
  for (const kind of KINDS) {
    const job = { ...scene.jobs[kind], text: '', mediaUrl: `${scene.jobs[kind].mediaUrl}?name=brød 1` }
    const { handle } = await ready(scene, job)
    const { postId } = await publishedBy(scene, job, handle)
    t.match(scene.live().at(-1), { id: postId, caption: '', mediaUrl: /\?name=br%C3%B8d%201$/ })
  }
})

t.test('given a post that breaks rules, then each is named, and nothing is called', async (t) => {
  const image = { mediaType: 'image', mimeType: 'image/jpeg', bytes: 1_000 } as const
  const video = { mediaType: 'video', mimeType: 'video/mp4', bytes: 1_000 } as const
  const reel = { ...video, width: 1_080, height: 1_920, durationMs: 30_000 } as const
  for (const [text, facts, rules] of [
    ['a'.repeat(63_206), undefined, []],
    ['a'.repeat(63_207), undefined, ['Facebook accepts texts of at most 63206 characters; this one has 63207.']],
    ...['png', 'gif', 'bmp', 'tiff', 'webp'].map((type) => ['', { ...image, mimeType: `image/${type}` }, []] as const),
    ['', { ...image, mimeType: 'image/avif' }, [/as JPEG, PNG, GIF, BMP, TIFF or WebP; this one is image\/avif\.$/]],
    ['', { ...video, mimeType: 'video/quicktime', width: 1_920, height: 1_080, durationMs: 1_000 }, []],
    ['', { ...video, mimeType: 'video/webm' }, [/as MP4 or MOV .*; this one is video\/webm\.$/]],
    ['', reel, []],
    ['', { ...reel, width: 540, height: 960, durationMs: 3_000 }, []],
    ['', { ...reel, durationMs: 2_999 }, [/at least 3 s; this one is 2\.999 s\.$/]],
    ['', { ...reel, width: 539, height: 958 }, [/at least 540x960 pixels; this one is 539x958\.$/]],
    ['', { ...reel, width: 1_000 }, [/no narrower than 9:16; this one is 1000x1920\.$/]],
    ['', { ...reel, width: 300, height: 900, durationMs: 1 }, [/at least 3 s/, /at least 540x960/, /narrower/]],
    ['', { ...reel, width: 300, height: 900, durationMs: 90_001 }, []],
    ['a'.repeat(63_207), { ...image, mimeType: 'image/heic' }, [/texts/, /image\/heic/]],
  ] as const) {
    const found = facebook.check({ text, mediaType: facts?.mediaType ?? 'image' }, facts)
    t.equal(found.length, rules.length, JSON.stringify({ text: text.slice(0, 20), ...facts }))
    t.match(found, [...rules])
  }
  t.match(facebook.takes, {
    image: { maxBytes: 10_000_000, isFetched: true },
    video: { maxBytes: 1_000_000_000, isFetched: true },
  })

  const scene = await givenScene(t)
  const connected = scene.proxy.calls.length
  for (const [job, message] of [
    [{ ...scene.jobs.image, text: 'a'.repeat(63_207) }, /63207/],
    [scene.withMedia(sample('picture.avif')), /this one is image\/avif/],
    [scene.withMedia(Buffer.concat([sample('picture.jpg'), Buffer.alloc(10_000_000)])), /the limit is 10 MB/],
    [scene.withMedia(sample('clip.webm'), { mediaType: 'video' }), /video\/webm/],
    [scene.withMedia(sample('clip.mp4')), /was expected/],
  ] satisfies [PublishJob, RegExp][]) {
    t.match(await refusal(facebook.prepare(job, scene.io, undefined)), { kind: 'permanent', message })
  }
  t.equal(scene.proxy.calls.length, connected)
  const media = memoryMedia(scene.http)
  scene.proxy.next('/photos', graphError(1366046))
  t.equal((await refusal(facebook.prepare(scene.jobs.image, { ...scene.io, media }, undefined))).kind, 'permanent')
  t.equal(media.kept, 0, 'the media are let go in any case')
})

t.test('given a video whose size and length are not known, then it is no reel', async (t) => {
  const scene = await givenScene(t)
  const media = memoryMedia(scene.http)
  const prepared = await facebook.prepare(scene.jobs.reel, { ...scene.io, media }, undefined)
  t.match(prepared, { outcome: 'ready', handle: { kind: 'video' } })
})

t.test('given an image', async (t) => {
  const scene = await givenScene(t)
  const { io, proxy, clock, jobs } = scene
  const job = jobs.image
  const calls = (name: string): number => proxy.calls.filter((call) => call === name).length

  await t.test(
    'when it cannot be fetched once, then it is fetched again, and the second time is the last',
    async (t) => {
      for (const directive of ['fetch:324:1', 'fetch:2069019:1', 'fetch:389:1']) {
        t.equal((await facebook.prepare(asking(job, directive), io, undefined)).outcome, 'ready')
      }
      const before = calls('photos')
      const error = await refusal(facebook.prepare(asking(job, 'fetch:324'), io, undefined))
      t.match(error, { kind: 'permanent', message: /could not fetch the media from its URL/ })
      t.equal(calls('photos') - before, 2)
      const gone = { ...job, mediaUrl: `${scene.sandbox.url}/media/none.jpg` }
      const believing = { ...io, media: memoryMedia(scene.http) }
      t.match(await refusal(facebook.prepare(gone, believing, undefined)), { kind: 'permanent' })
    },
  )

  await t.test('when it is prepared again, then the same photo serves', async (t) => {
    const { handle } = await ready(scene, job)
    const before = calls('photos')
    t.same(await facebook.prepare(job, io, handle), { outcome: 'ready', handle })
    t.equal(calls('photos'), before)
  })

  await t.test('when it waited for a day, or is gone, then another one is uploaded', async (t) => {
    const { handle } = await ready(scene, job)
    proxy.next(String(handle['photoId']), graphError(100, 33))
    const second = await ready(scene, job, handle)
    t.not(second.handle['photoId'], handle['photoId'])
    await clock.advanceTo(clock.now() + 24 * HOUR)
    const third = await ready(scene, job, second.handle)
    t.not(third.handle['photoId'], second.handle['photoId'])
    await publish(facebook, job, third.handle, io)
    t.equal(scene.live().length, 1)
  })

  await t.test('when it turns out to be posted already, then it is not posted again', async (t) => {
    const own = { ...job, text: 'Posted late' }
    const { handle } = await ready(scene, own)
    const published = await publish(facebook, own, handle, io)
    const again = await ready(scene, own, handle)
    t.same(await publish(facebook, own, again.handle, io), published)
    t.equal(scene.live().filter(({ caption }) => caption === own.text).length, 1)
  })

  await t.test('when it is gone, and whether it was posted is unknown, then no other one is uploaded', async (t) => {
    const own = { ...job, text: 'Who knows' }
    const first = await ready(scene, own)
    const second = await ready(scene, own)
    await publish(facebook, own, second.handle, io)
    proxy.next(String(first.handle['photoId']), graphError(100, 33))
    t.match(await refusal(facebook.prepare(own, io, first.handle)), { kind: 'retryable' })
    t.match(await facebook.prepare(own, io, first.handle), { outcome: 'ready', handle: first.handle })
  })

  await t.test('when Facebook says that the same was just posted, then it is looked for first', async (t) => {
    for (const duplicate of [graphError(506), graphError(100, 1366051)]) {
      const own = { ...job, text: `Duplicate ${duplicate.kind} ${crypto.randomUUID()}` }
      const { handle } = await ready(scene, own)
      const published = await publish(facebook, own, handle, io)
      proxy.next('/feed', duplicate)
      t.same(await publish(facebook, own, handle, io), published, 'it was this one')
      const other = { ...job, text: `Duplicate ${crypto.randomUUID()}` }
      const fresh = await ready(scene, other)
      proxy.next('/feed', duplicate)
      t.match(await refusal(facebook.publish(other, fresh.handle, io)), { kind: 'ambiguous' }, 'a list lags')
      proxy.next('/feed', duplicate)
      proxy.next(String(fresh.handle['photoId']), graphError(2, undefined, { status: 500 }))
      t.match(await refusal(facebook.publish(other, fresh.handle, io)), { kind: 'ambiguous' })
      await clock.advanceTo(clock.now() + 60_000)
      proxy.next('/feed', duplicate)
      t.match(await refusal(facebook.publish(other, fresh.handle, io)), { kind: 'permanent' }, 'it was another one')
    }
  })

  await t.test('when its address cannot be read, then it has one by its id', async (t) => {
    const { handle } = await ready(scene, job)
    const postId = `${scene.given.externalId}_7`
    for (const answer of [graphError(100, 33), graphError(190, 463), { kind: 'cut' } as const, json({ id: postId })]) {
      proxy.next('/feed', json({ id: postId }))
      proxy.next(postId, answer)
      t.same(await publish(facebook, job, handle, io), { postId, url: `https://www.facebook.com/${postId}` })
    }
  })
})

t.test('given the answer to an image was lost', async (t) => {
  const scene = await givenScene(t)
  const { io, proxy, clock } = scene
  let run = 0
  const submitted = async (more: Partial<PublishJob> = {}) => {
    const own = { ...scene.jobs.image, text: `Lost ${run++}`, ...more }
    const { handle } = await ready(scene, own)
    return { own, handle, photoId: String(handle['photoId']) }
  }
  const lost = async (own: PublishJob, handle: PublishHandle) => {
    scene.fault({ kind: 'accept_then_timeout' })
    t.match(await refusal(publish(facebook, own, handle, io)), { kind: 'ambiguous' })
    return scene.live().at(-1)?.id
  }
  const hidden = (photoId: string) => proxy.next(photoId, json({ id: photoId }))
  const listing = (...posts: object[]) =>
    json({ data: posts.map((post) => ({ created_time: time(clock.now()), ...post })) })

  await t.test('when the photo names its post, then that is it', async (t) => {
    const { own, handle } = await submitted()
    const postId = await lost(own, handle)
    t.match(await facebook.find?.(own, handle, io), { outcome: 'found', found: { postId, url: /\/posts\// } })
  })

  await t.test(
    'when only the list has it, then it is found by its attachment, also when it appears late',
    async (t) => {
      const { own, handle, photoId } = await submitted({
        mediaUrl: `${scene.jobs.image.mediaUrl}?sandbox=listed-after:10`,
      })
      const postId = await lost(own, handle)
      hidden(photoId)
      t.same(await facebook.find?.(own, handle, io), { outcome: 'absent' }, 'believed only later')
      await clock.advanceTo(clock.now() + 10_000)
      for (const unreadable of [json({ id: photoId }), graphError(100, 33)]) {
        proxy.next(photoId, unreadable)
        t.match(await facebook.find?.(own, handle, io), { outcome: 'found', found: { postId, url: /\/posts\// } })
      }
    },
  )

  await t.test('when the list shows it in an album, or without what it shows, then it is found', async (t) => {
    const { own, handle, photoId } = await submitted()
    const album = { attachments: { data: [{ subattachments: { data: [{ target: { id: photoId } }] } }] } }
    for (const post of [
      { id: '1_1', ...album },
      { id: '1_1', message: `${own.text}\r\n` },
    ]) {
      hidden(photoId)
      proxy.next('/published_posts', listing({ id: '1_2', message: 'Another' }, post))
      const found = { postId: '1_1', url: 'https://www.facebook.com/1_1' }
      t.same(await facebook.find?.(own, handle, io), { outcome: 'found', found })
    }
  })

  await t.test('when several posts may be it, or the only one shows another photo, then it is unknown', async (t) => {
    const { own, handle, photoId } = await submitted()
    const alike = { message: own.text }
    const other = { attachments: { data: [{ target: { id: '5' } }] } }
    const ours = { attachments: { data: [{ target: { id: photoId } }] } }
    for (const posts of [
      [
        { id: '1_1', ...alike },
        { id: '1_2', ...alike },
      ],
      [{ id: '1_1', ...alike, ...other }],
      [
        { id: '1_1', ...ours },
        { id: '1_2', ...ours },
      ],
    ]) {
      hidden(photoId)
      proxy.next('/published_posts', listing(...posts))
      t.same(await facebook.find?.(own, handle, io), { outcome: 'unknown' })
    }
    const old = { id: '1_1', ...alike, created_time: time(clock.now() - 62_000) }
    hidden(photoId)
    proxy.next('/published_posts', listing(old))
    t.same(await facebook.find?.(own, handle, io), { outcome: 'absent' }, 'one from before is not it')
  })

  await t.test('when many came after it, then all pages are looked through, also behind an empty one', async (t) => {
    const { own, handle, photoId } = await submitted()
    const page = (posts: object[], after: string | undefined, isLast = false) =>
      json({
        data: posts.map((post) => ({ created_time: time(clock.now()), ...post })),
        paging: {
          ...(after !== undefined && { cursors: { after } }),
          ...(!isLast && { next: 'https://elsewhere.example' }),
        },
      })
    hidden(photoId)
    proxy.next('/published_posts', page([{ id: '1_1' }], 'a'))
    proxy.next('/published_posts', page([], 'b'))
    proxy.next('/published_posts', page([{ id: '1_2', message: own.text }], 'c', true))
    t.match(await facebook.find?.(own, handle, io), { outcome: 'found', found: { postId: '1_2' } })

    hidden(photoId)
    for (let n = 0; n < 10; n += 1) proxy.next('/published_posts', page([{ id: '1_1' }], 'a'))
    t.same(await facebook.find?.(own, handle, io), { outcome: 'unknown' }, 'too many')
    hidden(photoId)
    proxy.next('/published_posts', page([{ id: '1_1' }], undefined))
    t.same(await facebook.find?.(own, handle, io), { outcome: 'unknown' }, 'no way on')
    hidden(photoId)
    proxy.next('/published_posts', page([{ id: '1_1', created_time: time(clock.now() - HOUR) }], 'a'))
    t.same(await facebook.find?.(own, handle, io), { outcome: 'absent' }, 'old ones end it')
  })

  await t.test('when more than a page of posts is there, then the sandbox gives them in pages', async (t) => {
    const { own, handle, photoId } = await submitted()
    const postId = await lost(own, handle)
    for (let n = 0; n < 55; n += 1) {
      const { handle } = await submitted()
      await publish(facebook, { ...own, text: `Later ${n}` }, handle, io)
    }
    hidden(photoId)
    t.match(await facebook.find?.(own, handle, io), { outcome: 'found', found: { postId } })
  })

  await t.test('when nothing can be read, then it is asked again', async (t) => {
    const { own, handle, photoId } = await submitted()
    for (const answer of [graphError(1), graphError(4), { kind: 'cut' } as const]) {
      proxy.next(photoId, answer)
      t.match(await refusal(facebook.find?.(own, handle, io)), { kind: 'retryable' })
      proxy.next('/published_posts', answer)
      t.match(await refusal(facebook.find?.(own, handle, io)), { kind: 'retryable' })
    }
  })

  await t.test('when the handle is of another connector, then it is refused', async (t) => {
    const strange = { containerId: '1' }
    const expected = { kind: 'permanent', message: /could not be read/ }
    const { own } = await submitted()
    t.match(await refusal(facebook.prepare(own, io, strange)), expected)
    t.match(await refusal((async () => facebook.publish(own, strange, io))()), expected)
    t.match(await refusal((async () => facebook.find?.(own, strange, io))()), expected)
  })
})

t.test('given a reel that Facebook works at', async (t) => {
  const scene = await givenScene(t)
  const { io, proxy, clock, live } = scene
  const job = scene.jobs.reel
  const starts = (): number => proxy.calls.filter((call) => call === 'video_reels').length
  const status = (id: string, status: object, more: object = {}) => proxy.next(id, json({ id, status, ...more }))

  await t.test('when it takes long, then it is checked less and less often', async (t) => {
    const slow = asking(job, 'processing:200')
    const { handle, waits } = await ready(scene, slow)
    t.same([...new Set(waits)], [0, 5_000, 20_000, 60_000, 300_000])
    await publishedBy(scene, slow, handle)
    t.match(live().at(-1), { mediaUrl: slow.mediaUrl })
  })

  await t.test('when it is not done within 24 hours, then the error says so', async (t) => {
    const slow = asking(job, 'processing:1000000')
    const first = await facebook.prepare(slow, io, undefined)
    const { handle } = await facebook.prepare(slow, io, first.handle)
    await clock.advanceTo(clock.now() + 24 * HOUR - 1)
    status(String(handle['videoId']), { processing_phase: { status: 'in_progress' } })
    t.match(await facebook.prepare(slow, io, handle), { outcome: 'processing', lookAgainMs: 300_000 })
    await clock.advanceTo(clock.now() + 1)
    status(String(handle['videoId']), { processing_phase: { status: 'in_progress' } })
    const error = await refusal(facebook.prepare(slow, io, handle))
    t.match(error, { kind: 'permanent', message: /did not finish processing the video within 24 hours/ })
  })

  for (const [directive, message, uploads] of [
    ['error:1363128', /^Facebook does not accept the media: .*1363128/, 1],
    ['error:1363040', /^Facebook does not accept the media/, 1],
    ['error:1363127', /^Facebook does not accept the media/, 1],
    ['error:1363129', /^Facebook does not accept the media/, 1],
    ['error:352', /^Facebook does not accept the media/, 1],
    ['error:77777', /^Facebook could not process the video: .*77777/, 1],
    ['error:389', /could not fetch the media .* Fanfare tried 3 times\.$/, 3],
    ['error:6000', /Fanfare tried 3 times\.$/, 3],
    ['error:6001', /Fanfare tried 3 times\.$/, 3],
    ['error:1363030', /Fanfare tried 3 times\.$/, 3],
    ['fetch:robots', /^Facebook could not fetch the video .*robots\.txt$/, 1],
    ['fetch:389', /^Facebook could not fetch the video .* Fanfare tried 3 times\.$/, 3],
  ] as const) {
    await t.test(`when it ends in ${directive}, then ${uploads} are made and the error has the reason`, async (t) => {
      const before = starts()
      t.match(await refusal(ready(scene, asking(job, directive))), { kind: 'permanent', message })
      t.equal(starts() - before, uploads)
    })
  }

  for (const directive of ['error:389:1', 'error:6000:2', 'fetch:389:2']) {
    await t.test(`when ${directive} passes, then another one is published`, async (t) => {
      const again = asking(job, directive)
      const before = live().length
      await publishedBy(scene, again, (await ready(scene, again)).handle)
      t.match(live().slice(before), [{ mediaUrl: again.mediaUrl }])
    })
  }

  await t.test('when it says what happened in one of many ways, then it is understood', async (t) => {
    const { handle } = await ready(scene, job)
    const id = String(handle['videoId'])
    const done = { status: 'complete' }
    const none = { status: 'not_started' }
    const phases = (uploading: object, processing: object, publishing: object, video_status = 'processing') => ({
      video_status,
      uploading_phase: uploading,
      processing_phase: processing,
      publishing_phase: publishing,
    })
    const published = { status: 'completed', publish_status: 'published', publish_time: '2026-03-01T10:00:00+0000' }
    const url = `https://www.facebook.com/reel/${id}/`
    for (const [body, more, prepared, found] of [
      [phases(done, { status: 'completed' }, none), {}, 'ready', { outcome: 'absent' }],
      [phases(done, done, { ...done, publish_status: 'draft' }), {}, 'ready', { outcome: 'absent' }],
      [phases(done, { status: 'in_progress' }, none), {}, 'processing', { outcome: 'processing' }],
      [phases({ status: 'in_progress' }, none, none, 'uploading'), {}, 'processing', { outcome: 'processing' }],
      [phases(done, done, { status: 'in_progress' }, 'ready'), {}, 'ready', { outcome: 'processing' }],
      [phases(done, done, { ...done, publish_status: 'scheduled' }), {}, 'ready', { outcome: 'processing' }],
      [phases(done, none, none, 'upload_complete'), {}, 'processing', { outcome: 'absent' }],
      [{ video_status: 'processing' }, {}, 'processing', { outcome: 'processing' }],
      [{ video_status: 'ready' }, {}, 'ready', { outcome: 'absent' }],
      [
        phases(done, done, published),
        { permalink_url: `/reel/${id}/`, post_id: '77' },
        'ready',
        { outcome: 'found', found: { postId: `${scene.given.externalId}_77`, url } },
      ],
      [
        phases(done, done, published),
        { post_id: '5_77', permalink_url: url },
        'ready',
        { found: { postId: '5_77', url } },
      ],
      [
        phases(done, done, published),
        {},
        'ready',
        { found: { postId: id, url: `https://www.facebook.com/${scene.given.externalId}/videos/${id}/` } },
      ],
      [{ video_status: 'ready' }, { published: true }, 'ready', { found: { postId: id } }],
    ] as const) {
      const { ready: _, ...fresh } = handle
      status(id, body, more)
      t.equal((await facebook.prepare(job, io, fresh)).outcome, prepared, JSON.stringify(body))
      status(id, body, more)
      t.match(await facebook.find?.(job, handle, io), found, JSON.stringify(body))
    }
    for (const [body, error] of [
      [phases(done, { status: 'error', error: { code: 1363128, message: 'Too\nlong' } }, none), /media: Too long$/],
      [phases({ status: 'error' }, none, none, 'upload_failed'), /could not process the video\.$/],
      [{ video_status: 'error' }, /could not process the video\.$/],
      [phases(done, done, { status: 'error', errors: [{ code: 368, message: 'Blocked' }] }), /policies: Blocked$/],
    ] as const) {
      status(id, body)
      t.match(await facebook.find?.(job, handle, io), { outcome: 'refused', error }, JSON.stringify(body))
    }
  })

  await t.test('when it is not processed before it is to be published, then it is published', async (t) => {
    const first = await facebook.prepare(job, io, undefined)
    const { handle } = await facebook.prepare(job, io, first.handle)
    const id = String(handle['videoId'])
    const uploaded = { uploading_phase: { status: 'complete' }, processing_phase: { status: 'not_started' } }
    status(id, uploaded)
    t.match(await facebook.prepare(job, io, handle), { outcome: 'processing' })
    await clock.advanceTo(clock.now() + 60_000)
    status(id, uploaded)
    t.match(await facebook.prepare(job, io, handle), { outcome: 'ready' })
  })

  await t.test('when it was handed over and never arrives, or expires, then another one is made', async (t) => {
    const first = await facebook.prepare(job, io, undefined)
    const { handle } = await facebook.prepare(job, io, first.handle)
    const id = String(handle['videoId'])
    status(id, { video_status: 'uploading' })
    t.match(await facebook.prepare(job, io, handle), { outcome: 'processing', handle })
    await clock.advanceTo(clock.now() + 600_000)
    status(id, { video_status: 'uploading' })
    t.match(await facebook.prepare(job, io, handle), { outcome: 'processing', handle: { failures: 1 } })
    await clock.advanceTo(clock.now() + 24 * HOUR)
    const again = await facebook.prepare(job, io, handle)
    t.match(again, { outcome: 'processing', handle: { failures: 1 } })
    t.not(again.handle['videoId'], id)
    t.same(await facebook.find?.(job, handle, io), { outcome: 'absent' }, 'one that expired was never published')
  })

  await t.test('when it cannot be read, then another one is made only if it was never ready', async (t) => {
    const first = await facebook.prepare(job, io, undefined)
    const id = String(first.handle['videoId'])
    proxy.next(id, graphError(100, 33))
    t.match(await facebook.prepare(job, io, first.handle), { outcome: 'processing', handle: first.handle })
    const { handle } = await ready(scene, job, first.handle)
    await clock.advanceTo(clock.now() + HOUR)
    proxy.next(id, graphError(100, 33))
    t.match(await facebook.prepare(job, io, handle), { outcome: 'processing', handle })
    proxy.next(id, graphError(100, 33))
    t.match(await refusal(facebook.find?.(job, handle, io)), { kind: 'retryable' })
    proxy.next(id, graphError(100, 33))
    t.match(await facebook.prepare(job, io, first.handle), { handle: { failures: 1 } })
    for (const failure of [graphError(1), graphError(2, undefined, { status: 500 }), { kind: 'cut' } as const]) {
      proxy.next(id, failure)
      t.match(await refusal(facebook.prepare(job, io, handle)), { kind: 'retryable' })
    }
  })

  await t.test('when it was finished but not recorded, then it is not finished again', async (t) => {
    const own = asking(job, 'fetch:389:1')
    const first = await facebook.prepare(own, io, undefined)
    t.match(await facebook.prepare(own, io, first.handle), { handle: { failures: 1 } }, 'the first time is refused')
    await facebook.prepare(own, io, first.handle)
    t.match(await facebook.prepare(own, io, first.handle), { outcome: 'processing', handle: first.handle })
    await ready(scene, own, first.handle)
  })

  await t.test('when it is published, then a second call changes nothing', async (t) => {
    const own = { ...job, text: 'Only once' }
    const { handle } = await ready(scene, own)
    const published = await publishedBy(scene, own, handle)
    t.match(await facebook.publish(own, handle, io), { outcome: 'processing' }, 'refused, and live')
    const again = await ready(scene, own, handle)
    t.match(again.handle, { submitted: true })
    const before = starts()
    t.match(await facebook.publish(own, again.handle, io), { outcome: 'processing' })
    t.equal(starts(), before, 'nothing is sent')
    t.same(await foundBy(scene, own, again.handle), published)
    t.equal(live().filter(({ caption }) => caption === own.text).length, 1)
  })

  await t.test('when the response to the publishing call was lost, then the video has the outcome', async (t) => {
    const own = { ...job, text: 'Lost reel' }
    const { handle } = await ready(scene, own)
    scene.fault({ kind: 'server_error' })
    t.match(await refusal(facebook.publish(own, handle, io)), { kind: 'ambiguous' })
    t.same(await facebook.find?.(own, handle, io), { outcome: 'absent' })
    scene.fault({ kind: 'accept_then_timeout' })
    t.match(await refusal(facebook.publish(own, handle, io)), { kind: 'ambiguous' })
    t.match(await facebook.find?.(own, handle, io), { outcome: 'processing' })
    t.match(await foundBy(scene, own, handle), { postId: live().at(-1)?.id })
  })

  await t.test('when Facebook refuses to publish it, then the error says so', async (t) => {
    const { handle } = await ready(scene, job)
    proxy.next('/video_reels', graphError(100))
    t.match(await refusal(facebook.publish(job, handle, io)), { kind: 'permanent' })
    proxy.next('/video_reels', json({ success: false }))
    t.match(await refusal(facebook.publish(job, handle, io)), { kind: 'ambiguous' })
  })

  await t.test('when it is still being published after a day, then the outcome is unknown', async (t) => {
    const { handle } = await ready(scene, job)
    await clock.advanceTo(clock.now() + 25 * HOUR)
    status(String(handle['videoId']), { publishing_phase: { status: 'in_progress' } })
    t.same(await facebook.find?.(job, handle, io), { outcome: 'unknown' })
  })
})

t.test('given the host that reels are handed to', async (t) => {
  const scene = await givenScene(t)
  const { io, proxy, jobs } = scene
  const { handle } = await facebook.prepare(jobs.reel, io, undefined)
  const id = String(handle['videoId'])
  const handed = { ...handle, uploadUrl: `${proxy.url}/video-upload/v26.0/${id}` }
  const token = (await io.credentials.read())['accessToken'] ?? ''
  // The first look at the video is not meant.
  const next = (interception: Parameters<typeof proxy.next>[1]) => {
    proxy.next(id, json({ id, status: { video_status: 'uploading' } }))
    proxy.next(id, interception)
  }
  for (const [interception, kind, message] of [
    [{ kind: 'answer', status: 502, body: '<html>' }, 'retryable', /to the video with HTTP 502/],
    [json({ success: false }), 'retryable', /to the video with HTTP 200/],
    [{ kind: 'cut' }, 'retryable', /connection to Facebook was lost/],
    [json({ debug_info: { retriable: false, type: 'X', message: `no ${token}` } }, 400), 'permanent', /: no …$/],
  ] as const) {
    next(interception)
    t.match(await refusal(facebook.prepare(jobs.reel, io, handed)), { kind, message })
  }
  next(json({ debug_info: {} }, 401))
  t.match(await facebook.prepare(jobs.reel, io, handed), { outcome: 'processing' }, 'with a new token')
})

t.test('given a plain video', async (t) => {
  const scene = await givenScene(t)
  const { io, proxy, clock, live, given } = scene
  let run = 0
  const submitted = async (more: Partial<PublishJob> = {}) => {
    const own = { ...scene.jobs.video, text: `Plain ${run++}`, ...more }
    return { own, handle: (await ready(scene, own)).handle }
  }
  const lost = async (own: PublishJob, handle: PublishHandle) => {
    scene.fault({ kind: 'accept_then_timeout' })
    t.match(await refusal(facebook.publish(own, handle, io)), { kind: 'ambiguous' })
    return live().at(-1)?.id
  }
  const listing = (...videos: object[]) =>
    json({ data: videos.map((video) => ({ created_time: time(clock.now()), status: {}, ...video })) })

  await t.test('when its answer was lost, then it is found by its text, however late it is listed', async (t) => {
    const { own, handle } = await submitted({ mediaUrl: `${scene.jobs.video.mediaUrl}?sandbox=listed-after:600` })
    const postId = await lost(own, handle)
    t.match(await facebook.find?.(own, handle, io), { outcome: 'processing', lookAgainMs: 5_000 })
    t.match(await foundBy(scene, own, handle), { postId })
    t.match(await publish(facebook, own, (await ready(scene, own, handle)).handle, io), { postId })
    t.equal(live().filter(({ caption }) => caption === own.text).length, 1)
  })

  await t.test('when it was not taken, then it is absent after the time that a slow one may need', async (t) => {
    const { own, handle } = await submitted()
    scene.fault({ kind: 'server_error' })
    t.match(await refusal(facebook.publish(own, handle, io)), { kind: 'ambiguous' })
    await clock.advanceTo(clock.now() + 900_000)
    t.match(await facebook.find?.(own, handle, io), { outcome: 'processing' })
    await clock.advanceTo(clock.now() + 31_000)
    t.same(await facebook.find?.(own, handle, io), { outcome: 'absent' })
    const again = await ready(scene, own, handle)
    t.match(await publishedBy(scene, own, again.handle), { postId: live().at(-1)?.id })
  })

  await t.test('when one with the same text was there before, then it is not mistaken for it', async (t) => {
    const first = await submitted({ text: 'Twice' })
    await publishedBy(scene, first.own, first.handle)
    const second = await submitted({ text: 'Twice' })
    t.match(second.handle, { others: [String] })
    const postId = await lost(second.own, second.handle)
    t.match(await foundBy(scene, second.own, second.handle), { postId })
  })

  await t.test('when two of the same text went out since, then the newest is not taken blindly', async (t) => {
    const [one, other] = [await submitted({ text: 'At once' }), await submitted({ text: 'At once' })]
    await lost(one.own, one.handle)
    const { postId } = await publish(facebook, other.own, other.handle, io)
    t.ok(postId, 'its ID was recorded, so that it is not lost')
    t.same(await facebook.find?.(one.own, one.handle, io), { outcome: 'unknown' })
    t.match(await facebook.prepare(one.own, io, one.handle), { outcome: 'ready', handle: { others: [String, String] } })
  })

  await t.test('when the list does not show it at once, then its id is taken for it', async (t) => {
    for (const answer of [listing(), listing({ id: '9', description: 'Another' }), graphError(2)]) {
      const { own, handle } = await submitted()
      proxy.next('/videos', json({ id: '4711' }))
      proxy.next('/videos', answer)
      const published = { postId: '4711', url: `https://www.facebook.com/${given.externalId}/videos/4711/` }
      t.same(await publish(facebook, own, handle, io), published)
    }
  })

  await t.test('when it fails, then the error says so', async (t) => {
    const { own, handle } = await submitted()
    const description = own.text
    for (const [video, expected] of [
      [{ status: { video_status: 'error' } }, { outcome: 'refused', error: /could not process the video/ }],
      [{ status: { video_status: 'expired' } }, { outcome: 'refused', error: /expire/ }],
      [
        { status: { video_status: 'ready', publishing_phase: { status: 'complete', publish_status: 'draft' } } },
        { outcome: 'refused', error: /draft/ },
      ],
      [{ status: { video_status: 'ready' } }, { outcome: 'processing' }],
    ] as const) {
      proxy.next('/videos', listing({ id: '5', description, ...video }))
      t.match(await facebook.find?.(own, handle, io), expected)
    }
    proxy.next('/videos', listing({ id: '5', description, status: { video_status: 'error' } }))
    t.match(await refusal(facebook.prepare(own, io, handle)), { kind: 'permanent' })
    proxy.next('/videos', listing({ id: '5', description, status: { video_status: 'processing' } }))
    t.match(await facebook.prepare(own, io, handle), { outcome: 'processing', handle })
    for (let page = 0; page < 10; page += 1) {
      proxy.next('/videos', json({ data: [], paging: { next: 'https://x.example', cursors: { after: 'x' } } }))
    }
    t.same(await facebook.find?.(own, handle, io), { outcome: 'unknown' }, 'too many')
    await clock.advanceTo(clock.now() + 24 * HOUR)
    proxy.next('/videos', listing({ id: '5', description, status: { video_status: 'processing' } }))
    t.same(await facebook.find?.(own, handle, io), { outcome: 'unknown' })
  })

  await t.test('when it ends in an error after it was accepted, then the error says so', async (t) => {
    const own = asking({ ...scene.jobs.video, text: 'Broken' }, 'error:1363128')
    const { handle } = await ready(scene, own)
    t.match(await facebook.publish(own, handle, io), { outcome: 'processing' })
    t.match(await facebook.find?.(own, handle, io), { outcome: 'processing' })
    t.match(await facebook.find?.(own, handle, io), { outcome: 'refused', error: /does not accept the media/ })
  })

  await t.test('when Facebook cannot fetch it, then whether it has it is looked up', async (t) => {
    const own = asking(scene.jobs.video, 'fetch:389')
    t.match(await refusal(facebook.publish(own, (await ready(scene, own)).handle, io)), { kind: 'ambiguous' })
  })
})

t.test('given a post that is placed as a story', async (t) => {
  const options = { placement: 'story' }
  for (const kind of ['image', 'reel'] as const) {
    await t.test(`when a story of kind ${kind} is published, then it is live as one, and found`, async (t) => {
      const scene = await givenScene(t)
      const { io, clock, proxy } = scene
      const job = { ...scene.jobs[kind], options }
      t.same(await facebook.findByContent?.(job, START, io), { outcome: 'absent' })
      const { handle } = await ready(scene, job)
      t.same(scene.live(), [], 'nothing is visible yet')
      t.same(await facebook.find?.(job, handle, io), { outcome: 'absent' })

      const published = await publish(facebook, job, handle, io)
      const { mediaType, mediaUrl } = job
      t.match(scene.live(), [{ id: published.postId, caption: '', mediaType, mediaUrl, details: { isStory: true } }])
      t.equal(published.url, `https://facebook.com/stories/${published.postId}`)
      t.same(await facebook.find?.(job, handle, io), { outcome: 'found', found: published })
      t.same(await facebook.findByContent?.(job, START, io), { outcome: 'unknown' }, 'it has no text')
      const feed = { ...job, options: {} }
      t.same(await facebook.findByContent?.(feed, START, io), { outcome: 'absent' }, 'posts are listed apart')

      const edge = kind === 'image' ? 'photo_stories' : 'video_stories'
      t.same(await publish(facebook, job, handle, io), published, 'Facebook takes nothing twice')
      t.equal(scene.live().length, 1)
      const again = await ready(scene, job, handle)
      t.same(await publishedBy(scene, job, again.handle), published)
      t.equal(proxy.calls.filter((call) => call === edge).length, kind === 'image' ? 2 : 3, 'with the start of a video')

      await t.rejects(facebook.unpublish?.(job.account, published, io) ?? Promise.resolve(), {
        name: 'PlatformError',
        message: /^Facebook does not let apps delete stories/,
      })
      await clock.advanceTo(clock.now() + 24 * HOUR)
      t.same(await facebook.findByContent?.(job, START, io), { outcome: 'unknown' }, 'it is listed no more')
      t.same(await facebook.find?.(job, handle, io), { outcome: 'unknown' })
    })
  }

  await t.test('when it is listed late, or its id is not text, then it has an address by its id', async (t) => {
    const scene = await givenScene(t)
    const job = { ...asking(scene.jobs.image, 'listed-after:10'), options }
    const { handle } = await ready(scene, job)
    const { postId, url } = await publish(facebook, job, handle, scene.io)
    t.equal(url, `https://www.facebook.com/stories/${postId}`)
    t.match(await refusal(Promise.resolve(facebook.unpublish?.(job.account, { postId, url: url ?? '' }, scene.io))), {
      kind: 'permanent',
    })
    const other = { ...asking(scene.jobs.image, 'listed-after:10'), options }
    const second = await ready(scene, other)
    scene.proxy.next('/photo_stories', json({ success: true, post_id: 1234 }))
    t.same(await publish(facebook, other, second.handle, scene.io), {
      postId: '1234',
      url: 'https://www.facebook.com/stories/1234',
    })
  })
})

t.test('given a placement of a video, then it is published there, whatever its shape', async (t) => {
  const scene = await givenScene(t)
  for (const [kind, placement, isReel] of [
    ['reel', 'feed', false],
    ['video', 'feed', false],
    ['reel', 'reel', true],
  ] as const) {
    const job = { ...scene.jobs[kind], text: `${kind} as ${placement}`, options: { placement } }
    const { handle } = await ready(scene, job)
    const { postId } = await publishedBy(scene, job, handle)
    t.match(scene.live().at(-1), { id: postId, caption: job.text, details: { isReel, isStory: false } })
  }
})

t.test('given a link, then a post without media shows it', async (t) => {
  const scene = await givenScene(t)
  const options = { link: 'https://example.com/rye' }
  const job = { ...scene.jobs.image, mediaType: 'text', mediaUrl: '', options } as const
  const { handle } = await ready(scene, job)
  const published = await publish(facebook, job, handle, scene.io)
  t.match(scene.live(), [{ id: published.postId, caption: job.text, details: options }])
  t.same(await facebook.find?.(job, handle, scene.io), { outcome: 'found', found: published })
})

t.test('given options that the post cannot have, then the rule is named, and nothing is called', async (t) => {
  const scene = await givenScene(t)
  const called = scene.proxy.calls.length
  const { image, reel } = scene.jobs
  const text = { mediaType: 'text', mediaUrl: '' } as const
  const link = 'https://example.com/rye'
  const album = { media: ['?1', '?2'].map((query) => ({ url: `${image.mediaUrl}${query}`, type: 'image' as const })) }
  for (const [job, options, message] of [
    [image, { link }, 'Facebook shows a link only in a post without media: leave out the link, or the media.'],
    [image, { placement: 'reel' }, 'A reel on Facebook is a video: choose another placement for an image.'],
    [{ ...image, ...album }, { placement: 'story' }, 'Facebook takes one item per post here; this post has 2.'],
    [
      { ...image, ...text },
      { placement: 'story' },
      'A reel or story on Facebook needs media: choose another placement.',
    ],
    [
      { ...reel, firstComment: 'First!' },
      { placement: 'story' },
      'First comment: A story on Facebook has no comments.',
    ],
    [image, { placement: 'wall' }, /options for Facebook are invalid.*must be one of feed, reel, story/s],
  ] as const) {
    t.match(await refusal(ready(scene, { ...job, options })), { kind: 'permanent', message })
  }
  t.equal(scene.proxy.calls.length, called)

  const story = { placement: 'story' }
  const clip = { mediaType: 'video', mimeType: 'video/mp4', bytes: 1_000, durationMs: 60_001 } as const
  for (const [options, facts, rules] of [
    [story, { ...clip, durationMs: 60_000, width: 1_080, height: 1_920 }, []],
    [story, { ...clip, width: 500, height: 800 }, [/videos of stories of at most 60 s/, /at least 540x960 pixels/]],
    [story, { ...clip, mediaType: 'image', mimeType: 'image/webp' }, [/JPEG, PNG, GIF, BMP or TIFF in stories/]],
    [{ placement: 'reel' }, { ...clip, durationMs: 90_001 }, [/reels \(vertical videos\) of at most 90 s/]],
    [{ placement: 'feed' }, { ...clip, width: 100, height: 200 }, []],
  ] as const) {
    const broken = facebook.check({ text: 'a'.repeat(10), mediaType: facts.mediaType, options }, facts)
    t.equal(broken.length, rules.length, broken.join())
    t.match(broken, [...rules])
  }
  t.same(facebook.warnings?.({ text: 'Words', mediaType: 'image', options: story }, undefined), [
    'A story on Facebook has no caption: it is left out.',
  ])
})

t.test('given a first comment', async (t) => {
  const scene = await givenScene(t)
  const { io, proxy, sandbox, http, jobs, given } = scene
  const first = facebook.firstComment
  if (!first) return t.fail('Facebook takes a first comment')
  const job = jobs.image
  const published = await publish(facebook, job, (await ready(scene, job)).handle, io)
  const comment = { key: crypto.randomUUID(), text: 'And the link: https://example.com' }
  const under = (postId = published.postId) =>
    sandbox.ledger.commentsUnder('facebook', postId).filter(({ writtenBy }) => writtenBy === 'account')
  const fan = { platform: 'facebook', accountId: given.externalId, postId: published.postId, author: 'fan' }
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
    t.same(await first.find(job, published, { ...comment, text: 'Another' }, io), { outcome: 'absent' })
    t.equal(under().length, 1)
  })

  await t.test('when more comments than a page came after it, then it is found', async (t) => {
    for (let n = 0; n < 60; n += 1) {
      await postJson(http, `${sandbox.url}/_control/comments`, { ...fan, text: `Nice ${n}` })
    }
    t.same(await first.find(job, published, comment, io), { outcome: 'found', found: undefined })
  })

  await t.test('when its author is unknown, then it counts as ours', async (t) => {
    proxy.next('/comments', json({ data: [{ id: '1', message: comment.text }] }))
    t.same(await first.find(job, published, comment, io), { outcome: 'found', found: undefined })
  })

  await t.test('when the list does not tell, then nor does the search', async (t) => {
    for (let page = 0; page < 20; page += 1) {
      proxy.next('/comments', json({ data: [], paging: { next: 'https://x.example', cursors: { after: 'x' } } }))
    }
    t.same(await first.find(job, published, comment, io), { outcome: 'unknown' }, 'too many')
    proxy.next('/comments', json({ data: [] }))
    t.same(await first.find(job, published, comment, io), { outcome: 'unknown' }, 'empty, and counted as more')
    proxy.next('/comments', graphError(368))
    t.same(await first.find(job, published, comment, io), { outcome: 'unknown' })
    for (const error of [graphError(100, 33), graphError(2, undefined, { status: 500 })]) {
      proxy.next('/comments', error)
      t.match(await refusal(first.find(job, published, comment, io)), { kind: 'retryable' })
    }
  })

  await t.test('when the post is not known yet, then it is tried again soon', async (t) => {
    for (const error of [graphError(100, 33), graphError(100, undefined, { status: 404 })]) {
      proxy.next('/comments', error)
      t.match(await refusal(first.post(job, published, comment, io)), { kind: 'retryable', retryAfterMs: 5_000 })
    }
  })

  for (const kind of ['reel', 'video'] as const) {
    await t.test(`when the post of a ${kind} takes none, then the video does`, async (t) => {
      const own = asking({ ...jobs[kind], text: `Comments on the ${kind}` }, 'comments:video')
      const out = await publishedBy(scene, own, (await ready(scene, own)).handle)
      await first.post(own, out, comment, io)
      t.same(await first.find(own, out, comment, io), { outcome: 'found', found: undefined })
      t.equal(under(out.postId).length, 1)
      const second = { ...comment, text: 'Second' }
      proxy.next('/comments', { kind: 'lose-answer' })
      t.match(await refusal(first.post(own, out, second, io)), { kind: 'ambiguous' }, 'no second target in doubt')
      t.same(await first.find(own, out, second, io), { outcome: 'absent' })
      for (const _ of [1, 2]) proxy.next('/comments', graphError(100, 33))
      t.match(await refusal(first.find(own, out, second, io)), { kind: 'retryable' })
      proxy.next('/comments', graphError(368))
      t.same(await first.find(own, out, second, io), { outcome: 'unknown' })
    })
  }

  await t.test('when the post of a reel takes it, then the video is not asked', async (t) => {
    const own = { ...jobs.reel, text: 'Comments on the post' }
    const out = await publishedBy(scene, own, (await ready(scene, own)).handle)
    await first.post(own, out, comment, io)
    t.same(await first.find(own, out, comment, io), { outcome: 'found', found: undefined })
    t.same(await first.find(own, out, { ...comment, text: 'No' }, io), { outcome: 'absent' })
    t.equal(under(out.postId).length, 1)
    const unknown = { postId: '1_1', url: 'https://example.com/' }
    t.match(await refusal(first.post(own, unknown, comment, io)), { kind: 'retryable' })
  })
})

t.test('given a video of 150 MB, then memory grows by far less', async (t) => {
  const scene = await givenScene(t)
  const clip = sample('../../../packages/sandbox/media/sample.mp4')
  const block = Buffer.alloc(65_536)
  const head = box('free', Buffer.alloc(0))
  head.writeUInt32BE(8 + 2_300 * block.length, 0)
  const job = scene.withMedia(
    function* () {
      yield clip
      yield head
      for (let n = 0; n < 2_300; n += 1) yield block
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
  t.ok(growth < 75, `grew by ${growth} MB at most`)
  await publishedBy(scene, job, handle)
  t.match(scene.live(), [{ mediaUrl: job.mediaUrl, mediaType: 'video' }])
})

t.test('given the sandbox is closed and opened again, then what was prepared can still be published', async (t) => {
  const dataDir = t.testdir()
  const clock = movableClock({ standingAt: Date.parse('2026-03-01T10:00:00Z') })
  const http = givenHttp(t)
  const open = () => givenSandbox(t, { clock, dataDir, standIns: [facebookStandIn] })
  const media = await givenSandbox(t)
  const first = await open()
  const given = await givenAccount(http, first, 'facebook')
  const io = ioOf(http, given.credentials, { clock, media: memoryMedia(http) })
  const jobAt = (baseUrl: string, mediaType: 'image' | 'video'): PublishJob => ({
    key: crypto.randomUUID(),
    account: { ...accountOf('facebook', given), baseUrl },
    mediaUrl: `${media.url}/media/sample.${mediaType === 'image' ? 'jpg' : 'mp4'}`,
    mediaType,
    text: `The ${mediaType}`,
    queuedAt: '2026-03-01T10:00:00.000Z',
  })
  const image = await ready({ io, clock }, jobAt(given.baseUrl, 'image'))
  const kept = { kind: 'reel', bytes: 1_000, createdAt: '2026-03-01T10:00:00.000Z', failures: 0 }
  const started = await http.request(`${given.baseUrl}/v26.0/${given.externalId}/video_reels`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${given.credentials['accessToken']}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'upload_phase=start',
  })
  const { video_id: videoId, upload_url: uploadUrl } = started.json() as { video_id: string; upload_url: string }
  const { handle: handed } = await facebook.prepare(jobAt(given.baseUrl, 'video'), io, { ...kept, videoId, uploadUrl })
  await first.close()

  const second = await open()
  const baseUrl = `${second.url}/facebook`
  await publishedBy({ io, clock }, jobAt(baseUrl, 'image'), image.handle)
  const reel = await ready({ io, clock }, jobAt(baseUrl, 'video'), handed)
  await publishedBy({ io, clock }, jobAt(baseUrl, 'video'), reel.handle)
  await second.close()

  const third = await open()
  t.match(third.ledger.posts('facebook'), [{ caption: 'The image' }, { caption: 'The video' }])
  t.match(await foundBy({ io, clock }, jobAt(`${third.url}/facebook`, 'video'), reel.handle), { postId: String })
})

t.test('given the whole guard', async (t) => {
  const world = await givenWorld(t, { platforms: { facebook }, standIns: [facebookStandIn] })
  const service = await givenProcess(world)
  const { url: landscape } = await httpServer(t, (_request, response) => void response.end(sample('clip.mp4')))
  const urls = {
    image: `${world.sandbox.url}/media/sample.jpg`,
    reel: `${world.sandbox.url}/media/sample.mp4`,
    video: `${landscape}/clip.mp4`,
  }
  const script = { platform: 'facebook', times: 1, delayMs: 0, retryAfterSeconds: 600, accepted: false } as const
  for (const [name, faults, kinds] of [
    ['nothing goes wrong', [], KINDS],
    ['the answer is lost', [{ kind: 'accept_then_timeout' }], KINDS],
    ['it fails after it took the post', [{ kind: 'server_error', accepted: true }], KINDS],
    ['it fails and took nothing', [{ kind: 'server_error', times: 2 }], KINDS],
    ['the token is void', [{ kind: 'token_expired' }], KINDS],
    ['the account has to wait', [{ kind: 'rate_limit' }], ['image']],
    ['the answer to the first comment is lost', [{ kind: 'accept_then_timeout', call: 'comment' }], ['image', 'reel']],
  ] as const) {
    for (const kind of kinds) {
      const mediaType: PublishJob['mediaType'] = kind === 'image' ? 'image' : 'video'
      await t.test(`when ${name}, then exactly one ${kind} is live, with one comment under it`, async (t) => {
        const accountId = await world.account('facebook')
        for (const fault of faults) world.sandbox.faults.script({ call: 'publish', ...script, ...fault })
        const before = world.sandbox.ledger.posts('facebook').length
        const mediaUrl = urls[kind]
        const selections = { facebook: [accountId] }
        const id = await service.queue({ selections, mediaType, mediaUrl, firstComment: 'First!' })
        await service.drain()
        const row = await findPost(world.db, id)
        t.equal(row?.status, 'published')
        const live = world.sandbox.ledger.posts('facebook').slice(before)
        t.match(live, [{ caption: 'A caption', mediaType, mediaUrl }])
        t.equal(live.length, 1)
        const result = { accountId, ok: true, postId: live[0]?.id, url: /facebook\.com/, firstComment: { ok: true } }
        t.match(row?.results['facebook'], [result])
        t.equal(world.sandbox.ledger.commentsUnder('facebook', live[0]?.id ?? '').length, 1)
        t.same(world.sandbox.faults.pending(), [])
      })
    }
  }

  await t.test('when neither token is good, then the account has to be connected again', async (t) => {
    const accountId = await world.account('facebook')
    world.sandbox.faults.script({ call: 'publish', ...script, kind: 'token_expired' })
    world.sandbox.faults.script({ call: 'refresh', ...script, kind: 'reject' })
    const before = world.sandbox.ledger.posts('facebook').length
    const id = await service.queue({ selections: { facebook: [accountId] } })
    await service.drain()
    const row = await findPost(world.db, id)
    t.equal(row?.status, 'publish_failed')
    t.match(row?.results['facebook'], [{ ok: false, error: /no Page token could be obtained with the userToken/ }])
    t.equal(world.sandbox.ledger.posts('facebook').length, before)
  })

  for (const kind of [...KINDS, 'story'] as const) {
    const mediaType: PublishJob['mediaType'] = kind === 'image' ? 'image' : 'video'
    const platformOptions = { facebook: kind === 'story' ? { placement: 'story' } : {} }
    await t.test(
      `when the process dies before or after any act on the way of the ${kind}, then exactly one is live`,
      async (t) => {
        const accountId = await world.account('facebook')
        const mediaUrl = urls[kind === 'story' ? 'reel' : kind]
        let runs = 0
        const run = async (point?: { act: number; moment: 'before' | 'after' }) => {
          const before = world.sandbox.ledger.posts('facebook').length
          const caption = `Run ${runs++} of the ${kind}`
          const command = { selections: { facebook: [accountId] }, caption, mediaType, mediaUrl, platformOptions }
          const id = await service.queue(kind === 'image' ? { ...command, firstComment: 'First!' } : command)
          const fuse = fused(world, point)
          const mortal = await givenProcess(world, { ...fuse, slots: 1 })
          await mortal.drain().catch((error: unknown) => {
            if (!fuse.dead()) throw error
          })
          await (await givenProcess(world, { slots: 1 })).drain()
          const row = await findPost(world.db, id)
          const live = world.sandbox.ledger.posts('facebook').slice(before)
          const where = point ? `died ${point.moment} ${fuse.acts[point.act]} (${point.act})` : 'lived'
          t.equal(live.length, 1, where)
          t.match(row, { status: 'published', results: { facebook: [{ ok: true, postId: live[0]?.id }] } }, where)
          const comments = world.sandbox.ledger.commentsUnder('facebook', live[0]?.id ?? '')
          t.equal(comments.length, kind === 'image' ? 1 : 0, where)
          return fuse.acts
        }
        for (const [act, name] of (await run()).entries()) {
          // Looks at a video are many, and change nothing.
          if (kind !== 'image' && name.startsWith('GET')) continue
          for (const moment of ['before', 'after'] as const) await run({ act, moment })
        }
      },
    )
  }
})

t.test('given two Pages of one sandbox, then one has no part in what the other has prepared', async (t) => {
  const scene = await givenScene(t)
  const other = await givenAccount(scene.http, scene.sandbox, 'facebook')
  const io = ioOf(scene.http, other.credentials, { clock: scene.clock })
  for (const kind of ['image', 'reel'] as const) {
    const { handle } = await ready(scene, scene.jobs[kind])
    const account = { ...scene.jobs[kind].account, externalId: other.externalId, baseUrl: other.baseUrl }
    await t.rejects(publish(facebook, { ...scene.jobs[kind], account }, handle, io), {
      name: 'PlatformError',
      status: 400,
    })
  }
  t.same(scene.live(), [])
})

function time(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+0000`
}
