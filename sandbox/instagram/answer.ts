import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { Call, FaultScript } from '../faults.ts'
import type { StandInDeps } from '../stand-in.ts'
import { graphError } from './refusal.ts'
import { EXPIRED, revoke, type Caller } from './tokens.ts'

/** Answers a valid call under whatever fault is scripted for it, in the words of the Graph API. */
export function answerGraph(
  reply: FastifyReply,
  call: Call,
  caller: Caller,
  deps: StandInDeps,
  accept: () => object,
): Promise<FastifyReply> {
  const { externalId } = caller.account
  const fault = deps.faults.take('instagram', call, externalId)
  return answerCall(
    reply,
    fault,
    deps.clock,
    () => ({ status: 200, body: accept() }),
    (refused) => {
      if (refused === 'token_expired') revoke(caller, deps)
      return refusal(refused, call, fault, externalId)
    },
  )
}

function refusal(refused: Refused, call: Call, fault: FaultScript | undefined, accountId: string): Answer {
  switch (refused) {
    case 'reject':
      return call === 'refresh'
        ? graphError({ code: 190, subcode: 467, message: 'Error validating access token: it is invalid' })
        : graphError({ code: 368, message: 'The action attempted has been deemed abusive or is otherwise disallowed' })
    case 'server_error':
      return graphError({ code: 2, message: 'An unexpected error has occurred. Please retry later.', status: 500 })
    case 'token_expired':
      return graphError(EXPIRED)
    case 'rate_limit': {
      const minutes = Math.ceil((fault?.retryAfterSeconds ?? 0) / 60)
      const usage = [{ type: 'instagram', call_count: 100, total_time: 30, estimated_time_to_regain_access: minutes }]
      const headers = { 'x-business-use-case-usage': JSON.stringify({ [accountId]: usage }) }
      return { ...graphError({ code: 80002, message: 'There have been too many calls to this account.' }), headers }
    }
  }
}
