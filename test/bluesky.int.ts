import fc from 'fast-check'
import t from 'tap'
import { bluesky } from '../platforms/bluesky/index.ts'
import { facetsOf } from '../platforms/bluesky/rich-text.ts'
import { tidFor } from '../platforms/bluesky/tid.ts'
import {
  connected,
  imageOf,
  jobOf,
  mediaHost,
  platformError,
  postsOf,
  referenceServer,
  sandboxServer,
} from './support/bluesky.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { prepare, publish } from './support/connector.ts'
import { interceptingProxy } from './support/intercepting-proxy.ts'
import { startPds } from './support/pds.ts'
import { givenHttp, givenSandbox } from './support/sandbox.ts'

// Passwords are hashed slowly on purpose, and the reference server hashes three for each account made.

const pds = await startPds()
t.teardown(() => pds.close())
const http = givenHttp(t)
const sandbox = await givenSandbox(t)
const media = await mediaHost(t)
const servers = [referenceServer(pds), sandboxServer(sandbox, http)]

for (const server of servers) {
  t.test(`an image post is published and read back with its facets, on ${server.name}`, async (t) => {
    const [author, friend] = [await server.createAccount(), await server.createAccount()]
    const { account, io } = await connected(http, author, server.url)
    const text = `Grüße 👋 @${friend.handle} @nobody.test https://example.com/a #news`
    const job = jobOf(account, { text, mediaUrl: `${media.url}/sample.jpg` })

    const handle = await prepare(bluesky, job, io)
    t.same(await postsOf(http, server, author.did), [], 'nothing is visible yet')
    t.same(JSON.parse(JSON.stringify(handle)), handle, 'the handle is plain JSON')
    const queuedAt = Date.parse(job.queuedAt)
    t.same(await bluesky.findByContent?.(job, queuedAt, io), { outcome: 'absent' })
    const published = await publish(bluesky, job, handle, io)
    const queuedLater = { ...job, queuedAt: isoTime(queuedAt + 60_000) }
    for (const sought of [job, queuedLater]) {
      t.same(await bluesky.findByContent?.(sought, queuedAt, io), { outcome: 'found', found: published })
    }

    const rkey = tidFor(job.key, job.queuedAt)
    t.same(published, {
      postId: `at://${author.did}/app.bsky.feed.post/${rkey}`,
      url: `https://bsky.app/profile/${author.did}/post/${rkey}`,
    })
    const [post, ...others] = await postsOf(http, server, author.did)
    t.same(others, [])
    t.equal(post?.uri, published.postId)
    const feature = (kind: string, value: object) => ({ $type: `app.bsky.richtext.facet#${kind}`, ...value })
    t.match(post?.value, {
      $type: 'app.bsky.feed.post',
      text,
      createdAt: job.queuedAt,
      facets: [
        { index: { byteStart: 13 }, features: [feature('mention', { did: friend.did })] },
        { features: [feature('link', { uri: 'https://example.com/a' })] },
        { features: [feature('tag', { tag: 'news' })] },
      ],
      embed: {
        $type: 'app.bsky.embed.images',
        images: [
          { alt: '', aspectRatio: { width: 1080, height: 1080 }, image: { mimeType: 'image/jpeg', size: 58742 } },
        ],
      },
    })
    t.equal(Array.isArray(post?.value['facets']) && post.value['facets'].length, 3, 'no facet for the unknown handle')
  })

  t.test(`a post is deleted, and deleting it again is harmless, on ${server.name}`, async (t) => {
    const author = await server.createAccount()
    const { account, io } = await connected(http, author, server.url)
    const job = jobOf(account, { mediaUrl: `${media.url}/sample.jpg` })
    const published = await publish(bluesky, job, await prepare(bluesky, job, io), io)
    for (const _ of ['first', 'again']) {
      await bluesky.unpublish?.(account, published, io)
      t.same(await postsOf(http, server, author.did), [])
    }
  })

  t.test(`a post with languages and labels has them in its record, on ${server.name}`, async (t) => {
    const author = await server.createAccount()
    const { account, io } = await connected(http, author, server.url)
    const options = { languages: ['en', 'pt-BR', 'zh-Hant'], labels: ['nudity', 'graphic-media'] }
    const job = jobOf(account, { mediaUrl: `${media.url}/sample.jpg`, options })
    await publish(bluesky, job, await prepare(bluesky, job, io), io)
    t.match((await postsOf(http, server, author.did))[0]?.value, {
      langs: options.languages,
      labels: { $type: 'com.atproto.label.defs#selfLabels', values: [{ val: 'nudity' }, { val: 'graphic-media' }] },
    })

    for (const [wrong, message] of [
      [{ languages: ['english?'] }, /options for Bluesky are invalid.*BCP 47.*languages\[0\]/s],
      [{ languages: ['en', 'de', 'fr', 'it'] }, /at most 3 languages/],
      [{ labels: ['rude'] }, /must be sexual, nudity, porn or graphic-media/],
    ] as const) {
      const refused = await platformError(prepare(bluesky, { ...job, options: wrong }, io))
      t.match(refused, { kind: 'permanent', message })
    }
  })

  t.test(`a video post goes the simple way where a base URL is given, on ${server.name}`, async (t) => {
    const author = await server.createAccount()
    const { account, io } = await connected(http, author, server.url)
    const job = jobOf(account, { text: '', mediaUrl: `${media.url}/sample.mp4`, mediaType: 'video' })

    await publish(bluesky, job, await prepare(bluesky, job, io), io)

    const [post] = await postsOf(http, server, author.did)
    t.match(post?.value, {
      text: '',
      embed: {
        $type: 'app.bsky.embed.video',
        aspectRatio: { width: 720, height: 1280 },
        video: { mimeType: 'video/mp4', size: 144245 },
      },
    })
    t.notOk(post?.value['facets'])
  })

  t.test(`a lost answer and a repeat make one post, on ${server.name}`, async (t) => {
    const author = await server.createAccount()
    const proxy = await interceptingProxy(t, server.url)
    const { account, io } = await connected(http, author, proxy.url)
    const job = jobOf(account, { mediaUrl: `${media.url}/sample.jpg` })
    const handle = await prepare(bluesky, job, io)

    proxy.next('putRecord', { kind: 'lose-answer' })
    t.match(await platformError(publish(bluesky, job, handle, io)), { kind: 'ambiguous' })
    const [first] = await postsOf(http, server, author.did)
    t.ok(first, 'the server had taken it')

    const published = await publish(bluesky, job, handle, io)
    t.same(await postsOf(http, server, author.did), [first], 'one post, the same as before')
    t.equal(published.postId, first?.uri)
  })

  t.test(`a put that never arrived is repeated, on ${server.name}`, async (t) => {
    const author = await server.createAccount()
    const proxy = await interceptingProxy(t, server.url)
    const { account, io } = await connected(http, author, proxy.url)
    const job = jobOf(account, { mediaUrl: `${media.url}/sample.jpg` })
    const handle = await prepare(bluesky, job, io)

    proxy.next('putRecord', { kind: 'cut' })
    t.match(await platformError(publish(bluesky, job, handle, io)), { kind: 'ambiguous' })
    t.same(await postsOf(http, server, author.did), [])

    await publish(bluesky, job, handle, io)
    t.equal((await postsOf(http, server, author.did)).length, 1)
  })

  t.test(`four publishes of one job at once make one post, on ${server.name}`, async (t) => {
    const author = await server.createAccount()
    const { account, io } = await connected(http, author, server.url)
    const job = jobOf(account, { mediaUrl: `${media.url}/sample.jpg` })
    const handle = await prepare(bluesky, job, io)
    const all = await Promise.all([1, 2, 3, 4].map(() => publish(bluesky, job, handle, io)))
    t.equal(new Set(all.map(({ postId }) => postId)).size, 1)
    t.equal((await postsOf(http, server, author.did)).length, 1)
  })

  t.test(
    `an attempt prepared again, with other media, leaves the post of the first as it is, on ${server.name}`,
    async (t) => {
      const author = await server.createAccount()
      const { account, io } = await connected(http, author, server.url)
      const job = jobOf(account, { mediaUrl: `${media.url}/sample.jpg` })
      const first = await publish(bluesky, job, await prepare(bluesky, job, io), io)
      const before = await postsOf(http, server, author.did)

      media.serve('/changed.jpg', await imageOf(60_000))
      const again = { ...job, mediaUrl: `${media.url}/changed.jpg` }
      const handle = await prepare(bluesky, again, io)
      t.notMatch(handle['record'], before[0]?.value, 'it would be another record')

      t.same(await publish(bluesky, again, handle, io), first)
      t.same(await postsOf(http, server, author.did), before)
    },
  )

  t.test(`another post at the same key is neither overwritten nor taken for this one, on ${server.name}`, async (t) => {
    const author = await server.createAccount()
    const { account, io } = await connected(http, author, server.url)
    const job = jobOf(account, { mediaUrl: `${media.url}/sample.jpg` })
    await publish(bluesky, job, await prepare(bluesky, job, io), io)
    const before = await postsOf(http, server, author.did)

    const other = { ...job, text: 'Something else' }
    const error = await platformError(publish(bluesky, other, await prepare(bluesky, other, io), io))
    t.match(error, { kind: 'permanent', message: /another post/i })
    t.same(await postsOf(http, server, author.did), before)
  })

  t.test(`two posts of the same text are two posts, on ${server.name}`, async (t) => {
    const author = await server.createAccount()
    const { account, io } = await connected(http, author, server.url)
    for (const _ of [1, 2]) {
      const job = jobOf(account, { mediaUrl: `${media.url}/sample.jpg` })
      await publish(bluesky, job, await prepare(bluesky, job, io), io)
    }
    t.equal((await postsOf(http, server, author.did)).length, 2)
  })

  t.test(`text and media over the limits are refused naming limit and value, on ${server.name}`, async (t) => {
    const author = await server.createAccount()
    const proxy = await interceptingProxy(t, server.url)
    const { account, io } = await connected(http, author, proxy.url)
    const image = { mediaUrl: `${media.url}/sample.jpg` }
    const refusal = async (more: object) => platformError(prepare(bluesky, jobOf(account, more), io))

    t.match(await refusal({ ...image, text: 'x'.repeat(301) }), { kind: 'permanent', message: /301.*300/ })
    t.match(await refusal({ ...image, text: '👨‍👩‍👧‍👦'.repeat(200) }), { kind: 'permanent', message: /5000.*3000/ })

    media.serve('/huge.jpg', await imageOf(2_000_001))
    const huge = await refusal({ mediaUrl: `${media.url}/huge.jpg` })
    t.match(huge, { kind: 'permanent', message: /2\.000001 MB.*2 MB/ })
    t.same(proxy.calls, ['com.atproto.server.createSession'], 'the server was not bothered with any of it')

    media.serve('/big.jpg', await imageOf(1_000_001))
    const job = jobOf(account, { mediaUrl: `${media.url}/big.jpg` })
    const handle = await prepare(bluesky, job, io)
    const big = await platformError(publish(bluesky, job, handle, io))
    t.match(big, { kind: 'permanent', message: /maximum 1000000/ }, 'this server has the older lexicon')
    t.same(await postsOf(http, server, author.did), [])
  })

  t.test(`an image of 1,000,000 bytes is taken as it is, on ${server.name}`, async (t) => {
    const author = await server.createAccount()
    const { account, io } = await connected(http, author, server.url)
    media.serve('/full.jpg', await imageOf(1_000_000))
    const job = jobOf(account, { mediaUrl: `${media.url}/full.jpg` })
    await publish(bluesky, job, await prepare(bluesky, job, io), io)
    t.match((await postsOf(http, server, author.did))[0]?.value, {
      embed: { images: [{ image: { size: 1_000_000 } }] },
    })
  })
}

t.test('media over the upload limit of the server are refused naming their size', async (t) => {
  const small = await startPds({ blobUploadLimit: 100_000 })
  t.teardown(() => small.close())
  const server = referenceServer(small)
  const { account, io } = await connected(http, await server.createAccount(), server.url)
  const job = jobOf(account, { mediaUrl: `${media.url}/sample.mp4`, mediaType: 'video' })
  t.match(await platformError(prepare(bluesky, job, io)), { kind: 'permanent', message: /144245 bytes/ })
})

t.test('whatever the text, the reference server takes the record made of it', async (t) => {
  const server = referenceServer(pds)
  const { account, io } = await connected(http, await server.createAccount(), server.url)
  const piece = fc.oneof(
    fc.constantFrom(' #', ' @', ' https://', ' http:///', ' example.com', ' http.com', ' $', '(', '). ', '👨‍👩‍👧‍👦', '\n'),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  let number = 0
  const taken = fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
    const text = pieces.join('')
    const job = jobOf(account, { text, key: `text ${number++}` })
    const facets = await facetsOf(text, async () => account.externalId)
    const record = { $type: 'app.bsky.feed.post', text, facets, createdAt: job.queuedAt }
    await publish(bluesky, job, { rkey: tidFor(job.key, job.queuedAt), createdAt: job.queuedAt, record }, io)
  })
  await t.resolves(fc.assert(taken, { numRuns: 60, endOnFailure: true }))
})
