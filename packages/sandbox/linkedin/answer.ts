import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { LedgerAccount } from '../ledger.ts'
import { revokeAccess } from '../oauth/token.ts'
import type { StandInRefusal } from '../stand-in-refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { refuse } from './refusal.ts'

/** The field that holds the text. */
const TEXT = { publish: '/commentary', edit: '/commentary', reply: '/message/text' } as const

/** Answers a valid call under the fault scripted for it, in LinkedIn's words. */
export function answer(
  reply: FastifyReply,
  call: keyof typeof TEXT,
  caller: LedgerAccount,
  deps: StandInDeps,
  accept: () => Answer,
): Promise<FastifyReply> {
  return answerCall(reply, { platform: 'linkedin', call, externalId: caller.externalId }, deps, accept, (refused) => {
    if (refused === 'token_expired') revokeAccess(caller, deps)
    return refusalOf(refused, TEXT[call]).answer
  })
}

function refusalOf(refused: Refused, field: string): StandInRefusal {
  switch (refused) {
    case 'reject':
      return refuse(400, 'INVALID_VALUE_FOR_FIELD', `ERROR :: ${field} :: this content is not allowed`)
    case 'rate_limit':
      return refuse(429, 'TOO_MANY_REQUESTS', 'Resource level throttle limit for calls to this resource is reached.')
    case 'server_error':
      return refuse(500, 'INTERNAL_SERVER_ERROR', 'Internal Server Error')
    case 'token_expired':
      return refuse(401, 'EXPIRED_ACCESS_TOKEN', 'The token used in the request has expired', 65_602)
  }
}
