import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { Call } from '../faults.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { namedRefusal } from './refusal.ts'
import { tokens } from './tokens.ts'

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
  const charge = { platform: 'pinterest', call, externalId: account.externalId } as const
  return answerCall(reply, charge, deps, accept, (refused) => refusedAs(refused, account, deps, rejected))
}

export function refusedAs(refused: Refused, account: LedgerAccount, deps: StandInDeps, rejected: Answer): Answer {
  if (refused === 'reject') return rejected
  if (refused === 'token_expired') tokens.revokeAccess(account, deps)
  return namedRefusal(CODES[refused]).answer
}
