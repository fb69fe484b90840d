import type * as z from 'zod'
import type { Answer } from '../answer.ts'
import { decodeOr, invalidFields, StandInRefusal } from '../stand-in-refusal.ts'

/** @param code Pinterest's own error code */
export function pinterestRefusal(status: number, code: number, message: string): StandInRefusal {
  return new StandInRefusal({ status, body: { code, message } })
}

/** Errors that a test can request by number; the numbers are those of the examples in the API description. */
const NAMED: Readonly<Record<string, readonly [status: number, message: string]>> = {
  '1': [400, 'Invalid request: Unable to reach the URL. Please check the URL and try again.'],
  '2': [401, 'Authentication failed.'],
  '3': [403, 'Your application consumer has Trial access and may not create Pins in production.'],
  '7': [403, 'You are not permitted to access that resource.'],
  '8': [429, 'You have exceeded your rate limit. Try again later.'],
  '12': [500, 'Something went wrong on our end. Sorry about that.'],
  '29': [403, 'Your token lacks the scope pins:write.'],
  '40': [404, 'Board not found.'],
  '50': [404, 'Pin not found.'],
  '233': [403, 'Sorry, this image is too small.'],
  '235': [403, 'Sorry, this image is broken.'],
  '2031': [404, 'Board section not found.'],
}

export function namedRefusal(code: string): StandInRefusal {
  const [status, message] = NAMED[code] ?? [400, `The sandbox has no error ${code}.`]
  return pinterestRefusal(status, Number(code), message)
}

/** @throws StandInRefusal 400 code 1 that names every invalid parameter */
export function decode<T>(schema: z.ZodType<T>, value: unknown): T {
  return decodeOr(schema, value, (error) => invalid(invalidFields(error)))
}

export function invalid(message: string): StandInRefusal {
  return pinterestRefusal(400, 1, `Invalid request: ${message}`)
}

export function unexpected(status: number, message: string): Answer {
  return pinterestRefusal(status, status < 500 ? 1 : 12, message).answer
}
