import type { FastifyError, FastifyReply } from 'fastify'
import type { z } from 'zod'

/** A request that Threads refuses, by code and subcode. */
export class ThreadsRefusal extends Error {
  readonly status: number
  readonly code: number
  readonly subcode: number | undefined

  constructor(status: number, code: number, message: string, subcode?: number) {
    super(message)
    this.name = 'ThreadsRefusal'
    this.status = status
    this.code = code
    this.subcode = subcode
  }
}

/** @throws ThreadsRefusal 400 code 100 that names every wrong parameter */
export function decode<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(result.error.issues.map(({ path, message }) => `${path.join('.') || 'request'}: ${message}`).join('; '))
}

export function invalid(message: string): ThreadsRefusal {
  return new ThreadsRefusal(400, 100, `(#100) Invalid parameter: ${message}`)
}

export function noSuchField(name: string): ThreadsRefusal {
  return new ThreadsRefusal(400, 100, `(#100) Tried accessing nonexisting field (${name})`)
}

export function noSuchMedia(): ThreadsRefusal {
  return new ThreadsRefusal(400, 24, 'The requested resource does not exist', 4279009)
}

export function errorBody({ code, subcode, message }: Pick<ThreadsRefusal, 'code' | 'subcode' | 'message'>): object {
  return {
    error: {
      message,
      type: code === 190 ? 'OAuthException' : 'THApiException',
      code,
      ...(subcode !== undefined && { error_subcode: subcode }),
      is_transient: code === 1 || code === 2,
      fbtrace_id: 'AbCdEfGhIjKlMnOpQrStUv',
    },
  }
}

export function sendError(error: FastifyError | ThreadsRefusal, reply: FastifyReply): FastifyReply {
  if (error instanceof ThreadsRefusal) return reply.code(error.status).send(errorBody(error))
  const status = error.statusCode ?? 500
  return reply
    .code(status)
    .send(errorBody({ code: status < 500 ? 100 : 1, subcode: undefined, message: error.message }))
}
