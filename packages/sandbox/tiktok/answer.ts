import type { FastifyReply } from 'fastify'
import { answerUnder, type Answer, type Refused } from '../answer.ts'
import type { FaultKind, FaultScript } from '../faults.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { refusal } from './refusal.ts'
import { tokens } from './tokens.ts'

/**
 * For a video, these faults hit its init call, because the upload has neither tokens nor codes. The others hit its last chunk.
 */
const OF_THE_API: readonly FaultKind[] = ['reject', 'rate_limit', 'token_expired']

const CODES: Readonly<Record<Refused, string>> = {
  reject: 'spam_risk',
  rate_limit: 'rate_limit_exceeded',
  server_error: 'internal_error',
  token_expired: 'access_token_invalid',
}

/** Answers the init call of a video. */
export function answerVideoInit(
  reply: FastifyReply,
  account: LedgerAccount,
  deps: StandInDeps,
  accept: () => Answer,
): Promise<FastifyReply> {
  const fault = takeIf(account, deps, ({ kind }) => OF_THE_API.includes(kind))
  return answerUnder(reply, fault, deps.clock, accept, (refused) => refusedAs(refused, account, deps))
}

/** Answers the last chunk of a video. */
export function answerLastChunk(
  reply: FastifyReply,
  account: LedgerAccount,
  deps: StandInDeps,
  accept: () => Answer,
): Promise<FastifyReply> {
  const fault = takeIf(account, deps, ({ kind }) => !OF_THE_API.includes(kind))
  return answerUnder(reply, fault, deps.clock, accept, () => ({ status: 500, body: '' }))
}

/** Answers a photo post, which is a single call. */
export function answerPhotoInit(
  reply: FastifyReply,
  account: LedgerAccount,
  deps: StandInDeps,
  accept: () => Answer,
): Promise<FastifyReply> {
  const fault = takeIf(account, deps, () => true)
  return answerUnder(reply, fault, deps.clock, accept, (refused) => refusedAs(refused, account, deps))
}

function takeIf(
  { externalId }: LedgerAccount,
  { faults }: StandInDeps,
  fits: (fault: FaultScript) => boolean,
): FaultScript | undefined {
  const next = faults
    .pending()
    .find(
      ({ platform, call, accountId = externalId }) =>
        platform === 'tiktok' && call === 'publish' && accountId === externalId,
    )
  return next && fits(next) ? faults.take('tiktok', 'publish', externalId) : undefined
}

function refusedAs(refused: Refused, account: LedgerAccount, deps: StandInDeps): Answer {
  if (refused === 'token_expired') tokens.revokeAccess(account, deps)
  return refusal(CODES[refused]).answer
}
