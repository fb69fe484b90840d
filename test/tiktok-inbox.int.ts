import t from 'tap'
import { tiktok } from '../platforms/tiktok/index.ts'
import { findPost } from '../projections/models/posts.ts'
import { fused, type CrashPoint } from './support/fuse.ts'
import { errorOf } from './support/pinterest.ts'
import { givenAccount, memoryCredentials, postJson } from './support/sandbox.ts'
import { CHUNK, find, givenScene, PHOTO, prepared, recorded, sentPhoto, settled, STATUS } from './support/tiktok.ts'
import { givenProcess, givenWorld } from './support/world.ts'
import { answer, hostOfVideo } from './support/youtube.ts'

const INBOX = 'POST /v2/post/publish/inbox/video/init/'
const settings = { privacyLevel: 'INBOX' }
const NOTE = 'It is in the TikTok inbox of the account. Open the notification in the TikTok app to publish it.'
const VIDEO_NOTE = `${NOTE} TikTok takes no caption with a video there: enter it in the app.`
const DAY = { kind: 'retryable', retryAfterMs: 86_400_000, accountRests: true }

t.test('given an account that publishes from its inbox', async (t) => {
  await t.test('when a video is uploaded, then it waits there, and nothing but the video was sent', async (t) => {
    const scene = await givenScene(t, { settings })
    const handle = await prepared(scene, scene.video)
    t.same(scene.calls, [INBOX], 'TikTok tells what a creator may post only to apps that post directly')
    t.same(scene.live(), [], 'nothing arrives before the last byte')
    const published = await settled(scene, () => tiktok.publish(scene.video, handle, scene.io))
    t.same(published, { postId: handle['publishId'], note: VIDEO_NOTE })
    t.match(scene.live(), [{ isDraft: true, caption: '', details: {}, mediaType: 'video', token: handle['publishId'] }])
    t.same(await settled(scene, () => tiktok.publish(scene.video, handle, scene.io)), published)
    t.equal(scene.calls.filter((call) => call === CHUNK).length, 1, 'it is not sent again')
  })

  await t.test('when an image is uploaded, then its text goes with it', async (t) => {
    const scene = await givenScene(t, { settings: { ...settings, disableComment: 'true', autoAddMusic: 'true' } })
    const known = await sentPhoto(scene)
    t.same(scene.calls, [PHOTO])
    t.match(await find(scene, scene.photo, known), { outcome: 'processing' })
    const { publishId } = known['taken'] as { publishId: string }
    t.match(publishId, /^p_inbox_url~v2\./)
    t.same(await find(scene, scene.photo, known), { outcome: 'found', found: { postId: publishId, note: NOTE } })
    const details = { title: 'A walk', description: scene.photo.text }
    t.strictSame(scene.live()[0]?.details, details)
    t.match(scene.live(), [{ isDraft: true, caption: scene.photo.text }])
  })

  await t.test('when its owner publishes at once, then the post is known', async (t) => {
    const scene = await givenScene(t, { settings, label: 'park.walks [sandbox inbox=posted]' })
    const handle = await prepared(scene, scene.video)
    const { postId, note } = await settled(scene, () => tiktok.publish(scene.video, handle, scene.io))
    t.ok([handle['publishId'], scene.live()[0]?.id].includes(postId))
    t.match(scene.live(), [{ isDraft: undefined }])
    t.equal(note, undefined)
  })

  await t.test('when 5 wait there, then the account rests, and the next arrives after a day', async (t) => {
    const scene = await givenScene(t, { settings })
    for (const job of [scene.video, scene.video, scene.video]) {
      const handle = await prepared(scene, job)
      await settled(scene, () => tiktok.publish(job, handle, scene.io))
    }
    const photo = await prepared(scene, scene.photo)
    for (const _ of [4, 5]) await find(scene, scene.photo, await sentPhoto(scene))
    t.match(await errorOf(tiktok.prepare(scene.video, scene.io, undefined)), { ...DAY, message: /inbox/ })
    t.match(await errorOf(tiktok.publish(scene.photo, photo, scene.io)), DAY)
    await scene.later(86_400_000)
    t.match(await sentPhoto(scene), { taken: { publishId: String } })
  })

  await t.test('when the answer to the last part is lost, then its status tells', async (t) => {
    const scene = await givenScene(t, { settings })
    const handle = await prepared(scene, scene.video)
    scene.script({ kind: 'accept_then_timeout' })
    t.match(await errorOf(tiktok.publish(scene.video, handle, scene.io)), { kind: 'ambiguous' })
    t.same(await prepared(scene, scene.video, handle), handle, 'it is not begun again')
    await settled(scene, () => tiktok.publish(scene.video, handle, scene.io))
    t.equal(scene.live().length, 1)
  })

  await t.test('when the answer for an image is lost, then nobody can tell, and nothing is sent again', async (t) => {
    const scene = await givenScene(t, { settings })
    const handle = await prepared(scene, scene.photo)
    scene.script({ kind: 'accept_then_timeout' })
    t.match(await errorOf(tiktok.publish(scene.photo, handle, scene.io)), { kind: 'ambiguous' })
    t.same(await find(scene, scene.photo, handle), { outcome: 'unknown' })
  })

  await t.test('when TikTok refuses the upload, then the reason is recognized', async (t) => {
    const scene = await givenScene(t, { settings })
    for (const [status, code, expected] of [
      [401, 'scope_not_authorized', { kind: 'forbidden' }],
      [403, 'spam_risk_user_banned_from_posting', { kind: 'permanent', message: /banned/ }],
      [400, 'app_version_check_failed', { kind: 'permanent', message: /31\.8/ }],
    ] as const) {
      const body = { data: {}, error: { code, message: `said ${code}`, log_id: 'x' } }
      scene.intercept((call) => (call === INBOX ? answer(status, body) : undefined))
      t.match(await errorOf(tiktok.prepare(scene.video, scene.io, undefined)), expected, code)
    }
  })

  await t.test(
    'when the account was connected for direct posts, then what is on its way stays a direct post',
    async (t) => {
      const scene = await givenScene(t)
      const { isForInbox: _, ...older } = await prepared(scene, scene.video)
      const io = { ...scene.io, credentials: memoryCredentials({ ...(await scene.store.read()), ...settings }) }
      const status = { data: { status: 'SEND_TO_USER_INBOX' }, error: { code: 'ok', message: '', log_id: 'x' } }
      scene.intercept((call) => (call === STATUS ? answer(200, status) : undefined))
      t.match(await errorOf(tiktok.publish(scene.video, older, io)), { kind: 'permanent', message: /draft/ })
      scene.intercept(undefined)
      const published = await settled(scene, () => tiktok.publish(scene.video, recorded(older), io))
      t.match(published, { url: /\/video\// })
    },
  )
})

t.test('given a post with a mode of its own', async (t) => {
  const granted = (scopes: string) => ({ scopes: `user.info.basic ${scopes}` })

  await t.test('when the account publishes directly, then the post waits in its inbox', async (t) => {
    const scene = await givenScene(t, { settings: granted('video.publish video.upload') })
    const options = { mode: 'inbox', privacyLevel: 'SELF_ONLY', allowComment: false }
    const video = { ...scene.video, options }
    const handle = await prepared(scene, video)
    t.same(scene.calls, [INBOX])
    const published = await settled(scene, () => tiktok.publish(video, handle, scene.io))
    t.same(published, { postId: handle['publishId'], note: VIDEO_NOTE })
    const photo = { ...scene.photo, options }
    const known = await sentPhoto(scene, photo)
    await find(scene, photo, known)
    t.match(await find(scene, photo, known), { outcome: 'found', found: { note: NOTE } })
    t.match(scene.live(), [
      { isDraft: true, details: {} },
      { isDraft: true, caption: photo.text },
    ])
    t.same(await find(scene, photo, { ...known, taken: undefined }), { outcome: 'unknown' }, 'an inbox is not listed')
  })

  await t.test('when the account publishes from its inbox, then the post is live, with its own level', async (t) => {
    const scene = await givenScene(t, { settings })
    for (const job of [scene.video, scene.photo]) {
      const error = await errorOf(tiktok.prepare({ ...job, options: { mode: 'direct' } }, scene.io, undefined))
      t.match(error, { kind: 'permanent', message: /^privacyLevel is required with the mode direct/ })
    }
    t.same(scene.calls, [])
    const video = { ...scene.video, options: { mode: 'direct', privacyLevel: 'PUBLIC_TO_EVERYONE' } }
    const handle = await prepared(scene, video)
    const published = await settled(scene, () => tiktok.publish(video, handle, scene.io))
    t.match(published, { url: /\/video\// })
    t.match(scene.live(), [{ isDraft: undefined, details: { privacy_level: 'PUBLIC_TO_EVERYONE' } }])
  })

  await t.test('when it sets a level and no mode, then the way of the account stays', async (t) => {
    const scene = await givenScene(t, { settings })
    await prepared(scene, { ...scene.video, options: { privacyLevel: 'PUBLIC_TO_EVERYONE' } })
    t.same(scene.calls, [INBOX])
  })

  await t.test(
    'when the access does not cover it, then the error names the scope, and nothing is called',
    async (t) => {
      for (const [mode, has, lacks] of [
        ['inbox', 'video.publish', 'video.upload'],
        ['direct', 'video.upload', 'video.publish'],
      ] as const) {
        const scene = await givenScene(t, { settings: granted(has) })
        for (const job of [scene.video, scene.photo]) {
          const error = await errorOf(tiktok.prepare({ ...job, options: { mode } }, scene.io, undefined))
          t.match(error, { kind: 'permanent', limit: undefined })
          t.match(error.message, `The access to the account does not cover ${lacks}, which the mode ${mode} needs.`)
        }
        t.same(scene.calls, [])
      }
    },
  )
})

t.test('given the stand-in, when an upload to the inbox is wrong, then it refuses as TikTok does', async (t) => {
  const { plain, account, sandbox, photo } = await givenScene(t)
  const headers = { authorization: `Bearer ${account.credentials['accessToken']}` }
  const source_info = { source: 'FILE_UPLOAD', video_size: 12, chunk_size: 12, total_chunk_count: 1 }
  const image = { source: 'PULL_FROM_URL', photo_cover_index: 0, photo_images: [photo.mediaUrl] }
  const upload = { media_type: 'PHOTO', post_mode: 'MEDIA_UPLOAD', post_info: {}, source_info: image }
  const ask = async (call: string, body: object, scope?: string) => {
    const known = sandbox.ledger.account('tiktok', account.externalId)
    if (known && scope !== undefined) sandbox.ledger.saveAccount({ ...known, secrets: { ...known.secrets, scope } })
    const response = await postJson(plain, `${sandbox.url}/tiktok${call.replace('POST ', '')}`, body, headers)
    return { status: response.status, ...(response.json() as object) }
  }
  const invalid = { status: 400, error: { code: 'invalid_param' } }
  t.match(await ask(INBOX, { source_info, post_info: { title: 'x' } }), invalid)
  t.match(await ask(INBOX, { source_info: { ...source_info, chunk_size: 4 } }), invalid)
  t.match(await ask(PHOTO, { ...upload, post_info: { privacy_level: 'SELF_ONLY' } }), invalid)
  t.match(await ask(PHOTO, { ...upload, post_mode: 'DIRECT_POST' }), invalid)
  t.match(await ask(INBOX, { source_info }), { status: 200, data: { publish_id: /^v_inbox_file~v2\.\d+$/ } })
  const unauthorized = { status: 401, error: { code: 'scope_not_authorized' } }
  for (const call of [INBOX, PHOTO]) {
    t.match(await ask(call, call === PHOTO ? upload : { source_info }, 'user.info.basic,video.publish'), unauthorized)
  }
})

for (const mediaType of ['video', 'image'] as const) {
  t.test(
    `given ${mediaType} for the inbox, when the process dies before or after any act, then never two arrive`,
    async (t) => {
      const world = await givenWorld(t)
      const made = await givenAccount(world.http, world.sandbox, 'tiktok', { label: 'park.walks' })
      const accountId = await world.connect('tiktok', { ...made, credentials: { ...made.credentials, ...settings } })
      const host = await hostOfVideo(t, 12_000_000)
      const mediaUrl = mediaType === 'video' ? host.url : `${world.sandbox.url}/media/sample.jpg`
      const run = async (caption: string, point?: CrashPoint) => {
        // The inbox takes 5 a day.
        await world.clock.advanceTo(world.clock.now() + 86_400_000)
        const before = world.sandbox.ledger.posts('tiktok').length
        const id = await (
          await givenProcess(world)
        ).queue({ selections: { tiktok: [accountId] }, mediaType, mediaUrl, caption })
        const fuse = fused(world, point)
        await (await givenProcess(world, { ...fuse, slots: 1 })).drain().catch((error: unknown) => {
          if (!fuse.dead()) throw error
        })
        await (await givenProcess(world, { slots: 1 })).drain()
        const arrived = world.sandbox.ledger.posts('tiktok').slice(before)
        const result = (await findPost(world.db, id))?.results['tiktok']?.[0]
        if (result?.ok || mediaType === 'video') {
          t.match(result, { ok: true, postId: /_inbox_/ }, caption)
          t.equal(arrived.length, 1, `${caption}: there once`)
        } else {
          t.match(result, { outcome: 'unknown' }, caption)
          t.ok(arrived.length <= 1, `${caption}: there at most once`)
        }
        return { acts: fuse.acts, isKnown: result?.ok }
      }
      const { acts } = await run('no crash')
      t.ok(acts.length >= 6, acts.join(', '))
      const unknown: string[] = []
      for (let act = 0; act < acts.length; act += 1) {
        for (const moment of ['before', 'after'] as const) {
          const { isKnown } = await run(`${moment} ${act}, ${acts[act]}`, { act, moment })
          if (!isKnown) unknown.push(`${moment} ${act} ${acts[act]}`)
        }
      }
      if (mediaType === 'video') t.same(unknown, [])
      else t.match([unknown[0], unknown.at(-1)], [/^after .* PublishPrepared/, /^before .* PublishProgressed/])
    },
  )
}
