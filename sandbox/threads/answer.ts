import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { Call } from '../faults.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { errorBody, ThreadsRefusal } from './refusal.ts'
import { revokeAccess } from './tokens.ts'

const REFUSALS: Readonly<Record<Refused, ThreadsRefusal>> = {
  reject: new ThreadsRefusal(400, 368, 'The action attempted has been deemed abusive or is otherwise disallowed'),
  rate_limit: new ThreadsRefusal(400, 4, 'Application request limit reached'),
  server_error: new ThreadsRefusal(500, 2, 'An unexpected error has occurred. Please retry your request later.'),
  token_expired: new ThreadsRefusal(401, 190, 'Error validating access token: Session has expired', 463),
}

/** Answers a valid call under whatever fault is scripted for it. */
export function answer(
  reply: FastifyReply,
  call: Call,
  account: LedgerAccount,
  deps: StandInDeps,
  accept: () => Answer,
): Promise<FastifyReply> {
  const fault = deps.faults.take('threads', call, account.externalId)
  return answerCall(reply, fault, deps.clock, accept, (refused) => {
    if (refused === 'token_expired') revokeAccess(account, deps)
    const refusal = REFUSALS[refused]
    return { status: refusal.status, body: errorBody(refusal) }
  })
}
