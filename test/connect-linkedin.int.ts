import t from 'tap'
import * as z from 'zod'
import { Refusal } from '../domain/core/errors.ts'
import { ownApps } from '../platforms/kit/own-apps.ts'
import { callAs } from '../platforms/linkedin/api.ts'
import { platforms } from '../platforms/registry.ts'
import { connectedAccounts, limitsOf, standingOf } from '../projections/models/accounts.ts'
import { findPost } from '../projections/models/posts.ts'
import { allScopes, choicesOn, givenPlatform } from './support/connection.ts'
import { postJson } from './support/sandbox.ts'
import { accessOf, givenProcess, vaultOf, type World } from './support/world.ts'

/* LinkedIn's two kinds of app: one for pages, and a self-serve one for members. */

const SELF_SERVE = { products: ['Share on LinkedIn', 'Sign In with LinkedIn using OpenID Connect'] }
const ADA = { externalId: 'urn:li:person:aDa-1815', label: 'Ada Lovelace' }
const PAGE = { externalId: 'urn:li:organization:4711', label: 'Engines & Co' }
const DAY = 86_400_000
const FINDER = { headers: { 'x-restli-method': 'FINDER' } }

async function givenMember(t: Parameters<typeof givenPlatform>[0]) {
  return givenPlatform(t, 'linkedin', [ADA, PAGE], SELF_SERVE)
}

async function standing(world: World) {
  // Whoever works also projects.
  await (await givenProcess(world)).drain()
  const [row] = await connectedAccounts(world.db, world.workspaceId)
  return row && { ...standingOf(row, world.clock.now()), limits: limitsOf(row) }
}

t.test('given an app with the self-serve products', async (t) => {
  const { world, app, connect } = await givenMember(t)

  await t.test(
    'when its login asks for pages, then LinkedIn refuses the first scope that is not its own',
    async (t) => {
      const { page, row } = await connect({ login: 'page' })
      t.match(page, { status: 409, body: /unauthorized_scope_error Scope (?:&quot;|&#34;)r_basicprofile/ })
      t.match(await row(), { step: 'failed', failure: /Scope "r_basicprofile" is not authorized for your application/ })
    },
  )

  const { page, row, kept } = await connect({ login: 'member' })
  const accountId = (await row())?.account_id ?? ''
  await t.test('when a member consents, then they are connected, and no organization is asked for', async (t) => {
    t.match(page, { status: 200, body: /<b>Ada Lovelace<\/b> is connected to/ })
    const credentials = await kept()
    t.match(credentials, { login: 'member', scopes: 'openid profile w_member_social', authorUrn: ADA.externalId })
    t.notOk('refreshToken' in credentials)
    t.same((await standing(world))?.limits, [])
  })

  await t.test('when a post is sent, then it is published as the member', async (t) => {
    const service = await givenProcess(world)
    const id = await service.queue({ selections: { linkedin: [accountId] } })
    await service.drain()
    t.match((await findPost(world.db, id))?.results.linkedin, [{ accountId, ok: true }])
    t.match(world.sandbox.ledger.posts('linkedin'), [{ accountId: ADA.externalId }])
  })

  await t.test('when it calls what belongs to pages, then LinkedIn refuses', async (t) => {
    const author = encodeURIComponent(ADA.externalId)
    const refused = { kind: 'forbidden', message: /Not enough permissions to access/ }
    for (const path of [
      '/rest/organizationAcls?q=roleAssignee&start=0&count=50',
      `/rest/posts?q=author&author=${author}&count=1&start=0&sortBy=CREATED`,
      `/rest/posts?q=author&author=${encodeURIComponent(PAGE.externalId)}&count=1&start=0&sortBy=CREATED`,
    ] as const) {
      await t.rejects(called(world, accountId, path), refused, path)
    }
  })

  await t.test('when the owner allows publishing alone, then replies are missing, and nothing else', async (t) => {
    await connect({ login: 'member', unchecked: ['replies'] })
    t.match(await standing(world), { limits: [{ capability: 'replies', reason: /^Not allowed when/ }] })
    t.equal((await standing(world))?.limits.length, 1)
  })

  await t.test('when the token has expired, then the member has to connect again, and that is enough', async (t) => {
    await world.clock.advanceTo(world.clock.now() + 61 * DAY)
    const service = await givenProcess(world)
    const id = await service.queue({ selections: { linkedin: [accountId] } })
    await service.drain()
    t.match((await findPost(world.db, id))?.results.linkedin, [{ accountId, ok: false, error: /expired|Connect/ }])
    t.match(await standing(world), { status: 'needs_reauth' })
    const again = await connect({ login: 'member' })
    t.equal((await again.row())?.account_id, accountId)
    t.match(await standing(world), { status: 'ready' })
  })

  await t.test('when its owner asks for a page, then the error says what the login reaches', async (t) => {
    const { page } = await connect({ login: 'member', given: { authorUrn: PAGE.externalId } })
    t.match(page, {
      status: 409,
      body: /no access to the requested account. It has access to: Ada Lovelace \(member\)/,
    })
  })

  await t.test(
    'when an app that is known by its id alone asks, then its login is the one that was named',
    async (t) => {
      const apps = ownApps(new Map(), [])
      const own = { clientId: app.clientId, clientSecret: app.clientSecret }
      t.match(apps.choose(platforms.linkedin, undefined, own, 'member'), { app: own, login: 'member' })
    },
  )
})

function called(world: World, id: string, path: `/rest/${string}` | '/v2/me', apps = ownApps(new Map(), [])) {
  const baseUrl = `${world.sandbox.url}/linkedin`
  const account = { id, platform: 'linkedin', externalId: '', baseUrl } as const
  const { signal } = new AbortController()
  return accessOf(world, apps).run(account, 10_000, signal, (io) =>
    callAs(baseUrl, { method: 'GET', path, ...FINDER }, io),
  )
}

t.test('given both apps', async (t) => {
  const { world, app: pages, connect, callback } = await givenPlatform(t, 'linkedin', [PAGE, ADA])
  const registered = { platform: 'linkedin', redirectUri: callback, ...SELF_SERVE }
  const made = await postJson(world.http, `${world.sandbox.url}/_control/apps`, registered)
  const member = z.object({ clientId: z.string(), clientSecret: z.string() }).parse(made.json())
  const settings = new Map([
    ['linkedin', pages],
    ['linkedin_member', member],
  ])
  const apps = ownApps(settings, [world.sandbox.url])
  const { linkedin } = platforms
  const baseUrl = `${world.sandbox.url}/linkedin`

  await t.test('when no login is named, then it is the first that has an app', async (t) => {
    t.same(apps.choose(linkedin, baseUrl, {}), { app: pages, given: {}, login: 'page' })
    t.same(apps.choose(linkedin, baseUrl, {}, 'member'), { app: member, given: {}, login: 'member' })
    const alone = ownApps(new Map([['linkedin_member', member]]), [world.sandbox.url])
    t.same(alone.choose(linkedin, baseUrl, {}), { app: member, given: {}, login: 'member' })
    t.throws(() => alone.choose(linkedin, baseUrl, {}, 'page'), { message: /set LINKEDIN_CLIENT_ID and LINKEDIN_CL/ })
    t.throws(() => ownApps(new Map(), []).choose(linkedin, baseUrl, {}), {
      message: /set LINKEDIN_CLIENT_ID and .* \(Pages\), or LINKEDIN_MEMBER_CLIENT_ID and .* \(My profile\)/,
    })
  })

  await t.test('when a login does not exist, then the error names the field and the possible values', async (t) => {
    t.throws(() => apps.choose(linkedin, baseUrl, {}, 'company'), {
      code: 'invalid_request',
      message: 'login: LinkedIn has page and member, not company',
    })
    t.throws(() => apps.choose(platforms.x, undefined, {}, 'member'), Refusal)
  })

  await t.test('when a page is connected as before there were two, then it is renewed with its own app', async (t) => {
    const { page, choose, row } = await connect()
    t.match(choicesOn(page), [/\(member\)$/, /\(page 4711\)$/])
    t.match(await choose(1), { status: 200, body: /Engines &amp; Co|Engines &#38; Co/ })
    const accountId = (await row())?.account_id ?? ''
    const vault = vaultOf(world)
    const stored = await vault.get(accountId)
    t.match(stored, { ...pages, scopes: new RegExp(`${allScopes('linkedin').at(-1)}`) })
    t.notOk('login' in stored)
    const own = await connect({ login: 'member', app: member })
    t.match(await own.row(), { step: 'connected', connected_as: 'Administrator of Engines & Co' })
    // The secret of the app was changed since, as was the other one's.
    await vault.put(world.workspaceId, accountId, { ...stored, clientSecret: 'previous' })
    await world.clock.advanceTo(world.clock.now() + 61 * DAY)
    await called(world, accountId, '/v2/me', apps)
    const renewed = await vault.get(accountId)
    t.match(renewed, pages)
    t.not(renewed['accessToken'], stored['accessToken'])

    const service = await givenProcess(world)
    const id = await service.queue({ selections: { linkedin: [accountId] } })
    await service.drain()
    t.match((await findPost(world.db, id))?.results.linkedin, [{ accountId, ok: true }])
    t.same(apps.current(linkedin, { ...member, clientSecret: 'previous' }), member)
    t.same(apps.current(linkedin, { clientId: 'theirs', clientSecret: 's' }), { clientId: 'theirs', clientSecret: 's' })
  })
})

t.test('given products that no app can have, when it is registered, then the sandbox says why', async (t) => {
  const { world, callback } = await givenMember(t)
  for (const [products, why] of [
    [['Community Management API', ...SELF_SERVE.products], /single product/],
    [['Share'], /Share is not one of Community Management API, /],
  ] as const) {
    const body = { platform: 'linkedin', redirectUri: callback, products }
    const answer = await postJson(world.http, `${world.sandbox.url}/_control/apps`, body)
    t.match(answer, { status: 400 })
    t.match(answer.text(), why)
  }
})
