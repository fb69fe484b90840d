import t from 'tap'
import * as z from 'zod'
import { requireReauth } from '../commands/account-standing.ts'
import { handle } from '../commands/handle.ts'
import { account } from '../domain/account/account.ts'
import { PLATFORM_KEYS } from '../domain/core/platform.ts'
import { platforms } from '../platforms/registry.ts'
import { findAccount } from '../projections/models/accounts.ts'
import { givenApi } from './support/api.ts'
import { consent, consentUrlAt, givenBrowser } from './support/browser.ts'
import { givenUser, signIn } from './support/dashboard.ts'
import { givenAccount, ids } from './support/sandbox.ts'
import { until } from './support/service-process.ts'
import { causedBy, vaultOf } from './support/world.ts'

/* Accounts of the sandbox that are connected again from the dashboard, with no app set up. */

const accessSchema = z.object({
  accounts: z.array(z.looseObject({ id: z.string(), label: z.string(), needsReauth: z.boolean() })),
})

t.test('given a user, and accounts whose owners must sign in again', async (t) => {
  const server = await givenApi(t)
  const { world } = server
  const ada = await givenUser(server, 'ada')
  const page = await signIn(server, 'ada')
  const call = (path: string, body: object) => page.call({ method: 'POST', path: `/dashboard/api${path}`, body })
  const accessTo = async (id: string) => {
    const { accounts } = accessSchema.parse((await page.call({ path: '/dashboard/api/accounts' })).body)
    return accounts.find((one) => one.id === id)
  }
  const connected = async (platform: (typeof PLATFORM_KEYS)[number]) => {
    const given = await givenAccount(world.http, world.sandbox, platform)
    const { credentials, baseUrl } = given
    const made = await call('/accounts', { platform, credentials, baseUrl, label: 'Our shop' })
    const id = String(made.body['id'])
    await handle(world, account, id, causedBy(ids.ulid()), (state) => requireReauth(state, 'The access has ended.'))
    await until('it to be shown', 60_000, async () => (await findAccount(world.db, id))?.needsReauth ?? undefined)
    return { ...given, id }
  }
  const consentAs = async (url: string, externalId: string) => {
    const browser = givenBrowser(server.app)
    return browser.visit(await consent(await consentUrlAt(browser, url), externalId, 'allow'))
  }

  for (const platform of PLATFORM_KEYS.filter((key) => platforms[key].logins.length > 0)) {
    await t.test(`when the owner consents again on ${platform}, then only the access is another one`, async (t) => {
      const { id, externalId, baseUrl } = await connected(platform)
      const before = await vaultOf(world).get(id)
      t.match(await accessTo(id), { needsReauth: true, canConsent: true })
      const { status, body } = await call(`/accounts/${id}/authorizations`, {})
      t.equal(status, 201)
      const back = await consentAs(String(body['url']), externalId)
      t.match(back, { status: 303, headers: { location: `/accounts?connected=${id}` } }, back.body)
      t.match(await accessTo(id), { label: 'Our shop', needsReauth: false })
      const after = await vaultOf(world).get(id)
      t.notSame(after, before)
      for (const field of ['privacyLevel', 'authorUrn', 'boardId', 'location', 'loginType']) {
        t.equal(after[field], before[field], field)
      }
      const { rows } = await world.db.query('select base_url from read.accounts where id = $1', [id])
      t.same(rows, [{ base_url: baseUrl }])
    })
  }

  await t.test('when another account consents, then nothing is connected', async (t) => {
    const { id } = await connected('x')
    const other = await givenAccount(world.http, world.sandbox, 'x')
    const { body } = await call(`/accounts/${id}/authorizations`, {})
    t.match(await consentAs(String(body['url']), other.externalId), {
      status: 409,
      body: /, another account\. Sign in as/,
    })
    t.match(await accessTo(id), { needsReauth: true })
  })

  await t.test('when its credentials are given again, then it keeps its label and its server', async (t) => {
    const { id, credentials } = await connected('bluesky')
    t.match(await accessTo(id), { canConsent: false })
    t.match(await call(`/accounts/${id}/authorizations`, {}), {
      status: 409,
      message: /cannot be connected in the browser/,
    })
    const again = { platform: 'bluesky', accountId: id, credentials }
    t.match(await call('/accounts', again), { status: 201, body: { id, label: 'Our shop' } })
    const other = await givenAccount(world.http, world.sandbox, 'bluesky')
    t.match(await call('/accounts', { ...again, credentials: other.credentials }), {
      status: 409,
      message: /another account/,
    })
  })

  await t.test('when the account is of another workspace, then it is refused', async (t) => {
    const foreign = await world.account('x')
    await until('the account to be shown', 60_000, () => findAccount(world.db, foreign))
    t.not(ada.workspaceId, world.workspaceId)
    t.equal((await call(`/accounts/${foreign}/authorizations`, {})).status, 403)
  })
})
