import type * as z from 'zod'
import type { Answer } from '../answer.ts'
import { decodeOr, invalidFields, StandInRefusal } from '../stand-in-refusal.ts'

/** Mastodon has sentences in place of codes. */
export function refusal(status: number, error: string): StandInRefusal {
  return new StandInRefusal(answerOf(status, error))
}

export function answerOf(status: number, error: string): Answer {
  return { status, body: { error } }
}

export const invalidToken = (): StandInRefusal => refusal(401, 'The access token is invalid')
export const notFound = (): StandInRefusal => refusal(404, 'Record not found')
export const invalid = (what: string): StandInRefusal => refusal(422, `Validation failed: ${what}`)

/** @throws StandInRefusal 422 */
export function decode<T>(schema: z.ZodType<T>, value: unknown): T {
  return decodeOr(schema, value, (error) => invalid(invalidFields(error)))
}
