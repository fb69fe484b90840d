import { mybusinessaccountmanagement } from '@googleapis/mybusinessaccountmanagement'
import { mybusinessbusinessinformation } from '@googleapis/mybusinessbusinessinformation'
import { OAuth2Client } from 'google-auth-library'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { consent } from './support/browser.ts'
import { callsBy, runClients, same, type ClientCall } from './support/clients.ts'
import { givenScene } from './support/googlebusiness.ts'
import { interceptingProxy } from './support/intercepting-proxy.ts'
import { postJson } from './support/sandbox.ts'

/* Google's own clients against the stand-in. None of them has local posts, whose API is older: they are sent by hand. */

const REDIRECT_URI = 'http://127.0.0.1:3000/callback'
const NO_SUCH = 'Fanfare does not use it'

async function googleClients(t: Test): Promise<readonly ClientCall[]> {
  const { account, http, sandbox, image } = await givenScene(t)
  const { baseUrl, externalId: location } = account
  const app = { platform: 'googlebusiness', redirectUri: REDIRECT_URI }
  const made = await postJson(http, `${sandbox.url}/_control/apps`, app)
  const auth = new OAuth2Client({
    ...z.object({ clientId: z.string(), clientSecret: z.string() }).parse(made.json()),
    redirectUri: REDIRECT_URI,
    endpoints: {
      oauth2AuthBaseUrl: `${baseUrl}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${baseUrl}/token`,
      oauth2RevokeUrl: `${baseUrl}/revoke`,
    },
  })
  // `rootUrl` is a host, and the stand-in is below a path.
  const { url: rootUrl } = await interceptingProxy(t, baseUrl)
  const options = { version: 'v1', auth, rootUrl, retry: false } as const
  const { accounts, locations: admins } = mybusinessaccountmanagement({ ...options })
  const { accounts: owners, locations, categories } = mybusinessbusinessinformation({ ...options })
  const login = callsBy('google-auth-library')
  const manage = callsBy('@googleapis/mybusinessaccountmanagement')
  const inform = callsBy('@googleapis/mybusinessbusinessinformation')
  const posts = () => `${rootUrl}/v4/${business}/${location}/localPosts`
  let business = ''
  let post = ''
  return [
    login('getToken', async () => {
      const scope = 'https://www.googleapis.com/auth/business.manage'
      const back = await consent(auth.generateAuthUrl({ access_type: 'offline', scope }), location, 'allow')
      auth.setCredentials((await auth.getToken(new URL(back).searchParams.get('code') ?? back)).tokens)
    }),
    login('refreshAccessToken', () => auth.refreshAccessToken()),
    manage('accounts.list', async () => {
      const { data } = await accounts.list()
      same([data.accounts?.length, data.accounts?.[0]?.type], [1, 'PERSONAL'])
      const rest = await accounts.list({ pageSize: 20, ...(data.nextPageToken && { pageToken: data.nextPageToken }) })
      business = rest.data.accounts?.[0]?.name ?? ''
    }),
    manage('accounts.get', async () => same((await accounts.get({ name: business })).data.type, 'LOCATION_GROUP')),
    manage('accounts.patch', () => accounts.patch({ name: business, updateMask: 'accountName' }), NO_SUCH),
    manage('accounts.admins.list', () => accounts.admins.list({ parent: business }), NO_SUCH),
    manage('accounts.invitations.list', () => accounts.invitations.list({ parent: business }), NO_SUCH),
    manage('locations.admins.list', () => admins.admins.list({ parent: location }), NO_SUCH),
    inform('accounts.locations.list', async () => {
      const readMask = 'name,title,storefrontAddress.regionCode,metadata'
      const first = await owners.locations.list({ parent: business, readMask })
      const pageToken = first.data.nextPageToken ?? ''
      const { data } = await owners.locations.list({ parent: business, readMask, pageSize: 100, pageToken })
      const [found] = data.locations ?? []
      same([found?.name, found?.storefrontAddress], [location, { regionCode: 'GB' }])
    }),
    inform('accounts.locations.list of all accounts', async () => {
      const { data } = await owners.locations.list({ parent: 'accounts/-', readMask: 'name' })
      same(data.locations?.length, 1)
    }),
    inform('locations.get', async () => {
      const { data } = await locations.get({ name: location, readMask: 'title,languageCode' })
      same(data, { title: 'The Corner Shop', languageCode: 'en' })
    }),
    inform(
      'accounts.locations.list without a mask',
      () => owners.locations.list({ parent: business }),
      'Google wants one',
    ),
    inform(
      'locations.get of another',
      () => locations.get({ name: 'locations/1', readMask: 'name' }),
      'it is not theirs',
    ),
    inform('locations.patch', () => locations.patch({ name: location, updateMask: 'title' }), NO_SUCH),
    inform('categories.list', () => categories.list({ regionCode: 'GB', languageCode: 'en', view: 'BASIC' }), NO_SUCH),
    login('a local post by hand', async () => {
      const media = [{ mediaFormat: 'PHOTO', sourceUrl: image.mediaUrl }]
      const data = { languageCode: 'en', summary: 'Open', topicType: 'STANDARD', media }
      const answer = await auth.request<{ name: string }>({ method: 'POST', url: posts(), data })
      post = answer.data.name
    }),
    login('the list of local posts', async () => {
      const { data } = await auth.request<{ localPosts: { name: string }[] }>({ url: posts(), params: { alt: 'json' } })
      same(
        data.localPosts.map(({ name }) => name),
        [post],
      )
    }),
    login('deleting one', () => auth.request({ method: 'DELETE', url: `${rootUrl}/v4/${post}` })),
  ]
}

const googleError = z.object({
  error: z.object({ code: z.number(), message: z.string().min(1), status: z.string().regex(/^[A-Z_]+$/) }),
})
const thrown = z.object({ response: z.object({ data: googleError }) })

t.test('given Google’s clients, then the stand-in takes their calls, or refuses them as Google does', async (t) => {
  await runClients(t, await googleClients(t), (error) => thrown.safeParse(error).success)
})
