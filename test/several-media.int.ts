import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { publish } from '../app/cli/publish.ts'
import { addWorkspace } from '../app/cli/workspaces.ts'
import type { Core } from '../app/wiring/core.ts'
import { PLATFORM_KEYS, PLATFORM_NAMES, type PlatformKey } from '../domain/core/platform.ts'
import { givenApi } from './support/api.ts'
import { imageOf, mediaHost, postsOf, referenceServer } from './support/bluesky.ts'
import { hostOf } from './support/media-host.ts'
import { sample } from './support/media-samples.ts'
import { startPds } from './support/pds.ts'
import { ids } from './support/sandbox.ts'
import { givenProcess } from './support/world.ts'

/* Posts of several images or videos, with alt texts: over HTTP, by the command line, and on each platform. */

const ALT = ['A loaf of rye', 'The oven at dawn', 'Flour on a table', 'The baker']

async function givenService(t: Test) {
  const api = await givenApi(t)
  const service = await givenProcess(api.world)
  const keys = new Map<string, string>()
  const call = async (method: string, path: string, body?: unknown, workspaceId = api.world.workspaceId) => {
    const key = keys.get(workspaceId) ?? (await api.key({ workspaceId }))
    keys.set(workspaceId, key)
    return api.call({ method, path: `/v1${path}`, key, body })
  }
  return { ...api, service, call }
}

t.test('given a real Bluesky account and four images', async (t) => {
  const pds = await startPds()
  t.teardown(() => pds.close())
  const { world, service, call } = await givenService(t)
  const server = referenceServer(pds)
  const author = await server.createAccount()
  const credentials = { identifier: author.did, appPassword: author.appPassword }
  const host = await mediaHost(t)
  const media = await Promise.all(
    ALT.map(async (altText, index) => {
      // Of different bytes, so that each is a blob of its own.
      host.serve(`/${index}.jpg`, Buffer.concat([await imageOf(70_000 + index), randomBytes(8)]))
      return { url: `${host.url}/${index}.jpg`, type: 'image' as const, altText }
    }),
  )
  const live = async () => {
    const [post] = await postsOf(world.http, server, author.did)
    return post?.value
  }
  const shown = {
    embed: { $type: 'app.bsky.embed.images', images: ALT.map((alt) => ({ alt, image: { size: Number } })) },
  }

  await t.test('when they are posted over HTTP, then the post shows all of them with their alt texts', async (t) => {
    const accountId = await world.connect('bluesky', { credentials, baseUrl: server.url })
    const body = { media, caption: 'By HTTP', selections: { bluesky: [accountId] } }
    const preview = await call('POST', '/posts/preview', body)
    t.match(preview.body, { previews: [{ problems: [], warnings: [], items: media.map(() => ({ width: 1080 })) }] })
    const { status, body: queued } = await call('POST', '/posts', body)
    t.equal(status, 202)
    await service.drain()
    const post = await call('GET', `/posts/${String(queued['id'])}`)
    t.match(post.body, { status: 'published', mediaUrl: media[0]?.url, mediaType: 'image' })
    t.same(post.body['media'], media)
    t.match(await live(), { text: 'By HTTP', ...shown })
  })

  await t.test('when they are posted by the command line, then likewise', async (t) => {
    const core = { ...world, ...service.core, ids, projector: { catchUp: () => service.step() } } as unknown as Core
    const { id: workspaceId } = await addWorkspace(core, 'bakery')
    const accountId = await world.connect('bluesky', { credentials, baseUrl: server.url }, workspaceId)
    await service.step()
    const options = { workspace: 'bakery', accounts: accountId, caption: 'By hand', type: ['image'] }
    const sent = await publish(core, { ...options, media: media.map(({ url }) => url), alt: ALT })
    t.same(sent.media, media)
    await service.drain()
    t.match(await live(), { text: 'By hand', ...shown })
    const tooMany = publish(core, { ...options, media: ['https://example.com/a.jpg'], alt: ALT })
    await t.rejects(tooMany, { message: '--alt is given more often than --media' })
  })
})

t.test('given a request', async (t) => {
  const { call, world } = await givenService(t)
  const selections = { bluesky: [await world.account('bluesky')] }
  const image = { url: 'https://example.com/a.jpg', type: 'image' }
  const first = { mediaUrl: image.url, mediaType: image.type }
  const refused: Readonly<Record<string, readonly [object, string]>> = {
    'without media': [{}, 'mediaUrl is required'],
    'without a type': [{ mediaUrl: image.url }, 'mediaType must be video or image'],
    'without an item': [{ media: [] }, 'media must not be empty'],
    'with another URL': [
      { ...first, mediaUrl: 'https://example.com/b.jpg', media: [image] },
      'mediaUrl must be the url of media[0] if both are given',
    ],
    'with another type': [
      { mediaType: 'video', media: [image] },
      'mediaType must be the type of media[0] if both are given',
    ],
    'with a wrong item': [
      { media: [image, { ...image, url: 'ftp://a' }] },
      'media[1].url must be a public URL that begins with http:// or https://',
    ],
    'with an item that is none': [{ media: ['a.jpg'] }, 'media[0]: expected object, received string'],
    'with a thumbnail of an image': [
      { media: [{ ...image, thumbnailUrl: image.url }] },
      'media[0].thumbnailUrl is only for a video',
    ],
    'with too many items': [{ media: Array.from({ length: 36 }, () => image) }, 'media has more than 35 items'],
  }
  for (const [how, [body, message]] of Object.entries(refused)) {
    await t.test(`when it comes ${how}, then it is refused, naming the field`, async (t) => {
      for (const path of ['/posts', '/posts/preview', '/posts/scheduled']) {
        const answer = await call('POST', path, { ...body, selections, date: '2099-05-31' })
        t.match(answer, { status: 400, body: { error: { message } } }, path)
      }
    })
  }

  await t.test('when both agree, or one item is given alone, then it is accepted', async (t) => {
    for (const body of [first, { media: [image] }, { ...first, media: [image] }]) {
      const { status, body: queued } = await call('POST', '/posts', { ...body, selections })
      t.equal(status, 202)
      t.match((await call('GET', `/posts/${String(queued['id'])}`)).body, { ...first, media: [image] })
    }
  })

  await t.test('when it is scheduled, then every answer has all items, also after it is moved', async (t) => {
    const media = ALT.map((altText) => ({ ...image, altText }))
    const { status, body } = await call('POST', '/posts/scheduled', { media, selections, date: '2099-05-31' })
    t.equal(status, 201)
    t.match(body, { ...first, media })
    const path = `/scheduled-posts/${String(body['id'])}`
    t.same((await call('GET', path)).body['media'], media)
    t.same((await call('PATCH', path, { time: '10:30' })).body['media'], media)
    t.match((await call('GET', '/scheduled-posts')).body, { scheduledPosts: [{ media }] })
  })
})

t.test('given images and videos with alt texts', async (t) => {
  const { call, world, service } = await givenService(t)
  const image = { url: `${world.sandbox.url}/media/sample.jpg`, type: 'image' }
  const video = { url: `${world.sandbox.url}/media/sample.mp4`, type: 'video' }
  const several = PLATFORM_KEYS.filter((platform) => (world.platforms[platform].takes.image?.most ?? 1) > 1)
  const accounts: Partial<Record<PlatformKey, string>> = {}
  for (const platform of several) accounts[platform] = await world.account(platform)
  /** The alt texts of what is live, by platform. */
  const posted = async (media: readonly object[], caption: string, platforms: readonly PlatformKey[] = several) => {
    const selections = Object.fromEntries(platforms.map((platform) => [platform, [accounts[platform]]]))
    const { body } = await call('POST', '/posts', { media, caption, selections })
    await service.drain()
    const { body: post } = await call('GET', `/posts/${String(body['id'])}`)
    t.match(post, { status: 'published' }, JSON.stringify(post['publishResults']))
    return Object.fromEntries(
      platforms.map((platform) => {
        const live = world.sandbox.ledger.posts(platform).filter((one) => one.caption === caption)
        t.equal(live.length, 1, `once on ${platform}`)
        return [platform, live[0]?.items?.map(({ altText = '', mediaType }) => `${mediaType}: ${altText}`)]
      }),
    )
  }
  const both = ['image: One', 'image: Two']
  const first = ['image: One']
  const [one, two] = [
    { ...image, altText: 'One' },
    { ...image, altText: 'Two' },
  ]

  await t.test(
    'when two images are posted, then each platform shows both, and every alt text that it takes',
    async (t) => {
      t.same(await posted([one, two], 'Two images'), {
        ...Object.fromEntries(several.map((platform) => [platform, both])),
        tiktok: ['image: ', 'image: '],
        pinterest: ['image: One', 'image: '],
      })
    },
  )

  await t.test('when a single image is posted, then its alt text is there too', async (t) => {
    t.same(await posted([one], 'One image'), {
      ...Object.fromEntries(several.map((platform) => [platform, first])),
      tiktok: ['image: '],
    })
  })

  await t.test('when images and videos are mixed, then they are a carousel where the platform has one', async (t) => {
    const clip = { ...video, altText: 'Three' }
    t.same(await posted([one, clip], 'Mixed', ['instagram', 'threads']), {
      instagram: ['image: One', 'video: '],
      threads: ['image: One', 'video: Three'],
    })
    const selections = Object.fromEntries(several.map((platform) => [platform, [accounts[platform]]]))
    const { body } = await call('POST', '/posts/preview', { media: [one, clip], caption: 'Mixed', selections })
    const { previews } = body as { previews: readonly { platform: PlatformKey; problems: readonly string[] }[] }
    for (const { platform, problems } of previews) {
      const refusal = `${PLATFORM_NAMES[platform]} takes images or a video in one post, not both.`
      t.same(problems, platform === 'instagram' || platform === 'threads' ? [] : [refusal], platform)
    }
  })

  await t.test(
    'when a platform takes no alt text or thumbnail, then the preview says that it is left out',
    async (t) => {
      const [youtube, facebook] = [await world.account('youtube'), await world.account('facebook')]
      const media = [{ ...video, altText: 'A clip', thumbnailUrl: image.url }]
      const { body } = await call('POST', '/posts/preview', {
        media,
        caption: 'A clip',
        selections: { youtube: [youtube], facebook: [facebook] },
      })
      t.match(body, {
        previews: [
          { problems: [], warnings: { length: 1, 0: 'YouTube takes no alt text of a video: it is left out.' } },
          {
            problems: [],
            warnings: [/^Facebook takes no alt text/, 'Facebook takes no thumbnail here: it is left out.'],
          },
        ],
      })
    },
  )
})

t.test('given stories and reels, then the preview says what they cannot have, and what is left out', async (t) => {
  const { call, world, service } = await givenService(t)
  const image = { url: `${world.sandbox.url}/media/sample.jpg`, type: 'image', altText: 'A loaf' }
  const video = { url: `${world.sandbox.url}/media/sample.mp4`, type: 'video' }
  const [instagram, facebook] = [await world.account('instagram'), await world.account('facebook')]
  const selections = { instagram: [instagram], facebook: [facebook] }
  const previewOf = async (media: readonly object[], options: object, more: object = {}) => {
    const platformOptions = { instagram: options, facebook: options }
    const body = { media, caption: 'Rye', selections, platformOptions, ...more }
    const { previews } = (await call('POST', '/posts/preview', body)).body as {
      previews: readonly { problems: readonly string[]; warnings: readonly string[]; changes?: readonly string[] }[]
    }
    return previews.map(({ problems, warnings, changes = [] }) => ({ problems, warnings, changes }))
  }
  const nothing = { problems: [], warnings: [], changes: [] }
  const story = { placement: 'story' }

  t.same(await previewOf([image], story), [
    {
      ...nothing,
      warnings: [
        'A story on Instagram has no caption: it is left out.',
        'Instagram takes no alt text of an image: it is left out.',
      ],
    },
    { ...nothing, warnings: ['A story on Facebook has no caption: it is left out.'] },
  ])
  const commented = await previewOf([image], story, { firstComment: 'First!' })
  t.same(
    commented.flatMap(({ problems }) => problems),
    ['First comment: A story on Instagram has no comments.', 'First comment: A story on Facebook has no comments.'],
  )
  t.same(
    (await previewOf([image, image], story)).flatMap(({ problems }) => problems),
    [
      'Instagram takes one item per post here; this post has 2.',
      'Facebook takes one item per post here; this post has 2.',
    ],
  )
  t.same(
    (await previewOf([image], { placement: 'reel' })).flatMap(({ problems }) => problems),
    [
      'A reel on Instagram is a video: choose another placement for an image.',
      'A reel on Facebook is a video: choose another placement for an image.',
    ],
  )
  t.same(await previewOf([video], { placement: 'reel' }), [nothing, nothing])
  const cover = { instagram: { coverUrl: image.url }, facebook: {} }
  t.same(await previewOf([video], {}, { platformOptions: cover }), [nothing, nothing])
  t.match(await previewOf([image], {}, { platformOptions: { facebook: { link: 'https://example.com' } } }), [
    { problems: [] },
    { problems: ['Facebook shows a link only in a post without media: leave out the link, or the media.'] },
  ])

  const posted = { media: [video], caption: 'Rye', selections, platformOptions: cover }
  await call('POST', '/posts', posted)
  await service.drain()
  t.match(world.sandbox.ledger.posts('instagram'), [{ caption: 'Rye', details: { cover_url: image.url } }])
  const refused = await call('POST', '/posts', { ...posted, platformOptions: { facebook: { placemnt: 'story' } } })
  t.match(refused, { status: 400, body: { error: { message: /Did you mean placement\?/ } } })
})

t.test('given thumbnails, then the preview says which a platform would not take', async (t) => {
  const { call, world } = await givenService(t)
  const at = await hostOf(t, { 'cover.webp': sample('picture.webp'), 'page.jpg': Buffer.from('<!doctype html>') })
  const [jpeg, gone] = [`${world.sandbox.url}/media/sample.jpg`, `${world.sandbox.url}/media/none.jpg`]
  const selections: Partial<Record<PlatformKey, readonly string[]>> = {}
  for (const key of ['instagram', 'pinterest', 'youtube'] as const) selections[key] = [await world.account(key)]
  const previewOf = async (thumbnailUrl: string, platformOptions: object = {}) => {
    const media = [{ url: `${world.sandbox.url}/media/sample.mp4`, type: 'video', thumbnailUrl }]
    const body = { media, caption: 'Rye', selections, platformOptions }
    const { previews } = (await call('POST', '/posts/preview', body)).body as {
      previews: readonly { platform: string; problems: readonly string[]; warnings: readonly string[] }[]
    }
    return previews.flatMap(({ platform, problems, warnings }) => [
      ...problems.map((problem) => `${platform} problem: ${problem}`),
      ...warnings.map((warning) => `${platform} warning: ${warning}`),
    ])
  }

  t.same(await previewOf(jpeg), [])
  t.same(await previewOf(at('cover.webp')), [
    'instagram problem: Thumbnail: Instagram accepts thumbnails as JPEG; this one is image/webp.',
    'youtube warning: Thumbnail: YouTube accepts thumbnails as JPEG or PNG; this one is image/webp.',
  ])
  t.match(await previewOf(at('page.jpg')), [
    /^instagram problem: Thumbnail: the media is a web page, but an image was expected/,
    /^pinterest problem: Thumbnail: the media is a web page/,
    /^youtube warning: Thumbnail: the media is a web page/,
  ])
  const cover = { instagram: { coverUrl: jpeg }, youtube: { thumbnailUrl: gone } }
  t.match(await previewOf(gone, cover), [/^pinterest problem: .*404/, /^youtube warning: .*404/], 'options have covers')
})

t.test('given more items than a platform takes, then the preview says so in one sentence', async (t) => {
  const { call, world, service } = await givenService(t)
  const image = { url: `${world.sandbox.url}/media/sample.jpg`, type: 'image' }
  const video = { url: `${world.sandbox.url}/media/sample.mp4`, type: 'video' }
  const problemsOf = async (platform: PlatformKey, media: readonly object[]) => {
    const selections = { [platform]: [await world.account(platform)] }
    const { body } = await call('POST', '/posts/preview', { media, selections, caption: 'Several' })
    const { previews } = body as { previews: readonly { problems: readonly string[] }[] }
    return { problems: previews[0]?.problems ?? [], selections }
  }
  for (const platform of PLATFORM_KEYS) {
    const { takes } = world.platforms[platform]
    const [kind, item] = takes.image ? (['image', image] as const) : (['video', video] as const)
    const most = takes[kind]?.most ?? 1
    // A request has no more items than TikTok takes.
    if (platform === 'tiktok') continue
    const media = Array.from({ length: most + 1 }, () => item)
    const name = PLATFORM_NAMES[platform]
    const sentence =
      most > 1
        ? `${name} takes at most ${most} ${kind}s per post; this post has ${most + 1}.`
        : `${name} takes one item per post here; this post has 2.`
    const { problems, selections } = await problemsOf(platform, media)
    t.same(problems, [sentence])
    const { body } = await call('POST', '/posts', { media, selections, caption: 'Several' })
    await service.drain()
    t.match((await call('GET', `/posts/${String(body['id'])}`)).body, {
      publishResults: { [platform]: [{ ok: false, error: sentence }] },
    })
  }
  t.same((await problemsOf('bluesky', [image, video])).problems, [
    'Bluesky takes images or a video in one post, not both.',
  ])
  t.same((await problemsOf('bluesky', [{ ...image, altText: 'a'.repeat(2_001) }, image])).problems, [
    'Item 1: the alt text has 2001 characters; Bluesky takes at most 2000.',
  ])
})
