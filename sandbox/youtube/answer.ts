import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { Call } from '../faults.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { googleError, tokenError } from './refusal.ts'
import { revokeAccess } from './tokens.ts'

const PUBLISH_REFUSALS: Readonly<Record<Refused, Answer>> = {
  reject: { status: 403, body: googleError(403, 'forbidden', 'The caller may not upload this video.') },
  rate_limit: { status: 403, body: googleError(403, 'rateLimitExceeded', 'Rate Limit Exceeded') },
  server_error: { status: 503, body: googleError(503, 'backendError', 'Backend Error') },
  token_expired: { status: 401, body: googleError(401, 'authError', 'Invalid Credentials') },
}

const TOKEN_REFUSALS: Readonly<Record<Refused, Answer>> = {
  reject: { status: 400, body: tokenError('invalid_grant', 'Token has been expired or revoked.') },
  rate_limit: { status: 429, body: tokenError('rate_limit_exceeded', 'Rate Limit Exceeded') },
  server_error: { status: 503, body: tokenError('internal_failure', 'Backend Error') },
  token_expired: { status: 400, body: tokenError('invalid_grant', 'Token has been expired or revoked.') },
}

/** Answers a valid call under whatever fault is scripted for it, in Google's own words. */
export function answer(
  reply: FastifyReply,
  call: Extract<Call, 'publish' | 'refresh'>,
  account: LedgerAccount,
  deps: StandInDeps,
  accept: () => Answer,
): Promise<FastifyReply> {
  const fault = deps.faults.take('youtube', call, account.externalId)
  return answerCall(reply, fault, deps.clock, accept, (refused) => {
    if (refused === 'token_expired') revokeAccess(account, deps)
    return (call === 'publish' ? PUBLISH_REFUSALS : TOKEN_REFUSALS)[refused]
  })
}
