import t from 'tap'
import { handle } from '../commands/handle.ts'
import { retryPost } from '../commands/retry-post.ts'
import { post } from '../domain/post/post.ts'
import { connectedAccounts, limitsOf, standingOf } from '../projections/models/accounts.ts'
import { createPreview } from '../reactors/publishing/preview.ts'
import { findPost } from '../projections/models/posts.ts'
import { givenPlatform } from './support/connection.ts'
import { postJson } from './support/sandbox.ts'
import { causedBy, givenProcess } from './support/world.ts'

/* A TikTok app before its audit, from the consent of an owner to a post. */

t.test('given an app that TikTok has not audited', async (t) => {
  const scene = await givenPlatform(t, 'tiktok', [
    { label: 'park.walks' },
    { label: 'own diary [sandbox account=private]' },
    ...Array.from({ length: 5 }, (_, index) => ({ label: `friend${index} [sandbox account=private]` })),
  ])
  const { world, connect, accounts } = scene
  const [walks, diary, ...friends] = accounts
  const review = (isReviewed: boolean, platform = 'tiktok') =>
    postJson(world.http, `${world.sandbox.url}/_control/reviews`, { platform, isReviewed })
  t.equal((await review(false)).status, 201)
  const service = await givenProcess(world)
  const bluesky = await world.account('bluesky')

  const connected = async (privacyLevel: string, as = walks) => {
    const { page, row } = await connect({ given: { privacyLevel }, as })
    t.match(page, { status: 200, body: /is connected to/ }, privacyLevel)
    await service.step()
    return (await row())?.account_id ?? ''
  }
  const published = async (accountId: string, mediaType: 'image' | 'video' = 'video') => {
    const mediaUrl = `${world.sandbox.url}/media/sample.${mediaType === 'video' ? 'mp4' : 'jpg'}`
    const selections = { tiktok: [accountId], bluesky: [bluesky] }
    const id = await service.queue({ selections, mediaType, mediaUrl, caption: 'A walk' })
    await service.drain()
    return { id, row: await findPost(world.db, id), result: (await findPost(world.db, id))?.results['tiktok']?.[0] }
  }
  const standing = async (accountId: string) => {
    await service.step()
    const row = (await connectedAccounts(world.db, world.workspaceId)).find(({ id }) => id === accountId)
    return row && { ...standingOf(row, world.clock.now()), limits: limitsOf(row) }
  }
  const live = (accountId?: string) =>
    world.sandbox.ledger.posts('tiktok').filter((each) => accountId === undefined || each.accountId === accountId)

  await t.test(
    'when it posts for a public account, then the account says who must do what, and the rest goes out',
    async (t) => {
      for (const level of ['PUBLIC_TO_EVERYONE', 'SELF_ONLY']) {
        const accountId = await connected(level)
        const { row, result } = await published(accountId)
        const reason = /audited your app.*SELF_ONLY.*developers\.tiktok\.com.*INBOX/
        t.match(result, { ok: false, error: reason }, level)
        t.match(row, { status: 'published', results: { bluesky: [{ ok: true }] } }, 'elsewhere it is published')
        t.match(await standing(accountId), {
          status: 'ready',
          limits: [{ capability: 'publishing', cause: 'app_not_approved', reason }],
        })
        const preview = createPreview(service.core)
        const texts = { caption: 'A walk', captionOverrides: {}, hashtags: [] }
        const media = { mediaUrl: `${world.sandbox.url}/media/sample.mp4`, mediaType: 'video' } as const
        const asked = { workspaceId: world.workspaceId, selections: { tiktok: [accountId] }, ...media, ...texts }
        t.match(await preview(asked), [{ problems: [], warnings: [reason] }], 'a preview says so too')
      }
      t.same(live(), [])
    },
  )

  await t.test('when the owner then chooses the inbox, then the post that failed arrives there once', async (t) => {
    const accountId = await connected('PUBLIC_TO_EVERYONE')
    const { id } = await published(accountId)
    t.equal(await connected('INBOX'), accountId)
    await handle(world, post, id, causedBy('retry'), (state) => retryPost(state, 'tiktok'))
    await service.drain()
    const result = (await findPost(world.db, id))?.results['tiktok']?.[0]
    t.match(result, { ok: true, postId: /^v_inbox_file~v2\./, url: undefined, note: /TikTok inbox/ })
    t.match(live(), [{ isDraft: true, token: result?.ok && result.postId }])
    t.match(await standing(accountId), { status: 'ready', limits: [] })
    t.match((await published(accountId, 'image')).result, { ok: true, postId: /^p_inbox_url~v2\./ })
    t.equal(live().length, 2)
  })

  await t.test('when it posts for a private account, then only with SELF_ONLY', async (t) => {
    const accountId = await connected('FOLLOWER_OF_CREATOR', diary)
    t.match((await published(accountId)).result, { ok: false, error: /audited your app/ })
    t.equal(await connected('SELF_ONLY', diary), accountId)
    for (const mediaType of ['video', 'image'] as const) {
      t.match((await published(accountId, mediaType)).result, { ok: true, postId: /^[vp]_pub/, url: undefined })
    }
    t.match(live(diary?.externalId), [{ details: { privacy_level: 'SELF_ONLY' } }, {}])
    t.match(await standing(accountId), { status: 'ready', limits: [] })
  })

  await t.test('when a sixth account posts within 24 hours, then it waits until TikTok lets it', async (t) => {
    const ids: string[] = []
    for (const friend of friends) ids.push(await connected('SELF_ONLY', friend))
    for (const id of ids.slice(0, 4)) t.match((await published(id)).result, { ok: true })
    const before = world.clock.now()
    t.match((await published(ids[4] ?? '')).result, { ok: true })
    t.ok(world.clock.now() - before >= 86_400_000, 'a day later')
    t.equal(live(friends[4]?.externalId).length, 1)
  })

  await t.test('when TikTok has audited it, then it may post to everyone', async (t) => {
    const accountId = await connected('PUBLIC_TO_EVERYONE')
    t.match((await published(accountId)).result, { ok: false })
    t.equal((await review(true)).status, 201)
    t.match((await published(accountId)).result, { ok: true, url: /\/@park\.walks\/video\// })
    t.match(await standing(accountId), { status: 'ready', limits: [] })
  })

  await t.test('when a platform makes no difference in the sandbox, then it says so', async (t) => {
    t.match((await review(false, 'bluesky')).json(), { error: { message: /^platform: bluesky treats all apps alike/ } })
  })
})

t.test('given an owner who chooses the inbox', async (t) => {
  const scene = await givenPlatform(t, 'tiktok', [{ label: 'park.walks' }], {
    scopes: ['user.info.basic', 'video.upload'],
  })
  const given = { privacyLevel: 'INBOX' }

  await t.test('when they are asked to consent, then only for uploads', async (t) => {
    let asked = ''
    const { page, kept, row } = await scene.connect({
      given,
      change: (url) => (asked = url.searchParams.get('scope') ?? ''),
    })
    t.match(page, { status: 200, body: /is connected to/ })
    t.equal(asked, 'user.info.basic,video.upload')
    t.match(await row(), { connected_as: 'park.walks' })
    t.match(await kept(), { ...given, scopes: 'user.info.basic video.upload' })
  })

  await t.test('when they decline uploads, then the scope is named', async (t) => {
    const { page } = await scene.connect({ given, declined: ['video.upload'] })
    t.match(page, { status: 409, body: /TikTok did not grant video\.upload\./ })
  })
})
