import type { FastifyInstance } from 'fastify'
import { registerFacebookLogin } from '../meta/facebook-login.ts'
import { isOffLimits } from '../meta/roles.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerPage } from './answer.ts'

export const SCOPES = [
  'pages_show_list',
  'pages_read_engagement',
  'pages_manage_posts',
  'pages_manage_engagement',
  'pages_read_user_content',
  'read_insights',
  'pages_manage_metadata',
  'business_management',
  'public_profile',
]

export function registerLogin(app: FastifyInstance, deps: StandInDeps): void {
  registerFacebookLogin(app, deps, {
    platform: 'facebook',
    scopes: SCOPES,
    turnsAway: (account) => (isOffLimits(account, 'facebook', deps) ? 'App not active' : undefined),
    answer: (reply, account, accept) => answerPage(reply, 'refresh', { account, kind: 'userToken' }, deps, accept),
  })
}
