import type { FastifyReply } from 'fastify'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { FaultScript } from './faults.ts'

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The faults that each platform words in its own way. */
export type Refused = 'reject' | 'rate_limit' | 'server_error' | 'token_expired'

/**
 * Answers a call that has been validated, applying the fault taken for it, if any.
 *
 * @param accept applies the call and returns the answer. Called at most once.
 * @param refuse builds the platform's own error. `Retry-After` is added for `rate_limit`.
 */
export async function answerCall(
  reply: FastifyReply,
  fault: FaultScript | undefined,
  clock: Clock,
  accept: () => Answer,
  refuse: (refused: Refused) => Answer,
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
      reply.hijack()
      reply.raw.destroy()
      return reply
    case 'server_error':
      if (fault.accepted) accept()
      return send(reply, refuse(fault.kind))
    case 'rate_limit':
      return send(reply.header('retry-after', String(fault.retryAfterSeconds)), refuse(fault.kind))
    case 'reject':
    case 'token_expired':
      return send(reply, refuse(fault.kind))
  }
}

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
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
