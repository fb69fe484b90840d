import type { AuthorizationCode, Reached } from '../kit/authorization.ts'
import { freshCredentials } from '../kit/credentials.ts'
import { PlatformError } from '../kit/platform.ts'
import { apiUrlOf, pinterestApi } from './api.ts'
import { boardsOf } from './boards.ts'
import { askForTokens } from './token.ts'

const CONSENT_HOST = 'https://www.pinterest.com'
const SCOPES = ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read']
/** For creating Pins, finding them again, and checking who owns the board. */
const NEEDED = ['boards:read', 'pins:read', 'pins:write', 'user_accounts:read']

/** A login reaches every board of the account; Pins go to one of them. */
export const authorization: AuthorizationCode = {
  needsSecret: true,
  consentUrl: ({ clientId }, { redirectUri, state }, baseUrl) => {
    const url = new URL(`${baseUrl ?? CONSENT_HOST}/oauth/`)
    url.search = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: SCOPES.join(','),
      state,
    }).toString()
    return url.href
  },
  exchange: async (app, { code, redirectUri }, baseUrl, io) => {
    // Without `continuous_refresh`, apps created before 25 September 2025 get a refresh token that cannot be extended.
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, continuous_refresh: 'true' }
    const unwilling = { kind: 'permanent', text: 'Pinterest did not grant access for the code. Start again' } as const
    const { tokens, granted } = await askForTokens(app, form, unwilling, apiUrlOf(baseUrl), io)
    const missing = granted === undefined ? [] : NEEDED.filter((scope) => !granted.split(/[\s,]+/).includes(scope))
    if (missing.length === 0) return tokens
    throw new PlatformError(
      'permanent',
      `Pinterest did not grant ${missing.join(', ')}. Start again and allow all permissions.`,
    )
  },
  reach: async (granted, baseUrl, io) => {
    const credentials = freshCredentials(granted)
    const reached: Reached[] = []
    for await (const boards of boardsOf(pinterestApi(baseUrl, { ...io, credentials }))) {
      // Board names are unique within an account.
      reached.push(...boards.map(({ id, name }) => ({ label: name, credentials: { boardId: id } })))
    }
    return reached
  },
}
