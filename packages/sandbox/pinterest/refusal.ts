import type { FastifyError, FastifyReply } from 'fastify'
import type { z } from 'zod'

/** A request that Pinterest refuses, with the HTTP status and Pinterest's error code. */
export class PinterestRefusal extends Error {
  readonly status: number
  readonly code: number

  constructor(status: number, code: number, message: string) {
    super(message)
    this.name = 'PinterestRefusal'
    this.status = status
    this.code = code
  }
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

export function namedRefusal(code: string): PinterestRefusal {
  const [status, message] = NAMED[code] ?? [400, `The sandbox has no error ${code}.`]
  return new PinterestRefusal(status, Number(code), message)
}

/** @throws PinterestRefusal 400 code 1 that names every invalid parameter */
export function decode<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(result.error.issues.map(({ path, message }) => `${path.join('.') || 'request'}: ${message}`).join('; '))
}

export function invalid(message: string): PinterestRefusal {
  return new PinterestRefusal(400, 1, `Invalid request: ${message}`)
}

export function errorBody(code: number, message: string): { code: number; message: string } {
  return { code, message }
}

export function sendError(error: FastifyError | PinterestRefusal, reply: FastifyReply): FastifyReply {
  if (error instanceof PinterestRefusal) return reply.code(error.status).send(errorBody(error.code, error.message))
  const status = error.statusCode ?? 500
  return reply.code(status).send(errorBody(status < 500 ? 1 : 12, error.message))
}
