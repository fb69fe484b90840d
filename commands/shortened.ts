import { asText } from '../domain/core/text.ts'

/** Truncates the error: a platform's message can be of any length, but an event's cannot. */
export function shortened<T extends { readonly error: string }>(failure: T): T {
  return { ...failure, error: asText(failure.error, 2000) }
}
