import type { HttpFailure, HttpResponse } from '../http/http.ts'
import type { Clock } from '../runtime/clock.ts'
import { GenerationError } from './generation-error.ts'
import { wordsIn } from './provider-words.ts'
import { httpFailureIn, quoted } from './sdk-failure.ts'

/** The provider a request was sent to. */
export interface Asked {
  readonly provider: string
  /** Redacted from every message. */
  readonly apiKey: string | undefined
  /** The setting that holds `apiKey`. */
  readonly keySetting: 'VIDEO_API_KEY' | 'SPEECH_API_KEY'
  readonly clock: Clock
  retryAfterMs(header: string | undefined, now: number): number | undefined
}

/** The error for a non-success answer to a request that may be billed. */
export function refusedRequest(answer: HttpResponse, asked: Asked): GenerationError {
  const { status } = answer
  const { provider, keySetting } = asked
  const failed = telling(answer, asked)
  if (refusesKey(answer)) return failed('permanent', `${provider} rejected the key in ${keySetting}`)
  if (status === 429 || (status === 503 && isPlain(answer))) {
    return failed('retryable', `${provider} is not accepting requests at the moment`)
  }
  if (status === 408 || status >= 500) {
    return failed('ambiguous', `${provider} failed, and may have accepted the request`)
  }
  return failed('permanent', `${provider} rejected the request`)
}

/** The error for a non-success answer to a look at a running job. */
export function refusedLook(answer: HttpResponse, asked: Asked): GenerationError {
  const { status } = answer
  const { provider, keySetting } = asked
  const failed = telling(answer, asked)
  if (refusesKey(answer)) return failed('retryable', `${provider} rejected the key in ${keySetting}`)
  if (status === 404 || status === 410) return failed('permanent', `${provider} no longer has the job`)
  if (status < 400 || status === 408 || status === 409 || status === 429 || status >= 500) {
    return failed('retryable', `${provider} did not return the status of the job`)
  }
  return failed('permanent', `The job failed at ${provider}`)
}

/** The error for a request that may be billed and got no answer. @param error what ended the SDK's run */
export function unansweredRequest(error: unknown, { provider, apiKey }: Asked): GenerationError {
  if (error instanceof GenerationError) return error
  const failure = httpFailureIn(error)
  if (!failure) {
    const words = error instanceof Error ? quoted(error.message, apiKey) : ''
    return new GenerationError('permanent', `The request could not be sent to ${provider}: ${words}`)
  }
  const never = failure.kind === 'blocked' || failure.kind === 'bad-url' ? 'permanent' : 'retryable'
  return new GenerationError(failure.mayHaveArrived ? 'ambiguous' : never, notAnswered(failure, provider), {
    cause: failure,
  })
}

/** A look is free, so it may always be repeated. */
export function unansweredLook(failure: HttpFailure, { provider }: Asked): GenerationError {
  return new GenerationError('retryable', notAnswered(failure, provider), { cause: failure })
}

/** The provider's own message on one line, without the key. */
export function withoutKey(words: string, { apiKey }: Asked): string {
  return quoted(words, apiKey)
}

function notAnswered(failure: HttpFailure, provider: string): string {
  return `${provider} did not respond: ${failure.message}`
}

/** Builds errors that end with the provider's own message and carry the delay it asked for. */
function telling(answer: HttpResponse, asked: Asked): (kind: GenerationError['kind'], what: string) => GenerationError {
  const words = withoutKey(wordsIn(answer) ?? '', asked)
  const said = ` (status ${answer.status})${words === '' ? '.' : `: ${words}`}`
  const retryAfterMs = asked.retryAfterMs(answer.headers['retry-after'], asked.clock.now())
  return (kind, what) => new GenerationError(kind, `${what}${said}`, { retryAfterMs })
}

/** Google reports an invalid key with status 400. */
function refusesKey(answer: HttpResponse): boolean {
  const { status } = answer
  return status === 401 || status === 403 || (status === 400 && answer.text().includes('API_KEY_INVALID'))
}

/** Whether the provider itself refused, as opposed to a proxy that cannot know whether the request went through. */
function isPlain(answer: HttpResponse): boolean {
  return answer.headers['retry-after'] !== undefined || wordsIn(answer) !== undefined
}
