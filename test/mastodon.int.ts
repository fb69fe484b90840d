import t from 'tap'
import type { Platform, PublishJob } from '../platforms/kit/platform.ts'
import { findPost } from '../projections/models/posts.ts'
import { mastodon } from '../platforms/mastodon/index.ts'
import { jobOf, mediaHost, platformError } from './support/bluesky.ts'
import { prepare, publish } from './support/connector.ts'
import { interceptingProxy } from './support/intercepting-proxy.ts'
import { connectedMastodon, mastodonServers, statusAt, statusesOf, textJobOf } from './support/mastodon.ts'
import { givenHttp } from './support/sandbox.ts'
import { givenProcess, givenWorld } from './support/world.ts'

const http = givenHttp(t)
const media = await mediaHost(t)
const servers = await mastodonServers(t, http)
const [server] = servers
if (!server) throw new Error('there is no sandbox')

const TEXT = 'Grüße 👋 & "more" <b>\n\nhttps://example.com/a?b=1&c=2 #news\nCafe\u0301  '
const find = mastodon.find as NonNullable<Platform['find']>

for (const server of servers) {
  t.test(`an account is connected, on ${server.name}`, async (t) => {
    const { account, credentials } = await connectedMastodon(http, server)
    t.match(account.externalId, /^\w+@[\w.:]+$/)
    const stored = await credentials.read()
    t.match(stored, { accessToken: String, clientId: String, clientSecret: String })
    t.match(JSON.parse(stored['limits'] ?? ''), { chars: Number, urlChars: Number, most: 4, imageBytes: 16_777_216 })
    await mastodon.revoke?.(account, { ...(await connectedMastodon(http, server)).io, credentials })
    const refused = await platformError(
      mastodon.connect(stored, server.url, (await connectedMastodon(http, server)).io),
    )
    t.match(refused, { kind: 'needs-reauth', message: /access token/ })
  })

  t.test(`a text is published, read back and found by its text, on ${server.name}`, async (t) => {
    const own = await connectedMastodon(http, server)
    const job = textJobOf(own.account, TEXT)
    const handle = await prepare(mastodon, job, own.io)
    t.same(await statusesOf(server, own), [], 'nothing is visible yet')
    t.same(await find(job, handle, own.io), { outcome: 'absent' })
    const published = await publish(mastodon, job, handle, own.io)
    t.match(published, { postId: String, url: /^https?:/ })
    t.match(await statusesOf(server, own), [{ id: published.postId, visibility: 'public', content: /example\.com/ }])
    t.same(await find(job, handle, own.io), { outcome: 'found', found: published })
    const other = { ...job, text: TEXT.replace('more', 'less') }
    t.same(await find(other, handle, own.io), { outcome: 'absent' })
    if (server.does.keepsKeys)
      t.same(await publish(mastodon, job, handle, own.io), published, 'as Mastodon documents it')
    t.equal((await statusesOf(server, own)).length, 1)
  })

  t.test(`images have their alt texts, on ${server.name}`, async (t) => {
    const own = await connectedMastodon(http, server)
    const mediaUrl = `${media.url}/sample.jpg`
    const items = ['A "bakery"\nat night', 'Bread'].map((altText) => ({
      url: mediaUrl,
      type: 'image' as const,
      altText,
    }))
    const job = jobOf(own.account, { mediaUrl, media: items })
    const handle = await prepare(mastodon, job, own.io)
    t.same(JSON.parse(JSON.stringify(handle)), handle, 'the handle is plain JSON')
    const published = await publish(mastodon, job, handle, own.io)
    t.match(await statusAt(server, own, published.postId), {
      media_attachments: [
        { type: 'image', description: 'A "bakery" at night' },
        { type: 'image', description: 'Bread' },
      ],
    })
    t.same(await find(job, handle, own.io), { outcome: 'found', found: published })

    const again = jobOf(own.account, { mediaUrl })
    const next = await prepare(mastodon, again, own.io)
    t.same(await find(again, next, own.io), { outcome: 'absent' }, 'another post with the same picture is another one')
    const edited = { ...job, text: 'A better text' }
    await mastodon.edit?.run(edited, published, own.io)
    t.match(await statusAt(server, own, published.postId), { content: /better/, media_attachments: { length: 2 } })
  })

  t.test(`a video is published once it is processed, on ${server.name}`, async (t) => {
    const own = await connectedMastodon(http, server)
    const job = jobOf(own.account, { mediaUrl: `${media.url}/sample.mp4`, mediaType: 'video', text: '' })
    let prepared = await mastodon.prepare(job, own.io, undefined)
    for (let looks = 0; prepared.outcome === 'processing' && looks < 5; looks += 1) {
      prepared = await mastodon.prepare(job, own.io, prepared.handle)
    }
    t.equal(prepared.outcome, 'ready')
    const published = await publish(mastodon, job, prepared.handle, own.io)
    t.match((await statusAt(server, own, published.postId)).media_attachments, [{ type: 'video' }])
  })

  t.test(`a chain is published as replies, on ${server.name}`, async (t) => {
    const own = await connectedMastodon(http, server)
    const publishText = async (text: string, more: Partial<PublishJob> = {}) => {
      const job = textJobOf(own.account, text, more)
      const handle = await prepare(mastodon, job, own.io)
      return { job, handle, published: await publish(mastodon, job, handle, own.io) }
    }
    const first = (await publishText('One')).published
    const second = await publishText('Two', { inReplyTo: { first, previous: first } })
    const third = await publishText('Two', { inReplyTo: { first, previous: second.published } })
    t.same((await statusesOf(server, own)).map(({ in_reply_to_id }) => in_reply_to_id).toReversed(), [
      null,
      first.postId,
      second.published.postId,
    ])
    for (const { job, handle, published } of [second, third]) {
      t.same(
        await find(job, handle, own.io),
        { outcome: 'found', found: published },
        'the same text is told apart by its place',
      )
    }
  })

  t.test(`a post has its visibility and content warning, on ${server.name}`, async (t) => {
    const own = await connectedMastodon(http, server)
    const options = { visibility: 'private', contentWarning: 'Food', language: 'de' }
    const job = textJobOf(own.account, 'Bread', { options })
    const handle = await prepare(mastodon, job, own.io)
    const published = await publish(mastodon, job, handle, own.io)
    const shown = { visibility: 'private', spoiler_text: 'Food', sensitive: true }
    t.match(await statusAt(server, own, published.postId), shown)
    const search = server.does.listsHidden ? { outcome: 'found', found: published } : { outcome: 'unknown' }
    t.same(await find(job, handle, own.io), search, 'what is not listed is never taken for absent')

    const wrong = textJobOf(own.account, 'Bread', { options: { visibility: 'secret' } })
    t.match(await platformError(prepare(mastodon, wrong, own.io)), { kind: 'permanent', message: /must be public/ })
  })

  for (const kind of ['text', 'image'] as const) {
    t.test(`a lost answer is settled by a search, for ${kind} on ${server.name}`, async (t) => {
      const proxy = await interceptingProxy(t, server.url)
      const own = await connectedMastodon(http, server, proxy.url)
      const job =
        kind === 'text' ? textJobOf(own.account, TEXT) : jobOf(own.account, { mediaUrl: `${media.url}/sample.jpg` })
      const handle = await prepare(mastodon, job, own.io)

      proxy.next('/api/v1/statuses', { kind: 'cut' })
      t.match(await platformError(publish(mastodon, job, handle, own.io)), { kind: 'ambiguous' })
      t.same(await find(job, handle, own.io), { outcome: 'absent' }, 'it never arrived')
      proxy.next('/api/v1/statuses', { kind: 'lose-answer' })
      t.match(await platformError(publish(mastodon, job, handle, own.io)), { kind: 'ambiguous' })
      const [only, ...others] = await statusesOf(server, own)
      t.same(others, [])
      t.match(await find(job, handle, own.io), { outcome: 'found', found: { postId: only?.id } })
    })
  }

  t.test(`a lost answer is settled by the service, and nothing is sent twice, on ${server.name}`, async (t) => {
    const world = await givenWorld(t)
    const service = await givenProcess(world)
    const proxy = await interceptingProxy(t, server.url)
    const own = await connectedMastodon(http, server, proxy.url)
    const { limits: _, ...credentials } = await own.credentials.read()
    const accountId = await world.connect('mastodon', { credentials, baseUrl: proxy.url })
    proxy.next('/api/v1/statuses', { kind: 'lose-answer' })
    const mediaUrl = `${world.sandbox.url}/media/sample.jpg`
    const id = await service.queue({ mediaUrl, selections: { mastodon: [accountId] }, caption: 'Fresh bread' })
    await service.drain()
    const [only, ...others] = await statusesOf(server, own)
    t.same(others, [])
    t.match((await findPost(world.db, id))?.results, { mastodon: [{ ok: true, postId: only?.id }] })
  })

  t.test(`a post is deleted where the server lets apps do so, on ${server.name}`, async (t) => {
    const own = await connectedMastodon(http, server)
    const job = textJobOf(own.account, 'Bread')
    const published = await publish(mastodon, job, await prepare(mastodon, job, own.io), own.io)
    const unpublish = async () => mastodon.unpublish?.(own.account, published, own.io)
    if (server.does.deletes) {
      for (const _ of ['first', 'again']) {
        await unpublish()
        t.same(await statusesOf(server, own), [])
      }
    } else {
      t.match(await platformError(unpublish()), { kind: 'permanent', message: /does not let apps delete posts/ })
      t.equal((await statusesOf(server, own)).length, 1)
    }
    await mastodon.unpublish?.(own.account, { postId: '99' }, own.io)
  })
}

t.test('limits that no server has are not believed', async (t) => {
  const proxy = await interceptingProxy(t, server.url)
  const statuses = { max_characters: 1e9, characters_reserved_per_url: 1e9, max_media_attachments: 'four' }
  const configuration = { statuses, media_attachments: { video_size_limit: 1e15, image_size_limit: -1 } }
  proxy.next('/api/v2/instance', { kind: 'answer', status: 200, body: JSON.stringify({ configuration }) })
  const stored = await (await connectedMastodon(http, server, proxy.url)).credentials.read()
  t.match(JSON.parse(stored['limits'] ?? ''), {
    ...{ chars: 100_000, urlChars: 1_000, most: 4, altText: 1_500 },
    ...{ imageBytes: 16_777_216, videoBytes: 1_000_000_000 },
  })
})

t.test('texts and alt texts over the limits of the server are refused', async (t) => {
  const { account, io } = await connectedMastodon(http, server)
  const refusal = (more: Partial<PublishJob>) => platformError(prepare(mastodon, textJobOf(account, '', more), io))
  const link = `https://example.com/${'a'.repeat(200)}`
  t.match(await refusal({ text: 'x'.repeat(501) }), { kind: 'permanent', message: /at most 500 .*this one has 501/ })
  t.match(await refusal({ text: `${link} ${'x'.repeat(477)}` }), { message: /this one has 501/ })
  t.match(await refusal({ text: 'x'.repeat(490), options: { contentWarning: 'Food and so on' } }), { message: /504/ })
  await prepare(mastodon, textJobOf(account, `${link} ${'👨‍👩‍👧‍👦'.repeat(400)}`), io)
  await prepare(mastodon, textJobOf(account, `@somebody@${'a'.repeat(300)}.example ${'x'.repeat(480)}`), io)
})

t.test('media that the server has lost are uploaded again, and a post with them is not sent twice', async (t) => {
  const own = await connectedMastodon(http, server)
  const job = jobOf(own.account, { mediaUrl: `${media.url}/sample.jpg` })
  const handle = await prepare(mastodon, job, own.io)
  const other = { ...job, key: crypto.randomUUID() }
  const published = await publish(mastodon, job, handle, own.io)

  const attached = await platformError(publish(mastodon, other, handle, own.io))
  t.match(attached, { kind: 'retryable', startOver: true, message: /no longer has/ })
  const next = await prepare(mastodon, job, own.io, handle)
  t.not(next['uploads'], handle['uploads'])
  t.same(await find(job, next, own.io), { outcome: 'found', found: published }, 'it was sent with the first upload')
})
