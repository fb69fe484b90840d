import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { Call } from '../faults.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { errorBody, namedRefusal } from './refusal.ts'
import { revokeAccess } from './tokens.ts'

const CODES: Readonly<Record<Exclude<Refused, 'reject'>, string>> = {
  token_expired: '2',
  rate_limit: '8',
  server_error: '12',
}

/**
 * Answers a valid call under the fault scripted for it.
 *
 * @param rejected what `reject` means for this call
 */
export function answer(
  reply: FastifyReply,
  call: Call,
  account: LedgerAccount,
  deps: StandInDeps,
  rejected: Answer,
  accept: () => Answer,
): Promise<FastifyReply> {
  const fault = deps.faults.take('pinterest', call, account.externalId)
  return answerCall(reply, fault, deps.clock, accept, (refused) => {
    if (refused === 'reject') return rejected
    if (refused === 'token_expired') revokeAccess(account, deps)
    const { status, code, message } = namedRefusal(CODES[refused])
    return { status, body: errorBody(code, message) }
  })
}
