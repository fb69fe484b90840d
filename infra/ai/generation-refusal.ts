import type { HttpFailure, HttpResponse } from '../http/http.ts'
import type { Clock } from '../runtime/clock.ts'
import { GenerationError } from './generation-error.ts'
import { wordsIn } from './provider-words.ts'
import { httpFailureIn, quoted } from './sdk-failure.ts'

/** Whom a request went to. */
export interface Asked {
  readonly provider: string
  /** Taken out of all that is told. */
  readonly apiKey: string | undefined
  /** The setting that holds it. */
  readonly keySetting: 'VIDEO_API_KEY' | 'SPEECH_API_KEY'
  readonly clock: Clock
  retryAfterMs(header: string | undefined, now: number): number | undefined
}

/** What a request that may be paid for came to, when its answer is none of success. */
export function refusedRequest(answer: HttpResponse, asked: Asked): GenerationError {
  const { status } = answer
  const { provider, keySetting } = asked
  const failed = telling(answer, asked)
  if (refusesKey(answer)) return failed('permanent', `${provider} refuses the key in ${keySetting}`)
  if (status === 429 || (status === 503 && isPlain(answer))) {
    return failed('retryable', `${provider} takes no work at the moment`)
  }
  if (status === 408 || status >= 500) {
    return failed('ambiguous', `${provider} failed in a way that leaves open whether it works on it`)
  }
  return failed('permanent', `${provider} refuses the request`)
}

/** What a look at a job that was begun came to, when its answer is none of success. */
export function refusedLook(answer: HttpResponse, asked: Asked): GenerationError {
  const { status } = answer
  const { provider, keySetting } = asked
  const failed = telling(answer, asked)
  if (refusesKey(answer)) return failed('retryable', `${provider} refuses the key in ${keySetting}`)
  if (status === 404 || status === 410) return failed('permanent', `${provider} does not know the job any more`)
  if (status < 400 || status === 408 || status === 409 || status === 429 || status >= 500) {
    return failed('retryable', `${provider} does not tell how the job stands`)
  }
  return failed('permanent', `The job has failed at ${provider}`)
}

/** What a request that may be paid for came to, when it got no answer. @param error what ended the SDK's run */
export function unansweredRequest(error: unknown, { provider, apiKey }: Asked): GenerationError {
  if (error instanceof GenerationError) return error
  const failure = httpFailureIn(error)
  if (!failure) {
    const words = error instanceof Error ? quoted(error.message, apiKey) : ''
    return new GenerationError('permanent', `${provider} could not be asked: ${words}`)
  }
  const never = failure.kind === 'blocked' || failure.kind === 'bad-url' ? 'permanent' : 'retryable'
  return new GenerationError(failure.mayHaveArrived ? 'ambiguous' : never, notAnswered(failure, provider), {
    cause: failure,
  })
}

/** A look is free: it may be repeated, whatever became of it. */
export function unansweredLook(failure: HttpFailure, { provider }: Asked): GenerationError {
  return new GenerationError('retryable', notAnswered(failure, provider), { cause: failure })
}

/** The provider's own words on one line, without the key. */
export function told(words: string, { apiKey }: Asked): string {
  return quoted(words, apiKey)
}

function notAnswered(failure: HttpFailure, provider: string): string {
  return `${provider} did not answer: ${failure.message}`
}

/** Errors that end with what the provider has said itself, and with the pause that it asks for. */
function telling(answer: HttpResponse, asked: Asked): (kind: GenerationError['kind'], what: string) => GenerationError {
  const words = told(wordsIn(answer) ?? '', asked)
  const said = ` (status ${answer.status})${words === '' ? '.' : `: ${words}`}`
  const retryAfterMs = asked.retryAfterMs(answer.headers['retry-after'], asked.clock.now())
  return (kind, what) => new GenerationError(kind, `${what}${said}`, { retryAfterMs })
}

/** Google says with 400 that a key is none. */
function refusesKey(answer: HttpResponse): boolean {
  const { status } = answer
  return status === 401 || status === 403 || (status === 400 && answer.text().includes('API_KEY_INVALID'))
}

/** Whether the provider itself has refused, and not something before it that does not know whether the request went through. */
function isPlain(answer: HttpResponse): boolean {
  return answer.headers['retry-after'] !== undefined || wordsIn(answer) !== undefined
}
