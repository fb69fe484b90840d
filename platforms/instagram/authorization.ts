import { z } from 'zod'
import type { AuthorizationCode } from '../kit/authorization.ts'
import { answerToCode, consentUrl, mustGrant, type MetaLogin } from '../meta/login.ts'
import { longLivedToken } from '../meta/user-token.ts'
import { sessionOf } from './session.ts'

const LOGIN: MetaLogin = { platform: 'instagram', name: 'Instagram' }
const CONSENT_HOST = 'https://www.instagram.com'
const CODE_HOST = 'https://api.instagram.com'

const NEEDED = ['instagram_business_basic', 'instagram_business_content_publish']
/** Comments and metrics. */
const FURTHER = ['instagram_business_manage_comments', 'instagram_business_manage_insights']

const permissions = z.union([z.string().transform((list) => list.split(',')), z.array(z.string())]).optional()
const shortLived = z.object({ access_token: z.string().min(1), permissions })
/** Documented as a list of one, but also seen without the list. */
const codeAnswer = z.union([
  shortLived,
  z.object({ data: z.tuple([shortLived]) }).transform(({ data: [answer] }) => answer),
])

/** Instagram login (Meta: "Business login for Instagram"): a code, then a one-hour token, then a 60-day token. */
export const authorization: AuthorizationCode = {
  needsSecret: true,
  consentUrl: (app, request, baseUrl) =>
    consentUrl(`${baseUrl ?? CONSENT_HOST}/oauth/authorize`, [...NEEDED, ...FURTHER], app, request),
  exchange: async (app, grant, baseUrl, io) => {
    const short = await answerToCode(LOGIN, `${baseUrl ?? CODE_HOST}/oauth/access_token`, app, grant, codeAnswer, io)
    if (short.permissions) mustGrant(NEEDED, short.permissions, LOGIN)
    const session = sessionOf({ loginType: 'instagram', accessToken: short.access_token }, baseUrl)
    return { loginType: 'instagram', ...(await longLivedToken(LOGIN, 'ig_exchange_token', app, session, io)) }
  },
}
