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
  const charge = { platform: 'bluesky', call, externalId: caller.account.externalId } as const
  const accepted = (): Answer => ({ status: 200, body: accept() })
  return answerCall(reply, charge, deps, accepted, (refused, fault) => {
    if (refused === 'token_expired') sessions.revoke(caller.token)
    return refusal(refused, fault, deps)
  })
}

function refusal(refused: Refused, { retryAfterSeconds }: FaultScript, { clock }: StandInDeps): Answer {
  switch (refused) {
    case 'reject':
      return xrpcError(400, 'InvalidRequest', 'Invalid app.bsky.feed.post record: not acceptable')
    case 'server_error':
      return xrpcError(500, 'InternalServerError', 'Internal Server Error')
    case 'token_expired':
      // Not 401: the reference server reports it this way.
      return xrpcError(400, 'ExpiredToken', 'Token has expired')
    case 'rate_limit': {
      const headers = {
        'ratelimit-limit': '30',
        'ratelimit-remaining': '0',
        'ratelimit-reset': String(Math.ceil(clock.now() / 1_000) + retryAfterSeconds),
        'ratelimit-policy': '30;w=300',
      }
      return { ...xrpcError(429, 'RateLimitExceeded', 'Rate Limit Exceeded'), headers }
    }
  }
}
