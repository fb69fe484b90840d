import { readdir } from 'node:fs/promises'
import t from 'tap'
import type { MediaFacts } from '../infra/media/media.ts'
import { PlatformError, type Others } from '../platforms/kit/platform.ts'
import { planOf, rangeOf } from '../platforms/tiktok/chunks.ts'
import { tiktok } from '../platforms/tiktok/index.ts'
import { photoText } from '../platforms/tiktok/text.ts'
import { errorOf } from './support/pinterest.ts'
import { ioOf, memoryCredentials, memoryMedia } from './support/sandbox.ts'
import {
  CHUNK,
  CREATOR,
  find,
  givenScene,
  INIT,
  LIST,
  PHOTO,
  prepared,
  recorded,
  said,
  sentPhoto,
  settled,
  STATUS,
} from './support/tiktok.ts'
import { answer, hostOfVideo } from './support/youtube.ts'

const MB = 1_000_000

t.test('given an account, when a video is published, then it is live once, as it was asked for', async (t) => {
  const scene = await givenScene(t, { settings: { disableDuet: 'true', aiGenerated: 'true' } })
  const handle = await prepared(scene, scene.video)
  t.same(scene.calls, [CREATOR, INIT])
  t.same(scene.live(), [], 'nothing is visible yet')
  t.ok(JSON.stringify(handle).length < 700, 'the handle is small')
  const looks: number[] = []
  const published = await settled(scene, () => tiktok.publish(scene.video, handle, scene.io), looks)
  const [post, ...others] = scene.live()
  t.same(others, [])
  t.match(post, {
    accountId: scene.account.externalId,
    caption: scene.video.text,
    mediaType: 'video',
    details: { privacy_level: 'PUBLIC_TO_EVERYONE', disable_duet: true, disable_stitch: false, is_aigc: true },
  })
  const { body } = await scene.plain.request(scene.video.mediaUrl)
  t.match(scene.sandbox.ledger.media('tiktok', post?.id ?? ''), { bytes: body.length, mimeType: 'video/mp4' })
  t.match(post?.id, /^\d{19}$/)
  t.same(
    published,
    { postId: post?.id, url: `https://www.tiktok.com/@park.walks/video/${post?.id}` },
    'id digit by digit',
  )
  t.ok(looks.length >= 3 && looks.every((ms) => ms === 5_000), 'checked every 5 s')
  t.same(await readdir(scene.directory), [], 'no file is left')
})

t.test('given an account, when an image is published, then it is live once, as it was asked for', async (t) => {
  const scene = await givenScene(t, { settings: { disableComment: 'true', autoAddMusic: 'true' } })
  const handle = await prepared(scene, scene.photo)
  t.same(scene.calls, [CREATOR])
  const publishing = await tiktok.publish(scene.photo, handle, scene.io)
  t.match(publishing, {
    outcome: 'processing',
    lookAgainMs: 5_000,
    handle: { taken: { publishId: /^p_pub_url/, at: String } },
  })
  const known = recorded((publishing as unknown as { handle: object }).handle as Record<string, unknown>)
  for (const outcome of ['processing', 'processing']) t.match(await find(scene, scene.photo, known), { outcome })
  const [post, ...others] = scene.live()
  t.same(others, [])
  t.match(post, {
    caption: scene.photo.text,
    mediaUrl: scene.photo.mediaUrl,
    mediaType: 'image',
    details: { title: 'A walk', description: scene.photo.text, disable_comment: true, auto_add_music: true },
  })
  const found = { postId: post?.id, url: `https://www.tiktok.com/@park.walks/photo/${post?.id}` }
  t.same(await find(scene, scene.photo, known), { outcome: 'found', found })
  t.same(await find(scene, scene.photo, handle), { outcome: 'found', found }, 'also without its id')
})

t.test(
  'given options of a post, when it is published, then they take precedence over those of the account',
  async (t) => {
    const off = { disableComment: 'true', disableDuet: 'true', disableStitch: 'true', brandContent: 'true' }
    const scene = await givenScene(t, { settings: { ...off, autoAddMusic: 'true' } })
    const options = { privacyLevel: 'MUTUAL_FOLLOW_FRIENDS', allowComment: true, allowDuet: true, allowStitch: false }
    const more = { isAigc: true, brandContent: false, brandOrganic: true }
    const publish = async (given: object) => {
      const video = { ...scene.video, options: { ...given } }
      const handle = await prepared(scene, video)
      await settled(scene, () => tiktok.publish(video, handle, scene.io))
      return scene.live().at(-1)?.details
    }
    const shared = { brand_content_toggle: false, brand_organic_toggle: true, disable_comment: false }
    t.match(await publish({ ...options, ...more }), {
      ...{ ...shared, privacy_level: 'MUTUAL_FOLLOW_FRIENDS', is_aigc: true },
      ...{ disable_duet: false, disable_stitch: true },
    })
    t.match(await publish({ allowStitch: true }), {
      ...{ privacy_level: 'PUBLIC_TO_EVERYONE', brand_content_toggle: true, brand_organic_toggle: false },
      ...{ disable_comment: true, disable_duet: true, disable_stitch: false, is_aigc: false },
    })
    const photo = { ...scene.photo, options: { ...options, ...more } }
    const known = await sentPhoto(scene, photo)
    for (const _ of [1, 2, 3]) await find(scene, photo, known)
    t.match(scene.live().at(-1)?.details, { ...shared, privacy_level: 'MUTUAL_FOLLOW_FRIENDS', auto_add_music: true })
    t.notOk(Object.hasOwn(scene.live().at(-1)?.details ?? {}, 'is_aigc'), 'TikTok has no such label for images')
    t.same(await find(scene, photo, { ...known, taken: undefined }), { outcome: 'unknown' }, 'it is not listed')
  },
)

t.test(
  'given options that the post or the account may not have, then each is named, and nothing is announced',
  async (t) => {
    const scene = await givenScene(t, { label: 'park [sandbox comments=off]' })
    for (const [options, message] of [
      [{ privacylevel: 'SELF_ONLY' }, /for TikTok are invalid.*Did you mean privacyLevel\?/],
      [{ privacyLevel: 'INBOX' }, /privacyLevel/],
      [{ allowDuet: 'true' }, /allowDuet/],
      [{ mode: 'draft' }, /mode/],
    ] as const) {
      for (const job of [scene.video, scene.photo]) {
        t.match(await errorOf(tiktok.prepare({ ...job, options }, scene.io, undefined)), { kind: 'permanent', message })
      }
    }
    t.same(scene.calls, [])
    const level = { ...scene.video, options: { privacyLevel: 'FOLLOWER_OF_CREATOR' } }
    const notOffered = { kind: 'permanent', message: /^privacyLevel: TikTok offers .*, not FOLLOWER_OF_CREATOR\.$/ }
    t.match(await errorOf(tiktok.prepare(level, scene.io, undefined)), notOffered)
    t.same(scene.calls, [CREATOR])
    const loud = { ...scene.video, options: { allowComment: true } }
    const handle = await prepared(scene, loud)
    await settled(scene, () => tiktok.publish(loud, handle, scene.io))
    t.match(scene.live(), [{ details: { disable_comment: true } }], 'the creator has switched comments off')
  },
)

t.test('given an empty caption, then neither has a text', async (t) => {
  const scene = await givenScene(t, { text: '' })
  const handle = await prepared(scene, scene.video)
  await settled(scene, () => tiktok.publish(scene.video, handle, scene.io))
  await find(scene, scene.photo, await sentPhoto(scene))
  for (const post of scene.live()) t.same([post.caption, post.details?.['title']], ['', undefined])
  t.equal(scene.live().length, 2)
})

t.test('given posts that not everyone may see, then they keep the id of their publishing', async (t) => {
  const scene = await givenScene(t, { settings: { privacyLevel: 'SELF_ONLY' } })
  const handle = await prepared(scene, scene.video)
  const published = await settled(scene, () => tiktok.publish(scene.video, handle, scene.io))
  t.same(published, { postId: handle['publishId'] })
  const photo = await sentPhoto(scene)
  await find(scene, scene.photo, photo)
  t.match(await find(scene, scene.photo, photo), { outcome: 'found', found: { postId: /^p_pub_url/ } })
  t.same(await find(scene, scene.photo, { ...photo, taken: undefined }), { outcome: 'unknown' }, 'they are not listed')
})

t.test('given a public post that gets no id of its own, then it is waited for 10 minutes', async (t) => {
  const scene = await givenScene(t)
  const handle = await prepared(scene, scene.video)
  scene.intercept((call) => (call === STATUS ? answer(200, said('ok', '', { status: 'PUBLISH_COMPLETE' })) : undefined))
  const start = scene.clock.now()
  const looks: number[] = []
  t.same(await settled(scene, () => tiktok.publish(scene.video, handle, scene.io), looks), {
    postId: handle['publishId'],
  })
  const waited = scene.clock.now() - start
  t.ok(waited >= 590_000 && waited < 620_000, `${waited} ms`)
  t.same([looks[0], looks.at(-1)], [5_000, 15_000])
})

t.test('given a caption for an image, then its first line is the title', async (t) => {
  t.same(photoText('\n  One \nTwo'), { title: 'One', description: '\n  One \nTwo' })
  const { title = '' } = photoText(`${'👩‍👩‍👧 '.repeat(20)}end`)
  t.ok(title.length <= 90 && /^(👩‍👩‍👧 )+👩‍👩‍👧…$/.test(title), 'cut between characters')
  t.equal(photoText('x'.repeat(90)).title, 'x'.repeat(90))
  t.equal(photoText('x'.repeat(91)).title, `${'x'.repeat(89)}…`)
  t.same(photoText(' \n'), { description: ' \n' })
})

t.test('given videos of all sizes, then they are cut as TikTok wants it', async (t) => {
  for (const bytes of [1, 4_999_999, 5 * MB, 6 * MB - 1, 6 * MB, 12 * MB - 1, 12 * MB, 50_000_123, 4_000 * MB]) {
    const { chunkBytes, count } = planOf(bytes)
    t.equal(count, Math.floor(bytes / chunkBytes))
    t.ok(chunkBytes === bytes || (chunkBytes >= 5.25 * MB && count <= 1_000))
    const ranges = Array.from({ length: count }, (_, index) => rangeOf(index, bytes))
    t.equal(ranges.at(-1)?.end, bytes)
    t.ok(ranges.every(({ start }, index) => start === (ranges[index - 1]?.end ?? 0)))
  }
})

t.test('given a post that breaks rules, then each is named with its limit, and nothing is called', async (t) => {
  const image: MediaFacts = { mediaType: 'image', mimeType: 'image/jpeg', bytes: 1_000, width: 1_080, height: 1_920 }
  const video: MediaFacts = {
    mediaType: 'video',
    mimeType: 'video/mp4',
    bytes: 1_000,
    width: 360,
    height: 4_096,
    durationMs: 600_000,
  }
  const broken = (facts: MediaFacts, text = '') => tiktok.check({ text, mediaType: facts.mediaType }, facts)
  t.same(broken(image, 'x'.repeat(4_000)), [])
  t.same(broken(video, '👍'.repeat(1_100)), [])
  for (const [facts, text, sentence] of [
    [
      video,
      `${'👍'.repeat(1_100)}x`,
      'TikTok accepts captions of at most 2200 characters with videos; this one has 2201 with its hashtags.',
    ],
    [
      image,
      'x'.repeat(4_001),
      'TikTok accepts captions of at most 4000 characters with images; this one has 4001 with its hashtags.',
    ],
    [{ ...image, mimeType: 'image/png' }, '', 'TikTok accepts images as JPEG or WebP; this one is image/png.'],
    [
      { ...image, width: 1_081, height: 1_081 },
      '',
      'TikTok accepts images of at most 1920 x 1080 pixels, portrait or landscape; this one is 1081 x 1081.',
    ],
    [
      { ...image, width: 1_921 },
      '',
      'TikTok accepts images of at most 1920 x 1080 pixels, portrait or landscape; this one is 1921 x 1920.',
    ],
    [
      { ...video, mimeType: 'video/x-matroska' },
      '',
      'TikTok accepts videos as MP4, MOV or WebM; this one is video/x-matroska.',
    ],
    [{ ...video, width: 359 }, '', 'TikTok accepts videos of 360 to 4096 pixels on each side; this one is 359 x 4096.'],
    [
      { ...video, height: 4_097 },
      '',
      'TikTok accepts videos of 360 to 4096 pixels on each side; this one is 360 x 4097.',
    ],
    [
      { ...video, durationMs: 600_001 },
      '',
      'TikTok accepts videos of at most 10 minutes (600 seconds); this one is 600.001 seconds.',
    ],
  ] as const) {
    t.same(broken(facts, text), [sentence])
  }
  t.equal(broken({ ...video, mimeType: 'video/webm', height: 10, durationMs: 700_000 }, 'x'.repeat(2_201)).length, 3)
  t.match(tiktok.takes, {
    image: { maxBytes: 20 * MB, isFetched: true, verifiedOnly: true },
    video: { maxBytes: 4_000 * MB },
  })

  const scene = await givenScene(t)
  const media = memoryMedia(scene.plain)
  const io = { ...scene.io, media }
  const long = { ...scene.video, text: 'x'.repeat(2_201) }
  t.match(await errorOf(tiktok.prepare(long, io, undefined)), {
    kind: 'permanent',
    message: /has 2201 with its hashtags\.$/,
  })
  const page = { ...scene.photo, mediaUrl: `${scene.sandbox.url}/feed.xml` }
  t.match(await errorOf(tiktok.prepare(page, io, undefined)), { kind: 'permanent', message: /JPEG or WebP/ })
  t.same(scene.calls, [])
  t.equal(media.kept, 0, 'the media are disposed of')
})

t.test('given what the account may not do, then that is said, and nothing is announced', async (t) => {
  const cases = [
    [
      'park [sandbox account=private]',
      {},
      /^privacyLevel: TikTok offers this account FOLLOWER_OF_CREATOR, MUTUAL_FOLLOW_FRIENDS, SELF_ONLY, not PUBLIC_TO_EVERYONE\.$/,
    ],
    ['park [sandbox seconds=3]', {}, /^TikTok accepts videos of at most 3 seconds from this account; this one is 4/],
  ] as const
  for (const [label, settings, message] of cases) {
    const scene = await givenScene(t, { label, settings })
    t.match(await errorOf(tiktok.prepare(scene.video, scene.io, undefined)), { kind: 'permanent', message })
    t.same(scene.calls, [CREATOR])
  }
  const full = await givenScene(t, { label: 'park [sandbox creator=spam_risk_too_many_posts]' })
  const day = { kind: 'retryable', retryAfterMs: 86_400_000, accountRests: true }
  for (const job of [full.video, full.photo]) t.match(await errorOf(tiktok.prepare(job, full.io, undefined)), day)
  const silent = await givenScene(t, { label: 'park [sandbox comments=off]' })
  const handle = await prepared(silent, silent.video)
  await settled(silent, () => tiktok.publish(silent.video, handle, silent.io))
  t.match(silent.live()[0]?.details, { disable_comment: true })
})

t.test('given an error from TikTok, then its kind is recognized and its text quoted', async (t) => {
  const scene = await givenScene(t)
  const DAY = { kind: 'retryable', retryAfterMs: 86_400_000, accountRests: true }
  const rows = [
    [401, 'scope_not_authorized', { kind: 'forbidden' }],
    [400, 'scope_permission_missed', { kind: 'forbidden' }],
    [400, 'invalid_param', { kind: 'permanent' }],
    [400, 'invalid_params', { kind: 'permanent' }],
    [403, 'privacy_level_option_mismatch', { kind: 'permanent', message: /privacyLevel/ }],
    [403, 'url_ownership_unverified', { kind: 'permanent', message: /domains verified/ }],
    [403, 'unaudited_client_can_only_post_to_private_accounts', { kind: 'permanent', message: /audited/ }],
    [403, 'reached_active_user_cap', DAY],
    [200, 'reached_active_user_cap', DAY],
    [403, 'spam_risk_too_many_posts', DAY],
    [403, 'spam_risk_too_many_pending_share', DAY],
    [200, 'spam_risk_user_banned_from_posting', { kind: 'permanent', message: /banned/ }],
    [403, 'spam_risk_text', { kind: 'permanent' }],
    [403, 'spam_risk', { kind: 'permanent' }],
    [400, 'app_version_check_failed', { kind: 'permanent' }],
    [429, 'rate_limit_exceeded', { kind: 'retryable', retryAfterMs: 60_000, accountRests: true }],
    [400, 'token_not_authorized_for_specified_publish_id', { kind: 'permanent' }],
    [400, 'never_heard_of', { kind: 'permanent', message: /\(HTTP 400, never_heard_of, said never_heard_of\)\.$/ }],
    [200, 'never_heard_of', { kind: 'permanent' }],
    [429, '', { kind: 'retryable', accountRests: true }],
    [302, '', { kind: 'permanent' }],
  ] as const
  const photo = await prepared(scene, scene.photo)
  const mixed = [
    ...rows.map(([status, code, expected]) => [status, said(code), expected, expected] as const),
    ...[
      [500, said('internal_error')],
      [502, '<html>'],
      [408, ''],
      [200, '<html>'],
      [200, { data: { publish_id: 'x' } }],
      [200, said('ok', '', {})],
    ].map(([status, body]) => [status as number, body, { kind: 'retryable' }, { kind: 'ambiguous' }] as const),
  ]
  for (const [status, body, hidden, visible] of mixed) {
    const name = `${status} ${JSON.stringify(body)}`
    scene.intercept((call) => (call === INIT || call === PHOTO ? answer(status, body) : undefined))
    const error = await errorOf(tiktok.prepare(scene.video, scene.io, undefined))
    t.match(error, hidden, `${name}: ${error.message}`)
    t.match(await errorOf(tiktok.publish(scene.photo, photo, scene.io)), visible, name)
    for (const secret of Object.values(await scene.store.read()).filter((value) => value.length > 18)) {
      t.notOk(error.message.includes(secret))
    }
  }
  scene.intercept((call) =>
    call === INIT ? answer(429, said('rate_limit_exceeded'), { 'retry-after': '7' }) : undefined,
  )
  t.match(await errorOf(tiktok.prepare(scene.video, scene.io, undefined)), { retryAfterMs: 7_000 })
  t.same(scene.live(), [])
})

t.test('given a refusal by code, then the stand-in words it as TikTok does', async (t) => {
  const scene = await givenScene(t)
  for (const [code, kind] of [
    ['spam_risk_too_many_pending_share', 'retryable'],
    ['unaudited_client_can_only_post_to_private_accounts', 'permanent'],
    ['internal_error', 'retryable'],
  ] as const) {
    const job = { ...scene.video, text: `[sandbox refuse=${code}]` }
    t.match(await errorOf(tiktok.prepare(job, scene.io, undefined)), { kind })
  }
  const elsewhere = { ...scene.photo, mediaUrl: 'https://example.com/x.jpg' }
  const error = errorOf(tiktok.publish(elsewhere, await prepared(scene, scene.photo), scene.io))
  t.match(await error, { kind: 'permanent', message: /url_ownership_unverified/ })
})

t.test(
  'given each reason for a failed post, then it is recognized, and the upload restarted where that helps',
  async (t) => {
    const scene = await givenScene(t)
    for (const [reason, kind] of [
      ['file_format_check_failed', 'permanent'],
      ['duration_check_failed', 'permanent'],
      ['frame_rate_check_failed', 'permanent'],
      ['picture_size_check_failed', 'permanent'],
      ['publish_cancelled', 'permanent'],
      ['spam_risk_text', 'permanent'],
      ['spam_risk_user_banned_from_posting', 'permanent'],
      ['something_new', 'permanent'],
      ['auth_removed', 'needs-reauth'],
      ['internal', 'retryable'],
      ['video_pull_failed', 'retryable'],
      ['photo_pull_failed', 'retryable'],
      ['spam_risk_too_many_posts', 'retryable'],
    ] as const) {
      const video = { ...scene.video, text: `[sandbox fail=${reason}]` }
      const handle = await prepared(scene, video)
      const error = await errorOf(settled(scene, () => tiktok.publish(video, handle, scene.io)))
      t.match(error, { kind, startOver: kind === 'retryable', message: new RegExp(`\\(${reason}\\)\\.$`) })
      t.equal(error.accountRests, reason === 'spam_risk_too_many_posts')
      t.not((await prepared(scene, video, handle))['publishId'], handle['publishId'], 'the next attempt begins over')

      const photo = { ...scene.photo, text: `[sandbox fail=${reason}]` }
      const known = await sentPhoto(scene, photo)
      t.match(await find(scene, photo, known), { outcome: 'processing' })
      const outcome = kind === 'retryable' ? 'absent' : 'refused'
      t.match(await find(scene, photo, known), { outcome, ...(outcome === 'refused' && { error: error.message }) })
    }
    const draft = await prepared(scene, scene.video)
    scene.intercept((call) =>
      call === STATUS ? answer(200, said('ok', '', { status: 'SEND_TO_USER_INBOX' })) : undefined,
    )
    t.match(await errorOf(tiktok.publish(scene.video, draft, scene.io)), { kind: 'permanent', message: /draft/ })
    t.same(scene.live(), [])
  },
)

t.test('given an image that TikTok cannot use, then it fails when it has fetched it', async (t) => {
  const scene = await givenScene(t)
  const handle = await prepared(scene, scene.photo)
  for (const [path, outcome] of [
    ['/media/none.jpg', { outcome: 'absent' }],
    ['/feed.xml', { outcome: 'refused', error: /format/ }],
  ] as const) {
    const job = { ...scene.photo, mediaUrl: `${scene.sandbox.url}${path}` }
    const publishing = await tiktok.publish(job, handle, scene.io)
    const known = (publishing as unknown as { handle: Record<string, unknown> }).handle
    await find(scene, job, known)
    t.match(await find(scene, job, known), outcome, path)
  }
  t.same(scene.live(), [])
})

t.test('given a video in many parts', async (t) => {
  const host = await hostOfVideo(t, 20 * MB)
  const begin = async () => {
    const scene = await givenScene(t)
    return { scene, job: { ...scene.video, mediaUrl: host.url } }
  }
  const chunks = ({ calls }: { calls: readonly string[] }) => calls.filter((call) => call === CHUNK).length

  await t.test('when it is prepared, then all but the last is sent, and that publishes it', async (t) => {
    const { scene, job } = await begin()
    const handle = await prepared(scene, job)
    t.equal(chunks(scene), 2)
    t.same(scene.live(), [])
    await settled(scene, () => tiktok.publish(job, handle, scene.io))
    t.equal(chunks(scene), 3)
    t.equal(scene.sandbox.ledger.media('tiktok', scene.live()[0]?.id ?? '')?.sha256, host.sha256)
  })

  await t.test('when a part is lost once, then it is gone on with at once', async (t) => {
    for (const instead of [answer(500, ''), answer(416, '')]) {
      const { scene, job } = await begin()
      let lost = 0
      scene.intercept((call) => (call === CHUNK && chunks(scene) === 2 && (lost += 1) === 1 ? instead : undefined))
      const handle = await prepared(scene, job)
      t.equal(chunks(scene), 3)
      t.equal(scene.calls.filter((call) => call === INIT).length, 1)
      await settled(scene, () => tiktok.publish(job, handle, scene.io))
      t.equal(scene.live().length, 1)
    }
  })

  await t.test('when it cannot be sent for a while, then what has arrived is kept', async (t) => {
    const { scene, job } = await begin()
    scene.intercept((call) =>
      call === CHUNK && chunks(scene) > 1 ? answer(503, '', { 'retry-after': '20' }) : undefined,
    )
    const first = await tiktok.prepare(job, scene.io, undefined)
    t.match(first, { outcome: 'processing', lookAgainMs: 20_000 })
    t.match(await errorOf(tiktok.prepare(job, scene.io, first.handle)), { kind: 'retryable', retryAfterMs: 20_000 })
    scene.intercept(undefined)
    const handle = await prepared(scene, job, recorded(first.handle))
    t.equal(handle['publishId'], first.handle['publishId'])
    t.equal(chunks(scene), 4, 'one, two failed ones, and the second')
    await settled(scene, () => tiktok.publish(job, handle, scene.io))
    t.equal(scene.live().length, 1)
  })

  await t.test('when the upload is gone, or its hour or its file is another, then it is started over', async (t) => {
    const { scene, job } = await begin()
    const first = await prepared(scene, job)
    await scene.later(66 * 60_000)
    t.match(await errorOf(tiktok.publish(job, first, scene.io)), {
      kind: 'retryable',
      startOver: true,
      message: /hour/,
    })
    const second = await prepared(scene, job, first)
    t.not(second['publishId'], first['publishId'])
    const other = { ...job, mediaUrl: scene.video.mediaUrl }
    const changed = await errorOf(tiktok.publish(other, second, scene.io))
    t.match(changed, { kind: 'retryable', startOver: true, message: /had 20000000 bytes/ })
    await prepared(scene, other, await prepared(scene, other, second))

    const broken = await begin()
    broken.scene.intercept((call) => (call === CHUNK ? answer(404, '') : undefined))
    t.match(await errorOf(tiktok.prepare(broken.job, broken.scene.io, undefined)), {
      kind: 'retryable',
      startOver: true,
    })
    t.same([...scene.live(), ...broken.scene.live()], [])
  })

  await t.test('when sending takes long, then it is done bit by bit', async (t) => {
    const { scene, job } = await begin()
    scene.intercept(async (call) => {
      if (call === CHUNK) await scene.later(11 * 60_000)
      return undefined
    })
    const first = await tiktok.prepare(job, scene.io, undefined)
    t.match(first, { outcome: 'processing', lookAgainMs: 0 })
    t.match(await tiktok.prepare(job, scene.io, first.handle), { outcome: 'ready' })
    t.equal(chunks(scene), 2)
  })
})

t.test('given the last part of a video', async (t) => {
  await t.test('when its answer is lost, then the next call finds it published', async (t) => {
    for (const fault of [{ kind: 'accept_then_timeout' }, { kind: 'server_error', accepted: true }] as const) {
      const scene = await givenScene(t)
      const handle = await prepared(scene, scene.video)
      scene.script(fault)
      t.match(await errorOf(tiktok.publish(scene.video, handle, scene.io)), { kind: 'ambiguous' })
      await settled(scene, () => tiktok.publish(scene.video, handle, scene.io))
      t.equal(scene.calls.filter((call) => call === CHUNK).length, 1, 'it is not sent again')
      t.equal(scene.live().length, 1)
      t.equal((await prepared(scene, scene.video, handle))['publishId'], handle['publishId'], 'and never started over')
    }
  })

  await t.test('when it did not arrive, then it is sent again', async (t) => {
    const scene = await givenScene(t)
    const handle = await prepared(scene, scene.video)
    scene.script({ kind: 'server_error' })
    t.match(await errorOf(tiktok.publish(scene.video, handle, scene.io)), { kind: 'ambiguous' })
    await settled(scene, () => tiktok.publish(scene.video, handle, scene.io))
    t.equal(scene.live().length, 1)
  })

  await t.test('when it is refused, then the reason is recognized', async (t) => {
    for (const [status, expected] of [
      [400, { kind: 'permanent' }],
      [403, { kind: 'retryable', startOver: false }],
      [404, { kind: 'retryable', startOver: false }],
      [408, { kind: 'ambiguous' }],
      [416, { kind: 'retryable' }],
      [429, { kind: 'retryable' }],
      [206, { kind: 'retryable' }],
      [418, { kind: 'permanent' }],
    ] as const) {
      const scene = await givenScene(t)
      const handle = await prepared(scene, scene.video)
      scene.intercept((call) => (call === CHUNK ? answer(status, '') : undefined))
      const error = await errorOf(tiktok.publish(scene.video, handle, scene.io))
      t.match(error, expected, String(status))
      t.notOk(error.message.includes('upload_token'))
      scene.intercept(undefined)
      const again = await prepared(scene, scene.video, handle)
      t.equal(again['publishId'], handle['publishId'], 'the same upload is handed over once more')
      t.not((await prepared(scene, scene.video, again))['publishId'], handle['publishId'], 'and then started over')
    }
  })

  await t.test('when its hour is over at TikTok, then it is started over', async (t) => {
    const scene = await givenScene(t)
    const handle = await prepared(scene, scene.video)
    await scene.later(61 * 60_000)
    const late = await tiktok.publish(scene.video, handle, scene.io)
    t.same(late, { outcome: 'processing', lookAgainMs: 300_000 }, 'not at once: the status may lag')
    await scene.later(5 * 60_000)
    t.match(await errorOf(tiktok.publish(scene.video, handle, scene.io)), { kind: 'retryable', startOver: true })
  })
})

t.test('given a look that fails, then nothing is final', async (t) => {
  const scene = await givenScene(t)
  const handle = await prepared(scene, scene.video)
  scene.script({ kind: 'accept_then_timeout' })
  await errorOf(tiktok.publish(scene.video, handle, scene.io))
  const looks = (status: number, code: string) => {
    scene.intercept((call) => (call === STATUS ? answer(status, said(code)) : undefined))
    return errorOf(tiktok.publish(scene.video, handle, scene.io))
  }
  for (const [status, code, kind] of [
    [400, 'invalid_publish_id', 'ambiguous'],
    [400, 'token_not_authorized_for_specified_publish_id', 'ambiguous'],
    [401, 'scope_not_authorized', 'ambiguous'],
    [429, 'rate_limit_exceeded', 'retryable'],
    [500, 'internal_error', 'retryable'],
  ] as const) {
    t.match(await looks(status, code), { kind }, code)
  }
  t.match(await errorOf(tiktok.prepare(scene.video, scene.io, handle)), { kind: 'retryable' }, 'nor started over')
  await scene.later(31 * 60_000)
  t.match(
    await tiktok.publish(scene.video, handle, scene.io),
    { outcome: 'processing', lookAgainMs: 300_000 },
    'patiently',
  )
  scene.intercept((call) => (call === STATUS ? answer(400, said('invalid_publish_id')) : undefined))
  t.not(
    (await prepared(scene, scene.video, handle))['publishId'],
    handle['publishId'],
    'unless TikTok knows nothing of it',
  )
  t.match(await errorOf(tiktok.publish(scene.video, { x: 1 }, scene.io)), { kind: 'permanent' }, 'a foreign handle')
  t.match(await errorOf(tiktok.publish(scene.photo, handle, scene.io)), { kind: 'permanent' }, 'another kind of media')
  t.same(await find(scene, scene.photo, {}), { outcome: 'unknown' })
})

t.test('given a post that TikTok processes for long, then it is checked less and less often, for a day', async (t) => {
  const scene = await givenScene(t, { text: '[sandbox processing=10000]' })
  const handle = await prepared(scene, scene.video)
  const looks: number[] = []
  const start = scene.clock.now()
  const error = await errorOf(settled(scene, () => tiktok.publish(scene.video, handle, scene.io), looks))
  t.match(error, { kind: 'ambiguous', message: /24 hours/ })
  t.same([...new Set(looks)], [5_000, 15_000, 300_000])
  const hours = (scene.clock.now() - start) / 3_600_000
  t.ok(hours >= 24 && hours < 24.2, `${hours} h`)
})

t.test('given a photo whose answer is lost', async (t) => {
  await t.test('when it is listed, then it is found by its text', async (t) => {
    const scene = await givenScene(t)
    const handle = await prepared(scene, scene.photo)
    scene.script({ kind: 'accept_then_timeout' })
    t.match(await errorOf(tiktok.publish(scene.photo, handle, scene.io)), { kind: 'ambiguous' })
    const postId = scene.live()[0]?.id
    t.match(await find(scene, scene.photo, handle), { outcome: 'found', found: { url: /\/photo\/\d{19}$/ } })
    t.ok(postId === undefined || postId === scene.live()[0]?.id)
    await find(scene, scene.photo, await sentPhoto(scene))
    t.same(await find(scene, scene.photo, handle), { outcome: 'unknown' }, 'but not among two alike')
    const besides = (doubt: Others['doubt']) =>
      tiktok.find?.(scene.photo, handle, scene.io, async (listed) => ({
        ruledOut: new Set(listed.flatMap(({ id }) => (id === scene.live()[0]?.id ? [] : [id]))),
        doubt,
      }))
    const first = { outcome: 'found', found: { postId: scene.live()[0]?.id } }
    t.match(await besides('none'), first, 'unless one is known to be another')
    t.match(await besides('passing'), { outcome: 'processing' }, 'and no third may be the other,')
    t.same(await besides('lasting'), { outcome: 'unknown' }, 'for a while or for ever')
  })

  await t.test('when it is not listed, then it is looked for some minutes, and never believed absent', async (t) => {
    const scene = await givenScene(t, { text: 'A walk [sandbox listed=no]' })
    const handle = await prepared(scene, scene.photo)
    t.match(await find(scene, scene.photo, handle), { outcome: 'processing', lookAgainMs: 5_000 })
    await scene.later(11 * 60_000)
    t.same(await find(scene, scene.photo, handle), { outcome: 'unknown' })
  })

  await t.test('when there are many newer posts, then all pages are read, but not for ever', async (t) => {
    const scene = await givenScene(t)
    const handle = await prepared(scene, scene.photo)
    await find(scene, scene.photo, await sentPhoto(scene))
    const filler = async (count: number) => {
      for (let each = 0; each < count; each += 1) await sentPhoto(scene, { ...scene.photo, text: `another ${each}` })
    }
    await filler(40)
    t.match(await find(scene, scene.photo, handle), { outcome: 'found' })
    await filler(60)
    t.same(await find(scene, scene.photo, handle), { outcome: 'unknown' })
    t.equal(scene.calls.filter((call) => call === LIST).length, 3 + 5)
  })

  await t.test('when the list cannot be had, then the outcome is unknown; in passing, it is asked again', async (t) => {
    const scene = await givenScene(t)
    const handle = await sentPhoto(scene)
    const nameless = { ...handle, taken: undefined }
    for (const [status, body] of [
      [401, said('scope_not_authorized')],
      [400, said('invalid_params')],
    ] as const) {
      scene.intercept((call) => (call === LIST ? answer(status, body) : undefined))
      t.same(await find(scene, scene.photo, nameless), { outcome: 'unknown' })
    }
    scene.intercept((call) => (call === LIST ? answer(500, said('internal_error')) : undefined))
    t.match(await errorOf(find(scene, scene.photo, nameless)), { kind: 'retryable' })
  })
})

t.test('given an access token that has ended', async (t) => {
  await t.test('when TikTok says so, then it is renewed once, and the new pair kept', async (t) => {
    const scene = await givenScene(t)
    const before = await scene.store.read()
    scene.script({ kind: 'token_expired' })
    await Promise.all([prepared(scene, scene.video), prepared(scene, scene.photo), prepared(scene, scene.photo)])
    const after = await scene.store.read()
    t.equal(scene.calls.filter((call) => call === 'POST /v2/oauth/token/').length, 1)
    t.not(after['refreshToken'], before['refreshToken'])
    t.same(
      after['accessToken'],
      scene.sandbox.ledger.account('tiktok', scene.account.externalId)?.secrets['accessToken'],
    )
    t.equal(after['privacyLevel'], before['privacyLevel'])
  })

  await t.test('when it is about to end, then it is renewed ahead', async (t) => {
    const scene = await givenScene(t)
    const { expiresAt = '' } = await scene.store.read()
    await scene.later(7_200_000 - 590_000)
    await prepared(scene, scene.photo)
    t.equal(scene.calls[0], 'POST /v2/oauth/token/')
    const { expiresAt: next = '', refreshExpiresAt = '' } = await scene.store.read()
    t.ok(Date.parse(next) - scene.clock.now() > 7_190_000 && next > expiresAt)
    t.ok(Date.parse(refreshExpiresAt) > scene.clock.now() + 179 * 86_400_000)
  })

  await t.test('when it cannot be renewed, then the reason is recognized', async (t) => {
    const scene = await givenScene(t)
    await scene.later(8_000_000)
    const flat = (error: string) => ({ error, error_description: `said ${error}`, log_id: 'x' })
    for (const [status, body, expected] of [
      [400, flat('invalid_grant'), { kind: 'needs-reauth', message: /invalid_grant said invalid_grant/ }],
      [200, flat('invalid_grant'), { kind: 'needs-reauth' }],
      [400, flat('invalid_client'), { kind: 'permanent', message: /clientId and clientSecret/ }],
      [401, flat('unauthorized_client'), { kind: 'permanent' }],
      [400, flat('invalid_request'), { kind: 'permanent' }],
      [500, flat('server_error'), { kind: 'retryable' }],
      [400, flat('temporarily_unavailable'), { kind: 'retryable' }],
      [429, '', { kind: 'retryable' }],
      [502, '<html>', { kind: 'retryable' }],
      [200, '{}', { kind: 'retryable' }],
    ] as const) {
      scene.intercept((call) => (call.endsWith('/oauth/token/') ? answer(status, body) : undefined))
      const error = await errorOf(tiktok.prepare(scene.photo, scene.io, undefined))
      t.match(error, expected, `${status} ${JSON.stringify(body)}: ${error.message}`)
    }
    scene.intercept(undefined)
    const { refreshToken: _, ...without } = await scene.store.read()
    const io = { ...scene.io, credentials: memoryCredentials(without) }
    t.match(await errorOf(tiktok.prepare(scene.photo, io, undefined)), {
      kind: 'needs-reauth',
      message: /refreshToken/,
    })
    const wrong = { ...(await scene.store.read()), clientSecret: 'wrong' }
    const mistaken = { ...scene.io, credentials: memoryCredentials(wrong) }
    t.match(await errorOf(tiktok.prepare(scene.photo, mistaken, undefined)), {
      kind: 'permanent',
      message: /invalid_client/,
    })
  })
})

t.test('given credentials', async (t) => {
  const scene = await givenScene(t)
  const { credentials, baseUrl } = scene.account
  const connect = (over: Record<string, string | undefined> = {}, io = scene.io) => {
    const given = Object.entries({ ...credentials, ...over }).filter(
      (each): each is [string, string] => each[1] !== undefined,
    )
    return tiktok.connect(Object.fromEntries(given), baseUrl, io)
  }
  const connected = await connect()
  t.same(connected, { externalId: scene.account.externalId, label: 'park.walks', credentials })
  t.same(scene.calls, ['GET /v2/user/info/', CREATOR])
  for (const [over, expected] of [
    [{ privacyLevel: undefined }, { kind: 'permanent', message: /privacyLevel/ }],
    [{ privacyLevel: 'ALL' }, { kind: 'permanent', message: /privacyLevel/ }],
    [
      { privacyLevel: 'FOLLOWER_OF_CREATOR' },
      { kind: 'permanent', message: /^privacyLevel: TikTok offers this account PUBLIC/ },
    ],
    [{ disableDuet: 'yes' }, { kind: 'permanent', message: /disableDuet/ }],
    [{ clientSecret: undefined }, { kind: 'permanent', message: /clientSecret/ }],
    [{ accessToken: 'wrong', refreshToken: undefined }, { kind: 'needs-reauth' }],
    [
      { accessToken: 'wrong', refreshToken: 'wrong' },
      { kind: 'needs-reauth', message: /invalid_grant/ },
    ],
  ] as const) {
    t.match(await errorOf(connect(over)), expected, JSON.stringify(over))
  }
  const renewed = await connect({ accessToken: 'ended' })
  t.match(renewed.credentials, { refreshToken: /^rft/, privacyLevel: 'PUBLIC_TO_EVERYONE' })
  t.not(renewed.credentials['refreshToken'], credentials['refreshToken'], 'what is stored is the new pair')
  const gone = {
    ...scene.io,
    credentials: memoryCredentials({ accessToken: renewed.credentials['accessToken'] ?? '' }),
  }
  t.match(await errorOf(tiktok.prepare(scene.photo, gone, undefined)), { kind: 'permanent', message: /privacyLevel/ })
  for (const [name, field] of Object.entries(tiktok.credentials.shape)) {
    t.ok((field as { description?: string }).description, `${name} is described`)
  }
})

t.test('given a service elsewhere, then without a base URL it is TikTok that is called', async (t) => {
  const urls: string[] = []
  const scene = await givenScene(t)
  const http = {
    ...scene.plain,
    request: async (url: string) => {
      urls.push(url)
      throw new PlatformError('retryable', 'stop')
    },
  }
  const { baseUrl: _, ...account } = scene.video.account
  const io = ioOf(http, scene.store, { media: scene.io.media })
  await errorOf(tiktok.prepare({ ...scene.video, account }, io, undefined))
  t.same(urls, ['https://open.tiktokapis.com/v2/post/publish/creator_info/query/'])
})

t.test('given a video of 60 MB, when it is sent, then memory grows by far less', async (t) => {
  const host = await hostOfVideo(t, 60 * MB)
  const scene = await givenScene(t)
  const job = { ...scene.video, mediaUrl: host.url }
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10)
  t.teardown(() => clearInterval(timer))
  const handle = await prepared(scene, job)
  const { postId } = await settled(scene, () => tiktok.publish(job, handle, scene.io))
  clearInterval(timer)
  const growth = Math.round((peak - before) / 1e6)
  t.ok(growth < 40, `grew by ${growth} MB at most`)
  t.equal(scene.sandbox.ledger.media('tiktok', postId)?.sha256, host.sha256)
})
