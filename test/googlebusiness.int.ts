import t from 'tap'
import { googlebusiness } from '../platforms/googlebusiness/index.ts'
import type { MediaFacts } from '../infra/media/media.ts'
import type { Credentials, Others } from '../platforms/kit/platform.ts'
import { prepare, publish } from './support/connector.ts'
import { answeredWith, errorOf, fault, givenScene, watched } from './support/googlebusiness.ts'
import { sample } from './support/media-samples.ts'
import { httpServer } from './support/outbound-servers.ts'
import { memoryCredentials, memoryMedia, postJson } from './support/sandbox.ts'

t.test('given a location, when an image is published, then one post is live that says and shows it', async (t) => {
  const { http, io, image, account, connected, live } = await givenScene(t)
  t.match(connected, { externalId: account.externalId, label: 'The Corner Shop', credentials: { languageCode: 'en' } })
  const calls = watched(http)
  const handle = await prepare(googlebusiness, image, { ...io, http: calls.http })
  t.same(calls.calls, [], 'Google is not asked before')
  t.notMatch(JSON.stringify(handle), /ya29|1\/\//, 'no secret is in the handle')

  const published = await publish(googlebusiness, image, handle, io)
  const [post, ...others] = live()
  t.same(others, [])
  t.match(published, { postId: post?.id, url: /^https:\/\/local\.google\.com\/place/ })
  t.ok(published.postId.startsWith(`${account.credentials['location']}/localPosts/`))
  t.match(post, {
    accountId: account.externalId,
    caption: image.text,
    mediaUrl: image.mediaUrl,
    mediaType: 'image',
    details: { languageCode: 'en' },
  })
  t.same(await googlebusiness.find?.(image, handle, io), { outcome: 'found', found: published })
})

t.test('given a blank caption, then the post has no text, and is found without one', async (t) => {
  const { io, image, live } = await givenScene(t)
  const job = { ...image, text: ' \n ' }
  const handle = await prepare(googlebusiness, job, io)
  const published = await publish(googlebusiness, job, handle, io)
  t.equal(live()[0]?.details?.['summary'], undefined)
  t.same(await googlebusiness.find?.(job, handle, io), { outcome: 'found', found: published })
})

t.test('given a post that breaks rules, then each is named with its limit, and nothing is called', async (t) => {
  const facts: MediaFacts = { mediaType: 'image', mimeType: 'image/png', bytes: 10_240, width: 250, height: 400 }
  const check = (text: string, over: Partial<MediaFacts>) =>
    googlebusiness.check({ text, mediaType: 'image' }, { ...facts, ...over })
  t.same(check('x'.repeat(1500), {}), [])
  t.same(check('x'.repeat(1501), { mimeType: 'image/webp', bytes: 10_239, height: 249 }), [
    'Google Business accepts texts of at most 1500 characters; this one has 1501 with its hashtags.',
    'Google Business accepts images as JPEG or PNG; this one is image/webp.',
    'Google Business accepts images of at least 10240 bytes; this one has 10239.',
    'Google Business accepts images of at least 250 pixels on each side; this one is 250 x 249.',
  ])
  t.equal(check('🕘'.repeat(751), {}).length, 1, 'an emoji counts as two: the safe side')

  const scene = await givenScene(t)
  const media = memoryMedia(scene.http)
  const calls = watched(scene.http)
  const io = { ...scene.io, media, http: calls.http }
  const video = { ...scene.image, mediaType: 'video' as const }
  t.match(await errorOf(googlebusiness.prepare(video, io, undefined)), {
    kind: 'permanent',
    message: 'Google Business does not support video posts.',
  })
  const long = { ...scene.image, text: 'x'.repeat(1501) }
  t.match(await errorOf(googlebusiness.prepare(long, io, undefined)), { kind: 'permanent', message: /has 1501/ })
  const feed = { ...scene.image, mediaUrl: `${scene.sandbox.url}/feed.xml` }
  t.match(await errorOf(googlebusiness.prepare(feed, io, undefined)), { kind: 'permanent', message: /JPEG or PNG/ })
  await googlebusiness.prepare(scene.image, io, undefined)
  t.equal(media.kept, 0, 'the media are disposed of')
  t.same(calls.calls, [])

  const host = await httpServer(t, (request, response) => {
    const name = request.url?.slice(1)
    response.end(
      name === 'large' ? Buffer.concat([sample('picture.jpg'), Buffer.alloc(5_000_000)]) : sample('picture.jpg'),
    )
  })
  const at = (name: string) => ({ ...scene.image, mediaUrl: `${host.url}/${name}` })
  t.match(await errorOf(googlebusiness.prepare(at('large'), scene.io, undefined)), {
    kind: 'permanent',
    message: /the limit is 5 MB/,
  })
  t.match(await errorOf(googlebusiness.prepare(at('small'), scene.io, undefined)), {
    kind: 'permanent',
    message: /at least 10240 bytes.*at least 250 pixels/,
  })
  t.match(await errorOf(publish(googlebusiness, scene.image, { mediaId: '1' }, scene.io)), { kind: 'permanent' })
  t.same(scene.live(), [])
})

t.test('given an error from Google, then its kind is recognized, its text quoted, and nothing is live', async (t) => {
  const scene = await givenScene(t)
  for (const [name, expected] of [
    ['scope', { kind: 'forbidden', message: /scope business\.manage/ }],
    ['disabled', { kind: 'permanent', message: /not enabled in the Google Cloud project/ }],
    ['denied', { kind: 'permanent', message: /still manages the location.*caller does not have permission/ }],
    ['missing', { kind: 'permanent', message: /could not find the location/ }],
    ['fetching', { kind: 'retryable', accountRests: false, message: /Fetching image failed/ }],
    ['small', { kind: 'permanent', message: /The image is too small/ }],
    ['video', { kind: 'permanent', message: /video from a local post is not currently supported/ }],
    ['violation', { kind: 'permanent', message: /call_to_action: Invalid value/ }],
    ['unapproved', { kind: 'permanent', message: /not approved/ }],
    ['limited', { kind: 'retryable', accountRests: true, retryAfterMs: 60_000 }],
    ['internal', { kind: 'ambiguous' }],
    ['unavailable', { kind: 'ambiguous' }],
    ['deadline', { kind: 'ambiguous' }],
    ['unauthenticated', { kind: 'needs-reauth', message: /Connect the account again/ }],
  ] as const) {
    const job = scene.scripted(`error:${name}`)
    const handle = await prepare(googlebusiness, job, scene.io)
    const error = await errorOf(publish(googlebusiness, job, handle, scene.io))
    t.match(error, expected, `${name}: ${error.message}`)
    t.notMatch(error.message, /ya29/)
  }
  t.same(scene.live(), [])

  const handle = await prepare(googlebusiness, scene.image, scene.io)
  for (const [status, body, expected] of [
    [404, '<html>', { kind: 'permanent' }],
    [302, '', { kind: 'permanent' }],
    [409, { error: 'x' }, { kind: 'permanent' }],
    [408, '', { kind: 'ambiguous' }],
    [502, '<html>', { kind: 'ambiguous' }],
    [200, '<html>', { kind: 'ambiguous' }],
    [200, { state: 'LIVE' }, { kind: 'ambiguous' }],
    [403, { error: { message: 'No', details: [{ reason: 7 }, 'x'] } }, { kind: 'permanent', message: /No/ }],
  ] as const) {
    const { baseUrl } = await answeredWith(t, scene.io, status, body)
    const job = { ...scene.image, account: { ...scene.image.account, baseUrl } }
    t.match(
      await errorOf(publish(googlebusiness, job, handle, scene.io)),
      expected,
      `${status} ${JSON.stringify(body)}`,
    )
  }
})

t.test('given a rate limit, then the account rests for as long as Google says', async (t) => {
  const { sandbox, io, image, live } = await givenScene(t)
  const handle = await prepare(googlebusiness, image, io)
  sandbox.faults.script(fault({ kind: 'rate_limit', retryAfterSeconds: 17 }))
  t.match(await errorOf(publish(googlebusiness, image, handle, io)), {
    kind: 'retryable',
    accountRests: true,
    retryAfterMs: 17_000,
  })
  t.same(live(), [])
})

t.test('given an expired access, then it is renewed once for all, and stored', async (t) => {
  const scene = await givenScene(t)
  const { sandbox, http, credentials, image, account } = scene
  const calls = watched(http)
  const io = { ...scene.io, http: calls.http }
  const handle = await prepare(googlebusiness, image, io)
  sandbox.faults.script(fault({ kind: 'token_expired' }))
  await Promise.all([
    publish(googlebusiness, image, handle, io),
    googlebusiness.find?.(image, handle, io),
    publish(googlebusiness, image, handle, io),
  ])
  t.equal(calls.calls.filter((call) => call === 'POST /token').length, 1)
  t.equal(scene.live().length, 2)
  const stored = await credentials.read()
  t.not(stored['accessToken'], account.credentials['accessToken'])
  t.match(stored, { refreshToken: account.credentials['refreshToken'], languageCode: 'en', mapsUri: String })

  await scene.pass(3_400)
  await googlebusiness.find?.(image, handle, io)
  t.equal(calls.calls.filter((call) => call === 'POST /token').length, 2, 'and renewed ahead of its end')
  t.ok(Date.parse((await credentials.read())['expiresAt'] ?? '') > scene.clock.now() + 3_500_000)
})

t.test('given a renewal that is refused, then the reason is recognized', async (t) => {
  const scene = await givenScene(t)
  const { image, connected, sandbox } = scene
  const handle = await prepare(googlebusiness, image, scene.io)
  const ended: Credentials = { ...connected.credentials, expiresAt: '2020-01-01T00:00:00.000Z' }
  const refusal = async (given: Credentials = ended, baseUrl = image.account.baseUrl) => {
    const io = { ...scene.io, credentials: memoryCredentials(given) }
    const job = { ...image, account: { ...image.account, ...(baseUrl !== undefined && { baseUrl }) } }
    return errorOf(publish(googlebusiness, job, handle, io))
  }
  const { refreshToken: _, ...lacking } = ended
  t.match(await refusal(lacking), { kind: 'needs-reauth', message: /requires refreshToken/ })
  t.match(await refusal({ ...ended, refreshToken: '1//none' }), { kind: 'needs-reauth', message: /invalid_grant/ })
  t.match(await refusal({ ...ended, clientSecret: 'none' }), { kind: 'permanent', message: /clientSecret is wrong/ })
  sandbox.faults.script(fault({ call: 'refresh', kind: 'server_error' }))
  t.match(await refusal(), { kind: 'retryable' })
  sandbox.faults.script(fault({ call: 'refresh', kind: 'rate_limit', retryAfterSeconds: 9 }))
  t.match(await refusal(), { kind: 'retryable', retryAfterMs: 9_000 })
  sandbox.faults.script(fault({ call: 'refresh', kind: 'reject' }))
  t.match(await refusal(), { kind: 'needs-reauth' })
  const fresh = { access_token: 'a', expires_in: 3_599 }
  for (const [status, body, expected] of [
    [401, { error: 'unauthorized_client' }, { kind: 'permanent' }],
    [400, { error: 'admin_policy_enforced' }, { kind: 'permanent', message: /administrator/ }],
    [400, { error: 'invalid_request' }, { kind: 'permanent' }],
    [200, { ...fresh, scope: 'openid' }, { kind: 'needs-reauth', message: /scope business\.manage/ }],
    [200, '<html>', { kind: 'retryable' }],
  ] as const) {
    const { baseUrl } = await answeredWith(t, scene.io, status, body)
    t.match(await refusal(ended, baseUrl), expected, JSON.stringify(body))
  }
  t.same(scene.live(), [])
})

t.test('given a post that is not visible yet, then it is checked until it is, or is rejected', async (t) => {
  const { io, scripted, pass, live } = await givenScene(t)
  const job = scripted('processing:30')
  const handle = await prepare(googlebusiness, job, io)
  const look = { outcome: 'processing', lookAgainMs: 12_000 }
  t.same(await googlebusiness.publish(job, handle, io), look)
  t.same(await googlebusiness.find?.(job, handle, io), look)
  await pass(31)
  const postId = live()[0]?.id
  t.match(await googlebusiness.find?.(job, handle, io), { outcome: 'found', found: { postId, url: /use=posts/ } })

  const other = { ...scripted('processing:20,rejected'), text: 'Another' }
  const second = await prepare(googlebusiness, other, io)
  t.same(await googlebusiness.publish(other, second, io), look)
  await pass(21)
  t.match(await googlebusiness.find?.(other, second, io), { outcome: 'refused', error: /rejected it/ })

  const third = { ...scripted('rejected'), text: 'A third' }
  t.match(await errorOf(publish(googlebusiness, third, second, io)), { kind: 'permanent', message: /rejected it/ })
})

t.test('given a post that stays invisible, then after three minutes it counts as published', async (t) => {
  const { io, scripted, pass, connected } = await givenScene(t)
  const job = scripted('processing:9999')
  const handle = await prepare(googlebusiness, job, io)
  await googlebusiness.publish(job, handle, io)
  await pass(175)
  t.match(await googlebusiness.find?.(job, handle, io), { outcome: 'processing' })
  await pass(6)
  const url = connected.credentials['mapsUri']
  t.match(
    await googlebusiness.find?.(job, handle, io),
    { outcome: 'found', found: { url } },
    'the location is its link',
  )
})

t.test('given a lost answer, then only one post that fits, made since, is believed', async (t) => {
  const { io, image, live, pass, scripted } = await givenScene(t)
  const old = await prepare(googlebusiness, image, io)
  await publish(googlebusiness, image, old, io)
  await pass(120)
  const handle = await prepare(googlebusiness, image, io)
  t.same(await googlebusiness.find?.(image, handle, io), { outcome: 'absent' }, 'an earlier one is another post')
  t.same(await prepare(googlebusiness, image, io, old), old, 'the search continues from the first attempt')

  // More than the stand-in's short first page and one page as asked for hold.
  for (let n = 0; n < 60; n += 1) await publish(googlebusiness, { ...image, text: `Other ${n}` }, handle, io)
  t.same(await googlebusiness.find?.(image, handle, io), { outcome: 'absent' }, 'over all pages')
  const lagging = { ...scripted('listed-after:30') }
  await publish(googlebusiness, lagging, handle, io)
  t.same(await googlebusiness.find?.(image, handle, io), { outcome: 'absent' })
  await pass(31)
  t.match(await googlebusiness.find?.(image, handle, io), { outcome: 'found' })
  const spaced = { ...image, text: ` ${image.text.replaceAll('\n', '\r\n')} ` }
  t.match(await googlebusiness.find?.(spaced, handle, io), { outcome: 'found' }, 'white space is no difference')
  await publish(googlebusiness, image, handle, io)
  t.same(await googlebusiness.find?.(image, handle, io), { outcome: 'unknown' }, 'of two, none is taken')
  const last = live().at(-1)?.id
  const besides = (doubt: Others['doubt']) =>
    googlebusiness.find?.(image, handle, io, async (listed) => ({
      ruledOut: new Set(listed.flatMap(({ id }) => (id === last ? [] : [id]))),
      doubt,
    }))
  t.match(await besides('none'), { outcome: 'found', found: { postId: last } }, 'unless one is known to be another')
  t.match(await besides('passing'), { outcome: 'processing' }, 'and no third may be the other,')
  t.same(await besides('lasting'), { outcome: 'unknown' }, 'for a while or for ever')
  t.same(await googlebusiness.find?.(image, {}, io), { outcome: 'unknown' })
})

t.test('given a list that cannot be read or has no end, then nothing is believed of it', async (t) => {
  const scene = await givenScene(t)
  const { image } = scene
  const handle = await prepare(googlebusiness, image, scene.io)
  const postId = 'locations/1/localPosts/1'
  const post = { name: postId, state: 'LIVE', summary: image.text, createTime: new Date(Date.now()).toISOString() }
  for (const [status, body, expected] of [
    [200, '<html>', { outcome: 'unknown' }],
    [200, { localPosts: [{ name: 7 }] }, { outcome: 'unknown' }],
    [200, { localPosts: [], nextPageToken: 'more' }, { outcome: 'unknown' }],
    [200, {}, { outcome: 'absent' }],
    [200, { localPosts: [{ ...post, createTime: undefined }] }, { outcome: 'unknown' }],
    [200, { localPosts: [{ ...post, state: 'SCHEDULED' }] }, { outcome: 'absent' }],
    [200, { localPosts: [{ ...post, topicType: 'OFFER' }] }, { outcome: 'absent' }],
    [200, { localPosts: [{ ...post, state: 'REJECTED' }, post] }, { outcome: 'found', found: { postId } }],
  ] as const) {
    const { baseUrl } = await answeredWith(t, scene.io, status, body)
    const job = { ...image, account: { ...image.account, baseUrl } }
    t.match(await googlebusiness.find?.(job, handle, scene.io), expected, JSON.stringify(body))
  }
})

t.test('given wrong credentials, when the account is connected, then the error says what is wrong', async (t) => {
  const { account, io, connected } = await givenScene(t)
  const { credentials: _, ...rest } = io
  const connect = (over: Readonly<Record<string, string>>) =>
    googlebusiness.connect({ ...account.credentials, ...over }, account.baseUrl, rest)
  const location = account.credentials['location'] ?? ''
  for (const given of [location.slice(location.indexOf('locations')), 'x', '']) {
    t.match(await errorOf(connect({ location: given })), {
      kind: 'permanent',
      message: /location: must have the form/,
    })
  }
  for (const given of [`${location}5`, location.replace('accounts/2', 'accounts/3'), 'accounts/1/locations/2']) {
    const error = await errorOf(connect({ location: given }))
    t.match(error, { kind: 'permanent', message: `has no access to ${given}. Locations it can access: ` })
    t.match(error.message, `${location} (The Corner Shop)`)
  }
  t.match(await errorOf(connect({ expiresAt: 'soon' })), { kind: 'permanent', message: /expiresAt/ })
  const { clientId: __, ...noClient } = account.credentials
  t.match(await errorOf(googlebusiness.connect(noClient, account.baseUrl, rest)), {
    kind: 'permanent',
    message: /clientId/,
  })
  t.match(await errorOf(connect({ accessToken: 'none', refreshToken: 'none' })), { kind: 'needs-reauth' })

  const renewed = await connect({ accessToken: 'none' })
  t.not(renewed.credentials['accessToken'], 'none', 'an access that has ended is renewed on the way')
  t.equal(renewed.externalId, connected.externalId)
  for (const [name, field] of Object.entries(googlebusiness.credentials.shape)) t.ok(field.description, name)
})

t.test('given options, then the post is an event or an offer, has its button, and is found as one', async (t) => {
  const scene = await givenScene(t)
  const { io, image } = scene
  const button = { type: 'BOOK', url: 'https://shop.example/book' }
  const event = { title: 'Rye week', start: '2026-12-01T09:30', end: '2026-12-07' }
  const offer = { couponCode: 'RYE20', redeemOnlineUrl: 'https://shop.example/rye', termsConditions: 'One each.' }
  const schedule = {
    startDate: { year: 2026, month: 12, day: 1 },
    startTime: { hours: 9, minutes: 30 },
    endDate: { year: 2026, month: 12, day: 7 },
    endTime: { hours: 23, minutes: 59 },
  }
  const callToAction = { actionType: 'BOOK', url: button.url }
  for (const [options, topic] of [
    [{ callToAction: button }, { topicType: 'STANDARD', callToAction }],
    [{ callToAction: { type: 'CALL' } }, { topicType: 'STANDARD', callToAction: { actionType: 'CALL' } }],
    [
      { event, callToAction: button },
      { topicType: 'EVENT', callToAction, event: { title: 'Rye week', schedule } },
    ],
    [
      { event, offer, callToAction: button },
      { topicType: 'OFFER', event: { title: 'Rye week', schedule }, offer },
    ],
  ] as const) {
    const job = { ...image, text: JSON.stringify(options), options }
    const handle = await prepare(googlebusiness, job, io)
    const published = await publish(googlebusiness, job, handle, io)
    t.same(scene.live().at(-1)?.details?.['topic'], topic)
    t.same(await googlebusiness.find?.(job, handle, io), { outcome: 'found', found: published })
    const other = { ...job, options: 'event' in options ? {} : { event } }
    t.same(await googlebusiness.find?.(other, handle, io), { outcome: 'absent' }, 'another topic is another post')
  }
  const both = { text: 'x', mediaType: 'image' as const, options: { offer, event, callToAction: button } }
  t.match(googlebusiness.warnings?.(both, undefined), [/no callToAction on an offer/])
  t.same(googlebusiness.warnings?.({ ...both, options: { event, callToAction: button } }, undefined), [])
})

t.test('given options that are wrong, then the field and the fix are named, and nothing is live', async (t) => {
  const { io, image, live } = await givenScene(t)
  const event = { title: 'Rye week', start: '2026-12-01', end: '2026-12-07' }
  for (const [options, says] of [
    [{ callToAction: { type: 'BOOK' } }, /is required, unless type is CALL/],
    [{ callToAction: { type: 'CALL', url: 'https://shop.example' } }, /must be absent with type CALL/],
    [{ callToAction: { type: 'GET_OFFER' } }, /must be one of BOOK, ORDER/],
    [{ callToAction: { type: 'SHOP', url: 'javascript:1' } }, /begins with http/],
    [{ offer: {} }, /is required with offer/],
    [{ event: { ...event, end: '2026-11-30' } }, /must not be before start/],
    [{ event: { ...event, start: '2026-12-01T09:00Z' } }, /a local date and time/],
    [{ event: { ...event, title: 'x'.repeat(59) } }, /58/],
    [{ events: event }, /Did you mean event/],
  ] as const) {
    const error = await errorOf(googlebusiness.prepare({ ...image, options }, io, undefined))
    t.match(error, { kind: 'permanent', message: says })
  }
  t.same(live(), [])
})

t.test('given wrong requests, then the stand-in refuses them as Google does', async (t) => {
  const { http, sandbox, account, image, live } = await givenScene(t)
  const base = `${sandbox.url}/googlebusiness`
  const location = account.credentials['location'] ?? ''
  const headers = { authorization: `Bearer ${account.credentials['accessToken']}` }
  const photo = { mediaFormat: 'PHOTO', sourceUrl: image.mediaUrl }
  const good = { summary: 'x', topicType: 'STANDARD', media: [photo] }
  const [day, time] = [
    { year: 2026, month: 12, day: 1 },
    { hours: 9, minutes: 0 },
  ]
  const schedule = { startDate: day, startTime: time, endDate: day, endTime: time }
  const post = (path: string, body: object) => postJson(http, `${base}/v4/${path}/localPosts`, body, headers)
  for (const [body, says] of [
    [{ ...good, media: [{ ...photo, mediaFormat: 'VIDEO' }] }, /not currently supported/],
    [{ ...good, media: [photo, photo] }, /media/],
    [{ ...good, media: [{ sourceUrl: image.mediaUrl }] }, /mediaFormat/],
    [{ ...good, summary: 'x'.repeat(1501) }, /summary/],
    [{ summary: 'x', media: [photo] }, /topicType/],
    [{ ...good, caption: 'x' }, /caption/],
    [{ ...good, topicType: 'EVENT' }, /event: required for topic types/],
    [{ ...good, event: { title: 'x', schedule } }, /event: required for topic types/],
    [{ ...good, topicType: 'EVENT', event: { title: 'x', schedule: { ...schedule, endTime: undefined } } }, /endTime/],
    [{ ...good, topicType: 'EVENT', event: { title: 'x', schedule }, offer: {} }, /only be set when the topicType/],
    [{ ...good, callToAction: { actionType: 'CALL', url: image.mediaUrl } }, /left unset for CALL/],
    [{ ...good, callToAction: { actionType: 'SHOP' } }, /callToAction.url: required/],
    [{ ...good, media: [{ ...photo, sourceUrl: `${sandbox.url}/none.jpg` }] }, /Fetching image failed/],
    [{ ...good, media: [{ ...photo, sourceUrl: `${sandbox.url}/feed.xml` }] }, /too small/],
    [{ ...good, media: [{ ...photo, sourceUrl: `${sandbox.url}/media/sample.mp4` }] }, /cannot be read/],
  ] as const) {
    const answer = await post(location, body)
    t.equal(answer.status, 400)
    t.match(answer.text(), says)
    t.match(answer.json(), { error: { code: 400, status: 'INVALID_ARGUMENT' } })
  }
  const alone = await post(location.slice(location.indexOf('locations')), good)
  t.match([alone.status, alone.headers['content-type']], [404, /json/], 'a location without its account is no path')
  t.equal((await post(`${location}9`, good)).status, 403)
  const unmasked = `${base}/v1/${location.split('/locations')[0]}/locations`
  t.equal((await http.request(unmasked, { headers })).status, 400, 'readMask is required')
  t.equal((await http.request(`${base}/v1/accounts`)).status, 401)
  t.same(live(), [])
})
