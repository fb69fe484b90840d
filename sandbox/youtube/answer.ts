import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import { revokeAccess } from '../google/tokens.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { googleError } from './refusal.ts'

const REFUSALS: Readonly<Record<Refused, Answer>> = {
  reject: { status: 403, body: googleError(403, 'forbidden', 'The caller may not upload this video.') },
  rate_limit: { status: 403, body: googleError(403, 'rateLimitExceeded', 'Rate Limit Exceeded') },
  server_error: { status: 503, body: googleError(503, 'backendError', 'Backend Error') },
  token_expired: { status: 401, body: googleError(401, 'authError', 'Invalid Credentials') },
}

/** Answers a valid upload under whatever fault is scripted for it, in Google's own words. */
export function answer(
  reply: FastifyReply,
  account: LedgerAccount,
  deps: StandInDeps,
  accept: () => Answer,
): Promise<FastifyReply> {
  const fault = deps.faults.take('youtube', 'publish', account.externalId)
  return answerCall(reply, fault, deps.clock, accept, (refused) => {
    if (refused === 'token_expired') revokeAccess(account, deps)
    return REFUSALS[refused]
  })
}
