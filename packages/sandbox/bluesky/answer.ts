import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { Call, FaultScript } from '../faults.ts'
import type { StandInDeps } from '../stand-in.ts'
import { xrpcError } from './refusal.ts'
import type { Authenticated, Sessions } from './sessions.ts'

/** Answers a valid call under the fault scripted for it, in the server's own words. */
export function answerXrpc(
  reply: FastifyReply,
  call: Call,
  caller: Authenticated,
  sessions: Sessions,
  deps: StandInDeps,
  accept: () => object,
): Promise<FastifyReply> {
  const fault = deps.faults.take('bluesky', call, caller.account.externalId)
  return answerCall(
    reply,
    fault,
    deps.clock,
    () => ({ status: 200, body: accept() }),
    (refused) => {
      if (refused === 'token_expired') sessions.revoke(caller.token)
      return refusal(refused, fault, deps)
    },
  )
}

function refusal(refused: Refused, fault: FaultScript | undefined, { clock }: StandInDeps): Answer {
  switch (refused) {
    case 'reject':
      return { status: 400, body: xrpcError('InvalidRequest', 'Invalid app.bsky.feed.post record: not acceptable') }
    case 'server_error':
      return { status: 500, body: xrpcError('InternalServerError', 'Internal Server Error') }
    case 'token_expired':
      // Not 401: the reference server reports it this way.
      return { status: 400, body: xrpcError('ExpiredToken', 'Token has expired') }
    case 'rate_limit': {
      const reset = Math.ceil(clock.now() / 1_000) + (fault?.retryAfterSeconds ?? 0)
      const headers = {
        'ratelimit-limit': '30',
        'ratelimit-remaining': '0',
        'ratelimit-reset': String(reset),
        'ratelimit-policy': '30;w=300',
      }
      return { status: 429, headers, body: xrpcError('RateLimitExceeded', 'Rate Limit Exceeded') }
    }
  }
}
