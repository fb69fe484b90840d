import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import * as z from 'zod'
import type { PlatformKey } from '../domain/core/platform.ts'
import type { OAuthApp } from '../platforms/kit/authorization.ts'
import type { Credentials, PlatformIo } from '../platforms/kit/platform.ts'
import { ownApps, type OwnApps } from '../platforms/kit/own-apps.ts'
import { beginAuthorization, redirectUri } from '../reactors/accounts/begin-authorization.ts'
import { connectWithCredentials } from '../reactors/accounts/connect-account.ts'
import { authorizationDepsOf, givenApi } from './support/api.ts'
import { consent, consentUrlAt, givenBrowser } from './support/browser.ts'
import { givenAccount, postJson } from './support/sandbox.ts'
import { accessOf, causedBy, givenWorld, vaultOf } from './support/world.ts'

/* Accounts connected by their owner's consent in a browser: the service's own pages, the sandbox's page of consent between. */

const appSchema = z.object({ clientId: z.string(), clientSecret: z.string() })

async function givenConnection(
  t: Test,
  platform: PlatformKey = 'x',
  options: { given?: Credentials; apps?: OwnApps } = {},
) {
  const api = await givenApi(t, { ...(options.apps && { apps: options.apps }) })
  const { world } = api
  const deps = authorizationDepsOf(world)
  const { externalId, label } = await givenAccount(world.http, world.sandbox, platform)
  const registered = { platform, redirectUri: redirectUri(deps.publicUrl, platform) }
  const app = appSchema.parse((await postJson(world.http, `${world.sandbox.url}/_control/apps`, registered)).json())
  const begin = () =>
    beginAuthorization(
      deps,
      {
        workspaceId: world.workspaceId,
        platform,
        baseUrl: `${world.sandbox.url}/${platform}`,
        given: options.given ?? {},
        app,
      },
      { kind: 'cli', id: 'tester' },
    )
  return {
    ...{ api, world, deps, app, externalId, label, begin },
    begun: await begin(),
    browser: givenBrowser(api.app),
    outcome: async (id: string) => deps.store.find(id, world.clock.now()),
  }
}

t.test('given an owner who consents, when the browser comes back, then the account is connected', async (t) => {
  const { world, browser, begun, externalId, outcome } = await givenConnection(t)
  const start = await browser.visit(begun.url)
  t.equal(start.status, 200)
  t.match(start.headers, { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
  const policy = String(start.headers['content-security-policy'])
  t.match(policy, /^default-src 'none'/)
  const [, style = ''] = /<style>([^]*)<\/style>/.exec(start.body) ?? []
  t.ok(policy.includes(`'sha256-${createHash('sha256').update(style).digest('base64')}'`), 'its style is let through')
  const back = await consent(await consentUrlAt(browser, begun.url), externalId, 'allow')
  t.ok(back.startsWith(`${begun.redirectUri}?`), 'it comes back to the registered address')
  const end = await browser.visit(back)
  t.match(end.body, /is connected to/)
  const row = await outcome(begun.id)
  t.match(row, { step: 'connected', account_id: /^acc_/, connected_as: `@user${externalId}` })
  const kept = await vaultOf(world).get(row?.account_id ?? '')
  t.match(kept, { accessToken: /./, refreshToken: /./, expiresAt: /Z$/, clientId: /^app-/, clientSecret: /./ })
  await t.rejects(vaultOf(world).get(begun.id), 'the secrets of the way there are gone')

  await t.test('when any of its links is used again, then it is refused', async (t) => {
    for (const url of [begun.url, back]) t.match(await browser.visit(url), { status: 400, body: /was already used/ })
  })
})

t.test('given an owner who refuses, when the browser comes back, then the page says so', async (t) => {
  const { browser, begun, externalId, outcome } = await givenConnection(t)
  const back = await consent(await consentUrlAt(browser, begun.url), externalId, 'deny')
  const end = await browser.visit(back)
  t.match(end, { status: 409, body: /did not grant access: access_denied/ })
  t.match(await outcome(begun.id), { step: 'failed', failure: /access_denied/ })
})

t.test('given the consent of one browser, when another comes back with it, then nothing is connected', async (t) => {
  const { api, browser, begun, externalId, outcome } = await givenConnection(t)
  const back = await consent(await consentUrlAt(browser, begun.url), externalId, 'allow')
  t.match(await givenBrowser(api.app).visit(back), { status: 403, body: /was started in another browser/ })
  t.match(await outcome(begun.id), { step: 'open' })
  t.match(await browser.visit(back), { status: 200 }, 'the one that began can still end it')
})

t.test('given links that are not ours, when they are opened, then each is refused with a page', async (t) => {
  const { browser, begun, begin, deps, world } = await givenConnection(t)
  const ticket = new URL(begun.url).searchParams.get('ticket') ?? ''
  const other = new URL((await begin()).url).searchParams.get('ticket') ?? ''
  const mixed = ticket.slice(0, ticket.indexOf('.')) + other.slice(other.indexOf('.'))
  const state = (value: string) => `/connect/x/callback?code=c&state=${encodeURIComponent(value)}`
  const wrong: readonly [string, number][] = [
    ['/connect/x', 400],
    ['/connect/x?ticket=', 400],
    [`/connect/x?ticket=${mixed}`, 400],
    [`/connect/x?ticket=${ticket}x`, 400],
    [`/connect/linkedin?ticket=${ticket}`, 400],
    [`/connect/myspace?ticket=${ticket}`, 400],
    [state(ticket), 400],
    [state(begun.id), 400],
    [state('<script>'), 400],
  ]
  for (const [url, status] of wrong) {
    const page = await browser.visit(url)
    t.match(page, { status, headers: { 'content-type': /^text\/html/ }, body: /Not connected/ }, url)
    t.notMatch(page.body, /<script/)
  }
  t.equal((await browser.submit('/connect/x/choice', { ticket, choice: '0' })).status, 400)
  t.equal((await deps.store.find(begun.id, world.clock.now()))?.step, 'open')

  await t.test('when its time is over, then it is refused and swept away', async (t) => {
    await world.clock.advanceTo(world.clock.now() + begun.expiresInMs + 1)
    t.match(await browser.visit(begun.url), { status: 400, body: /has expired/ })
    await deps.store.sweep(world.clock.now() + 5 * 60_000)
    t.same((await world.db.query('select 1 from service.authorizations')).rows, [])
    await t.rejects(vaultOf(world).get(begun.id))
  })
})

t.test('given an app with the wrong secret, when the code is exchanged, then the platform says why', async (t) => {
  const { browser, deps, world, app, externalId } = await givenConnection(t)
  const begun = await beginAuthorization(
    deps,
    {
      workspaceId: world.workspaceId,
      platform: 'x',
      baseUrl: `${world.sandbox.url}/x`,
      given: {},
      app: { ...app, clientSecret: 'wrong' },
    },
    { kind: 'cli', id: 'tester' },
  )
  const back = await consent(await consentUrlAt(browser, begun.url), externalId, 'allow')
  t.match(await browser.visit(back), { status: 409, body: /HTTP 401/ })
})

t.test('given a platform without consent in a browser, when it is begun, then it is refused', async (t) => {
  const { deps, world } = await givenConnection(t)
  await t.rejects(
    beginAuthorization(
      deps,
      { workspaceId: world.workspaceId, platform: 'bluesky', given: {}, app: { clientId: 'c' } },
      { kind: 'cli', id: 'tester' },
    ),
    { code: 'failed_precondition', message: /--credentials/ },
  )
})

t.test('given the app of the operator, when a consent for another host comes back, then it is not sent', async (t) => {
  const apps = new Map<string, { clientId: string; clientSecret: string }>()
  const { app, browser, begun, externalId, outcome } = await givenConnection(t, 'x', { apps: ownApps(apps, []) })
  const back = await consent(await consentUrlAt(browser, begun.url), externalId, 'allow')
  // Begun before it was known as the operator's.
  apps.set('x', app)
  t.match(await browser.visit(back), { status: 409, body: /add it to APP_HOSTS/ })
  t.match(await outcome(begun.id), { step: 'failed', account_id: null })
})

t.test('given an account at another host that holds the app of the operator', async (t) => {
  const world = await givenWorld(t)
  const id = await world.account('x')
  const stored = await vaultOf(world).get(id)
  const { clientId = '', clientSecret = '' } = stored
  const foreign = { id, platform: 'x', externalId: 'e', baseUrl: `${world.sandbox.url}/x` } as const
  const at = (where: { readonly baseUrl?: string }, apps: OwnApps) => {
    const account = { id, platform: 'x', externalId: 'e', ...where } as const
    return accessOf(world, apps).run(account, 5_000, new AbortController().signal, (io) => io.credentials.read())
  }
  const ways: readonly Partial<OAuthApp>[] = [{ clientId, clientSecret }, { clientId }, { clientSecret }]
  for (const app of ways) {
    const operators = new Map([['x', app]])
    const spellings = [foreign.baseUrl, `${world.sandbox.url}@thief.example`, `${world.sandbox.url}.thief.example`]
    for (const baseUrl of spellings) {
      await t.rejects(at({ baseUrl }, ownApps(operators, [])), { kind: 'permanent', message: /APP_HOSTS/ }, baseUrl)
    }
    await t.rejects(
      at({ baseUrl: `${world.sandbox.url}@thief.example` }, ownApps(operators, [world.sandbox.url])),
      /APP_HOSTS/,
    )
    t.same(await at(foreign, ownApps(operators, [world.sandbox.url])), stored, 'a host that the operator trusts')
    t.same(await at({}, ownApps(operators, [])), stored, "the platform's own host")
  }

  await t.test('when its token is renewed, then the host is not asked', async (t) => {
    const access = accessOf(world, ownApps(new Map([['youtube', { clientSecret }]]), []))
    let asked = 0
    const renewal = access.run(foreign, 5_000, new AbortController().signal, (io) =>
      io.credentials.renew(stored, async (current) => {
        asked += 1
        return current
      }),
    )
    await t.rejects(renewal, /APP_HOSTS/)
    t.equal(asked, 0)
  })

  await t.test('when it is connected with these credentials, then it is refused', async (t) => {
    const deps = { ...authorizationDepsOf(world, ownApps(new Map([['x', { clientId, clientSecret }]]), [])) }
    const { workspaceId } = world
    const again = { workspaceId, platform: 'x', baseUrl: foreign.baseUrl, credentials: stored } as const
    await t.rejects(connectWithCredentials(deps, again, causedBy('again')), /APP_HOSTS/)
  })
})

t.test("given accounts with the operator's app, when it gets another secret, then they use that", async (t) => {
  const world = await givenWorld(t)
  const vault = vaultOf(world)
  const accessWith = (clientSecret: string) => {
    const own = { clientId: 'own', clientSecret }
    const apps = new Map([
      ['x', own],
      ['facebook', own],
    ])
    return accessOf(world, ownApps(apps, [world.sandbox.url]))
  }
  const run = <T>(
    access: ReturnType<typeof accessOf>,
    id: string,
    platform: PlatformKey,
    work: (io: PlatformIo) => Promise<T>,
  ) => access.run({ id, platform, externalId: '1' }, 10_000, new AbortController().signal, work)
  const read = (access: ReturnType<typeof accessOf>, id: string, platform: PlatformKey = 'x') =>
    run(access, id, platform, (io) => io.credentials.read())
  const [before, after] = [accessWith('old'), accessWith('new')]
  const token = { accessToken: 'a', refreshToken: 'r' }
  await vault.put(world.workspaceId, 'acc_own', { ...token, clientId: 'own', clientSecret: 'old' })
  await vault.put(world.workspaceId, 'acc_theirs', { ...token, clientId: 'theirs', clientSecret: 'their secret' })
  await vault.put(world.workspaceId, 'acc_page', { accessToken: 'a', clientSecret: 'old' })
  await vault.put(world.workspaceId, 'acc_their_page', { accessToken: 'a', clientSecret: 'their secret' })

  t.match(await read(after, 'acc_own'), { clientSecret: 'new' })
  t.match(await read(after, 'acc_theirs'), { clientId: 'theirs', clientSecret: 'their secret' })

  await t.test('and a token is renewed, then with that secret, by one caller', async (t) => {
    const stale = await read(after, 'acc_own')
    const shown: Credentials[] = []
    const renew = () =>
      run(after, 'acc_own', 'x', (io) =>
        io.credentials.renew(stale, (current) => {
          shown.push(current)
          return Promise.resolve({ ...current, accessToken: 'b' })
        }),
      )
    for (const renewed of [await renew(), await renew()]) {
      t.match(renewed, { accessToken: 'b', clientSecret: 'new' })
    }
    t.match(shown, [{ refreshToken: 'r', clientSecret: 'new' }])
    t.equal(shown.length, 1)
    t.match(await vault.get('acc_own'), { accessToken: 'b', clientSecret: 'new' })
  })

  await t.test('and they do not name their app, then it is known by the secret it had', async (t) => {
    await read(before, 'acc_page', 'facebook')
    t.match(await read(after, 'acc_page', 'facebook'), { clientSecret: 'new' })
    await read(before, 'acc_their_page', 'facebook')
    t.match(await read(after, 'acc_their_page', 'facebook'), { clientSecret: 'their secret' })
  })
})
