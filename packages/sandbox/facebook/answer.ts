import type { FastifyReply } from 'fastify'
import type { Call } from '../faults.ts'
import { answerGraph } from '../meta/answer.ts'
import { graphError } from '../meta/refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { EXPIRED, revoke, type Caller } from './tokens.ts'

/** Answers a valid call under the fault scripted for it. */
export function answerPage(
  reply: FastifyReply,
  call: Call,
  caller: Caller,
  deps: StandInDeps,
  accept: () => object,
): Promise<FastifyReply> {
  const { externalId } = caller.account
  return answerGraph(reply, { platform: 'facebook', call, externalId }, deps, accept, (refused, fault) => {
    if (refused === 'token_expired') {
      revoke(caller, deps)
      return graphError(EXPIRED)
    }
    const minutes = Math.ceil(fault.retryAfterSeconds / 60)
    const usage = [{ type: 'pages', call_count: 100, total_time: 30, estimated_time_to_regain_access: minutes }]
    const headers = { 'x-business-use-case-usage': JSON.stringify({ [externalId]: usage }) }
    return { ...graphError({ code: 80001, message: 'There have been too many calls to this Page.' }), headers }
  })
}
