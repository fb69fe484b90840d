import t, { type Test } from 'tap'
import { PLATFORM_KEYS, PLATFORM_NAMES, type PlatformKey } from '../domain/core/platform.ts'
import type { PostMedia } from '../domain/post/post-media.ts'
import { givenApi } from './support/api.ts'
import { givenSandbox, postJson } from './support/sandbox.ts'
import { givenProcess, type World } from './support/world.ts'

const HOSTILE = `</p><script>alert(1)</script><img src=x onerror="alert('2')">`
const ESCAPED =
  '&#60;/p&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#60;img src=x onerror=&#34;alert(&#39;2&#39;)&#34;&#62;'

async function given(t: Test) {
  const api = await givenApi(t)
  const { world } = api
  const key = await api.key()
  const service = await givenProcess(world)
  const call = (method: string, path: string) => api.call({ method, path: `/v1${path}`, key })
  const linkOf = async (id: string, platform: PlatformKey) => {
    const { body } = await call('GET', `/posts/${id}`)
    const { publishResults } = body as { publishResults: Record<string, { url: string; parts?: { url: string }[] }[]> }
    const [result] = publishResults[platform] ?? []
    if (!result) throw new Error(`no result on ${platform}`)
    return result
  }
  const page = async (url: string) => {
    const response = await fetch(url)
    return { status: response.status, headers: response.headers, html: await response.text() }
  }
  return { world, service, call, linkOf, page }
}

function sampleOn(platform: PlatformKey, world: World) {
  const mediaType = world.platforms[platform].takes.image ? 'image' : 'video'
  return { mediaType, mediaUrl: `${world.sandbox.url}/media/sample.${mediaType === 'image' ? 'jpg' : 'mp4'}` } as const
}

t.test('given a post on each platform, published by the service', async (t) => {
  const { world, service, call, linkOf, page } = await given(t)
  const { http, sandbox } = world
  for (const platform of PLATFORM_KEYS) {
    await t.test(`when the link of the one on ${platform} is opened, then the sandbox shows it`, async (t) => {
      const accountId = await world.account(platform)
      const sample = sampleOn(platform, world)
      // YouTube and others refuse angle brackets.
      const caption = `Rye & "wheat" on ${platform}`
      const id = await service.queue({
        selections: { [platform]: [accountId] },
        caption,
        hashtags: ['bread'],
        ...sample,
      })
      await service.drain()
      const [live] = sandbox.ledger.posts(platform)
      if (!live) throw new Error('it is not live')
      const fan = { platform, accountId: live.accountId, postId: live.id, text: HOSTILE, author: '<b>Fan</b>' }
      t.equal((await postJson(http, `${sandbox.url}/_control/comments`, fan)).status, 201)

      const { url } = await linkOf(id, platform)
      t.ok(url.startsWith(`${sandbox.url}/posts/${platform}/`), url)
      const shown = await page(url)
      t.equal(shown.status, 200)
      t.match(shown.headers.get('content-type'), 'text/html')
      t.match(shown.headers.get('content-security-policy'), /^default-src 'none'; style-src 'sha256-/)
      for (const part of [
        `<b>${PLATFORM_NAMES[platform]}</b> <span class="mark">Sandbox</span>`,
        sandbox.ledger.account(platform, live.accountId)?.label ?? live.accountId,
        `Rye &#38; &#34;wheat&#34; on ${platform}`,
        'bread',
        `<time datetime="${live.createdAt}">`,
        `<b>&#60;b&#62;Fan&#60;/b&#62;</b>`,
        ESCAPED,
      ]) {
        t.ok(shown.html.includes(part), part)
      }
      t.notMatch(shown.html, /<script|<b>Fan|<img src=x/)
      const [, src = ''] =
        (sample.mediaType === 'image' ? /<img src="([^"]+)"/ : /<video src="([^"]+)"/).exec(shown.html) ?? []
      const file = await http.request(new URL(src, url).href)
      t.match(file, {
        status: 200,
        headers: { 'content-type': sample.mediaType === 'image' ? 'image/jpeg' : 'video/mp4' },
      })

      await call('POST', `/posts/${id}/unpublish`)
      await service.drain()
      const wasDeleted = sandbox.ledger.post(platform, live.id) === undefined
      const after = await page(url)
      t.equal(after.status, wasDeleted ? 404 : 200)
      if (wasDeleted) t.match(after.html, 'This post has been removed.')
    })
  }

  await t.test('when nothing was ever there, then that is what the page says', async (t) => {
    const missing = await page(`${sandbox.url}/posts/x/1`)
    t.match(missing, { status: 404, html: 'There is no such post.' })
    t.match(await page(`${sandbox.url}/posts/myspace/1`), { status: 404, html: 'There is no such platform.' })
    t.equal((await page(`${sandbox.url}/posts/x/media/1`)).status, 404)
  })
})

t.test('given several items, a first comment, and a chain', async (t) => {
  const { world, service, linkOf, page } = await given(t)
  const image = `${world.sandbox.url}/media/sample.jpg`
  const media: PostMedia[] = [
    { url: image, type: 'image', altText: 'A "loaf"' },
    { url: `${image}?2`, type: 'image' },
  ]
  await t.test('when an album is opened, then all of it is there, with the first comment', async (t) => {
    const accountId = await world.account('instagram')
    const more = { media, mediaUrl: image, mediaType: 'image', firstComment: 'The recipe: <here>' } as const
    const id = await service.queue({ selections: { instagram: [accountId] }, ...more })
    await service.drain()
    const { url } = await linkOf(id, 'instagram')
    const { html } = await page(url)
    for (const { url } of media) t.ok(html.includes(`src="${url}"`), url)
    t.match(html, 'alt="A &#34;loaf&#34;"')
    t.match(html, /Author · [^]*<p class="text">The recipe: &#60;here&#62;<\/p>/)
    const [post] = world.sandbox.ledger.posts('instagram')
    const permalink = `${world.sandbox.url}/instagram/p/${String(post?.details?.['shortcode'])}/`
    t.same(await page(permalink).then(({ html }) => html), html, 'Instagram’s own permalink leads there')
  })
  for (const platform of ['bluesky', 'threads', 'x'] as const) {
    await t.test(`when a chain on ${platform} is opened, then all parts are there`, async (t) => {
      const accountId = await world.account(platform)
      const chain = [{ text: 'Part two' }, { text: 'Part three' }]
      const text = { caption: 'Part one', mediaType: 'text', mediaUrl: '', chain } as const
      const id = await service.queue({ selections: { [platform]: [accountId] }, ...text })
      await service.drain()
      const { url, parts = [] } = await linkOf(id, platform)
      t.match((await page(url)).html, /Part one[^]*Part two[^]*Part three/)
      t.match((await page(parts[2]?.url ?? '')).html, /Part three/)
    })
  }
})

t.test('given an upload with a folder, when the sandbox starts again, then it still shows it', async (t) => {
  const dataDir = t.testdir()
  const first = await givenSandbox(t, { dataDir })
  const hash = first.files.hash()
  hash.update(Buffer.from('a picture'))
  const sha256 = hash.digest()
  const large = first.files.hash()
  for (let megabytes = 0; megabytes < 17; megabytes += 1) large.update(Buffer.alloc(1024 * 1024))
  t.equal(first.files.has(large.digest()), false, 'too large to be kept')
  const [platform, accountId] = ['x', '1'] as const
  const media = { id: '7', platform, accountId, mediaType: 'image', mimeType: 'image/png', bytes: 9, sha256 } as const
  first.ledger.addMedia(media)
  await first.close()
  const { url } = await givenSandbox(t, { dataDir })
  const file = await fetch(`${url}/posts/x/media/7`)
  t.match(file, { status: 200 })
  t.equal(await file.text(), 'a picture')
  t.match(file.headers.get('content-security-policy'), 'sandbox')
})
