import type { FastifyError, FastifyReply } from 'fastify'
import type { z } from 'zod'

/** A request refused in LinkedIn's REST format. */
export class LinkedInRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly serviceErrorCode: number | undefined

  constructor(status: number, code: string, message: string, serviceErrorCode?: number) {
    super(message)
    this.name = 'LinkedInRefusal'
    this.status = status
    this.code = code
    this.serviceErrorCode = serviceErrorCode
  }
}

export function refuse(status: number, code: string, message: string, serviceErrorCode?: number): LinkedInRefusal {
  return new LinkedInRefusal(status, code, message, serviceErrorCode)
}

export function refusalBody({ status, code, message, serviceErrorCode }: LinkedInRefusal): object {
  return { status, code, message, ...(serviceErrorCode !== undefined && { serviceErrorCode }) }
}

/** @throws LinkedInRefusal 400 naming the first invalid field */
export function decode<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = `/${(issue?.path ?? []).join('/')}`
  const code = issue?.code === 'unrecognized_keys' ? 'UNPERMITTED_FIELD' : 'INVALID_VALUE_FOR_FIELD'
  throw refuse(400, code, `ERROR :: ${field} :: ${issue?.message ?? 'is not valid'}`)
}

export function sendLinkedInError(error: FastifyError | LinkedInRefusal, reply: FastifyReply): FastifyReply {
  if (error instanceof LinkedInRefusal) return reply.code(error.status).send(refusalBody(error))
  const status = error.statusCode ?? 500
  const code = status === 415 ? 'UNSUPPORTED_MEDIA_TYPE' : status < 500 ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR'
  return reply.code(status).send(refusalBody(refuse(status, code, error.message)))
}
