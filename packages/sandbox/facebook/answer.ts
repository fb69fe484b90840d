import type { FastifyReply } from 'fastify'
import type { Call } from '../faults.ts'
import { answerGraph } from '../meta/answer.ts'
import { revoke } from '../meta/caller.ts'
import { graphError } from '../meta/refusal.ts'
import { EXPIRED } from '../meta/token.ts'
import { overLimit } from '../meta/usage.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Caller } from './tokens.ts'

const TOO_MANY = { code: 80001, message: 'There have been too many calls to this Page.' }

/** Answers a valid call under the fault scripted for it. */
export function answerPage(
  reply: FastifyReply,
  call: Call,
  caller: Pick<Caller, 'account' | 'kind'>,
  deps: StandInDeps,
  accept: () => object,
): Promise<FastifyReply> {
  const { externalId } = caller.account
  return answerGraph(reply, { platform: 'facebook', call, externalId }, deps, accept, (refused, fault) => {
    if (refused === 'rate_limit') return overLimit(externalId, 'pages', fault, TOO_MANY)
    revoke(caller, deps)
    return graphError(EXPIRED)
  })
}
