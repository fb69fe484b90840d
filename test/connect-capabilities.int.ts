import t, { type Test } from 'tap'
import type { Capability } from '../domain/account/capability.ts'
import type { PlatformKey } from '../domain/core/platform.ts'
import { costsOf } from '../platforms/kit/costs.ts'
import type { Credentials } from '../platforms/kit/platform.ts'
import { platforms } from '../platforms/registry.ts'
import { connectedAccounts, limitsOf } from '../projections/models/accounts.ts'
import { findPost } from '../projections/models/posts.ts'
import { consentOptions } from '../reactors/accounts/consent-options.ts'
import { MINUTE, pass } from './support/comments.ts'
import { allowForm, consentUrlAt, givenBrowser } from './support/browser.ts'
import { authorizationDepsOf } from './support/api.ts'
import { beginAuthorization } from '../reactors/accounts/begin-authorization.ts'
import { givenPlatform } from './support/connection.ts'
import { accessOf, givenProcess, type World } from './support/world.ts'

/* Accounts whose owners allow a part of what Fanfare can do with them. */

const GOOGLE = 'https://www.googleapis.com/auth/youtube.'

interface Case {
  readonly platform: PlatformKey
  /** The permission that is declined on the platform's own page, and what it is for. */
  readonly declined: string
  readonly limited: readonly Capability[]
  readonly given?: Credentials
  readonly video?: true
}

const CASES: readonly Case[] = [
  { platform: 'facebook', declined: 'pages_read_user_content', limited: ['comments'] },
  { platform: 'instagram', declined: 'instagram_business_manage_comments', limited: ['comments', 'replies'] },
  { platform: 'threads', declined: 'threads_read_replies', limited: ['comments'] },
  { platform: 'youtube', declined: `${GOOGLE}force-ssl`, limited: ['comments', 'replies'], video: true },
]

async function published(t: Test, world: World, platform: PlatformKey, accountId: string, video = false) {
  const service = await givenProcess(world)
  const media = video && { mediaUrl: `${world.sandbox.url}/media/sample.mp4`, mediaType: 'video' as const }
  const id = await service.queue({ selections: { [platform]: [accountId] }, ...media })
  await service.drain()
  t.match((await findPost(world.db, id))?.results[platform], [{ accountId, ok: true }])
  return service
}

async function limitsIn(world: World) {
  const [row] = await connectedAccounts(world.db, world.workspaceId)
  if (!row) throw new Error('there is no account')
  return limitsOf(row)
}

for (const { platform, declined, limited, given, video } of CASES) {
  t.test(`given an owner on ${platform} who declines ${declined}`, async (t) => {
    const scene = await givenPlatform(t, platform, [{ label: 'ada' }])
    const { world, api, connect } = scene
    const { page, row, kept } = await connect({ declined: [declined], ...(given && { given }) })
    t.match(page, { status: 200, body: /is connected to/ })
    const accountId = (await row())?.account_id ?? ''
    const credentials = await kept()
    t.ok(credentials['scopes'])
    t.notOk(credentials['scopes']?.split(' ').includes(declined))

    const service = await published(t, world, platform, accountId, video)
    await t.test(
      'when they have connected it, then posts are published, and the account says what is missing',
      async (t) => {
        const limits = await limitsIn(world)
        t.same(
          limits.map(({ capability }) => capability),
          limited,
        )
        for (const limit of limits) {
          t.match(limit, { cause: 'permission_missing', permission: declined })
          t.ok(limit.reason.includes(declined))
        }
      },
    )

    await t.test('when comments are read in the background, then the platform is not called for them', async (t) => {
      const asked: string[] = []
      const http: typeof world.http = {
        ...world.http,
        request: (url, request) => {
          asked.push(url)
          return world.http.request(url, request)
        },
      }
      const watched = await givenProcess(world, { http })
      await pass(world, watched, 30 * MINUTE)
      t.same(asked, [])
      t.same(
        (await limitsIn(world)).map(({ capability }) => capability),
        limited,
        'and nothing is lifted',
      )
    })

    await t.test('when a user asks for the comments, then the error says what is missing', async (t) => {
      const key = await api.key()
      const check = { method: 'POST', path: '/v1/comments/check-now', key }
      const refused = { status: 409, body: { error: { message: new RegExp(declined.replaceAll('.', '\\.')) } } }
      t.match(await api.call({ ...check, body: { accountId } }), refused)
      t.match(await api.call({ ...check, body: {} }), { status: 200, body: { accounts: [] } })
    })

    await t.test('when they connect it again and allow all, then nothing is missing', async (t) => {
      const again = await connect(given && { given })
      t.equal((await again.row())?.account_id, accountId)
      await service.drain()
      t.same(await limitsIn(world), [])
      t.ok((await again.kept())['scopes']?.split(' ').includes(declined))
    })
  })
}

for (const [platform, declined, more] of [
  ['tiktok', 'video.list', { given: { privacyLevel: 'SELF_ONLY' } }],
  ['threads', 'threads_manage_mentions', {}],
] as const) {
  t.test(`given an owner on ${platform} who declines ${declined}, then the account works as before`, async (t) => {
    const { world, connect } = await givenPlatform(t, platform, [{ label: 'ada' }])
    const { row } = await connect({ declined: [declined], ...more })
    const service = await published(t, world, platform, (await row())?.account_id ?? '', true)
    await pass(world, service, 30 * MINUTE)
    t.same(await limitsIn(world), [])
    t.match(await connectedAccounts(world.db, world.workspaceId), [{ commentsError: null }])
  })
}

t.test(
  'given platforms whose consent is for all or nothing, when single scopes are declined, then all are granted',
  async (t) => {
    for (const [platform, scope] of [
      ['x', 'tweet.write'],
      ['pinterest', 'pins:write'],
    ] as const) {
      const { connect } = await givenPlatform(t, platform)
      const { page } = await connect({ declined: [scope] })
      t.equal(page.status, 200, platform)
    }
  },
)

t.test('given an owner on facebook who unchecks replies on the page before', async (t) => {
  const { world, connect } = await givenPlatform(t, 'facebook', [{ label: 'Acme' }])
  const asked: string[] = []
  const change = ({ searchParams }: URL): void => void asked.push(searchParams.get('scope') ?? '')
  const { row } = await connect({ unchecked: ['replies'], change })
  const accountId = (await row())?.account_id ?? ''

  await t.test('when Facebook asks for consent, then it is not for replies', async (t) => {
    t.same(asked, [
      'pages_show_list,pages_read_engagement,pages_manage_posts,pages_read_user_content,business_management',
    ])
  })

  await t.test('when a post with a first comment is published, then the comment fails without a call', async (t) => {
    const service = await givenProcess(world)
    const id = await service.queue({ selections: { facebook: [accountId] }, firstComment: 'First!' })
    await service.drain()
    const error = /Not granted when the account was connected: pages_manage_engagement\./
    t.match((await findPost(world.db, id))?.results.facebook, [{ ok: true, firstComment: { ok: false, error } }])
    t.match(await limitsIn(world), [{ capability: 'replies', permission: 'pages_manage_engagement' }])
  })
})

t.test('given an owner on x who allows publishing alone, which needs the same scopes as all', async (t) => {
  const { world, connect } = await givenPlatform(t, 'x')
  const { row, kept } = await connect({ unchecked: ['comments', 'replies', 'analytics'] })
  t.match(await kept(), { capabilities: 'publishing', scopes: /tweet\.read/ })
  await published(t, world, 'x', (await row())?.account_id ?? '')
  const limits = await limitsIn(world)
  t.same(
    limits.map(({ capability }) => capability),
    ['comments', 'replies', 'analytics'],
  )
  for (const limit of limits) t.match(limit, { cause: 'permission_missing', reason: /^Not allowed when/ })

  await t.test('when they connect it again and allow all, then nothing is missing', async (t) => {
    const again = await connect()
    t.notOk('capabilities' in (await again.kept()))
    const service = await givenProcess(world)
    await service.drain()
    t.same(await limitsIn(world), [])
  })
})

t.test('given a connection that is begun for some capabilities', async (t) => {
  const { api, world, app, baseUrl } = await givenPlatform(t, 'facebook', [{ label: 'Acme' }])
  const deps = authorizationDepsOf(world)
  const begin = (capabilities: readonly Capability[]) =>
    beginAuthorization(
      deps,
      { workspaceId: world.workspaceId, platform: 'facebook', baseUrl, given: {}, app, capabilities },
      { kind: 'cli', id: 'tester' },
    )

  await t.test('when the owner opens the link, then the others are not offered, and cannot be added', async (t) => {
    const { url } = await begin(['comments'])
    const browser = givenBrowser(api.app)
    const page = await browser.visit(url)
    t.match(page.body, /<b>Publishing<\/b>[^]*pages_manage_posts[^]*<b>Comments<\/b>/)
    t.notMatch(page.body, /<b>Replies/)
    const { action, fields } = allowForm(page)
    const next = await browser.submit(action, { ...fields, replies: 'on' })
    t.match(next.headers['refresh'], /^0; url=http/)
    t.notMatch(next.body, /pages_manage_engagement/)
    t.match(await consentUrlAt(browser, url), /pages_read_user_content/, 'the page can be opened again')
    const other = givenBrowser(api.app)
    t.match(await other.submit(action, fields), { status: 403, body: /was started in another browser/ })
  })

  await t.test('when the platform lacks one of them, then the error says what it has', async (t) => {
    await t.rejects(begin(['analytics']), {
      code: 'invalid_request',
      message: 'capabilities: Facebook has no analytics; choose from publishing, comments, replies',
    })
  })
})

t.test('given a platform that charges, when an owner is asked, then each capability says what it costs', async (t) => {
  const { world } = await givenPlatform(t, 'x')
  const access = { ...accessOf(world), costsOf: costsOf(platforms, new Map(), undefined) }
  const options = consentOptions(access, { platform: 'x' }, ['publishing', 'comments', 'replies'], {})
  t.match(options, [
    { capability: 'publishing', costs: ['posts: $0.015 each', 'posts with a link: $0.20 each'] },
    { capability: 'comments', costs: ['posts read: $0.005 each', 'users read: $0.01 each'] },
    { capability: 'replies', costs: ['replies: $0.01 each'], permissions: [] },
  ])
})
