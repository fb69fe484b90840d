import type { Answer } from '../answer.ts'

/** The error format of RFC 6749 §5.2. */
export function oauthError(status: number, error: string, error_description: string): Answer {
  return { status, body: { error, error_description } }
}
