import type { FastifyReply } from 'fastify'
import type { Answer } from '../answer.ts'
import type { Call } from '../faults.ts'
import { answerGraph } from '../meta/answer.ts'
import { graphError } from '../meta/refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { EXPIRED, revoke, type Caller } from './tokens.ts'

/** Answers a valid call under the fault scripted for it. */
export function answer(
  reply: FastifyReply,
  call: Call,
  caller: Pick<Caller, 'account' | 'kind'>,
  deps: StandInDeps,
  accept: () => object,
): Promise<FastifyReply> {
  const { externalId } = caller.account
  return answerGraph(reply, { platform: 'instagram', call, externalId }, deps, accept, (refused, fault) => {
    if (refused === 'rate_limit') return limited(externalId, fault.retryAfterSeconds)
    revoke(caller, deps)
    return graphError(EXPIRED)
  })
}

function limited(accountId: string, seconds: number): Answer {
  const minutes = Math.ceil(seconds / 60)
  const usage = [{ type: 'instagram', call_count: 100, total_time: 30, estimated_time_to_regain_access: minutes }]
  const headers = { 'x-business-use-case-usage': JSON.stringify({ [accountId]: usage }) }
  return { ...graphError({ code: 80002, message: 'There have been too many calls to this account.' }), headers }
}
