import type { FastifyReply } from 'fastify'
import type { Call } from '../faults.ts'
import { answerGraph } from '../meta/answer.ts'
import { graphError } from '../meta/refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { EXPIRED, revoke, type Caller } from './tokens.ts'

/** Answers a valid call under the fault scripted for it. */
export function answer(
  reply: FastifyReply,
  call: Call,
  caller: Pick<Caller, 'account'>,
  deps: StandInDeps,
  accept: () => object,
): Promise<FastifyReply> {
  const { externalId } = caller.account
  return answerGraph(reply, { platform: 'threads', call, externalId }, deps, accept, (refused) => {
    if (refused === 'rate_limit') return graphError({ code: 4, message: 'Application request limit reached' })
    revoke(caller, deps)
    return graphError(EXPIRED)
  })
}
