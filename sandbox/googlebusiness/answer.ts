import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { Call } from '../faults.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { NAMED, tokenError } from './refusal.ts'
import { revokeAccess } from './tokens.ts'

const PUBLISH_REFUSALS: Readonly<Record<Refused, Answer>> = {
  reject: NAMED.invalid.answer,
  rate_limit: NAMED.limited.answer,
  server_error: NAMED.unavailable.answer,
  token_expired: NAMED.unauthenticated.answer,
}

const REVOKED = { status: 400, body: tokenError('invalid_grant', 'Token has been expired or revoked.') }
const TOKEN_REFUSALS: Readonly<Record<Refused, Answer>> = {
  reject: REVOKED,
  rate_limit: { status: 429, body: tokenError('rate_limit_exceeded', 'Rate Limit Exceeded') },
  server_error: { status: 503, body: tokenError('internal_failure', 'Backend Error') },
  token_expired: REVOKED,
}

/** Answers a valid call under whatever fault is scripted for it, in Google's own words. */
export function answer(
  reply: FastifyReply,
  call: Extract<Call, 'publish' | 'refresh'>,
  account: LedgerAccount,
  deps: StandInDeps,
  accept: () => Answer,
): Promise<FastifyReply> {
  const fault = deps.faults.take('googlebusiness', call, account.externalId)
  return answerCall(reply, fault, deps.clock, accept, (refused) => {
    if (refused === 'token_expired') revokeAccess(account, deps)
    return (call === 'publish' ? PUBLISH_REFUSALS : TOKEN_REFUSALS)[refused]
  })
}
