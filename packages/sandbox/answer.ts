import type { FastifyReply } from 'fastify'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { breakConnection } from './break-connection.ts'
import type { Call, FaultScript } from './faults.ts'
import type { StandInDeps } from './stand-in.ts'

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The faults that each platform words in its own way. */
export type Refused = 'reject' | 'rate_limit' | 'server_error' | 'token_expired'

/** Builds the platform's own error for a fault. */
type Refuse = (refused: Refused, fault: FaultScript) => Answer

/** A kind of call and the account that it is made for: what a fault can be scripted for. */
export interface Charge {
  readonly platform: PlatformKey
  readonly call: Call
  readonly externalId: string
}

/**
 * Answers a call that has been validated, applying the fault scripted for it, if any.
 *
 * @param accept applies the call and returns the answer. Called at most once.
 * @param refuse its answer gets a `Retry-After` for `rate_limit`
 */
export function answerCall(
  reply: FastifyReply,
  { platform, call, externalId }: Charge,
  { faults, clock }: StandInDeps,
  accept: () => Answer,
  refuse: Refuse,
): Promise<FastifyReply> {
  return answerUnder(reply, faults.take(platform, call, externalId), clock, accept, refuse)
}

/** Like `answerCall`, under a fault that the caller has taken. */
export async function answerUnder(
  reply: FastifyReply,
  fault: FaultScript | undefined,
  clock: Clock,
  accept: () => Answer,
  refuse: Refuse,
): Promise<FastifyReply> {
  switch (fault?.kind) {
    case undefined:
      return send(reply, accept())
    case 'slow': {
      const answer = accept()
      await hold(reply, fault.delayMs, clock)
      return send(reply, answer)
    }
    case 'accept_then_timeout':
      accept()
      await hold(reply, fault.delayMs, clock)
      return breakConnection(reply)
    case 'server_error':
      if (fault.accepted) accept()
      return send(reply, refuse(fault.kind, fault))
    case 'rate_limit':
      return send(reply.header('retry-after', String(fault.retryAfterSeconds)), refuse(fault.kind, fault))
    case 'reject':
    case 'token_expired':
      return send(reply, refuse(fault.kind, fault))
  }
}

export function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  return reply
    .code(status)
    .headers({ ...headers })
    .send(body)
}

/** Waits until the time is up or the connection closes, whichever comes first. */
async function hold(reply: FastifyReply, ms: number, clock: Clock): Promise<void> {
  const gone = new AbortController()
  const onClose = () => gone.abort()
  reply.raw.once('close', onClose)
  await clock.sleep(ms, gone.signal)
  reply.raw.off('close', onClose)
}
