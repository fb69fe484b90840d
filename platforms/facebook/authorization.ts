import { z } from 'zod'
import type { AuthorizationCode } from '../kit/authorization.ts'
import { GRAPH_VERSION, withQuery } from '../meta/graph.ts'
import { loginAnswer } from '../meta/login.ts'
import { consentUrl, inForm, mustGrant } from '../kit/oauth-client.ts'
import type { RestIo } from '../kit/rest.ts'
import { pagesOf, permissionsOf } from './person.ts'
import { hostOf, sessionOf } from './session.ts'

/** To list a person's Pages, publish there, and find what was published. */
const NEEDED = ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts']
/** Comments and metrics. */
const FURTHER = ['pages_manage_engagement', 'pages_read_user_content', 'read_insights']

const tokenAnswer = z.object({ access_token: z.string().min(1) })

/** A login belongs to a person, and covers the Pages that they can publish to. */
export const authorization: AuthorizationCode = {
  needsSecret: true,
  consentUrl: consentUrl({
    url: `https://www.facebook.com/${GRAPH_VERSION}/dialog/oauth`,
    scopes: [...NEEDED, ...FURTHER],
    separator: ',',
  }),
  exchange: async (app, { code, redirectUri }, baseUrl, io) => {
    const { clientSecret = '' } = app
    const short = await token({ ...inForm(app).form, redirect_uri: redirectUri, code }, code, baseUrl, io)
    // Only a long-lived user token yields Page tokens that do not expire.
    const exchange = { grant_type: 'fb_exchange_token', fb_exchange_token: short }
    const userToken = await token({ ...inForm(app).form, ...exchange }, short, baseUrl, io)
    const person = sessionOf({ accessToken: userToken, clientSecret }, baseUrl)
    mustGrant('Facebook', NEEDED, await permissionsOf(person, io))
    return { userToken, clientSecret }
  },
  reach: async ({ userToken = '', clientSecret }, baseUrl, io) => {
    const pages = await pagesOf(sessionOf({ accessToken: userToken, clientSecret }, baseUrl), io)
    return pages.map(({ id, name, token }) => {
      const isAlone = pages.filter((other) => other.name === name).length === 1
      return { label: isAlone ? name : `${name} (${id})`, credentials: { pageId: id, accessToken: token } }
    })
  },
}

async function token(
  query: Readonly<Record<string, string>>,
  secret: string,
  baseUrl: string | undefined,
  io: RestIo,
): Promise<string> {
  const url = withQuery(`${hostOf(baseUrl)}/${GRAPH_VERSION}/oauth/access_token`, query)
  return (await loginAnswer('facebook', { method: 'GET', url }, secret, tokenAnswer, io)).access_token
}
