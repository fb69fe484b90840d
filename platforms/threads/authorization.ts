import { z } from 'zod'
import type { AuthorizationCode } from '../kit/authorization.ts'
import { answerToCode, consentUrl, type MetaLogin } from '../meta/login.ts'
import { longLivedToken } from '../meta/user-token.ts'
import { hostOf, sessionOf } from './session.ts'

const LOGIN: MetaLogin = { platform: 'threads', name: 'Threads' }
const CONSENT_HOST = 'https://threads.com'

const SCOPES = [
  'threads_basic',
  'threads_content_publish',
  'threads_read_replies',
  'threads_manage_replies',
  'threads_manage_insights',
]

/** The granted scopes are missing. The user id is there, as a number with too many digits for one. */
const codeAnswer = z.object({ access_token: z.string().min(1) })

/** A code, then a one-hour token, then a 60-day token. */
export const authorization: AuthorizationCode = {
  needsSecret: true,
  consentUrl: (app, request, baseUrl) => consentUrl(`${baseUrl ?? CONSENT_HOST}/oauth/authorize`, SCOPES, app, request),
  exchange: async (app, grant, baseUrl, io) => {
    const short = await answerToCode(LOGIN, `${hostOf(baseUrl)}/oauth/access_token`, app, grant, codeAnswer, io)
    return longLivedToken(LOGIN, 'th_exchange_token', app, sessionOf(short.access_token, baseUrl), io)
  },
}
