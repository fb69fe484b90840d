import sharp from 'sharp'
import t from 'tap'
import { keptMedia } from '../projections/models/kept-media.ts'
import { createMediaRoom } from '../commands/media-room.ts'
import { sample } from './support/media-samples.ts'
import { givenUploads } from './support/uploads.ts'

const PICTURE = sample('picture.jpg')
const DAY_MS = 86_400_000
const LOAVES = 'Three loaves of rye bread'

t.test(
  'given an upload with an alt text, when posts use it, then those without one of their own have it',
  async (t) => {
    const { call, upload, service, world } = await givenUploads(t)
    const { mediaUrl, uploadId } = await upload(PICTURE, { altText: LOAVES })
    const other = await upload(PICTURE)
    const selections = { bluesky: [await world.account('bluesky')] }
    const posted = async (content: object, path = '/posts') => {
      const { status, body } = await call('POST', path, { selections, ...content })
      if (status >= 300) throw new Error(JSON.stringify(body))
      await service.drain()
      return (await call('GET', `/posts/${String(body['runId'] ?? body['id'])}`)).body
    }
    const altTexts = () =>
      world.sandbox.ledger
        .posts('bluesky')
        .at(-1)
        ?.items?.map(({ altText }) => altText)

    const alone = { mediaUrl, mediaType: 'image', caption: 'Alone' }
    t.match(await posted(alone), { status: 'published', media: [{ url: mediaUrl, altText: LOAVES }] })
    t.same(altTexts(), [LOAVES])
    const media = [
      { url: mediaUrl, type: 'image', altText: '' },
      { url: other.mediaUrl, type: 'image', altText: 'The oven' },
    ]
    t.match(await posted({ media, caption: 'Both' }), { media: [{ altText: '' }, { altText: 'The oven' }] })
    t.match((await call('GET', `/media/${other.uploadId}`)).body, { altText: 'The oven' }, 'a post gives one')
    t.match((await call('GET', `/media/${uploadId}`)).body, { altText: LOAVES }, 'but does not take it away')
    const unfinished = { url: mediaUrl, type: 'image', altText: 'Thr' }
    t.equal((await call('POST', '/drafts', { media: [unfinished], visibility: 'private' })).status, 201)
    t.match((await call('GET', `/media/${uploadId}`)).body, { altText: LOAVES }, 'nor does a draft')

    const parts = [{ text: 'One' }, { text: 'Two', media: [{ url: mediaUrl, type: 'image' }] }]
    t.match(await posted({ parts }, '/posts/chain'), { parts: [{}, { media: [{ altText: LOAVES }] }] })
    const { previews } = (await call('POST', '/posts/preview', { ...alone, selections })).body as { previews: object[] }
    t.match(previews, [{ problems: [] }])

    t.equal((await call('PATCH', `/media/${uploadId}`, { altText: 'Rye' })).status, 200)
    const scheduled = { media: [media[1]], selections, date: '2099-12-31' }
    const { id } = (await call('POST', '/posts/scheduled', scheduled)).body
    const edit = { media: [{ url: mediaUrl, type: 'image' }] }
    t.match((await call('PATCH', `/scheduled-posts/${String(id)}`, edit)).body, { media: [{ altText: 'Rye' }] })
    t.match((await call('PATCH', `/media/${uploadId}`, { altText: null })).body, { altText: undefined })
    t.match(await posted({ ...alone, caption: 'Again' }), { media: [{ altText: undefined }] })
    const history = await call('GET', `/media/${uploadId}/events`)
    t.match(history.text, /Its alt text is: \W*Three loaves of rye bread/)
    t.match(history.text, /Its alt text was removed\./)
  },
)

t.test('given files in the library, then it says what shows each, and finds them', async (t) => {
  const { api, call, upload, service, world, key } = await givenUploads(t)
  const [bread, oven, clip] = [
    await upload(PICTURE, { fileName: 'bread.jpg' }),
    await upload(PICTURE, { fileName: 'IMG_0002.jpg', altText: '100% oven' }),
    await upload(sample('clip.mp4'), { fileName: 'clip.mp4', contentType: 'video/mp4' }),
  ]
  const selections = { bluesky: [await world.account('bluesky')] }
  const body = { mediaUrl: bread.mediaUrl, mediaType: 'image', selections }
  const { runId } = (await call('POST', '/posts', { ...body, caption: 'Fresh' })).body
  await service.drain()
  const later = (await call('POST', '/posts/scheduled', { ...body, caption: 'Later', date: '2099-12-31' })).body['id']
  const moved = (await call('POST', '/posts/scheduled', { ...body, caption: 'Other', date: '2099-12-31' })).body['id']
  await call('PATCH', `/scheduled-posts/${String(moved)}`, { mediaUrl: oven.mediaUrl })
  const draft = async (visibility: string, asKey = key) =>
    (await call('POST', '/drafts', { mediaUrl: bread.mediaUrl, mediaType: 'image', visibility }, asKey)).body['id']
  const [shared, own] = [await draft('workspace'), await draft('private')]
  const secret = await draft('private', await api.key())
  const gone = await draft('workspace')
  t.equal((await call('DELETE', `/drafts/${String(gone)}`)).status, 204)
  const rule = { sourcePostId: runId, selections, intervalDays: 30 }
  const { id: ruleId } = (await call('POST', '/recycling-rules', rule)).body

  const { usedBy } = (await call('GET', `/media/${bread.uploadId}`)).body as { usedBy: { type: string; id: string }[] }
  const uses = usedBy.map(({ type, id }) => `${type} ${id}`).toSorted()
  t.same(
    uses,
    [
      `post ${String(runId)}`,
      `scheduled_post ${String(later)}`,
      ...[`draft ${String(shared)}`, `draft ${String(own)}`, `recycling_rule ${String(ruleId)}`],
    ].toSorted(),
    `without ${String(secret)}, which is private`,
  )
  t.match(
    usedBy.find(({ type }) => type === 'post'),
    { caption: 'Fresh', at: /Z$/ },
  )
  t.match((await call('GET', `/media/${oven.uploadId}`)).body, { usedBy: [{ id: moved }] })

  const found = async (query: string) => {
    const { media } = (await call('GET', `/media?${query}`)).body as { media: { id: string; usedBy?: unknown }[] }
    t.notOk(media.some(({ usedBy }) => usedBy))
    return media.map(({ id }) => id)
  }
  t.same(await found('mediaType=video'), [clip.uploadId])
  t.same(await found('used=false'), [clip.uploadId])
  t.same(await found('used=true&mediaType=image'), [oven.uploadId, bread.uploadId])
  t.same(await found('q=BREAD'), [bread.uploadId])
  t.same(await found('q=100%25'), [oven.uploadId], 'alt texts too')
  t.match((await call('GET', '/media?used=maybe')).body, { error: { message: /used.*must be true or false/ } })
})

t.test('given a file that is to be kept, then neither time nor newer media delete it', async (t) => {
  const { api, world, clock, call, start, put, upload, service } = await givenUploads(t)
  const early = await start(PICTURE, { keep: true })
  t.match(await call('PATCH', `/media/${early.uploadId}`, { keep: false }), {
    status: 409,
    body: { error: { message: /keep cannot be false until the upload is complete/ } },
  })
  t.match((await put(early.uploadUrl, PICTURE)).body, { keep: true, expiresAt: undefined })
  const late = await upload(PICTURE)
  t.match((await call('PATCH', `/media/${late.uploadId}`, { keep: true })).body, { keep: true, expiresAt: undefined })
  t.match((await call('PATCH', `/media/${late.uploadId}`, { altText: 'Bread' })).body, { keep: true })
  const doomed = await upload(PICTURE)
  const begun = await start(PICTURE, { keep: true })
  await clock.advanceTo(clock.now() + 8 * DAY_MS)
  await service.step()
  await service.drain()
  for (const { uploadId } of [early, late]) t.equal((await call('GET', `/media/${uploadId}`)).status, 200)
  for (const { uploadId } of [doomed, begun]) t.equal((await call('GET', `/media/${uploadId}`)).status, 404)

  const mediaRoom = createMediaRoom({
    ...{ log: world.log, clock, maxBytes: 2 * PICTURE.length },
    keptMedia: (workspaceId) => keptMedia(world.db, workspaceId, clock.now()),
  })
  const { app } = await api.server({ services: { mediaRoom } })
  const headers = { authorization: `Bearer ${await api.key()}` }
  const payload = { fileName: 'a.jpg', contentType: 'image/jpeg', sizeBytes: PICTURE.length }
  const ask = async () => (await app.inject({ method: 'POST', url: '/v1/uploads', headers, payload })).statusCode
  t.equal(await ask(), 409)
  t.equal((await call('PATCH', `/media/${late.uploadId}`, { keep: false })).status, 200)
  t.equal(await ask(), 201, 'it no longer is')
  t.equal((await call('GET', `/media/${late.uploadId}`)).status, 404)
  t.match((await call('PATCH', `/media/${early.uploadId}`, {})).body, {
    error: { message: /must have altText or keep/ },
  })
  t.match((await call('PATCH', `/media/${early.uploadId}`, { keep: 'yes' })).body, { error: { message: /keep/ } })
})

t.test('given a cover that an option names, when its post is being published, then it cannot be deleted', async (t) => {
  const { call, upload, service, world } = await givenUploads(t)
  const [{ mediaUrl }, cover] = [
    await upload(sample('clip.mp4'), { fileName: 'clip.mp4', contentType: 'video/mp4' }),
    await upload(PICTURE),
  ]
  const selections = { youtube: [await world.account('youtube')] }
  const platformOptions = { youtube: { thumbnailUrl: cover.mediaUrl } }
  const post = await call('POST', '/posts', { mediaUrl, mediaType: 'video', selections, platformOptions })
  t.equal(post.status, 202)
  const refused = await call('DELETE', `/media/${cover.uploadId}`)
  t.match(refused, { status: 409, body: { error: { message: /used by a post that is being published/ } } })
  await service.drain()
  t.match((await call('GET', `/posts/${String(post.body['runId'])}`)).body, { status: 'published' })
  t.equal((await call('DELETE', `/media/${cover.uploadId}`)).status, 204)
})

t.test('given an uploaded image, then anyone with its URL gets a thumbnail', async (t) => {
  const { api, start, put, upload } = await givenUploads(t, { convertsImages: true })
  const large = await sharp({ create: { width: 1_600, height: 800, channels: 3, background: '#864' } })
    .png()
    .toBuffer()
  const begun = await start(large, { contentType: 'image/png' })
  const get = (url: string) => api.app.inject(new URL(url).pathname)
  const thumbnailUrl = `${begun.mediaUrl}/thumbnail`
  t.equal((await get(thumbnailUrl)).statusCode, 404, 'not complete')
  t.match((await put(begun.uploadUrl, large)).body, { thumbnailUrl })
  const { statusCode, headers, rawPayload } = await get(thumbnailUrl)
  t.match({ statusCode, headers }, { statusCode: 200, headers: { 'content-type': 'image/jpeg' } })
  t.match(await sharp(rawPayload).metadata(), { format: 'jpeg', width: 640, height: 320 })
  const forged = `${thumbnailUrl.replace(/media\/.{32}/, `media/${'0'.repeat(32)}`)}`
  t.equal((await get(forged)).statusCode, 404, 'another name')
  const clip = await upload(sample('clip.mp4'), { fileName: 'clip.mp4', contentType: 'video/mp4' })
  t.equal((await get(`${clip.mediaUrl}/thumbnail`)).statusCode, 404, 'a video')
})
