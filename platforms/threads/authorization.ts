import { z } from 'zod'
import type { AuthorizationCode } from '../kit/authorization.ts'
import { codeForm, consentUrl, inForm } from '../kit/oauth-client.ts'
import { loginAnswer } from '../meta/login.ts'
import { longLivedToken } from '../meta/user-token.ts'
import { hostOf, sessionOf } from './session.ts'

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
  consentUrl: consentUrl({ url: 'https://threads.com/oauth/authorize', scopes: SCOPES, separator: ',' }),
  exchange: async (app, grant, baseUrl, io) => {
    const url = `${hostOf(baseUrl)}/oauth/access_token`
    const call = { method: 'POST', url, form: { ...codeForm(grant), ...inForm(app).form } } as const
    const short = await loginAnswer('threads', call, grant.code, codeAnswer, io)
    return longLivedToken('threads', 'th_exchange_token', app, sessionOf(short.access_token, baseUrl), io)
  },
}
