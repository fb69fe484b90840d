import t from 'tap'
import { findPost } from '../projections/models/posts.ts'
import type { Credentials } from '../platforms/kit/platform.ts'
import { allScopes, authorizationOf, choicesOn, givenPlatform } from './support/connection.ts'
import { answeredWith, errorOf } from './support/googlebusiness.ts'
import { MEMBER } from './support/linkedin.ts'
import { givenProcess } from './support/world.ts'

/* LinkedIn, Pinterest, YouTube and Google Business, connected by consent: where one login reaches several, one is chosen. */

const GOOGLE = 'https://www.googleapis.com/auth/'
const PAGE = 'urn:li:organization:4711'

interface Case {
  readonly platform: 'linkedin' | 'pinterest' | 'youtube' | 'googlebusiness'
  readonly accounts: readonly { readonly externalId?: string; readonly label?: string }[]
  readonly tokenPath: string
  /** What publishing needs, and what the owner allows instead. */
  readonly scope: readonly [needed: string, instead: string]
  /** Labels of what the owner reaches, and which one is chosen. */
  readonly reached: readonly RegExp[]
  readonly choice: number
  readonly connectedAs: RegExp
  readonly video?: true
}

const CASES: readonly Case[] = [
  {
    platform: 'linkedin',
    accounts: [
      { externalId: MEMBER, label: 'Ada Lovelace' },
      { externalId: PAGE, label: 'Engines & Co' },
    ],
    tokenPath: '/oauth/v2/accessToken',
    scope: ['w_organization_social', 'w_organization_social_feed'],
    reached: [/^Ada Lovelace \(member\)$/, /^Engines &#?\w+; Co \(page 4711\)$/],
    choice: 1,
    connectedAs: /^Engines & Co$/,
  },
  {
    platform: 'pinterest',
    accounts: [{ label: 'ada' }],
    tokenPath: '/v5/oauth/token',
    scope: ['pins:write', 'boards:write'],
    reached: [/^Trails$/, /^Huts$/, /^Fanfare$/],
    choice: 1,
    connectedAs: /^ada$/,
  },
  {
    platform: 'googlebusiness',
    accounts: [{ label: 'The Corner Shop' }],
    tokenPath: '/token',
    scope: [`${GOOGLE}business.manage`, 'openid'],
    reached: [/^The other shop, 1 High Street$/, /^The Corner Shop, 1 High Street$/],
    choice: 1,
    connectedAs: /^The Corner Shop$/,
  },
  {
    platform: 'youtube',
    accounts: [{ label: 'Ada' }],
    tokenPath: '/token',
    scope: [
      `${GOOGLE}youtube.upload ${GOOGLE}youtube.readonly ${GOOGLE}youtube.force-ssl`,
      `${GOOGLE}youtube.readonly`,
    ],
    reached: [],
    choice: 0,
    connectedAs: /^Ada$/,
    video: true,
  },
]

for (const { platform, accounts, tokenPath, scope, reached, choice, connectedAs, video } of CASES) {
  t.test(`given an owner on ${platform}`, async (t) => {
    const scene = await givenPlatform(t, platform, accounts)
    const { world, app, connect } = scene

    await t.test(
      'when they allow it, then the chosen account is connected, and a post is published with its tokens',
      async (t) => {
        const { page, choose, row, kept } = await connect()
        t.equal(page.status, 200)
        const choices = choicesOn(page)
        t.equal(choices.length, reached.length)
        reached.forEach((label, index) => t.match(choices[index], label))
        const end = reached.length > 0 ? await choose(choice) : page
        t.match(end, { status: 200, body: /is connected to/ })
        const connected = await row()
        t.match(connected, { step: 'connected', account_id: /^acc_/, connected_as: connectedAs })
        const credentials = await kept()
        t.match(credentials, { accessToken: /./, refreshToken: /./, expiresAt: /Z$/, ...app })

        const accountId = connected?.account_id ?? ''
        const service = await givenProcess(world)
        const media = video && { mediaUrl: `${world.sandbox.url}/media/sample.mp4`, mediaType: 'video' as const }
        const id = await service.queue({ selections: { [platform]: [accountId] }, ...media })
        await service.drain()
        t.match((await findPost(world.db, id))?.results[platform], [{ accountId, ok: true }])
        t.equal(world.sandbox.ledger.posts(platform).length, 1)
      },
    )

    await t.test('when they deny it, then the error says so', async (t) => {
      const { page, row } = await connect({ decision: 'deny' })
      t.match(page, { status: 409, body: /did not grant access: access_denied/ })
      t.match(await row(), { step: 'failed', failure: /access_denied/ })
    })

    await t.test('when the app shows a wrong secret, then nothing is connected', async (t) => {
      const { page } = await connect({ app: { ...app, clientSecret: 'wrong' } })
      t.match(page, { status: 409, body: /client/i })
    })

    await t.test('when what publishing needs is not granted, then the scope is named', async (t) => {
      const [needed, instead] = scope
      const change = ({ searchParams }: URL): void =>
        searchParams.set('scope', (searchParams.get('scope') ?? '').replace(needed, instead))
      const { page } = await connect({ change })
      t.equal(page.status, 409)
      t.match(page.body, needed.split(' ')[0])
    })

    await t.test(
      'when a code is used twice, or shown with what it was not given for, then it is refused',
      async (t) => {
        const code = await scene.consented()
        t.match(await scene.exchange(code), { accessToken: /./ })
        const refused = { kind: 'permanent' }
        t.match(await errorOf(scene.exchange(code)), refused)
        const elsewhere = { redirectUri: 'https://elsewhere.example/' }
        t.match(await errorOf(scene.exchange(await scene.consented(), elsewhere)), refused)
        const body = new URLSearchParams({ grant_type: 'authorization_code', code: await scene.consented() })
        const answer = await fetch(scene.baseUrl + tokenPath, { method: 'POST', body })
        t.equal(answer.status, 400, 'a parameter is missing')
        await answer.text()
      },
    )

    await t.test('when the app has no secret, then it is not begun', async (t) => {
      await t.rejects(connect({ app: { clientId: app.clientId } }), { code: 'failed_precondition', message: /secret/ })
    })
  })
}

t.test('given no other host, when consent is asked for, then it is on the platform itself', async (t) => {
  const common = { redirectUri: 'https://fanfare.test/connect', state: 's', challenge: 'c' }
  const asked = { client_id: 'id', redirect_uri: common.redirectUri, response_type: 'code', state: 's' }
  const google = { access_type: 'offline', prompt: 'consent' }
  const youtube = ['upload', 'readonly', 'force-ssl'].map((name) => `${GOOGLE}youtube.${name}`).join(' ')
  const pinterest = 'boards:read,pins:read,pins:write,user_accounts:read,boards:write'
  for (const [platform, page, more] of [
    ['linkedin', 'https://www.linkedin.com/oauth/v2/authorization', { scope: /^r_basicprofile w_member_social / }],
    ['pinterest', 'https://www.pinterest.com/oauth/', { scope: pinterest }],
    ['youtube', 'https://accounts.google.com/o/oauth2/v2/auth', { ...google, scope: youtube }],
    [
      'googlebusiness',
      'https://accounts.google.com/o/oauth2/v2/auth',
      { ...google, scope: `${GOOGLE}business.manage` },
    ],
  ] as const) {
    const request = { ...common, scopes: allScopes(platform) }
    const url = new URL(authorizationOf(platform).consentUrl({ clientId: 'id', clientSecret: 's' }, request, undefined))
    t.equal(url.origin + url.pathname, page)
    const parameters = Object.fromEntries(url.searchParams)
    t.match(parameters, { ...asked, ...more })
    t.equal(Object.keys(parameters).length, Object.keys({ ...asked, ...more }).length, 'and nothing else')
  }
})

t.test('given an account that is named beforehand', async (t) => {
  for (const [platform, name, accounts, otherwise] of [
    [
      'linkedin',
      () => ({ authorUrn: PAGE }),
      [{ externalId: MEMBER }, { externalId: PAGE }],
      { authorUrn: 'urn:li:organization:1' },
    ],
    [
      'pinterest',
      ({ credentials: { boardId = '' } }: { credentials: Credentials }) => ({ boardId, link: 'https://example.com/' }),
      [{}],
      { boardId: '1' },
    ],
    [
      'googlebusiness',
      ({ credentials: { location = '' } }: { credentials: Credentials }) => ({ location }),
      [{}],
      { location: 'accounts/1/locations/2' },
    ],
  ] as const) {
    await t.test(
      `when ${platform} responds, then that account is connected, or the error says that it does not exist`,
      async (t) => {
        const { owner, connect } = await givenPlatform(t, platform, accounts)
        const given = name(owner)
        const { page, kept } = await connect({ given })
        t.match(page, { status: 200, body: /is connected to/ })
        t.match(await kept(), given)
        t.match((await connect({ given: otherwise })).page, {
          status: 409,
          body: /has no access to the requested account/,
        })
      },
    )
  }
  await t.test('when the video settings of a channel are given, then they are kept', async (t) => {
    const given = { privacyStatus: 'unlisted' }
    const { kept } = await (await givenPlatform(t, 'youtube')).connect({ given })
    t.match(await kept(), given)
  })
})

t.test('given a login that reaches several accounts', async (t) => {
  for (const { platform, accounts, labels } of [
    { platform: 'facebook', accounts: [{ label: 'Bakery' }, { label: 'Café' }], labels: ['Bakery', 'Café'] },
    {
      platform: 'linkedin',
      accounts: [
        { externalId: MEMBER, label: 'Ada Lovelace' },
        { externalId: PAGE, label: 'Engines' },
      ],
      labels: ['Ada Lovelace', 'Engines'],
    },
    {
      platform: 'googlebusiness',
      accounts: [{ label: 'The Corner Shop' }],
      labels: ['The Corner Shop', 'The other shop'],
    },
  ] as const) {
    await t.test(`when several are chosen on ${platform}, then each is connected, and publishes`, async (t) => {
      const { world, connect } = await givenPlatform(t, platform, accounts)
      const { page, choose, row } = await connect()
      t.match(page.body, /type="checkbox" name="choice"/)
      const end = await choose(0, 1)
      for (const label of labels) t.match(end.body, `<b>${label}</b> is connected to`)
      const connected = (await row())?.connected ?? []
      t.same(connected.map(({ label }) => label).sort(), labels)
      t.match(await row(), { step: 'connected', account_id: connected[0]?.id, failure: null })
      const service = await givenProcess(world)
      const ids = connected.map(({ id }) => id)
      const id = await service.queue({ selections: { [platform]: ids } })
      await service.drain()
      const results = (await findPost(world.db, id))?.results[platform] ?? []
      t.same(
        results.filter(({ ok }) => ok).map(({ accountId }) => accountId),
        ids,
      )
    })
  }

  await t.test('when one of them cannot be connected, then the others are, and the page says why', async (t) => {
    const { world, accounts, connect } = await givenPlatform(t, 'facebook', [{ label: 'Bakery' }, { label: 'Café' }])
    const { choose, row } = await connect()
    const café = world.sandbox.ledger.account('facebook', accounts[1]?.externalId ?? '')
    if (café) world.sandbox.ledger.saveAccount({ ...café, secrets: { ...café.secrets, accessToken: '' } })
    t.match(await choose(0, 1), { status: 200, body: /<b>Bakery<\/b> is connected[^]*Not connected: Café: / })
    t.match(await row(), { step: 'connected', connected: [{ label: 'Bakery' }], failure: /^Café: / })
  })

  await t.test(
    'when the database fails for one of them, then the others are connected, and it is logged',
    async (t) => {
      const { world, connect } = await givenPlatform(t, 'facebook', [{ label: 'Bakery' }, { label: 'Café' }])
      const { choose, row } = await connect()
      await world.db.query(`create function service.fail() returns trigger language plpgsql as $$
      begin if exists (select from service.secrets where id like 'acc\\_%') then raise 'disk full'; end if; return new; end $$`)
      await world.db
        .query(`create trigger fail before insert on service.secrets for each row when (new.id like 'acc\\_%')
      execute function service.fail()`)
      const reason = 'Café: An internal error occurred; see the service log.'
      const end = await choose(0, 1)
      t.match(end, { status: 200 })
      t.match(end.body, `<b>Bakery</b> is connected`)
      t.match(end.body, `Not connected: ${reason}`)
      t.match(await row(), { step: 'connected', connected: [{ label: 'Bakery' }], failure: reason })
    },
  )

  await t.test('when none is chosen, or one that is not there, then the error says so', async (t) => {
    const { connect } = await givenPlatform(t, 'facebook', [{ label: 'Bakery' }, { label: 'Café' }])
    const { choose } = await connect()
    t.match(await choose(), { status: 400, body: /choose an account/ })
    t.match(await choose(0, 7), { status: 400, body: /no such account/ })
    t.match(await choose(0), { status: 200, body: /<b>Bakery<\/b> is connected/ })
  })

  await t.test('when it reaches boards, which are of one account, then one is chosen', async (t) => {
    const { connect } = await givenPlatform(t, 'pinterest', [{ label: 'ada' }])
    const { page, choose } = await connect()
    t.match(page.body, /type="radio" required name="choice"/)
    t.match(await choose(0, 1), { status: 400, body: /choose one account/ })
    t.match(await choose(1), { status: 200, body: /is connected to/ })
  })
})

t.test('given a member of LinkedIn', async (t) => {
  await t.test('when there is no page, then the member is connected, and posts', async (t) => {
    const { world, connect } = await givenPlatform(t, 'linkedin', [{ externalId: MEMBER, label: 'Ada Lovelace' }])
    const { page, row } = await connect()
    t.match(page, { status: 200, body: /is connected to/ })
    const connected = await row()
    t.match(connected, { connected_as: 'Ada Lovelace' })
    const service = await givenProcess(world)
    const accountId = connected?.account_id ?? ''
    const id = await service.queue({ selections: { linkedin: [accountId] } })
    await service.drain()
    t.match((await findPost(world.db, id))?.results['linkedin'], [{ accountId, ok: true }])
    t.match(world.sandbox.ledger.posts('linkedin'), [{ accountId: MEMBER }])
  })

  await t.test('when there are more pages than one answer has, then all are offered', async (t) => {
    const { world, connect } = await givenPlatform(t, 'linkedin', [{ externalId: MEMBER }, { externalId: PAGE }])
    const page = world.sandbox.ledger.account('linkedin', PAGE)
    for (let number = 100; page && number < 200; number += 1) {
      world.sandbox.ledger.saveAccount({ ...page, externalId: `urn:li:organization:${number}`, label: `No. ${number}` })
    }
    const choices = choicesOn((await connect()).page)
    t.equal(choices.length, 102)
    t.equal(new Set(choices).size, 102)
    t.equal(choices.at(-1), 'No. 199 (page 199)')
  })

  await t.test('when names cannot be read, then pages are distinguished by their IDs', async (t) => {
    const scene = await givenPlatform(t, 'linkedin', [{ externalId: MEMBER }, { externalId: PAGE }])
    const granted = await scene.exchange(await scene.consented())
    const http: typeof scene.io.http = {
      ...scene.io.http,
      request: (url, request) =>
        scene.io.http.request(url.replace('organizationsLookup', 'organizationsNowhere'), request),
    }
    const reached = await authorizationOf('linkedin').reach?.(granted, scene.baseUrl, { ...scene.io, http })
    t.match(reached, [{ credentials: { authorUrn: MEMBER } }, { label: 'Page 4711', credentials: { authorUrn: PAGE } }])
  })
})

t.test("given Google's answer to a code", async (t) => {
  const scene = await givenPlatform(t, 'youtube')
  const fresh = { access_token: 'a', expires_in: 3_599, refresh_token: 'r' }
  for (const [status, body, expected] of [
    [200, { ...fresh, refresh_token: undefined }, { kind: 'permanent', message: /no refresh token/ }],
    [
      200,
      { ...fresh, scope: `openid ${GOOGLE}youtube.upload` },
      { message: /Google did not grant .*youtube\.readonly/ },
    ],
    [400, { error: 'redirect_uri_mismatch' }, { kind: 'permanent', message: /redirect URI/ }],
    [400, { error: 'admin_policy_enforced' }, { kind: 'permanent', message: /administrator/ }],
    [400, { error: 'constructor' }, { kind: 'permanent', message: /did not grant access/ }],
    [503, 'busy', { kind: 'retryable' }],
  ] as const) {
    await t.test(`when it is ${JSON.stringify(body)}, then it is recognized`, async (t) => {
      const credentials = { read: async () => ({}), renew: async () => ({}) }
      const { baseUrl } = await answeredWith(t, { ...scene.io, credentials }, status, body)
      const grant = { code: 'c', redirectUri: scene.callback, verifier: '' }
      const error = await errorOf(authorizationOf('youtube').exchange(scene.app, grant, baseUrl, scene.io))
      t.match(error, expected)
    })
  }
  await t.test('when it covers more than is needed, then it does', async (t) => {
    const credentials = { read: async () => ({}), renew: async () => ({}) }
    const { baseUrl } = await answeredWith(t, { ...scene.io, credentials }, 200, {
      ...fresh,
      scope: `${GOOGLE}youtube`,
    })
    const grant = { code: 'c', redirectUri: scene.callback, verifier: '' }
    t.match(await authorizationOf('youtube').exchange(scene.app, grant, baseUrl, scene.io), {
      accessToken: 'a',
      refreshToken: 'r',
      ...scene.app,
      scopes: `${GOOGLE}youtube ${GOOGLE}youtube.upload ${GOOGLE}youtube.readonly`,
    })
  })
})

t.test('given locations of one name and no address, then each is offered by its full name, too', async (t) => {
  const scene = await givenPlatform(t, 'googlebusiness')
  const granted = await scene.exchange(await scene.consented())
  const answers: Readonly<Record<string, object>> = {
    '/v1/accounts': { accounts: [{ name: 'accounts/1' }, { name: 'accounts/2' }] },
    '/v1/accounts/1/locations': { locations: [{ name: 'locations/5', title: 'Corner' }] },
    '/v1/accounts/2/locations': {
      locations: [
        { name: 'locations/5', title: 'Corner' },
        { name: 'locations/6', title: '' },
      ],
    },
  }
  const http: typeof scene.io.http = {
    ...scene.io.http,
    request: async (url, request) => {
      const real = await scene.io.http.request(`${scene.baseUrl}/v1/accounts`, request)
      const body = answers[new URL(url).pathname.replace('/googlebusiness', '')]
      return { ...real, status: 200, json: () => body }
    },
  }
  const reached = await authorizationOf('googlebusiness').reach?.(granted, scene.baseUrl, { ...scene.io, http })
  t.same(
    reached?.map(({ label }) => label),
    ['Corner (accounts/1/locations/5)', 'Corner (accounts/2/locations/5)', 'locations/6'],
  )
})
