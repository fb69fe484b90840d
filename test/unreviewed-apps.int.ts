import t from 'tap'
import type { PlatformKey } from '../domain/core/platform.ts'
import { connectedAccounts, limitsOf, standingOf } from '../projections/models/accounts.ts'
import { findPost } from '../projections/models/posts.ts'
import { pinterestStandInWith } from '../packages/sandbox/pinterest.ts'
import { consent } from './support/browser.ts'
import { MINUTE, PACE, pass } from './support/comments.ts'
import { allScopes, authorizationOf, givenPlatform } from './support/connection.ts'
import { givenAccount, ids, postJson } from './support/sandbox.ts'
import { givenProcess, givenWorld, type World } from './support/world.ts'

/* Apps before their platforms have reviewed them. TikTok's is in tiktok-unaudited.int.ts. */

interface Unreviewed {
  readonly platform: PlatformKey
  /** What its account is. */
  readonly as: string
  readonly label?: string
  readonly mediaType?: 'image' | 'video'
  /** Appended to the URL of the media. */
  readonly asking?: string
  /** The result of a post, and what `/_control/posts` shows of it. */
  readonly result: object
  readonly live: readonly object[]
  /** The account's limits, once a post and a look at its comments have been tried. */
  readonly limits: readonly object[]
}

const PUBLISHED = { ok: true, note: undefined }
const refused = (error: RegExp) => ({ ok: false, error })
const notApproved = (capability: string, reason: RegExp) => ({ capability, cause: 'app_not_approved', reason })
const META = /advanced access.*developers\.facebook\.com/
const AUDIT = /locks.*private.*apply at https:\/\/support\.google\.com\/youtube\/contact\/yt_api_form/
const TRIAL = /Trial access.*Ask Pinterest for Standard access at developers\.pinterest\.com\/apps/
const TIER = /Standard tier.*linkedin\.com\/developers\/apps/
const CONSOLE = /X developer console.*a project with access to the API/
const WRITE = /permission "Read and write" in the X developer console/
const QUOTA = /quota is 0.*https:\/\/support\.google\.com\/business\/contact\/api_default/

const TABLE: readonly Unreviewed[] = [
  { platform: 'facebook', as: 'a Page of somebody with a role', result: PUBLISHED, live: [{}], limits: [] },
  {
    platform: 'facebook',
    as: 'a Page of somebody without a role',
    label: 'outsider Bakery',
    result: refused(META),
    live: [],
    limits: [{ capability: 'publishing', cause: 'permission_missing', reason: META }, notApproved('comments', META)],
  },
  { platform: 'threads', as: 'a tester', result: PUBLISHED, live: [{}], limits: [] },
  {
    platform: 'threads',
    as: 'no tester',
    label: 'outsider',
    result: refused(META),
    live: [],
    limits: [notApproved('publishing', META), notApproved('comments', META)],
  },
  { platform: 'pinterest', as: 'any', result: PUBLISHED, live: [{ isHidden: true }], limits: [] },
  {
    platform: 'pinterest',
    as: 'one whose Pins Pinterest refuses',
    asking: '?sandbox=error:3',
    result: refused(TRIAL),
    live: [],
    limits: [notApproved('publishing', TRIAL)],
  },
  { platform: 'linkedin', as: 'a page', result: PUBLISHED, live: [{}], limits: [notApproved('comments', TIER)] },
  {
    platform: 'youtube',
    as: 'any',
    mediaType: 'video',
    result: { ok: true, url: /^https:\/\/studio\.youtube\.com\//, note: AUDIT },
    live: [{ isHidden: true }],
    limits: [],
  },
  {
    platform: 'x',
    as: 'any',
    result: refused(CONSOLE),
    live: [],
    limits: [notApproved('publishing', CONSOLE), notApproved('comments', CONSOLE)],
  },
  {
    platform: 'x',
    as: 'one for which the app may only read',
    label: 'read-only',
    result: refused(WRITE),
    live: [],
    limits: [{ capability: 'publishing', cause: 'permission_missing', reason: WRITE }],
  },
  {
    platform: 'googlebusiness',
    as: 'any',
    result: refused(QUOTA),
    live: [],
    limits: [notApproved('publishing', QUOTA)],
  },
]

function review({ http, sandbox }: World, platform: PlatformKey, isReviewed: boolean) {
  return postJson(http, `${sandbox.url}/_control/reviews`, { platform, isReviewed })
}

for (const { platform, as, label, mediaType = 'image', asking = '', ...then } of TABLE) {
  t.test(`given an app that ${platform} has not reviewed, and an account: ${as}`, async (t) => {
    const world = await givenWorld(t)
    const service = await givenProcess(world, { pace: PACE })
    const given = await givenAccount(world.http, world.sandbox, platform, label === undefined ? {} : { label })
    const accountId = await world.connect(platform, given)
    const bluesky = await world.account('bluesky')
    const published = async () => {
      const mediaUrl = `${world.sandbox.url}/media/sample.${mediaType === 'video' ? 'mp4' : 'jpg'}${asking}`
      const selections = { [platform]: [accountId], bluesky: [bluesky] }
      const id = await service.queue({ selections, mediaType, mediaUrl })
      await service.drain()
      return (await findPost(world.db, id))?.results
    }
    const standings = async () => {
      await pass(world, service, 40 * MINUTE)
      const rows = await connectedAccounts(world.db, world.workspaceId)
      return Object.fromEntries(
        rows.map((row) => [row.platform, { ...standingOf(row, world.clock.now()), limits: limitsOf(row) }]),
      )
    }
    const live = async () => {
      const query = new URLSearchParams({ platform, accountId: given.externalId })
      return (await world.http.request(`${world.sandbox.url}/_control/posts?${query}`)).json()
    }
    t.equal((await review(world, platform, false)).status, 201)

    await t.test('when a post is published and comments are read, then it says who must do what', async (t) => {
      t.match(await published(), { [platform]: [then.result], bluesky: [{ ok: true }] })
      const shown = await live()
      t.match(shown, then.live)
      t.equal((shown as unknown[]).length, then.live.length)
      const all = await standings()
      t.match(all, { [platform]: { status: 'ready' }, bluesky: { status: 'ready', limits: [] } })
      const limits = all[platform]?.limits ?? []
      t.match(limits, then.limits)
      t.equal(limits.length, then.limits.length)
    })

    await t.test('when it has been reviewed, then nothing is limited', async (t) => {
      await review(world, platform, true)
      if (asking !== '') return
      t.match(await published(), { [platform]: [PUBLISHED] })
      t.match(await standings(), { [platform]: { status: 'ready', limits: [] } })
    })
  })
}

t.test('given an app of Meta that only people with a role on it may use', async (t) => {
  for (const [platform, words] of [
    ['facebook', /^400 App not active/],
    ['threads', /^400 .*has not accepted the invite to test the app/],
  ] as const) {
    const scene = await givenPlatform(t, platform, [{ label: 'outsider' }, { label: 'insider' }])
    const [outsider, insider] = scene.accounts
    await review(scene.world, platform, false)
    const request = { scopes: allScopes(platform), redirectUri: scene.callback, state: ids.token(), challenge: '' }
    const url = authorizationOf(platform).consentUrl(scene.app, request, scene.baseUrl)
    await t.test(`when others want to consent on ${platform}, then they cannot`, async (t) => {
      t.match(await consent(url, outsider?.externalId ?? '', 'allow'), words)
      t.match(await consent(url, insider?.externalId ?? '', 'allow'), /[?&]code=/)
    })
  }
})

t.test('given an app with Trial access on Pinterest that has used up its calls of the day', async (t) => {
  const world = await givenWorld(t, { standIns: [pinterestStandInWith({ trialCallsADay: 1 })] })
  const service = await givenProcess(world)
  const accountId = await world.account('pinterest')
  await review(world, 'pinterest', false)
  const published = async () => {
    const id = await service.queue({ selections: { pinterest: [accountId] } })
    await service.drain()
    return (await findPost(world.db, id))?.results
  }

  await t.test('when posts are published, then they fail until the next day, and say why', async (t) => {
    t.match(await published(), { pinterest: [PUBLISHED] })
    t.match(await published(), { pinterest: [refused(/1000 calls a day.*Ask Pinterest for Standard access/i)] })
    await world.clock.advanceTo(world.clock.now() + 86_400_000)
    t.match(await published(), { pinterest: [PUBLISHED] })
  })
})
