import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Charge } from '../answer.ts'
import type { FaultScript } from '../faults.ts'
import type { StandInDeps } from '../stand-in.ts'
import { graphError } from './refusal.ts'

/** The faults that each platform words in its own way. For `token_expired` it also revokes the token. */
export type OwnWords = (refused: 'rate_limit' | 'token_expired', fault: FaultScript) => Answer

/** Answers a valid call under the fault scripted for it, in the Graph API's words. */
export function answerGraph(
  reply: FastifyReply,
  charge: Charge,
  deps: StandInDeps,
  accept: () => object,
  ownWords: OwnWords,
): Promise<FastifyReply> {
  const accepted = (): Answer => ({ status: 200, body: accept() })
  return answerCall(reply, charge, deps, accepted, (refused, fault) => {
    switch (refused) {
      case 'reject':
        return charge.call === 'refresh'
          ? graphError({ code: 190, subcode: 467, message: 'Error validating access token: it is invalid' })
          : graphError({
              code: 368,
              message: 'The action attempted has been deemed abusive or is otherwise disallowed',
            })
      case 'server_error':
        return graphError({ code: 2, message: 'An unexpected error has occurred. Please retry later.', status: 500 })
      case 'rate_limit':
      case 'token_expired':
        return ownWords(refused, fault)
    }
  })
}
