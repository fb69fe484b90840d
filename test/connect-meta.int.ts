import t from 'tap'
import * as z from 'zod'
import { facebook } from '../platforms/facebook/index.ts'
import type { HttpResponse } from '../infra/http/http.ts'
import { findPost } from '../projections/models/posts.ts'
import { allScopes, authorizationOf, choicesOn, givenPlatform } from './support/connection.ts'
import { faultOf } from './support/meta.ts'
import { givenAccount } from './support/sandbox.ts'
import { answering } from './support/threads.ts'
import { givenProcess } from './support/world.ts'
import { answer } from './support/youtube.ts'

/* Accounts on Meta's platforms, connected by their owner's consent. */

const DAY_MS = 86_400_000
const REQUEST = {
  scopes: ['one', 'two'],
  redirectUri: 'https://fanfare.test/callback',
  state: 's1',
  challenge: 'c'.repeat(43),
}

/** To a token that may not read a list. */
const NO_EDGE = { error: { message: '(#100) Tried accessing nonexisting field', type: 'OAuthException', code: 100 } }

const tokenBody = z.object({ access_token: z.string().optional(), error: z.unknown().optional() })

const USERS = [
  { platform: 'instagram', consentPage: 'https://www.instagram.com/oauth/authorize' },
  { platform: 'threads', consentPage: 'https://threads.com/oauth/authorize' },
] as const

for (const { platform, consentPage } of USERS) {
  t.test(`given an owner on ${platform}`, async (t) => {
    const scene = await givenPlatform(t, platform, [{ label: 'ada' }])
    const { world, app, owner, connect, consented, exchange } = scene

    await t.test(
      'when they allow it, then the account is connected for 60 days, and a post is published',
      async (t) => {
        const { page, row, kept } = await connect({ given: { loginType: 'facebook' } })
        t.match(page, { status: 200, body: /is connected to/ })
        const connected = await row()
        t.match(connected, { step: 'connected', account_id: /^acc_/, connected_as: 'ada' })
        const { accessToken = '', expiresAt = '', loginType } = await kept()
        t.not(accessToken, owner.credentials['accessToken'])
        t.equal(accessToken, world.sandbox.ledger.account(platform, owner.externalId)?.secrets['accessToken'])
        t.ok(Math.abs(Date.parse(expiresAt) - world.clock.now() - 60 * DAY_MS) < 60_000)
        t.equal(loginType, platform === 'instagram' ? 'instagram' : undefined)

        const accountId = connected?.account_id ?? ''
        const service = await givenProcess(world)
        const id = await service.queue({ selections: { [platform]: [accountId] } })
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

    await t.test('when the app shows a wrong secret, then the platform says so', async (t) => {
      const { page } = await connect({ app: { ...app, clientSecret: 'wrong' } })
      t.match(page, { status: 409, body: /did not grant access: Error validating client secret\./ })
    })

    await t.test('when the app has no secret, then it is not begun', async (t) => {
      await t.rejects(connect({ app: { clientId: app.clientId } }), { code: 'failed_precondition', message: /secret/ })
    })

    await t.test('when a code is used twice, or shown with another address, then it is refused', async (t) => {
      const code = await consented()
      t.match(await exchange(code), { accessToken: /./, expiresAt: /Z$/ })
      const refused = { kind: 'permanent', message: /Matching code was not found or was already used/ }
      await t.rejects(exchange(code), refused)
      await t.rejects(exchange(await consented(), { redirectUri: 'https://elsewhere.example/' }), refused)
    })

    await t.test('when the platform fails, then that may pass', async (t) => {
      world.sandbox.faults.script(faultOf(platform, { call: 'refresh', kind: 'server_error' }))
      await t.rejects(exchange(await consented()), { kind: 'retryable', message: /An unexpected error has occurred/ })
    })

    await t.test('when the stand-in is asked wrongly, then it refuses as the platform does', async (t) => {
      const ask = async (path: string, body?: Readonly<Record<string, string>>) => {
        const answer = await fetch(scene.baseUrl + path, body && { method: 'POST', body: new URLSearchParams(body) })
        return { status: answer.status, body: await answer.json() }
      }
      const form = {
        grant_type: 'authorization_code',
        client_id: app.clientId,
        client_secret: app.clientSecret,
        redirect_uri: scene.callback,
        code: await consented(),
      }
      const { redirect_uri: _, ...short } = form
      t.match(await ask('/oauth/access_token', short), {
        status: 400,
        body: { error_type: 'OAuthException', error_message: /redirect_uri/ },
      })
      t.match(await ask('/oauth/access_token', { ...form, client_id: '1' }), {
        status: 400,
        body: { error_message: 'Invalid platform app' },
      })
      const { body } = await ask('/oauth/access_token', form)
      const token = /"access_token":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? ''
      const type = platform === 'instagram' ? 'ig_exchange_token' : 'th_exchange_token'
      const long = (access_token: string, client_secret: string, grant_type: string = type) =>
        ask(`/access_token?${new URLSearchParams({ grant_type, access_token, client_secret }).toString()}`)
      t.match(await long(token, 'wrong'), { status: 400, body: { error: { code: 100 } } })
      t.match(await long(token, app.clientSecret, 'refresh'), { status: 400, body: { error: { code: 100 } } })
      t.match(await long('nobody', app.clientSecret), { status: 400, body: { error: { code: 190 } } })
      await world.clock.advanceTo(world.clock.now() + 3_600_000)
      const over = { status: 400, body: { error: { code: 190, error_subcode: 463 } } }
      t.match(await long(token, app.clientSecret), over)
    })

    await t.test('when there is no other base URL, then they consent on the page of the platform', async (t) => {
      const url = new URL(authorizationOf(platform).consentUrl(app, REQUEST, undefined))
      t.equal(url.origin + url.pathname, consentPage)
      t.match(Object.fromEntries(url.searchParams), {
        response_type: 'code',
        client_id: app.clientId,
        redirect_uri: REQUEST.redirectUri,
        state: 's1',
        scope: 'one,two',
      })
      t.notOk(url.searchParams.has('code_challenge'))
    })
  })
}

t.test(
  'given an owner on instagram who does not allow posts, when they consent, then the scope is named',
  async (t) => {
    const { connect } = await givenPlatform(t, 'instagram')
    const { page } = await connect({
      change: ({ searchParams }) => searchParams.set('scope', 'instagram_business_basic'),
    })
    t.match(page, { status: 409, body: /did not grant instagram_business_content_publish/ })
  },
)

t.test('given a code for instagram, when its answer is another than usual, then it is read or refused', async (t) => {
  const { app, io } = await givenPlatform(t, 'instagram')
  const grant = { code: 'AQB-code', redirectUri: REQUEST.redirectUri, verifier: 'v' }
  const exchange = async (...answers: readonly HttpResponse[]) => {
    const asked: string[] = []
    const request = async (url: string): Promise<HttpResponse> => answers[asked.push(url) - 1] ?? answering(500, '')
    const granted = await authorizationOf('instagram').exchange(app, grant, undefined, {
      ...io,
      http: { ...io.http, request },
    })
    return { granted, asked }
  }
  const long = answering(200, { access_token: 'IGAA1', token_type: 'bearer', expires_in: 5_183_944 })
  const basic = 'instagram_business_basic'

  const permissions = [basic, 'instagram_business_content_publish']
  const { granted, asked } = await exchange(answering(200, { access_token: 'IGQ1', user_id: 1, permissions }), long)
  t.match(granted, { loginType: 'instagram', accessToken: 'IGAA1', expiresAt: /Z$/ })
  t.equal(asked[0], 'https://api.instagram.com/oauth/access_token')
  t.match(asked[1], /^https:\/\/graph\.instagram\.com\/access_token\?grant_type=ig_exchange_token&/)
  t.match((await exchange(answering(200, { data: [{ access_token: 'IGQ1' }] }), long)).granted, {
    accessToken: 'IGAA1',
  })

  const rows: readonly [HttpResponse, { readonly kind: string; readonly message: RegExp }][] = [
    [answering(200, { access_token: 'IGQ1', permissions: [basic] }), { kind: 'permanent', message: /content_publish/ }],
    [answering(200, { data: [] }), { kind: 'retryable', message: /could not be read/ }],
    [answering(502, '<html>'), { kind: 'retryable', message: /it returned HTTP 502/ }],
    [answering(429, {}), { kind: 'retryable', message: /it returned HTTP 429/ }],
    [answering(400, { error_message: 'No such code: AQB-code' }), { kind: 'permanent', message: /No such code: …\./ }],
  ]
  for (const [answer, error] of rows) await t.rejects(exchange(answer, long), error)
})

t.test('given a person who runs several Pages on facebook', async (t) => {
  const pages = [{ label: 'Acme Bakery' }, { label: 'Acme Café' }, { label: 'analyst Shop' }, { label: 'Acme Café' }]
  const scene = await givenPlatform(t, 'facebook', pages)
  const { world, app, accounts, connect, consented, exchange } = scene
  const [bakery, café, shop] = accounts

  await t.test(
    'when they allow it, then the Page that they choose is connected, and a post is published',
    async (t) => {
      const { page, choose, row, kept } = await connect()
      const [first, ...namesakes] = choicesOn(page)
      t.equal(first, 'Acme Bakery', 'not the one where they may not publish')
      t.equal(namesakes.length, 2)
      for (const label of namesakes) t.match(label, /^Acme Café \(\d+\)$/)
      t.match(await choose(1), { status: 200, body: /Acme Café<\/b> is connected to/ })
      const connected = await row()
      t.match(connected, { step: 'connected', account_id: /^acc_/, connected_as: 'Acme Café' })
      const credentials = await kept()
      t.same(Object.keys(credentials).sort(), ['accessToken', 'clientSecret', 'scopes', 'userToken'])
      t.equal(credentials['clientSecret'], app.clientSecret)
      const secrets = (at = bakery) => world.sandbox.ledger.account('facebook', at?.externalId ?? '')?.secrets
      t.equal(credentials['userToken'], secrets()?.['userToken'])

      const accountId = connected?.account_id ?? ''
      const service = await givenProcess(world)
      const id = await service.queue({ selections: { facebook: [accountId] } })
      await service.drain()
      t.match((await findPost(world.db, id))?.results.facebook, [{ accountId, ok: true }])
      t.equal(world.sandbox.ledger.posts('facebook').length, 1)

      await t.test("when its token expires, then the person's token gets another", async (t) => {
        const fault = faultOf('facebook', { kind: 'token_expired' })
        world.sandbox.faults.script(fault)
        const again = await service.queue({ selections: { facebook: [accountId] }, caption: 'Another one' })
        await service.drain()
        t.match((await findPost(world.db, again))?.results.facebook, [{ accountId, ok: true }])
        t.not((await kept())['accessToken'], credentials['accessToken'])
      })
    },
  )

  await t.test('when one is named beforehand, then there is no choice', async (t) => {
    const { page, row } = await connect({ given: { pageId: café?.externalId ?? '' } })
    t.match(page, { status: 200, body: /is connected to/ })
    t.match(await row(), { connected_as: 'Acme Café' })
    const other = await connect({ given: { pageId: shop?.externalId ?? '' } })
    t.match(other.page, { status: 409, body: /has no access to the requested account/ })
  })

  await t.test('when they deny it, then the error says so', async (t) => {
    const { page } = await connect({ decision: 'deny' })
    t.match(page, { status: 409, body: /did not grant access: access_denied/ })
  })

  await t.test('when the app shows a wrong secret, then the platform says so', async (t) => {
    const { page } = await connect({ app: { ...app, clientSecret: 'wrong' } })
    t.match(page, { status: 409, body: /did not grant access: Error validating client secret\./ })
  })

  await t.test('when they do not allow posts, then the permission is named', async (t) => {
    const change = ({ searchParams }: URL): void => searchParams.set('scope', 'pages_show_list,pages_read_engagement')
    t.match((await connect({ change })).page, { status: 409, body: /Facebook did not grant pages_manage_posts\./ })
  })

  await t.test('when a code is used twice, or shown with another address, then it is refused', async (t) => {
    const code = await consented()
    t.match(await exchange(code), { userToken: /./, clientSecret: app.clientSecret })
    const refused = { kind: 'permanent', message: /This authorization code has been used/ }
    await t.rejects(exchange(code), refused)
    await t.rejects(exchange(await consented(), { redirectUri: 'https://elsewhere.example/' }), refused)
  })

  await t.test('when there are more Pages than fit on a page of the list, then all are reached', async (t) => {
    for (let count = 0; count < 60; count += 1) {
      await givenAccount(world.http, world.sandbox, 'facebook', { label: `Shop ${count}` })
    }
    const granted = await exchange(await consented())
    const reached = await authorizationOf('facebook').reach?.(granted, scene.baseUrl, scene.io)
    t.equal(reached?.length, 63)
    t.equal(new Set(reached?.map(({ credentials }) => credentials['accessToken'])).size, 63)
  })

  await t.test('when the stand-in is asked wrongly, then it refuses as the platform does', async (t) => {
    const ask = async (path: string, query: Readonly<Record<string, string>>) => {
      const answer = await fetch(`${scene.baseUrl}/v26.0${path}?${new URLSearchParams(query).toString()}`)
      return { status: answer.status, body: tokenBody.parse(await answer.json()) }
    }
    const shown = { client_id: app.clientId, client_secret: app.clientSecret }
    const code = { ...shown, redirect_uri: scene.callback, code: await consented() }
    const { redirect_uri: _, ...short } = code
    const error = (code: number, subcode?: number) => ({
      status: 400,
      body: { error: { code, error_subcode: subcode } },
    })
    t.match(await ask('/oauth/access_token', short), error(100))
    t.match(await ask('/oauth/access_token', { ...code, client_id: '1' }), error(101))
    const { body } = await ask('/oauth/access_token', code)
    const long = { ...shown, grant_type: 'fb_exchange_token', fb_exchange_token: body.access_token ?? '' }
    t.match(await ask('/oauth/access_token', { ...long, fb_exchange_token: 'x' }), error(190))
    t.match(await ask('/oauth/access_token', { ...long, grant_type: 'x' }), error(100))
    await world.clock.advanceTo(world.clock.now() + 3_600_000)
    t.match(await ask('/oauth/access_token', long), error(190, 463))
    const access_token = bakery?.credentials['accessToken'] ?? ''
    for (const edge of ['accounts', 'permissions']) t.match(await ask(`/me/${edge}`, { access_token }), error(100))
  })

  await t.test('when there is no other base URL, then they consent on the page of the platform', async (t) => {
    const url = new URL(authorizationOf('facebook').consentUrl(app, REQUEST, undefined))
    t.equal(url.origin + url.pathname, 'https://www.facebook.com/v26.0/dialog/oauth')
    t.match(Object.fromEntries(url.searchParams), { scope: 'one,two', auth_type: 'rerequest' })
    const versions = new Map([['facebook', 'v25.0']] as const)
    const set = new URL(authorizationOf('facebook').consentUrl(app, { ...REQUEST, versions }, undefined))
    t.equal(set.pathname, '/v25.0/dialog/oauth', 'or of the version that is set')
  })
})

t.test('given a person whose Pages are in a business portfolio', async (t) => {
  const named = ['portfolio Bakery', 'client Café', 'portfolio unassigned', 'classic Shop'].map((label) => ({ label }))

  await t.test(
    'when they allow it, then a Page that the portfolio owns is connected, and a post is published',
    async (t) => {
      const { world, connect } = await givenPlatform(t, 'facebook', named)
      const { page, choose, row } = await connect()
      t.same(choicesOn(page), ['classic Shop', 'portfolio Bakery', 'client Café'], 'but not one that they may not use')
      t.match(await choose(1), { status: 200, body: /portfolio Bakery<\/b> is connected to/ })
      const accountId = (await row())?.account_id ?? ''
      const service = await givenProcess(world)
      const id = await service.queue({ selections: { facebook: [accountId] } })
      await service.drain()
      t.match((await findPost(world.db, id))?.results.facebook, [{ accountId, ok: true }])
      t.equal(world.sandbox.ledger.posts('facebook').length, 1)
    },
  )

  await t.test(
    'when they may only view one of them, then it is offered only if Facebook does not say so',
    async (t) => {
      const { baseUrl, consented, exchange, io } = await givenPlatform(t, 'facebook', [
        ...named,
        { label: 'portfolio analyst Kiosk' },
      ])
      const granted = await exchange(await consented())
      const reached = async (refuses: boolean) => {
        const request: typeof io.http.request = async (url, options) =>
          refuses && url.includes('/me/assigned_pages') ? answer(400, NO_EDGE) : io.http.request(url, options)
        const flow = authorizationOf('facebook')
        const pages = (await flow.reach?.(granted, baseUrl, { ...io, http: { ...io.http, request } })) ?? []
        return pages.map(({ label }) => label).sort()
      }
      const usable = ['classic Shop', 'client Café', 'portfolio Bakery']
      t.same(await reached(false), usable)
      t.same(await reached(true), [...usable, 'portfolio analyst Kiosk'].sort())
    },
  )

  await t.test(
    'when they decline business_management, then only the Pages on which they have a role are found',
    async (t) => {
      const { connect } = await givenPlatform(t, 'facebook', named)
      const { page, row } = await connect({ declined: ['business_management'] })
      t.match(page, { status: 200, body: /classic Shop<\/b> is connected to/ })
      t.match(await row(), { step: 'connected' })
    },
  )

  await t.test('when the app uses Facebook Login for Business, then its configuration asks', async (t) => {
    const has = { scopes: allScopes('facebook'), isConfigured: true }
    const { app, connect } = await givenPlatform(t, 'facebook', [{ label: 'portfolio Bakery' }], has)
    const asked: URL[] = []
    const { page } = await connect({ change: (url) => asked.push(url), declined: ['pages_manage_posts'] })
    t.match(page, { status: 200, body: /is connected to/ }, 'no permission can be declined')
    t.match(Object.fromEntries(asked[0]?.searchParams ?? []), { config_id: app.configId, scope: undefined })
    const { configId: _, ...without } = app
    await connect({ app: without, change: (url) => asked.push(url) })
    const dialog = await fetch(asked[1] ?? '')
    t.match(await dialog.text(), /this app isn't available/, 'and Facebook asks no other way')
  })
})

t.test('given the token of a Page, when another Page is named with it, then it is refused', async (t) => {
  const { owner, baseUrl, io } = await givenPlatform(t, 'facebook', [{ label: 'Acme Bakery' }])
  const { accessToken = '' } = owner.credentials
  const refused = { kind: 'permanent', message: /^pageId: accessToken belongs to the Page \d+, Acme Bakery\.$/ }
  await t.rejects(facebook.connect({ accessToken, pageId: '1' }, baseUrl, io), refused)
  const { externalId } = await facebook.connect({ accessToken, pageId: owner.externalId }, baseUrl, io)
  t.equal(externalId, owner.externalId)
})
