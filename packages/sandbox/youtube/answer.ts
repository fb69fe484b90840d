import type { FastifyReply } from 'fastify'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { LedgerAccount } from '../ledger.ts'
import { revokeAccess } from '../oauth/token.ts'
import type { StandInDeps } from '../stand-in.ts'
import { googleError } from './refusal.ts'

const FORBIDDEN = {
  publish: 'The caller may not upload this video.',
  edit: 'The caller may not update this video.',
  metrics: 'The caller may not see what is asked for.',
  reply: 'The comment could not be created due to insufficient permissions.',
} as const

const REFUSALS: Readonly<Record<Exclude<Refused, 'reject'>, Answer>> = {
  rate_limit: googleError(403, 'rateLimitExceeded', 'Rate Limit Exceeded'),
  server_error: googleError(503, 'backendError', 'Backend Error'),
  token_expired: googleError(401, 'authError', 'Invalid Credentials'),
}

/** Answers a valid call under the fault scripted for it, in Google's own words. */
export function answer(
  reply: FastifyReply,
  call: keyof typeof FORBIDDEN,
  account: LedgerAccount,
  deps: StandInDeps,
  accept: () => Answer,
): Promise<FastifyReply> {
  return answerCall(reply, { platform: 'youtube', call, externalId: account.externalId }, deps, accept, (refused) => {
    if (refused === 'token_expired') revokeAccess(account, deps)
    return refused === 'reject' ? googleError(403, 'forbidden', FORBIDDEN[call]) : REFUSALS[refused]
  })
}
