import * as z from 'zod'
import type { AuthorizationCode } from '../kit/authorization.ts'
import { withQuery } from '../meta/graph.ts'
import { loginAnswer } from '../meta/login.ts'
import { versions } from '../meta/version.ts'
import { versionOf } from '../kit/api-version.ts'
import { consentUrl, inForm } from '../kit/oauth-client.ts'
import { mustGrant, scopesField } from '../kit/permissions.ts'
import type { RestIo } from '../kit/rest.ts'
import { pagesOf, permissionsOf, PORTFOLIOS } from './person.ts'
import { hostOf, sessionOf } from './session.ts'

export const permissions = {
  // To list a person's Pages, publish there, and find what was published.
  publishing: ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts'],
  comments: ['pages_read_user_content'],
  replies: ['pages_manage_engagement'],
}

/** To list the Pages of the person's business portfolios, too. */
export const optional = { publishing: [PORTFOLIOS] }

const tokenAnswer = z.object({ access_token: z.string().min(1) })

/** Without it, Facebook does not ask again for what was declined before. */
const ASKED_AGAIN = { auth_type: 'rerequest' }

/** A login belongs to a person, and covers the Pages that they can publish to. */
export const authorization: AuthorizationCode = {
  needsSecret: true,
  reachesSeveral: true,
  // A configuration of Facebook Login for Business has its own permissions, of which none can be declined.
  consentUrl: (app, request, baseUrl) => {
    const { configId } = app
    const url = `https://www.facebook.com/${versionOf('facebook', versions.tried, request)}/dialog/oauth`
    const extra = configId === undefined ? ASKED_AGAIN : { config_id: configId }
    const scopes = configId === undefined ? request.scopes : []
    return consentUrl({ url, separator: ',', extra })(app, { ...request, scopes }, baseUrl)
  },
  exchange: async (app, { code, redirectUri }, baseUrl, io) => {
    const { clientSecret = '' } = app
    const short = await token({ ...inForm(app).form, redirect_uri: redirectUri, code }, code, baseUrl, io)
    // Only a long-lived user token yields Page tokens that do not expire.
    const exchange = { grant_type: 'fb_exchange_token', fb_exchange_token: short }
    const userToken = await token({ ...inForm(app).form, ...exchange }, short, baseUrl, io)
    const person = sessionOf({ accessToken: userToken, clientSecret }, baseUrl)
    const granted = await permissionsOf(person, io)
    mustGrant('Facebook', permissions.publishing, granted)
    return { userToken, clientSecret, ...scopesField(granted) }
  },
  reach: async ({ userToken = '', clientSecret, scopes = '' }, baseUrl, io) => {
    const person = sessionOf({ accessToken: userToken, clientSecret }, baseUrl)
    const pages = await pagesOf(person, scopes.split(' '), io)
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
  const url = withQuery(`${hostOf(baseUrl)}/${versionOf('facebook', versions.tried, io)}/oauth/access_token`, query)
  return (await loginAnswer('facebook', { method: 'GET', url }, secret, tokenAnswer, io)).access_token
}
