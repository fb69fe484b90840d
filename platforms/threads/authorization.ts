import * as z from 'zod'
import type { AuthorizationCode } from '../kit/authorization.ts'
import { codeForm, consentUrl, inForm } from '../kit/oauth-client.ts'
import { mustGrant, scopesField } from '../kit/permissions.ts'
import { PlatformError } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import type { Session } from '../meta/graph.ts'
import { loginAnswer } from '../meta/login.ts'
import { longLivedToken } from '../meta/user-token.ts'
import { graph } from './api.ts'
import { hostOf, sessionOf } from './session.ts'

export const permissions = {
  publishing: ['threads_basic', 'threads_content_publish'],
  comments: ['threads_read_replies'],
  replies: ['threads_manage_replies'],
}

/** To delete posts, and to read those elsewhere that mention the profile. */
export const optional = { publishing: ['threads_delete'], comments: ['threads_manage_mentions'] }

/** The granted permissions are missing. The user id is there, as a number with too many digits for one. */
const codeAnswer = z.object({ access_token: z.string().min(1) })

/** A code, then a one-hour token, then a 60-day token. */
export const authorization: AuthorizationCode = {
  needsSecret: true,
  consentUrl: consentUrl({ url: 'https://threads.com/oauth/authorize', separator: ',' }),
  exchange: async (app, grant, baseUrl, io) => {
    const url = `${hostOf(baseUrl)}/oauth/access_token`
    const call = { method: 'POST', url, form: { ...codeForm(grant), ...inForm(app).form } } as const
    const short = await loginAnswer('threads', call, grant.code, codeAnswer, io)
    const token = await longLivedToken('threads', 'th_exchange_token', app, sessionOf(short.access_token, baseUrl), io)
    const granted = await permissionsOf(sessionOf(token.accessToken, baseUrl), io)
    mustGrant('Threads', permissions.publishing, granted)
    return { ...token, ...scopesField(granted) }
  },
}

const debugged = z.object({ data: z.object({ scopes: z.array(z.string()) }) })

/** The permissions of a token; undefined if Threads does not tell, as it is documented to do for the app's testers only. */
async function permissionsOf(session: Session, io: RestIo): Promise<readonly string[] | undefined> {
  const call = { method: 'GET', path: '/debug_token', query: { input_token: session.token } } as const
  try {
    return (await graph(session, call, debugged, io)).data.scopes
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return undefined
  }
}
