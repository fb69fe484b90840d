import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { decode, graphRefusal } from '../meta/refusal.ts'
import { registerUserLogin } from '../meta/user-login.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { authenticate, issueTokens } from './tokens.ts'

const debugQuery = z.strictObject({ input_token: z.string() })
const SCOPES = [
  'threads_basic',
  'threads_content_publish',
  'threads_read_replies',
  'threads_manage_replies',
  'threads_manage_insights',
  'threads_manage_mentions',
  'threads_keyword_search',
  'threads_delete',
]

export function registerLogin(app: FastifyInstance, deps: StandInDeps): void {
  registerUserLogin(app, deps, {
    platform: 'threads',
    scopes: SCOPES,
    prefix: 'THQ',
    exchangeType: 'th_exchange_token',
    // Exceeds JavaScript's safe integers: parsing it as a number yields another id.
    codeBody: (access_token, { account }) => ({ access_token, user_id: Number(account.externalId) }),
    longLived: ({ externalId, secrets }) => ({ ...secrets, ...issueTokens(externalId, deps) }),
    answer: (reply, account, accept) => answer(reply, 'refresh', { account }, deps, accept),
  })

  app.get('/v1.0/debug_token', (request, reply) => {
    const { account, token, parameters } = authenticate(request, deps)
    const { input_token: shown } = decode(debugQuery, parameters)
    if (shown !== token) throw graphRefusal({ code: 100, message: 'The token does not belong to this app' })
    const scopes = account.secrets['grantedScopes']?.split(',') ?? SCOPES
    return reply.send({ data: { type: 'USER', is_valid: true, scopes, user_id: account.externalId } })
  })
}
