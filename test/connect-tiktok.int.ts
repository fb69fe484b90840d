import t from 'tap'
import { findPost } from '../projections/models/posts.ts'
import { allScopes, authorizationOf, givenPlatform } from './support/connection.ts'
import { faultOf } from './support/meta.ts'
import { givenProcess, vaultOf } from './support/world.ts'

/* A TikTok account, connected by its owner's consent. */

const given = { privacyLevel: 'SELF_ONLY' }

t.test('given an owner on tiktok', async (t) => {
  const scene = await givenPlatform(t, 'tiktok', [{ label: 'park.walks' }])
  const { world, app, connect, consented, exchange } = scene

  await t.test(
    'when they allow it, then the account is connected, and a post is published with their choices',
    async (t) => {
      const { page, row, kept } = await connect({ given })
      t.match(page, { status: 200, body: /is connected to/ })
      const connected = await row()
      t.match(connected, { step: 'connected', account_id: /^acc_/, connected_as: 'park.walks' })
      const tokens = { accessToken: /./, refreshToken: /./, expiresAt: /Z$/, refreshExpiresAt: /Z$/ }
      t.match(await kept(), { ...tokens, ...app, ...given })

      const accountId = connected?.account_id ?? ''
      const service = await givenProcess(world)
      const video = { mediaUrl: `${world.sandbox.url}/media/sample.mp4`, mediaType: 'video' as const }
      const publish = async () => {
        const id = await service.queue({ selections: { tiktok: [accountId] }, ...video })
        await service.drain()
        t.match((await findPost(world.db, id))?.results.tiktok, [{ accountId, ok: true }])
      }
      await publish()
      t.match(world.sandbox.ledger.posts('tiktok'), [{ details: { privacy_level: 'SELF_ONLY' } }])

      await t.test('when the access has ended, then it is renewed as that of the app', async (t) => {
        const stored = () => vaultOf(world).get(accountId)
        const { accessToken } = await stored()
        await world.clock.advanceTo(world.clock.now() + 3 * 3_600_000)
        await publish()
        t.match(await stored(), { ...tokens, ...app, ...given })
        t.not((await stored())['accessToken'], accessToken)
      })
    },
  )

  await t.test('when no audience was chosen, then nothing begins, and the error says so', async (t) => {
    await t.rejects(connect(), { code: 'failed_precondition', message: /privacyLevel.* --help/ })
  })

  await t.test('when they deny it, then the error says so', async (t) => {
    const { page } = await connect({ given, decision: 'deny' })
    t.match(page, { status: 409, body: /did not grant access: access_denied/ })
  })

  await t.test('when the app shows a wrong secret, or none, then it is refused', async (t) => {
    const { page } = await connect({ given, app: { ...app, clientSecret: 'wrong' } })
    t.match(page, { status: 409, body: /does not accept clientId and clientSecret .*invalid_client/ })
    const begun = connect({ given, app: { clientId: app.clientId } })
    await t.rejects(begun, { code: 'failed_precondition', message: /secret/ })
  })

  await t.test('when they do not allow posts, then the scope is named', async (t) => {
    const change = ({ searchParams }: URL): void => searchParams.set('scope', 'user.info.basic,video.list')
    t.match((await connect({ given, change })).page, { status: 409, body: /TikTok did not grant video\.publish\./ })
  })

  await t.test('when a code is used twice, or shown with another address, then it is refused', async (t) => {
    const code = await consented()
    t.match(await exchange(code), { accessToken: /./, ...app })
    const refused = { kind: 'permanent', message: /does not accept the code.*invalid_grant/ }
    await t.rejects(exchange(code), refused)
    await t.rejects(exchange(await consented(), { redirectUri: 'https://elsewhere.example/' }), refused)
  })

  await t.test('when TikTok fails, then that may pass', async (t) => {
    world.sandbox.faults.script(faultOf('tiktok', { call: 'refresh', kind: 'server_error' }))
    await t.rejects(exchange(await consented()), { kind: 'retryable', message: /could not grant access/ })
  })

  await t.test('when a parameter is missing, then the stand-in refuses as TikTok does', async (t) => {
    const { clientId: client_key, clientSecret: client_secret } = app
    const form = { client_key, client_secret, grant_type: 'authorization_code', code: await consented() }
    const body = new URLSearchParams(form)
    const answer = await fetch(`${scene.baseUrl}/v2/oauth/token/`, { method: 'POST', body })
    t.match({ status: answer.status, body: await answer.json() }, { status: 400, body: { error: 'invalid_request' } })
  })

  await t.test('when there is no other base URL, then they consent on the page of TikTok', async (t) => {
    const request = { scopes: allScopes('tiktok'), redirectUri: scene.callback, state: 's1', challenge: 'c'.repeat(43) }
    const url = new URL(authorizationOf('tiktok').consentUrl(app, request, undefined))
    t.equal(url.origin + url.pathname, 'https://www.tiktok.com/v2/auth/authorize/')
    t.same(Object.fromEntries(url.searchParams), {
      client_key: app.clientId,
      response_type: 'code',
      scope: 'user.info.basic,video.publish,video.list',
      redirect_uri: scene.callback,
      state: 's1',
    })
  })
})
