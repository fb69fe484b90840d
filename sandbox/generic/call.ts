import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { Call } from '../faults.ts'
import type { LedgerAccount } from '../ledger.ts'
import { errorBody } from '../refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { revokeAccess } from './tokens.ts'

const REFUSALS: Readonly<Record<Refused, readonly [status: number, code: string, message: string]>> = {
  reject: [400, 'rejected', 'this content was rejected: it does not meet the community standards'],
  rate_limit: [429, 'rate_limited', 'too many calls for this account'],
  server_error: [500, 'server_error', 'something went wrong on our side'],
  token_expired: [401, 'token_expired', 'this access token has expired'],
}

/** Answers a valid call of the plain protocol under whatever fault is scripted for it. */
export function answer(
  reply: FastifyReply,
  call: Call,
  account: LedgerAccount,
  deps: StandInDeps,
  accept: () => Answer,
): Promise<FastifyReply> {
  const fault = deps.faults.take(account.platform, call, account.externalId)
  return answerCall(reply, fault, deps.clock, accept, (refused) => {
    if (refused === 'token_expired') revokeAccess(account, deps)
    const [status, code, message] = REFUSALS[refused]
    return { status, body: errorBody(code, message) }
  })
}
