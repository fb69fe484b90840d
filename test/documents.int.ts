import t from 'tap'
import { sample } from './support/media-samples.ts'
import { docx, pdf } from './support/documents.ts'
import { hostOf } from './support/media-host.ts'
import { givenUploads } from './support/uploads.ts'
import { givenProcess } from './support/world.ts'

const SLIDES = pdf(3)
const DAY_MS = 86_400_000

async function given(...args: Parameters<typeof givenUploads>) {
  const scene = await givenUploads(...args)
  const { call, service, world } = scene
  const account = await world.account('linkedin')
  const posted = async (body: object) => {
    const answer = await call('POST', '/posts', { selections: { linkedin: [account] }, ...body })
    if (answer.status !== 202) throw new Error(answer.text)
    await service.drain()
    return (await call('GET', `/posts/${String(answer.body['runId'])}`)).body
  }
  return { ...scene, account, posted, live: () => world.sandbox.ledger.posts('linkedin').at(-1) }
}

t.test('given a document on a disk, when it is uploaded and posted, then LinkedIn has it', async (t) => {
  const { call, upload, put, start, posted, live, account, api } = await given(t)
  const { mediaUrl, uploadId } = await upload(SLIDES, { fileName: 'slides.pdf', contentType: 'application/pdf' })
  t.match(mediaUrl, /\.pdf$/)
  const served = await api.app.inject(new URL(mediaUrl).pathname)
  t.same([served.headers['content-type'], served.rawPayload], ['application/pdf', SLIDES])
  t.equal((await api.app.inject(`${new URL(mediaUrl).pathname}/thumbnail`)).statusCode, 404)

  await upload(sample('picture.jpg'))
  const shown = { id: uploadId, mediaType: 'document', fileName: 'slides.pdf', thumbnailUrl: undefined }
  t.match((await call('GET', '/media?mediaType=document')).body, { media: [shown] })
  t.match((await call('GET', '/media?mediaType=image')).body['media'], { length: 1 })
  t.match((await call('GET', '/media?mediaType=text')).body, {
    error: { message: /mediaType must be video, image or document/ },
  })

  const media = [{ url: mediaUrl, type: 'document', altText: 'Three slides' }]
  const platformOptions = { linkedin: { documentTitle: 'Rye in three days' } }
  const body = { media, caption: 'Read on', platformOptions, selections: { linkedin: [account] } }
  const { previews } = (await call('POST', '/posts/preview', body)).body as { previews: object[] }
  t.match(previews, [
    {
      media: { mediaType: 'document', mimeType: 'application/pdf', bytes: SLIDES.length, pages: 3 },
      problems: [],
      warnings: ['LinkedIn takes no alt text of a document: it is left out.'],
    },
  ])
  t.match(await posted(body), { status: 'published', mediaType: 'document', media })
  t.match(live(), { mediaType: 'document', caption: 'Read on', details: { title: 'Rye in three days' } })
  t.equal(live()?.items?.[0]?.altText, undefined)

  for (const [content, contentType, message] of [
    [sample('picture.jpg'), 'application/pdf', /^The file is image\/jpeg, but contentType is application\/pdf\./],
    [SLIDES, 'image/jpeg', /^The file is application\/pdf, but contentType is image\/jpeg\./],
    [SLIDES.subarray(0, 200), 'application/pdf', /^The file is a damaged document \(application\/pdf\)/],
    [docx(), 'application/msword', /^The file is application\/vnd.*document, but contentType is application\/msword\./],
  ] as const) {
    const { uploadUrl } = await start(content, { contentType })
    t.match(await put(uploadUrl, content), { status: 400, body: { error: { message } } })
  }
})

t.test('given a request with a document, then mediaType alone stays that of a video or an image', async (t) => {
  const { call, account, posted, world } = await given(t)
  const url = `${world.sandbox.url}/media/sample.pdf`
  const selections = { linkedin: [account] }
  const media = [{ url, type: 'document' }]
  for (const [path, body, message] of [
    [
      '/posts',
      { mediaUrl: url, mediaType: 'document' },
      /mediaType must be video or image: a document is given in media/,
    ],
    ['/posts', { mediaUrl: url, mediaType: 'pdf' }, /mediaType must be video or image$/],
    ['/posts', { media, mediaType: 'image' }, /mediaType must be the type of media\[0\] if both are given/],
    ['/posts', { media: [{ url, type: 'pdf' }] }, /media\[0\]\.type must be video, image or document/],
    ['/posts', { media: [{ ...media[0], thumbnailUrl: url }] }, /media\[0\]\.thumbnailUrl is only for a video/],
    ['/drafts', { mediaUrl: url, mediaType: 'document' }, /mediaType must be video or image: a document is given/],
  ] as const) {
    const answer = await call('POST', path, { selections, ...body })
    t.match(answer, { status: 400, body: { error: { code: 'invalid_request', message } } }, JSON.stringify(body))
  }
  t.match(await posted({ media, mediaUrl: url, mediaType: 'document' }), { status: 'published' })

  const draft = (await call('POST', '/drafts', { media, selections, caption: 'Soon' })).body
  t.match(draft, { media })
  const published = await call('POST', `/drafts/${String(draft['id'])}/publish`, {})
  t.match(published, { status: 202 })
  const image = { url: `${world.sandbox.url}/media/sample.jpg`, type: 'image' }
  const two = { media: [...media, image], caption: 'Two', selections }
  t.match((await call('POST', '/posts/preview', two)).body, {
    previews: [{ problems: ['LinkedIn takes a document only by itself; this post has 2 items.'] }],
  })
})

t.test('given a platform without documents, then a preview and the result say what to do instead', async (t) => {
  const { call, posted, world } = await given(t)
  const [x, youtube] = [await world.account('x'), await world.account('youtube')]
  const selections = { x: [x], youtube: [youtube] }
  const body = {
    media: [{ url: `${world.sandbox.url}/media/sample.pdf`, type: 'document' }],
    caption: 'Hi',
    selections,
  }
  const onX = 'X does not support document posts: post its pages as images instead.'
  const onYoutube = 'YouTube does not support document posts.'
  t.match((await call('POST', '/posts/preview', body)).body, {
    previews: [{ problems: [onX] }, { problems: [onYoutube] }],
  })
  t.match(await posted(body), {
    status: 'publish_failed',
    publishResults: { x: [{ ok: false, error: onX }], youtube: [{ ok: false, error: onYoutube }] },
  })
  const parts = [{ text: 'One' }, { text: 'Two', media: body.media }]
  t.match((await call('POST', '/posts/chain/preview', { parts, selections: { x: [x] } })).body, {
    previews: [{ problems: [`Part 2: ${onX}`] }],
  })
})

t.test('given a scheduled document, when its host loses it, then the copy is published', async (t) => {
  const { call, world, account, live, clock } = await given(t)
  const files: Record<string, Buffer> = { 'slides.pdf': SLIDES }
  const at = await hostOf(t, files)
  const due = new Date(clock.now() + 2 * DAY_MS).toISOString()
  const body = { media: [{ url: at('slides.pdf'), type: 'document' }], scheduledFor: due, caption: '' }
  const scheduled = (await call('POST', '/posts/scheduled', { ...body, selections: { linkedin: [account] } })).body
  const service = await givenProcess(world, { pins: true })
  while ((await service.step()) > 0);
  const shown = await call('GET', `/scheduled-posts/${String(scheduled['id'])}`)
  t.match(shown.body, { mediaType: 'document', pinnedMedia: [{ url: at('slides.pdf'), status: 'pinned' }] })

  files['slides.pdf'] = sample('picture.jpg')
  await world.clock.advanceTo(clock.now() + 2 * DAY_MS)
  await service.drain()
  t.match((await call('GET', `/posts/${String(scheduled['id'])}`)).body, { status: 'published' })
  t.match(live(), { mediaType: 'document', details: { title: 'Document' } })
})
