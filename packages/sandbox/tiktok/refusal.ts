import type { FastifyError, FastifyReply } from 'fastify'
import type { z } from 'zod'

/** A request refused in TikTok's format. */
export class TikTokRefusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.name = 'TikTokRefusal'
    this.status = status
    this.code = code
  }
}

/** Exceptions from 403, the status of most codes. */
const STATUS: Readonly<Record<string, number>> = {
  access_token_invalid: 401,
  scope_not_authorized: 401,
  scope_permission_missed: 400,
  invalid_param: 400,
  invalid_params: 400,
  app_version_check_failed: 400,
  invalid_publish_id: 400,
  token_not_authorized_for_specified_publish_id: 400,
  rate_limit_exceeded: 429,
  internal_error: 500,
}

export function refusal(code: string, message = `The request was refused: ${code}.`): TikTokRefusal {
  return new TikTokRefusal(STATUS[code] ?? 403, code, message)
}

/** The body of every answer of the API. */
export function envelope(data: object, code = 'ok', message = ''): object {
  return { data, error: { code, message, log_id: '20260101000000000000000000000000' } }
}

/** The token endpoint has its own error format. */
export function tokenError(error: string, description: string): object {
  return { error, error_description: description, log_id: '20260101000000000000000000000000' }
}

/** @throws TikTokRefusal that names every invalid parameter */
export function decode<T>(schema: z.ZodType<T>, value: unknown, code = 'invalid_param'): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const wrong = result.error.issues.map(({ path, message }) => `${path.join('.') || 'request'}: ${message}`)
  throw refusal(code, wrong.join('; '))
}

export function sendError(error: FastifyError | TikTokRefusal, reply: FastifyReply): FastifyReply {
  if (error instanceof TikTokRefusal) return reply.code(error.status).send(envelope({}, error.code, error.message))
  const status = error.statusCode ?? 500
  return reply.code(status).send(envelope({}, status < 500 ? 'invalid_params' : 'internal_error', error.message))
}
