import type { Clock } from '../../infra/runtime/clock.ts'
import type { HttpResponse } from '../../infra/http/http.ts'
import { PlatformError, type PlatformErrorKind } from '../kit/platform.ts'
import { lost, quoted, type Effect } from '../kit/rest.ts'
import { faultIn, type GraphFault } from './fault.ts'
import type { GraphTrouble, Meaning } from './trouble.ts'
import { waitIn } from './usage.ts'

/** A refusal that carries its trouble, for callers that can handle it. */
export class GraphError extends PlatformError {
  readonly trouble: string | undefined

  constructor(
    platform: string,
    kind: PlatformErrorKind,
    message: string,
    options: { trouble?: string; retryAfterMs?: number | undefined; accountRests?: boolean } = {},
  ) {
    super(kind, message, options)
    this.name = `${platform}Error`
    this.trouble = options.trouble
  }
}

/** Maps the faults of one platform to their meaning. */
export interface ErrorTable<Trouble extends string> {
  /** The platform's display name. */
  readonly name: string
  readonly meaningOf: (trouble: Trouble) => Meaning
  /** Undefined for an unknown fault, which counts as a failure of Meta's or as a refusal. */
  readonly troubleOf: (fault: GraphFault) => Trouble | undefined
}

export interface GraphErrors<Trouble extends string> {
  readonly isTrouble: (error: unknown, ...troubles: readonly Trouble[]) => error is GraphError
  /** @param text details for the message; default: none */
  readonly errorOf: (trouble: Trouble, text?: string) => GraphError
  /**
   * Classifies an unsuccessful response.
   *
   * @param token redacted from the message, because some refusals echo it
   */
  readonly refused: (response: HttpResponse, effect: Effect | undefined, token: string, clock: Clock) => GraphError
}

export function graphErrors<Trouble extends string>({
  name,
  meaningOf,
  troubleOf,
}: ErrorTable<Trouble | GraphTrouble>): GraphErrors<Trouble | GraphTrouble> {
  const errorOf = (
    trouble: Trouble | GraphTrouble,
    text = '',
    effect: Effect = 'hidden',
    askedMs?: number,
  ): GraphError => {
    const { says, waitMs, accountRests = false, [effect]: kind } = meaningOf(trouble)
    const retryAfterMs = accountRests ? (askedMs ?? waitMs) : waitMs
    return new GraphError(name, kind, text === '' ? `${says}.` : `${says}: ${text}`, {
      trouble,
      accountRests,
      ...(kind === 'retryable' && { retryAfterMs }),
    })
  }
  return {
    isTrouble: (error, ...troubles): error is GraphError =>
      error instanceof GraphError && troubles.some((trouble) => trouble === error.trouble),
    errorOf: (trouble, text) => errorOf(trouble, text),
    refused: (response, effect, token, clock) => {
      const { status } = response
      const askedMs = waitIn(response, clock.now())
      const fault = faultIn(response)
      if (fault) return errorOf(troubleOf(fault) ?? unknownTrouble(fault), textOf(fault, token), effect, askedMs)
      if (status === 429) return errorOf('rate limit', '', effect, askedMs)
      return new GraphError(name, lost(effect), `${name} failed (HTTP ${status}).`)
    },
  }
}

function unknownTrouble({ status, transient }: GraphFault): 'rate limit' | 'failed' | 'refused' {
  if (status === 429) return 'rate limit'
  return transient || status >= 500 ? 'failed' : 'refused'
}

function textOf({ message, userMessage, trace }: GraphFault, token: string): string {
  const text = quoted((userMessage ?? message).replaceAll(token, '…'))
  return trace === undefined ? text : `${text} (trace ${quoted(trace)})`
}
