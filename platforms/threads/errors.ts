import { z } from 'zod'
import type { Clock } from '../../system/clock.ts'
import type { HttpResponse } from '../http.ts'
import { PlatformError, type PlatformErrorKind } from '../platform.ts'
import { jsonOf, lost, quoted, type Effect } from '../rest.ts'
import { retryAfterMs } from '../retry-after.ts'
import { meaningOf, troubleOf, type Trouble } from './trouble.ts'

/** A refusal that keeps what kind of trouble it is, for those who can do something about one. */
export class ThreadsError extends PlatformError {
  readonly trouble: Trouble | undefined

  constructor(
    kind: PlatformErrorKind,
    message: string,
    options: { trouble?: Trouble | undefined; retryAfterMs?: number | undefined; accountRests?: boolean } = {},
  ) {
    super(kind, message, options)
    this.name = 'ThreadsError'
    this.trouble = options.trouble
  }
}

export function isTrouble(error: unknown, ...troubles: readonly Trouble[]): error is ThreadsError {
  return error instanceof ThreadsError && error.trouble !== undefined && troubles.includes(error.trouble)
}

const errorAnswer = z.object({
  error: z.object({
    message: z.string().catch(''),
    code: z.number(),
    error_subcode: z.number().optional().catch(undefined),
    is_transient: z.boolean().optional().catch(undefined),
    error_user_msg: z.string().optional().catch(undefined),
    fbtrace_id: z.string().optional().catch(undefined),
  }),
})

/**
 * Classifies an answer that is no success: by code and subcode, since the status says little (a rate limit may be a 400).
 *
 * @param token kept out of the message, for some refusals repeat it
 */
export function refused(response: HttpResponse, effect: Effect | undefined, token: string, clock: Clock): ThreadsError {
  const { status } = response
  const answer = errorAnswer.safeParse(jsonOf(response))
  if (!answer.success) {
    if (status === 429) return troubled('rate limit', '', response, effect, clock)
    return new ThreadsError(lost(effect), `Threads answered ${status} without saying why.`)
  }
  const { code, error_subcode: subcode, is_transient: transient, ...said } = answer.data.error
  const trace = said.fbtrace_id === undefined ? '' : ` (trace ${quoted(said.fbtrace_id)})`
  const text = quoted((said.error_user_msg ?? said.message).replaceAll(token, '…')) + trace
  const known = troubleOf(code, subcode, said.message)
  const unknown = status === 429 ? 'rate limit' : transient === true || status >= 500 ? 'failed' : 'refused'
  return troubled(known ?? unknown, text, response, effect, clock)
}

function troubled(
  trouble: Trouble,
  text: string,
  { headers }: HttpResponse,
  effect: Effect | undefined,
  clock: Clock,
): ThreadsError {
  const { says, waitMs, accountRests = false, ...kinds } = meaningOf(trouble)
  const kind = kinds[effect ?? 'hidden']
  const wait = accountRests ? (retryAfterMs(headers['retry-after'], clock.now()) ?? waitMs) : waitMs
  return new ThreadsError(kind, text === '' ? `${says}.` : `${says}: ${text}`, {
    trouble,
    accountRests,
    ...(kind === 'retryable' && { retryAfterMs: wait }),
  })
}
