import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { Call, FaultScript } from '../faults.ts'
import type { LedgerAccount } from '../ledger.ts'
import { revokeAccess } from '../oauth/token.ts'
import type { StandInDeps } from '../stand-in.ts'
import { forbidden, invalidGrant, problem, unauthorized } from './refusal.ts'

/** Posts per user in 15 minutes. Reported when a limit is scripted, but not enforced, so that no test hits it. */
const POST_LIMIT = 100

/** Answers a valid call under the fault scripted for it, in X's words. */
export function answerX(
  reply: FastifyReply,
  call: Call,
  account: LedgerAccount,
  deps: StandInDeps,
  accept: () => Answer,
): Promise<FastifyReply> {
  return answerCall(reply, { platform: 'x', call, externalId: account.externalId }, deps, accept, (refused, fault) => {
    if (refused === 'token_expired') revokeAccess(account, deps)
    return call === 'refresh' && (refused === 'reject' || refused === 'token_expired')
      ? invalidGrant().answer
      : refusal(refused, fault, deps)
  })
}

function refusal(refused: Refused, { retryAfterSeconds }: FaultScript, { clock }: StandInDeps): Answer {
  switch (refused) {
    case 'reject':
      return forbidden('You are not permitted to perform this action.').answer
    case 'server_error':
      return problem(503, 'Service Unavailable', 'Service Unavailable').answer
    case 'token_expired':
      return unauthorized().answer
    case 'rate_limit': {
      const headers = {
        'x-rate-limit-limit': String(POST_LIMIT),
        'x-rate-limit-remaining': '0',
        'x-rate-limit-reset': String(Math.ceil(clock.now() / 1_000) + retryAfterSeconds),
      }
      return { ...problem(429, 'Too Many Requests', 'Too Many Requests').answer, headers }
    }
  }
}
