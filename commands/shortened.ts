import { asText } from '../domain/core/text.ts'

/** A platform's own words can be of any length; an event's can't. */
export function shortened<T extends { readonly error: string }>(failure: T): T {
  return { ...failure, error: asText(failure.error, 2000) }
}
