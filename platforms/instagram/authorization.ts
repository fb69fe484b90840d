import * as z from 'zod'
import type { AuthorizationCode } from '../kit/authorization.ts'
import { codeForm, consentUrl, inForm } from '../kit/oauth-client.ts'
import { multipart } from '../kit/multipart.ts'
import { mustGrant, scopesField } from '../kit/permissions.ts'
import { loginAnswer } from '../meta/login.ts'
import { longLivedToken } from '../meta/user-token.ts'
import { sessionOf } from './session.ts'

const CODE_HOST = 'https://api.instagram.com'

const COMMENTS = ['instagram_business_manage_comments']
export const permissions = {
  publishing: ['instagram_business_basic', 'instagram_business_content_publish'],
  comments: COMMENTS,
  replies: COMMENTS,
}

const granted = z.union([z.string().transform((list) => list.split(',')), z.array(z.string())]).optional()
const shortLived = z.object({ access_token: z.string().min(1), permissions: granted })
/** Documented as a list of one, but also seen without the list. */
const codeAnswer = z.union([
  shortLived,
  z.object({ data: z.tuple([shortLived]) }).transform(({ data: [answer] }) => answer),
])

/** Instagram login (Meta: "Business login for Instagram"): a code, then a one-hour token, then a 60-day token. */
export const authorization: AuthorizationCode = {
  needsSecret: true,
  consentUrl: consentUrl({
    url: 'https://www.instagram.com/oauth/authorize',
    separator: ',',
  }),
  exchange: async (app, grant, baseUrl, io) => {
    const url = `${baseUrl ?? CODE_HOST}/oauth/access_token`
    // As Meta documents it; another publisher saw a URL-encoded body refused.
    const content = multipart({ ...codeForm(grant), ...inForm(app).form })
    const call = { method: 'POST', url, content } as const
    const short = await loginAnswer('instagram', call, grant.code, codeAnswer, io)
    mustGrant('Instagram', permissions.publishing, short.permissions)
    const session = sessionOf({ loginType: 'instagram', accessToken: short.access_token }, baseUrl)
    const token = await longLivedToken('instagram', 'ig_exchange_token', app, session, io)
    return { loginType: 'instagram', ...token, ...scopesField(short.permissions) }
  },
}
