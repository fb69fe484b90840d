import t, { type Test } from 'tap'
import { givenApi } from './support/api.ts'
import { PACE } from './support/comments.ts'
import { postJson } from './support/sandbox.ts'
import { givenProcess } from './support/world.ts'

async function given(t: Test) {
  const api = await givenApi(t)
  const { world } = api
  const key = await api.key()
  const service = await givenProcess(world, { pace: PACE })
  const call = (method: string, path: string, body?: object) => api.call({ method, path: `/v1${path}`, key, body })
  const image = `${world.sandbox.url}/media/sample.jpg`
  return { api, world, service, call, image }
}

t.test('given a post with words of its own for a platform, and first comments', async (t) => {
  const { world, service, call, image } = await given(t)
  const [facebook, x] = [await world.account('facebook'), await world.account('x')]
  const id = await service.queue({
    selections: { facebook: [facebook], x: [x] },
    ...{ mediaUrl: image, mediaType: 'image', media: [{ url: image, type: 'image', altText: 'A loaf' }] },
    ...{ caption: 'Fresh from the oven', captionOverrides: { x: 'Fresh' }, hashtags: ['bread'] },
    firstComment: 'The recipe',
    platformOptions: { x: { firstComment: 'In three steps' } },
  })
  await service.drain()
  const media = [{ url: image, type: 'image', altText: 'A loaf' }]

  await t.test('when it is read, then it has what went out on each account', async (t) => {
    t.match(await call('GET', `/posts/${id}`), {
      body: {
        publishResults: {
          facebook: [
            {
              text: 'Fresh from the oven\n\n#bread',
              media,
              url: String,
              firstComment: { ok: true, text: 'The recipe' },
            },
          ],
          x: [{ text: 'Fresh\n\n#bread', media, url: String, firstComment: { ok: true, text: 'In three steps' } }],
        },
      },
    })
    t.equal(world.sandbox.ledger.posts('x').find(({ mediaType }) => mediaType === 'image')?.caption, 'Fresh\n\n#bread')
    t.notHas((await call('GET', '/posts')).body, { posts: [{ publishResults: { x: [{ text: String }] } }] })
  })

  await t.test('when it is edited, then only the platform that can edit has the new text', async (t) => {
    await call('POST', `/posts/${id}/edit`, { caption: 'Rye', captionOverrides: { x: 'R' }, hashtags: [] })
    await service.drain()
    t.match(await call('GET', `/posts/${id}`), {
      body: {
        publishResults: {
          facebook: [{ text: 'Rye', edit: { status: 'edited' }, firstComment: { text: 'The recipe' } }],
          x: [{ text: 'Fresh\n\n#bread', edit: { status: 'unsupported' }, firstComment: { text: 'In three steps' } }],
        },
      },
    })
  })

  await t.test('when comments are listed by the post, then there are none of others, and old ones too', async (t) => {
    const { http, sandbox, clock } = world
    const other = await service.queue({ selections: { facebook: [facebook] }, caption: 'Another', mediaUrl: image })
    await service.drain()
    for (const { id: postId, accountId, caption } of sandbox.ledger.posts('facebook')) {
      const fan = { platform: 'facebook', accountId, postId, author: 'ada', text: `Under ${caption}` }
      t.equal((await postJson(http, `${sandbox.url}/_control/comments`, fan)).status, 201)
    }
    await call('POST', '/comments/check-now', { platform: 'facebook' })
    await service.drain()
    const texts = async (query: string) => {
      const { comments } = (await call('GET', `/comments?${query}`)).body as { comments: { text: string }[] }
      return comments.map(({ text }) => text)
    }
    t.same((await texts('platform=facebook')).sort(), ['Under Another', 'Under Rye'])
    t.same(await texts(`runId=${id}`), ['Under Rye'])
    t.same(await texts(`runId=${other}&accountId=${x}`), [])
    await clock.advanceTo(clock.now() + 8 * 86_400_000)
    t.same(await texts('platform=facebook'), [])
    t.same(await texts(`runId=${id}`), ['Under Rye'])
    t.match(await call('GET', '/comments?runId=post_unknown'), { status: 404 })
  })

  await t.test('when captured metrics are asked for, then the platform is not', async (t) => {
    const script = {
      platform: 'x',
      call: 'metrics',
      kind: 'reject',
      times: 1,
      delayMs: 0,
      retryAfterSeconds: 1,
    } as const
    world.sandbox.faults.script({ ...script, accepted: false })
    const answer = await call('GET', `/posts/${id}/analytics?platform=x&source=captured`)
    t.match(answer, { status: 200, body: { metrics: {}, accounts: [{ accountId: x, metrics: undefined }] } })
    t.equal(world.sandbox.faults.pending().length, 1)
    t.match(await call('GET', `/posts/${id}/analytics?platform=x&source=old`), { status: 400 })
  })
})

t.test('given a chain, when it is read, then each part has its text', async (t) => {
  const { world, service, call } = await given(t)
  const bluesky = await world.account('bluesky')
  const chain = [{ text: 'Two', textOverrides: { bluesky: 'Zwei' } }]
  const id = await service.queue({
    selections: { bluesky: [bluesky] },
    caption: 'One',
    mediaType: 'text',
    mediaUrl: '',
    chain,
  })
  await service.drain()
  t.match(await call('GET', `/posts/${id}`), {
    body: { publishResults: { bluesky: [{ text: 'One', parts: [{ text: 'One' }, { text: 'Zwei', media: [] }] }] } },
  })
})
