import type { HttpFailure } from '../http/http.ts'
import { TextModelError } from './text.ts'

/** The error for a call that got no answer. */
export function unanswered(failure: HttpFailure): TextModelError {
  const kind = failure.kind === 'blocked' || failure.kind === 'bad-url' ? 'permanent' : 'retryable'
  return new TextModelError(kind, `The AI did not respond: ${failure.message}`, { cause: failure })
}
