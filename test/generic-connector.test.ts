import t from 'tap'
import { PLATFORM_KEYS } from '../domain/platform.ts'
import type { Http } from '../platforms/http.ts'
import type { PublishHandle, PublishJob } from '../platforms/platform.ts'
import { genericPlatform } from '../platforms/generic.ts'
import { platforms } from '../platforms/registry.ts'
import { prepare, publish } from './support/connector.ts'
import { failure, givenJob, instagram, live, scriptFault } from './support/generic-scene.ts'
import {
  accountOf,
  givenAccount,
  givenHttp,
  givenPlainSandbox,
  ioOf,
  memoryCredentials,
  memoryMedia,
} from './support/sandbox.ts'

t.test('every platform has a connector, under its own key', async (t) => {
  t.same(Object.keys(platforms).toSorted(), PLATFORM_KEYS.toSorted())
  for (const key of PLATFORM_KEYS) t.equal(platforms[key].key, key)
  t.same(
    PLATFORM_KEYS.filter((key) => platforms[key].firstComment),
    ['instagram', 'facebook'],
    'api-spec §4: only these two take a first comment',
  )
})

t.test('a post goes out once, on each platform, and is found again', async (t) => {
  const sandbox = await givenPlainSandbox(t)
  const http = givenHttp(t)
  for (const key of PLATFORM_KEYS) {
    for (const [mediaType, file] of [['image', 'sample.jpg'] as const, ['video', 'sample.mp4'] as const]) {
      const account = await givenAccount(http, sandbox, key)
      const platform = genericPlatform(key, { firstComment: false })
      const media = memoryMedia(http)
      const io = ioOf(http, account.credentials, { media })
      const job: PublishJob = {
        key: crypto.randomUUID(),
        account: accountOf(key, account),
        mediaUrl: `${sandbox.url}/media/${file}`,
        mediaType,
        text: `A ${mediaType} & "more" 🎺`,
        queuedAt: '2026-03-01T10:00:00.000Z',
      }
      const handle = await prepare(platform, job, io)
      t.equal(media.kept, 0, 'the fetched media are disposed of')
      t.same(await platform.find?.(job, handle, io), { outcome: 'absent' })
      const published = await publish(platform, job, JSON.parse(JSON.stringify(handle)), io)
      t.same(await platform.find?.(job, handle, io), { outcome: 'found', found: published })

      const query = `platform=${key}&accountId=${account.externalId}`
      t.match((await http.request(`${sandbox.url}/_control/posts?${query}`)).json(), [
        { id: published.postId, accountId: account.externalId, caption: job.text, mediaUrl: job.mediaUrl },
      ])
      t.equal(sandbox.ledger.posts(key, { accountId: account.externalId }).length, 1)
      t.equal((await http.request(published.url ?? '')).status, 200, 'its permalink leads to it')
    }
  }
})

t.test('connecting an account checks its token and says whose it is', async (t) => {
  const scene = await givenJob(t)
  const { io, account } = scene
  const { baseUrl, externalId, label, credentials } = account
  t.same(await instagram.connect(credentials, baseUrl, io), { externalId, label, credentials })

  const stale = { ...credentials, accessToken: 'an old one' }
  const renewed = await instagram.connect(stale, baseUrl, io)
  t.equal(renewed.externalId, externalId)
  t.equal(
    renewed.credentials['accessToken'],
    scene.sandbox.ledger.account('instagram', externalId)?.secrets['accessToken'],
  )

  await t.rejects(instagram.connect(credentials, undefined, io), {
    ...failure('permanent'),
    message: /^instagram has no connector of its own yet; give --base-url/,
  })
  await t.rejects(instagram.connect({}, baseUrl, io), { ...failure('permanent'), message: /accessToken/ })
  await t.rejects(instagram.connect({ accessToken: 'wrong' }, baseUrl, io), failure('needs-reauth'))
  await t.rejects(instagram.connect({ accessToken: 'x', refreshToken: 'y' }, baseUrl, io), failure('needs-reauth'))
  await t.rejects(instagram.connect(credentials, `${scene.sandbox.url}/orkut`, io), failure('permanent'))
})

t.test('a slow answer is still an answer', async (t) => {
  const scene = await givenJob(t)
  const handle = await prepare(instagram, scene.job, scene.io)
  await scriptFault(scene, { kind: 'slow', delayMs: 300 })
  const { postId } = await publish(instagram, scene.job, handle, scene.io)
  t.same(
    live(scene).map(({ id }) => id),
    [postId],
  )
})

t.test('a lost answer is settled by looking: exactly one post is live, and it is found', async (t) => {
  const scene = await givenJob(t)
  const { job, io, sandbox } = scene
  const handle = await prepare(instagram, job, io)
  await scriptFault(scene, { kind: 'accept_then_timeout', delayMs: 20 })
  await t.rejects(publish(instagram, job, handle, io), failure('ambiguous'))

  const [post] = live(scene)
  t.same(await instagram.find?.(job, handle, io), {
    outcome: 'found',
    found: { postId: post?.id, url: `${sandbox.url}/instagram/posts/${post?.id}` },
  })
  t.equal(live(scene).length, 1)
  const another = { ...job, key: crypto.randomUUID() }
  t.same(await instagram.find?.(another, handle, io), { outcome: 'absent' }, 'the same text of another post is not it')
})

t.test('one refused upload leaves no media behind', async (t) => {
  const scene = await givenJob(t)
  const media = memoryMedia(scene.http)
  const io = ioOf(scene.http, scene.account.credentials, { media })
  await t.rejects(
    prepare(instagram, { ...scene.job, mediaType: 'video', mediaUrl: `${scene.sandbox.url}/feed.xml` }, io),
  )
  t.equal(media.kept, 0)
})

t.test('an expired token is renewed once, by whoever meets it first', async (t) => {
  const scene = await givenJob(t)
  const { job, account, sandbox } = scene
  let refreshes = 0
  const http: Http = {
    ...scene.http,
    request: (url, request) => {
      if (url.endsWith('/token/refresh')) refreshes += 1
      return scene.http.request(url, request)
    },
  }
  const store = memoryCredentials({ ...account.credentials, accessToken: 'void' })
  const jobs = Array.from({ length: 8 }, () => ({ ...job, key: crypto.randomUUID() }))
  const handles = await Promise.all(jobs.map((each) => prepare(instagram, each, ioOf(http, store))))
  t.equal(refreshes, 1, 'eight uploads under a void token, one renewal')

  await scriptFault(scene, { kind: 'token_expired' })
  const pairs = jobs.map((each, index): [PublishJob, PublishHandle] => [each, handles[index] ?? {}])
  const published = await Promise.all(
    pairs.map(([each, handle]) => publish(instagram, each, handle, ioOf(http, store))),
  )
  t.equal(refreshes, 2, 'and one more when it expires under eight publishes')
  t.equal(new Set(published.map(({ postId }) => postId)).size, 8)
  t.equal(live(scene).length, 8, 'a publish that met 401 went out once all the same')
  const stored = sandbox.ledger.account('instagram', account.externalId)?.secrets['accessToken']
  t.equal((await store.read())['accessToken'], stored, 'the new token is the one stored')
})

t.test('a first comment goes under the post, and a lost one is found', async (t) => {
  const scene = await givenJob(t)
  const { job, io, sandbox, http } = scene
  const published = await publish(instagram, job, await prepare(instagram, job, io), io)
  const first = instagram.firstComment
  if (!first) return t.fail('Instagram takes a first comment')
  const comment = { key: crypto.randomUUID(), text: 'And the link: …' }
  const under = () => sandbox.ledger.commentsUnder('instagram', published.postId)

  t.same(await first.find(job, published, comment, io), { outcome: 'absent' })
  for (const [fault, kind] of [
    [{ kind: 'reject' }, 'permanent'],
    [{ kind: 'rate_limit' }, 'retryable'],
  ] as const) {
    await scriptFault(scene, { ...fault, call: 'comment' })
    await t.rejects(first.post(job, published, comment, io), failure(kind))
    t.same(under(), [])
  }
  await scriptFault(scene, { kind: 'accept_then_timeout', delayMs: 0, call: 'comment' })
  await t.rejects(first.post(job, published, comment, io), failure('ambiguous'))
  t.same(await first.find(job, published, comment, io), { outcome: 'found', found: undefined })
  t.same(await first.find(job, published, { ...comment, key: crypto.randomUUID() }, io), { outcome: 'absent' })
  t.equal(under().length, 1)
  t.match((await http.request(`${sandbox.url}/_control/posts?platform=instagram`)).json(), [
    { id: published.postId, firstComment: comment.text },
  ])

  await first.post(job, published, { key: crypto.randomUUID(), text: 'again' }, io)
  t.equal(under().length, 2)
})
