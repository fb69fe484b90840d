import { appCredentials, type AuthorizationCode, type Reached } from '../kit/authorization.ts'
import { freshCredentials } from '../kit/credentials.ts'
import { PlatformError } from '../kit/platform.ts'
import { memberOf } from './member.ts'
import { namesOf, organizationsOf } from './organizations.ts'
import { askForTokens } from './token.ts'

const HOST = 'https://www.linkedin.com'

/** For posting as a member and as a page, reading a page's posts, and identifying the member and their pages. */
const NEEDED = [
  'r_basicprofile',
  'w_member_social',
  'w_organization_social',
  'r_organization_social',
  'rw_organization_admin',
]
/** For comments. */
const FURTHER = ['r_organization_social_feed', 'w_organization_social_feed']

/**
 * The scopes are those of an app with the Community Management API, which allows no other product on the app. LinkedIn
 * refuses the whole request if a single scope is not one of the app's.
 */
export const authorization: AuthorizationCode = {
  needsSecret: true,
  consentUrl: ({ clientId }, { redirectUri, state }, baseUrl) => {
    const url = new URL(`${baseUrl ?? HOST}/oauth/v2/authorization`)
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      state,
      scope: [...NEEDED, ...FURTHER].join(' '),
    }).toString()
    return url.href
  },
  exchange: async (app, { code, redirectUri }, baseUrl, io) => {
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: app.clientId,
      client_secret: app.clientSecret ?? '',
    }
    const answer = await askForTokens(form, baseUrl, io)
    if (answer.outcome === 'refused') throw notGranted(`LinkedIn did not grant access for the code: ${answer.why}.`)
    const { tokens, scopes } = answer
    const missing = scopes === undefined ? [] : NEEDED.filter((scope) => !scopes.includes(scope))
    if (missing.length > 0) throw notGranted(`LinkedIn did not grant ${missing.join(', ')}.`)
    return { ...(tokens['refreshToken'] !== undefined && appCredentials(app)), ...tokens }
  },
  reach: async (granted, baseUrl, io) => {
    const credentials = freshCredentials(granted)
    const asOwner = { ...io, credentials }
    const { urn, name } = await memberOf(baseUrl, asOwner)
    const pages = await organizationsOf(baseUrl, asOwner)
    const names = await namesOf(pages, baseUrl, asOwner)
    const member: Reached = { label: `${name ?? urn} (member)`, credentials: { authorUrn: urn } }
    return [member, ...pages.map((page) => reachedPage(page, names.get(page)))]
  },
}

function reachedPage(urn: string, name: string | undefined): Reached {
  const number = urn.slice(urn.lastIndexOf(':') + 1)
  return { label: name === undefined ? `Page ${number}` : `${name} (page ${number})`, credentials: { authorUrn: urn } }
}

function notGranted(message: string): PlatformError {
  return new PlatformError('permanent', message)
}
