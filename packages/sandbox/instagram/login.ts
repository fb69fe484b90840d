import type { FastifyInstance } from 'fastify'
import { registerUserLogin } from '../meta/user-login.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { appScopedId, issueTokens } from './tokens.ts'

const SCOPES = [
  'instagram_business_basic',
  'instagram_business_content_publish',
  'instagram_business_manage_comments',
  'instagram_business_manage_insights',
  'instagram_business_manage_messages',
]

/** Instagram login: the hosts of the consent page, the code exchange and the API in one. */
export function registerLogin(app: FastifyInstance, deps: StandInDeps): void {
  registerUserLogin(app, deps, {
    platform: 'instagram',
    scopes: SCOPES,
    prefix: 'IGQ',
    exchangeType: 'ig_exchange_token',
    codeBody: (access_token, { account, scopes }) => ({
      data: [{ access_token, user_id: appScopedId(account), permissions: scopes.join(',') }],
    }),
    longLived: ({ externalId, secrets }) => ({ ...secrets, accessToken: issueTokens(externalId, deps).accessToken }),
    answer: (reply, account, accept) => answer(reply, 'refresh', { account, kind: 'accessToken' }, deps, accept),
  })
}
