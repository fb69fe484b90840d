import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { LedgerAccount } from '../ledger.ts'
import { revokeAccess } from '../oauth/token.ts'
import type { StandInDeps } from '../stand-in.ts'
import { NAMED } from './refusal.ts'

const REFUSALS: Readonly<Record<Refused, Answer>> = {
  reject: NAMED.invalid.answer,
  rate_limit: NAMED.limited.answer,
  server_error: NAMED.unavailable.answer,
  token_expired: NAMED.unauthenticated.answer,
}

/** Answers a valid call under the fault scripted for it, in Google's own words. */
export function answer(
  reply: FastifyReply,
  account: LedgerAccount,
  deps: StandInDeps,
  call: 'publish' | 'edit',
  accept: () => Answer,
): Promise<FastifyReply> {
  const charge = { platform: 'googlebusiness', call, externalId: account.externalId } as const
  return answerCall(reply, charge, deps, accept, (refused) => {
    if (refused === 'token_expired') revokeAccess(account, deps)
    return REFUSALS[refused]
  })
}
