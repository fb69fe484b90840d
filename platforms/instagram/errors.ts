import { z } from 'zod'
import type { Clock } from '../../system/clock.ts'
import type { HttpResponse } from '../http.ts'
import { PlatformError, type PlatformErrorKind } from '../platform.ts'
import { jsonOf, lost, quoted, type Effect } from '../rest.ts'
import { retryAfterMs } from '../retry-after.ts'
import { meaningOf, troubleOf, type Trouble } from './trouble.ts'

/** A refusal that keeps what kind of trouble it is, for those who can do something about one. */
export class InstagramError extends PlatformError {
  readonly trouble: Trouble | undefined

  constructor(
    kind: PlatformErrorKind,
    message: string,
    options: { trouble?: Trouble | undefined; retryAfterMs?: number | undefined; accountRests?: boolean } = {},
  ) {
    super(kind, message, options)
    this.name = 'InstagramError'
    this.trouble = options.trouble
  }
}

export function isTrouble(error: unknown, ...troubles: readonly Trouble[]): error is InstagramError {
  return error instanceof InstagramError && error.trouble !== undefined && troubles.includes(error.trouble)
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
 * Classifies an answer that is no success: by code and subcode, since the status says little (a rate limit is a 400).
 *
 * @param token kept out of the message, for some refusals repeat it
 */
export function refused(
  response: HttpResponse,
  effect: Effect | undefined,
  token: string,
  clock: Clock,
): InstagramError {
  const { status } = response
  const answer = errorAnswer.safeParse(jsonOf(response))
  if (!answer.success) {
    if (status === 429) return troubled('rate limit', '', response, effect, clock)
    return new InstagramError(lost(effect), `Instagram answered ${status} without saying why.`)
  }
  const { code, error_subcode: subcode, is_transient: transient, ...said } = answer.data.error
  const trace = said.fbtrace_id === undefined ? '' : ` (trace ${said.fbtrace_id})`
  const text = quoted((said.error_user_msg ?? said.message).replaceAll(token, '…')) + trace
  const trouble = troubleOf(code, subcode, said.message)
  if (trouble) return troubled(trouble, text, response, effect, clock)
  if (transient === true || status >= 500) return troubled('failed', text, response, effect, clock)
  return troubled('refused', text, response, effect, clock)
}

function troubled(
  trouble: Trouble,
  text: string,
  response: HttpResponse,
  effect: Effect | undefined,
  clock: Clock,
): InstagramError {
  const { says, waitMs, accountRests = false, ...kinds } = meaningOf(trouble)
  const kind = kinds[effect ?? 'hidden']
  const wait = accountRests ? (waitIn(response, clock) ?? waitMs) : waitMs
  return new InstagramError(kind, text === '' ? `${says}.` : `${says}: ${text}`, {
    trouble,
    accountRests,
    ...(kind === 'retryable' && { retryAfterMs: wait }),
  })
}

const businessUsage = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.number().catch(0) })).catch([]),
)

/** How long Instagram says that the account is shut out: in minutes, by account. */
function waitIn({ headers }: HttpResponse, clock: Clock): number | undefined {
  const usage = businessUsage.safeParse(parsed(headers['x-business-use-case-usage'] ?? ''))
  const minutes = usage.success
    ? Object.values(usage.data).flatMap((entries) => entries.map((entry) => entry.estimated_time_to_regain_access))
    : []
  const longest = Math.max(0, ...minutes)
  return longest > 0 ? longest * 60_000 : retryAfterMs(headers['retry-after'], clock.now())
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
