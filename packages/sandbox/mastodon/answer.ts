import type { FastifyReply } from 'fastify'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { Call, FaultScript } from '../faults.ts'
import type { LedgerAccount } from '../ledger.ts'
import { revokeAccess } from '../oauth/token.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerOf, invalidToken } from './refusal.ts'

/** Posts per user in three hours. Reported when a limit is scripted, but not enforced, so that no test hits it. */
const POST_LIMIT = 300

/** Answers a valid call under the fault scripted for it. */
export function answer(
  reply: FastifyReply,
  call: Call,
  account: LedgerAccount,
  deps: StandInDeps,
  accept: () => object,
): Promise<FastifyReply> {
  const charge = { platform: 'mastodon', call, externalId: account.externalId } as const
  return answerCall(
    reply,
    charge,
    deps,
    () => ({ status: 200, body: accept() }),
    (refused, fault) => {
      if (refused === 'token_expired') revokeAccess(account, deps)
      return refusedAs(refused, fault, deps)
    },
  )
}

export function refusedAs(
  refused: Refused,
  { retryAfterSeconds }: Pick<FaultScript, 'retryAfterSeconds'>,
  { clock }: StandInDeps,
): Answer {
  switch (refused) {
    case 'reject':
      return answerOf(422, 'Validation failed: Text is not allowed')
    case 'server_error':
      return answerOf(503, 'Remote data could not be fetched')
    case 'token_expired':
      return invalidToken().answer
    case 'rate_limit': {
      const headers = {
        'x-ratelimit-limit': String(POST_LIMIT),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': isoTime(clock.now() + retryAfterSeconds * 1_000),
      }
      return { ...answerOf(429, 'Too many requests'), headers }
    }
  }
}
