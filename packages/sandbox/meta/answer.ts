import type { FastifyReply } from 'fastify'
import type { PlatformKey } from '../../../domain/core/platform.ts'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { Call, FaultScript } from '../faults.ts'
import type { StandInDeps } from '../stand-in.ts'
import { graphError } from './refusal.ts'

/** The account that a call is made for, and its kind. */
export interface Charge {
  readonly platform: PlatformKey
  readonly call: Call
  readonly externalId: string
}

/** The faults that each platform words in its own way. For `token_expired` it also revokes the token. */
export type OwnWords = (refused: 'rate_limit' | 'token_expired', fault: FaultScript | undefined) => Answer

/** Answers a valid call under the fault scripted for it, in the Graph API's words. */
export function answerGraph(
  reply: FastifyReply,
  { platform, call, externalId }: Charge,
  deps: StandInDeps,
  accept: () => object,
  ownWords: OwnWords,
): Promise<FastifyReply> {
  const fault = deps.faults.take(platform, call, externalId)
  const accepted = (): Answer => ({ status: 200, body: accept() })
  return answerCall(reply, fault, deps.clock, accepted, (refused) => refusal(refused, call, fault, ownWords))
}

function refusal(refused: Refused, call: Call, fault: FaultScript | undefined, ownWords: OwnWords): Answer {
  switch (refused) {
    case 'reject':
      return call === 'refresh'
        ? graphError({ code: 190, subcode: 467, message: 'Error validating access token: it is invalid' })
        : graphError({ code: 368, message: 'The action attempted has been deemed abusive or is otherwise disallowed' })
    case 'server_error':
      return graphError({ code: 2, message: 'An unexpected error has occurred. Please retry later.', status: 500 })
    case 'rate_limit':
    case 'token_expired':
      return ownWords(refused, fault)
  }
}
