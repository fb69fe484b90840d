import t, { type Test } from 'tap'
import { limitsOf } from '../projections/models/accounts.ts'
import { findAccount } from '../projections/models/accounts.ts'
import { findPost } from '../projections/models/posts.ts'
import { platforms } from '../platforms/registry.ts'
import { choicesOn, givenPlatform } from './support/connection.ts'
import { faultOf } from './support/meta.ts'
import { givenProcess } from './support/world.ts'

/* Instagram through Facebook: the accounts that are linked to the Pages of the person who logs in. */

const NAMED = [{ label: 'ada' }, { label: 'grace' }, { label: 'unlinked' }]
const notLinked = (page: string) =>
  new RegExp(`No Instagram business or creator account is linked to the Facebook Page ${page}\\. Link one in the Page`)

async function given(t: Test, named: Parameters<typeof givenPlatform>[2] = NAMED) {
  const scene = await givenPlatform(t, 'instagram', named, { app: 'facebook' })
  const { world, connect } = scene
  return {
    ...scene,
    connect: (options: Parameters<typeof connect>[0] = {}) => connect({ ...options, login: 'facebook' }),
    published: async (accountId: string, caption = 'hello') => {
      const service = await givenProcess(world)
      const id = await service.queue({ selections: { instagram: [accountId] }, caption })
      await service.drain()
      t.match((await findPost(world.db, id))?.results.instagram, [{ accountId, ok: true }])
    },
  }
}

t.test('given a person whose Pages are linked to accounts', async (t) => {
  const { world, connect, published } = await given(t)
  const { page, choose, row } = await connect()
  await t.test(
    'when they consent, then they choose among the linked accounts, and connect several at once',
    async (t) => {
      t.same(choicesOn(page), ['@ada (Page ada)', '@grace (Page grace)'])
      t.match(page.body, notLinked('unlinked'), 'and the Page without an account is named')
      t.match(await choose(0, 1), { status: 200, body: /ada[^]*grace/ })
      t.match((await row())?.connected, [{ label: 'ada' }, { label: 'grace' }])
    },
  )
  const [ada = { id: '' }] = (await row())?.connected ?? []

  await t.test('when a post is sent, then it is published by the token of the Page', async (t) => {
    await published(ada.id)
    t.match(world.sandbox.ledger.posts('instagram'), [{ caption: 'hello' }])
  })

  await t.test("when that token dies, then the person's gets another", async (t) => {
    const tokenOf = () =>
      world.sandbox.ledger.accounts('instagram').find(({ label }) => label === 'ada')?.secrets['pageAccessToken']
    const before = tokenOf()
    world.sandbox.faults.script(faultOf('instagram', { kind: 'token_expired' }))
    await published(ada.id, 'again')
    t.not(tokenOf(), before)
    t.match(await findAccount(world.db, ada.id), { connected: true, needsReauthSince: null })
  })
})

t.test(
  'given an optional permission is declined, then a post is published, and the account says what is missing',
  async (t) => {
    const { world, connect, published } = await given(t, [{ label: 'ada' }])
    const { page, row, kept } = await connect({ declined: ['instagram_manage_comments', 'business_management'] })
    t.match(page, { status: 200, body: /is connected to/ })
    const accountId = (await row())?.account_id ?? ''
    t.match(await kept(), { login: 'facebook', loginType: 'facebook', userToken: /^EAAU/, pageId: /^\d+$/ })
    await published(accountId)
    const found = await findAccount(world.db, accountId)
    t.match(found && limitsOf(found), [
      { capability: 'comments', cause: 'permission_missing', permission: 'instagram_manage_comments' },
      { capability: 'replies', cause: 'permission_missing', permission: 'instagram_manage_comments' },
    ])
  },
)

t.test('given one Page with an account and one without, then the one is connected, and the other named', async (t) => {
  const { connect } = await given(t, [{ label: 'ada' }, { label: 'unlinked' }])
  const { page, row } = await connect()
  t.match(page, { status: 200, body: /ada<\/b> is connected to/ })
  t.match(page.body, notLinked('unlinked'))
  t.match((await row())?.connected, [{ label: 'ada' }])
})

t.test('given Pages of a business portfolio', async (t) => {
  const named = ['ada', 'portfolio', 'client', 'client-unlinked', 'portfolio-unassigned'].map((label) => ({ label }))
  const { connect, published } = await given(t, named)

  await t.test(
    'when the portfolios may be read, then their accounts can be connected, and are published to',
    async (t) => {
      const { page, choose, row } = await connect()
      t.same(choicesOn(page).toSorted(), ['@ada (Page ada)', '@client (Page client)', '@portfolio (Page portfolio)'])
      t.match(page.body, notLinked('client-unlinked'))
      t.notMatch(page.body, /unassigned/, 'without a role there is no token')
      await choose(choicesOn(page).indexOf('@portfolio (Page portfolio)'))
      await published((await row())?.connected?.[0]?.id ?? '')
    },
  )

  await t.test('when that is declined, then they are not listed', async (t) => {
    const { page, row } = await connect({ declined: ['business_management'] })
    t.match(page, { status: 200, body: /is connected to/ })
    t.match((await row())?.connected, [{ label: 'ada' }])
  })
})

t.test('given what Instagram needs is not there, then the person is told', async (t) => {
  await t.test('when no Page has an account', async (t) => {
    const { connect } = await given(t, [{ label: 'unlinked' }])
    const says = /linked to the Facebook Pages that you allowed \(unlinked\)\. Link one in the Page/
    t.match((await connect()).page, { status: 409, body: says })
  })

  await t.test('when publishing is declined', async (t) => {
    const { connect } = await given(t, [{ label: 'ada' }])
    const { page } = await connect({ declined: ['instagram_content_publish'] })
    t.match(page, { status: 409, body: /Facebook did not grant instagram_content_publish\./ })
  })

  await t.test('when the app has no secret', async (t) => {
    const { connect, app } = await given(t, [{ label: 'ada' }])
    await t.rejects(connect({ app: { clientId: app.clientId } }), { code: 'failed_precondition', message: /secret/ })
  })
})

t.test('given no other base URL, then the person consents on Facebook', async (t) => {
  const login = platforms.instagram.logins.find(({ key }) => key === 'facebook')
  const request = { scopes: ['one'], redirectUri: 'https://fanfare.test/callback', state: 's1', challenge: 'c' }
  const url = new URL(login?.authorization.consentUrl({ clientId: '1' }, request, undefined) ?? '')
  t.equal(url.origin + url.pathname, 'https://www.facebook.com/v26.0/dialog/oauth')
})
