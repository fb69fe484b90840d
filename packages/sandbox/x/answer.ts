import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { Call, FaultScript } from '../faults.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { forbidden, problem, unauthorized, XRefusal } from './refusal.ts'
import { revokeAccess } from './tokens.ts'

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
  const fault = deps.faults.take('x', call, account.externalId)
  return answerCall(reply, fault, deps.clock, accept, (refused) => {
    if (refused === 'token_expired') revokeAccess(account, deps)
    return call === 'refresh' && (refused === 'reject' || refused === 'token_expired')
      ? asAnswer(invalidGrant())
      : refusal(refused, fault, deps)
  })
}

export function invalidGrant(): XRefusal {
  const description = 'Value passed for the token was invalid.'
  return new XRefusal(400, { error: 'invalid_request', error_description: description })
}

function refusal(refused: Refused, fault: FaultScript | undefined, { clock }: StandInDeps): Answer {
  switch (refused) {
    case 'reject':
      return asAnswer(forbidden('You are not permitted to perform this action.'))
    case 'server_error':
      return asAnswer(problem(503, 'Service Unavailable', 'Service Unavailable'))
    case 'token_expired':
      return asAnswer(unauthorized())
    case 'rate_limit': {
      const reset = Math.ceil(clock.now() / 1_000) + (fault?.retryAfterSeconds ?? 0)
      const headers = {
        'x-rate-limit-limit': String(POST_LIMIT),
        'x-rate-limit-remaining': '0',
        'x-rate-limit-reset': String(reset),
      }
      return { ...asAnswer(problem(429, 'Too Many Requests', 'Too Many Requests')), headers }
    }
  }
}

function asAnswer({ status, body }: XRefusal): Answer {
  return { status, body }
}
