import * as z from 'zod'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { AuthorizationCode, Reached } from '../kit/authorization.ts'
import { versionOf } from '../kit/api-version.ts'
import { consentUrl, inForm } from '../kit/oauth-client.ts'
import { mustGrant, scopesField } from '../kit/permissions.ts'
import type { RestIo } from '../kit/rest.ts'
import { withQuery, type GraphCalls, type Session } from './graph.ts'
import { loginAnswer } from './login.ts'
import { pagesOf, permissionsOf, type RunPage } from './person.ts'
import { versions } from './version.ts'

export const FACEBOOK_HOST = 'https://graph.facebook.com'

const tokenAnswer = z.object({ access_token: z.string().min(1) })

/** Without it, Facebook does not ask again for what was declined before. */
const ASKED_AGAIN = { auth_type: 'rerequest' }

/** How a platform uses Facebook Login. */
export interface FacebookLogin {
  /** Whose API version applies. */
  readonly platform: PlatformKey
  readonly api: Pick<GraphCalls, 'graph'>
  /** The permissions that publishing needs. */
  readonly publishing: readonly string[]
  readonly withInstagram?: boolean
  /** What of the person's Pages can be connected. @throws PlatformError */
  reached(pages: readonly RunPage[]): readonly Reached[]
}

/** Facebook Login, for Business as well. It belongs to a person, and covers the Pages that they can publish to. */
export function facebookLogin({ platform, api, publishing, withInstagram, reached }: FacebookLogin): AuthorizationCode {
  const token = async (
    query: Readonly<Record<string, string>>,
    secret: string,
    baseUrl: string | undefined,
    io: RestIo,
  ): Promise<string> => {
    const url = `${baseUrl ?? FACEBOOK_HOST}/${versionOf(platform, versions.tried, io)}/oauth/access_token`
    const call = { method: 'GET', url: withQuery(url, query) } as const
    return (await loginAnswer('facebook', call, secret, tokenAnswer, io)).access_token
  }
  return {
    needsSecret: true,
    reachesSeveral: true,
    // A configuration of Facebook Login for Business has its own permissions, of which none can be declined.
    consentUrl: (app, request, baseUrl) => {
      const { configId } = app
      const url = `https://www.facebook.com/${versionOf(platform, versions.tried, request)}/dialog/oauth`
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
      const granted = await permissionsOf(api, personWith({ userToken, clientSecret }, baseUrl), io)
      mustGrant('Facebook', publishing, granted)
      return { userToken, clientSecret, ...scopesField(granted) }
    },
    reach: async ({ userToken = '', clientSecret, scopes = '' }, baseUrl, io) => {
      const person = personWith({ userToken, clientSecret }, baseUrl)
      return reached(await pagesOf(api, person, scopes.split(' '), io, withInstagram))
    },
  }
}

/** What identifies the person who logged in. */
export function personWith(
  { userToken, clientSecret }: { readonly userToken: string; readonly clientSecret?: string | undefined },
  baseUrl: string | undefined,
): Session {
  return { host: baseUrl ?? FACEBOOK_HOST, token: userToken, appSecret: clientSecret }
}
